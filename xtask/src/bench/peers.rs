//! CMSIS-DSP and emlearn, from their packages, counted by the same clock.

use super::{
    CORES, LIMIT, counting,
    counts::{cell, optional},
    cycles::{self, Cost},
};
use crate::{
    board::{self, Board},
    process, setup, workspace,
};
use anyhow::{Context, Result, bail};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Packages of the Python index, whose sources in C are what we want.
const CMSIS: &str = "cmsisdsp==1.10.3";
const EMLEARN: &str = "emlearn==0.23.2";

const COMPILER: &str = "arm-none-eabi-gcc";

/// Their compiler options.
static FLAGS: [(&str, &[&str]); 2] = [
    ("-O3", &["-O3"]),
    ("-O3 -funroll-loops", &["-O3", "-funroll-loops"]),
];

/// A prediction of a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    pub core: String,
    pub flags: String,
    pub name: String,
    pub kernel: String,
    pub features: usize,
    /// Support vectors, items or trees.
    pub vectors: usize,
    pub ram: u64,
    pub instructions: u64,
    /// Modelled, on the Cortex-M4F.
    pub cycles: Option<u64>,
}

impl Peer {
    /// For files.
    pub fn cells(&self) -> [String; 9] {
        [
            self.core.clone(),
            self.name.clone(),
            self.flags.clone(),
            self.kernel.clone(),
            self.features.to_string(),
            self.vectors.to_string(),
            self.ram.to_string(),
            self.instructions.to_string(),
            cell(self.cycles),
        ]
    }

    /// The other way round.
    pub fn of_cells(cells: &[&str]) -> Result<Self> {
        let &[
            core,
            name,
            flags,
            kernel,
            features,
            vectors,
            ram,
            instructions,
            cycles,
        ] = cells
        else {
            bail!("{} columns instead of 9", cells.len());
        };
        Ok(Peer {
            core: core.into(),
            flags: flags.into(),
            name: name.into(),
            kernel: kernel.into(),
            features: features.parse()?,
            vectors: vectors.parse()?,
            ram: ram.parse()?,
            instructions: instructions.parse()?,
            cycles: optional(cycles)?,
        })
    }
}

/// Installs, builds and counts.
pub fn count() -> Result<Vec<Peer>> {
    install().context(
        "the peers cannot be built; `cargo xtask bench device --no-peers` counts without them",
    )?;
    let mut peers = Vec::new();
    for core in CORES {
        for (name, flags) in FLAGS {
            let image = build(core, flags)?;
            let text = process::capture_within(&mut counting(core, &image), LIMIT)?;
            let counted = text
                .lines()
                .map(|line| parse(core, name, line).with_context(|| line.to_string()));
            let (mut counted, entries): (Vec<Peer>, Vec<u64>) =
                counted.collect::<Result<Vec<_>>>()?.into_iter().unzip();
            if core.core == board::M4F.core {
                let costs = cycles::of_theirs(&image, &entries)?;
                for (peer, Cost { cycles, .. }) in counted.iter_mut().zip(costs) {
                    peer.cycles = Some(cycles);
                }
            }
            peers.extend(counted);
        }
    }
    Ok(peers)
}

/// A peer, and where its code lies.
fn parse(core: &Board, flags: &str, line: &str) -> Result<(Peer, u64)> {
    let cells: Vec<&str> = line.split(',').collect();
    let &[name, ref counted @ .., code] = &cells[..] else {
        bail!("{} columns instead of 7", cells.len());
    };
    let peer = Peer::of_cells(&[&[core.core, name, flags], counted, &["-"]].concat())?;
    Ok((peer, u64::from_str_radix(code, 16)?))
}

/// Folder of packages and images.
pub fn folder() -> PathBuf {
    workspace::target_dir().join("bench/peers")
}

fn install() -> Result<()> {
    if process::capture(Command::new(COMPILER).arg("--version")).is_err() {
        let packages = ["gcc-arm-none-eabi", "libnewlib-arm-none-eabi"];
        setup::apt_install(&packages, "the compiler that the peers are used with")?;
    }
    if !cmsis().is_dir() {
        println!("downloading {CMSIS} with pip: the sources of CMSIS-DSP, to compare with");
        // The package itself as source; what only prepares it may come as it is.
        pip(&["--no-binary", "cmsisdsp", CMSIS])?;
        unpack(&cmsis())?;
    }
    if !emlearn().is_dir() {
        println!("downloading {EMLEARN} with pip: its headers for C, to compare with");
        pip(&[EMLEARN])?;
        let archive = folder().join(format!("{}-py3-none-any.whl", EMLEARN.replace("==", "-")));
        let mut zip = Command::new("python3");
        process::run(zip.args(["-m", "zipfile", "-e"]).arg(archive).arg(folder()))?;
    }
    Ok(())
}

/// Downloads a package to [`folder`].
pub fn pip(what: &[&str]) -> Result<()> {
    fs::create_dir_all(folder())?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--dest"]);
    process::run(pip.arg(folder()).args(what))
}

/// Makes a package's folder of the archive that lies beside it.
pub fn unpack(package: &Path) -> Result<()> {
    let mut archive = OsString::from(package);
    archive.push(".tar.gz");
    let mut tar = Command::new("tar");
    process::run(tar.arg("-xzf").arg(archive).arg("-C").arg(folder()))
}

fn cmsis() -> PathBuf {
    folder().join(CMSIS.replace("==", "-"))
}

fn emlearn() -> PathBuf {
    folder().join("emlearn")
}

fn build(core: &Board, flags: &[&str]) -> Result<PathBuf> {
    let image = folder().join(format!("{}{}.elf", core.core, flags.concat()));
    let sources = workspace::root().join("host-tests/on-target/peers");
    let machines = cmsis().join("Source/SVMFunctions");
    let mut compiler = Command::new(COMPILER);
    compiler.args(flags).args(processor(core));
    // Without the headers of a processor, which this package leaves out.
    compiler.args(["-mthumb", "-w", "-D__GNUC_PYTHON__"]);
    for folder in [
        cmsis().join("Include"),
        cmsis().join("PrivateInclude"),
        emlearn(),
    ] {
        compiler.arg("-I").arg(folder);
    }
    compiler.args(["-nostartfiles", "-specs=nosys.specs", "-T"]);
    compiler
        .arg(sources.join("link.ld"))
        .arg(sources.join("main.c"));
    for kernel in ["linear", "polynomial", "rbf"] {
        for step in ["init", "predict"] {
            compiler.arg(machines.join(format!("arm_svm_{kernel}_{step}_f32.c")));
        }
    }
    process::run(compiler.arg("-lm").arg("-o").arg(&image))?;
    Ok(image)
}

fn processor(core: &Board) -> &'static [&'static str] {
    match core.core {
        "M4F" => &["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"],
        "M3" => &["-mcpu=cortex-m3"],
        _ => &["-mcpu=cortex-m0"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_a_peer() {
        let (peer, code) = parse(
            &board::M4F,
            "-O3",
            "cmsis-dsp,gaussian,4,100,2028,10202,161c",
        )
        .unwrap();
        assert_eq!(
            (peer.name.as_str(), peer.instructions, code),
            ("cmsis-dsp", 10_202, 0x161c)
        );
        assert!(parse(&board::M4F, "-O3", "cmsis-dsp,gaussian,4").is_err());
    }
}
