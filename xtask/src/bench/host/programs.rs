//! LIBSVM and scikit-learn, from their packages, as programs that `pocketron speed` times.

use super::super::peers;
use crate::{process, setup, workspace};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Packages of the Python index: the first has LIBSVM's own source.
const LIBSVM: &str = "libsvm-official==3.37.0";
const SCIKIT_LEARN: &str = "scikit-learn==1.9.1";

const COMPILER: &str = "g++";

/// Programs that are ready to be timed.
#[derive(Default)]
pub struct Programs {
    /// LIBSVM with our driver, for this processor.
    libsvm: Option<PathBuf>,
    /// A Python that has scikit-learn.
    python: Option<PathBuf>,
}

impl Programs {
    /// Installs and builds; what cannot be had is left out, and that is said.
    pub fn install() -> Self {
        Programs {
            libsvm: or_without("LIBSVM", libsvm("native")),
            python: or_without("scikit-learn", python()),
        }
    }

    /// Whether LIBSVM can be compiled here.
    pub fn have_libsvm(&self) -> bool {
        self.libsvm.is_some()
    }

    /// As options of `pocketron speed`.
    pub fn hand_to(&self, speed: &mut Command) {
        if let Some(program) = &self.libsvm {
            speed.arg("--libsvm").arg(program);
        }
        if let Some(python) = &self.python {
            let script = sources().join("scikit.py");
            speed.arg("--scikit-learn").arg(python).arg(script);
        }
    }
}

/// One peer less is no reason to time nothing.
fn or_without<T>(name: &str, peer: Result<T>) -> Option<T> {
    peer.inspect_err(|error| println!("going on without {name}: {error:#}"))
        .ok()
}

fn sources() -> PathBuf {
    workspace::root().join("host-tests/papers/peers")
}

/// LIBSVM with our driver, compiled for a processor.
pub fn libsvm(processor: &str) -> Result<PathBuf> {
    if process::capture(Command::new(COMPILER).arg("--version")).is_err() {
        setup::apt_install(&["g++"], "the compiler that LIBSVM is built with")?;
    }
    let package = peers::folder().join(LIBSVM.replace('-', "_").replace("==", "-"));
    if !package.is_dir() {
        println!("downloading {LIBSVM} with pip: the source of LIBSVM, to compare with");
        peers::pip(&["--no-binary", "libsvm-official", LIBSVM])?;
        peers::unpack(&package)?;
    }
    let source = package.join("cpp-source");
    let program = peers::folder().join(format!("libsvm-{processor}"));
    let mut compiler = Command::new(COMPILER);
    compiler.args(["-O3", &format!("-march={processor}"), "-I"]);
    compiler.arg(&source).arg(sources().join("libsvm.cpp"));
    process::run(compiler.arg(source.join("svm.cpp")).arg("-o").arg(&program))?;
    Ok(program)
}

/// A Python of its own, since scikit-learn brings other packages with it.
fn python() -> Result<PathBuf> {
    let folder = peers::folder().join(SCIKIT_LEARN.replace("==", "-"));
    let python = folder.join("bin/python");
    // An installation that was interrupted is begun anew.
    if !has_scikit_learn(&python) {
        println!(
            "installing {SCIKIT_LEARN} with pip in {}: batches of predictions, to compare with",
            folder.display()
        );
        fs::create_dir_all(peers::folder())?;
        let mut environment = Command::new("python3");
        process::run(environment.args(["-m", "venv", "--clear"]).arg(&folder))?;
        let mut pip = Command::new(&python);
        process::run(pip.args(["-m", "pip", "install", "--quiet", SCIKIT_LEARN]))?;
    }
    has_scikit_learn(&python)
        .then_some(python)
        .context("it is installed but cannot be imported")
}

fn has_scikit_learn(python: &Path) -> bool {
    let mut import = Command::new(python);
    import.args(["-c", "import sklearn.metrics.pairwise"]);
    process::capture(&mut import).is_ok()
}
