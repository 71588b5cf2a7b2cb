//! The emulated boards: the one place where targets are listed.

use crate::emulator::{self, Emulator};
use anyhow::{Result, bail};

/// A target triple and the QEMU machine that stands for it.
///
/// The memory map is `boards/MACHINE.x`; `build.rs` picks it by target.
pub struct Board {
    /// Rust's name of the instruction set and calling convention.
    pub target: &'static str,
    /// What emulates it.
    pub emulator: &'static Emulator,
    /// QEMU's name of the board.
    pub machine: &'static str,
    /// Heading in tables.
    pub core: &'static str,
    /// The core's full name.
    pub core_name: &'static str,
}

/// No floating-point unit, no hardware division, 16 KiB of RAM.
pub static M0: Board = Board {
    target: "thumbv6m-none-eabi",
    emulator: &emulator::ARM,
    machine: "microbit",
    core: "M0",
    core_name: "Cortex-M0",
};

/// No floating-point unit.
pub static M3: Board = Board {
    target: "thumbv7m-none-eabi",
    emulator: &emulator::ARM,
    machine: "mps2-an385",
    core: "M3",
    core_name: "Cortex-M3",
};

/// Single-precision floating-point unit; the default.
pub static M4F: Board = Board {
    target: DEFAULT_TARGET,
    emulator: &emulator::ARM,
    machine: "mps2-an386",
    core: "M4F",
    core_name: "Cortex-M4F",
};

/// Armv8-M with a floating-point unit.
pub static M33: Board = Board {
    target: "thumbv8m.main-none-eabihf",
    emulator: &emulator::ARM,
    machine: "mps2-an505",
    core: "M33",
    core_name: "Cortex-M33",
};

/// RISC-V without a floating-point unit and without atomics, as in the ESP32-C3.
pub static RV32: Board = Board {
    target: "riscv32imc-unknown-none-elf",
    emulator: &emulator::RISCV,
    machine: "virt",
    core: "RV32",
    core_name: "RV32IMC",
};

/// In the order of all tables.
pub static CORTEX_M: [&Board; 4] = [&M0, &M3, &M4F, &M33];

/// With those whose code nothing here reads: sizes, depths of stack and instructions are of Cortex-M.
pub static ALL: [&Board; 5] = [&M0, &M3, &M4F, &M33, &RV32];

/// Target of the board that one gets without asking.
pub const DEFAULT_TARGET: &str = "thumbv7em-none-eabihf";

impl Board {
    /// By triple, by the triple's first part or by core.
    pub fn find(name: &str) -> Result<&'static Board> {
        let fits = |board: &&&Board| {
            board.target == name
                || board.target.split('-').next() == Some(name)
                || board.core.eq_ignore_ascii_case(name)
        };
        let Some(board) = ALL.iter().find(fits) else {
            let known: Vec<_> = ALL.iter().map(|board| board.target).collect();
            bail!(
                "there is no board for it; known targets: {}",
                known.join(", ")
            );
        };
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;
    use std::fs;

    #[test]
    fn a_board_is_found_by_each_of_its_names() {
        for name in ["thumbv8m.main-none-eabihf", "thumbv8m.main", "M33", "m33"] {
            assert_eq!(Board::find(name).unwrap().machine, "mps2-an505", "{name}");
        }
        assert!(Board::find("thumb").is_err());
    }

    #[test]
    fn every_board_has_a_memory_map_that_the_build_script_picks() {
        let script = fs::read_to_string(workspace::root().join("build.rs")).unwrap();
        for Board {
            target, machine, ..
        } in ALL
        {
            let arm = format!("Ok(\"{target}\") => \"{machine}\"");
            assert!(script.contains(&arm), "build.rs lacks {arm}");
            let map = workspace::root().join(format!("boards/{machine}.x"));
            assert!(map.is_file(), "{} is missing", map.display());
        }
    }
}
