//! The emulators, and how they are installed.

use crate::{process, setup, tool, workspace};
use anyhow::{Context, Result};
use std::{fs, process::Command};

/// An emulator of one kind of processor. It comes from the system, or lies beside what cargo installs.
pub struct Emulator {
    /// Its program.
    pub program: &'static str,
    /// Debian's package with it.
    package: &'static str,
    /// How other systems install it, a line each.
    elsewhere: &'static str,
    /// Its purpose.
    why: &'static str,
}

pub static ARM: Emulator = Emulator {
    program: "qemu-system-arm",
    package: "qemu-system-arm",
    elsewhere: "  Fedora           dnf install qemu-system-arm
  macOS            brew install qemu
  Windows          winget install SoftwareFreedomConservancy.QEMU",
    why: "runs the examples on emulated boards",
};

pub static RISCV: Emulator = Emulator {
    program: "qemu-system-riscv32",
    package: "qemu-system-misc",
    elsewhere: "  Fedora           dnf install qemu-system-riscv
  macOS            brew install qemu
  Windows          winget install SoftwareFreedomConservancy.QEMU",
    why: "compares the bits of every learner on a RISC-V core",
};

impl Emulator {
    /// Its version, after installing it if need be.
    pub fn install(&self) -> Result<String> {
        if let Some(version) = self.version() {
            return Ok(version);
        }
        let Self {
            program,
            package,
            elsewhere,
            why,
        } = self;
        let installed = match setup::apt_install(&[package], why) {
            Err(error) if error.is::<setup::WouldRemove>() => {
                println!("{error}");
                self.unpack()
            }
            other => other,
        };
        installed.with_context(|| {
            format!(
                "{program} is missing; install it by hand and see that it is on the PATH:
  Debian, Ubuntu   apt-get install {package}
{elsewhere}"
            )
        })?;
        self.version().with_context(|| {
            format!("{program} is installed but does not start; see that cargo's folder of programs is on the PATH")
        })
    }

    fn version(&self) -> Option<String> {
        let text = process::capture(Command::new(self.program).arg("--version")).ok()?;
        let version = text.lines().next()?;
        Some(format!("{}: {version}", self.program))
    }

    /// Takes the one program out of Debian's package, for machines whose other parts of QEMU come from a newer release: the
    /// whole package would replace them. The libraries that it needs are installed as usual.
    fn unpack(&self) -> Result<()> {
        let Self {
            program: name,
            package,
            ..
        } = self;
        let folder = workspace::root().join("target").join(name);
        fs::create_dir_all(&folder)?;
        let home = tool::cargo_home().context("neither CARGO_HOME nor HOME is set")?;
        let program = home.join("bin").join(name);
        println!(
            "taking {name} alone out of its package instead, to {}",
            program.display()
        );
        let mut download = Command::new("apt-get");
        download
            .current_dir(&folder)
            .args(["-qq", "download", package]);
        process::run_within(&mut download, setup::APT_LIMIT)?;
        let mut packages = fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path()));
        let package = packages
            .find(|path| path.extension().is_some_and(|ending| ending == "deb"))
            .context("apt-get has downloaded no package")?;
        let fields = process::capture(
            Command::new("dpkg-deb")
                .arg("--field")
                .arg(&package)
                .arg("Depends"),
        )?;
        setup::apt_install(&libraries(&fields), "libraries of the emulator")?;
        process::run(
            Command::new("dpkg-deb")
                .arg("-x")
                .arg(&package)
                .arg(&folder),
        )?;
        fs::create_dir_all(home.join("bin"))?;
        fs::copy(folder.join("usr/bin").join(name), &program)?;
        Ok(fs::remove_dir_all(&folder)?)
    }
}

/// The packages in a list of dependencies, without other parts of QEMU.
fn libraries(depends: &str) -> Vec<&str> {
    let names = depends
        .split(',')
        .filter_map(|one| one.split_whitespace().next());
    names.filter(|name| !name.starts_with("qemu-")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_emulator_alone_needs_the_libraries_of_its_package() {
        let depends = "libc6 (>= 2.34), libfdt1 (>= 1.6.1), qemu-system-common (= 1:7.2), libslirp0 | libslirp1\n";
        assert_eq!(libraries(depends), ["libc6", "libfdt1", "libslirp0"]);
    }
}
