//! What must not compile, and what the compiler says about it.
//!
//! Each program in `cases/` has the expected message beside it; after a change of wording or of compiler,
//! `TRYBUILD=overwrite cargo test -p pocketron-compile-fail` writes the messages anew for you to look at.

use std::process::Command;

/// The compiler whose messages are recorded; others word them differently.
const RECORDED_WITH: &str = "rustc 1.95.";

/// What is only caught when code is generated (a budget of zero, a width of NaN) is left to the compile_fail doctests:
/// those messages quote the standard library's source where it happens to be installed.
#[test]
fn what_cannot_work_does_not_compile() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let version = version.expect("the compiler tells its version");
    if !version.starts_with(RECORDED_WITH) {
        // To standard error directly: the test harness would swallow it.
        use std::io::Write;
        let _ = writeln!(
            std::io::stderr(),
            "skipped: the messages are those of {RECORDED_WITH}x, this is {}; the compile_fail doctests still run",
            version.trim()
        );
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/cases/*.rs");
}
