//! Data sets that the repository does not carry.
//!
//! Every test that needs one asks [`data`] for it. Where the set is missing, the test says so and passes, so that a
//! fresh clone is green. With `POCKETRON_REQUIRE_DATA=1` it fails, so that a run which should have had the data (that
//! of the continuous integration) cannot be green without. `POCKETRON_SKIPPED` names a file that lists what was
//! skipped: `cargo xtask test` prints it at the end.

use std::{
    fs::OpenOptions,
    io::{Write, stderr},
};

use pocketron_testkit::data::{Dataset, LoadError, Places};

/// The variable that makes a missing set a failure when it is 1.
pub const REQUIRE: &str = "POCKETRON_REQUIRE_DATA";

/// The variable that names the list of what was skipped.
pub const SKIPPED: &str = "POCKETRON_SKIPPED";

/// The set of that name, or nothing when it is not there and not required.
pub fn data(name: &str) -> Option<Dataset> {
    let required = std::env::var_os(REQUIRE).is_some_and(|value| value == "1");
    let data = at_hand(Places::new(None).load(name), required);
    if data.is_none() {
        // Past the test harness, which hides what a passing test prints.
        let test = std::thread::current();
        let test = test.name().unwrap_or("a test");
        let _ = writeln!(stderr(), "skipped {test}: no data set `{name}`");
        if let Some(list) = std::env::var_os(SKIPPED) {
            let list = OpenOptions::new().create(true).append(true).open(list);
            let line = format!("{name}\t{test}\n");
            let written = list.and_then(|mut list| list.write_all(line.as_bytes()));
            written.expect("the list of skipped tests can be written");
        }
    }
    data
}

/// What was loaded; a set that was not found is a failure only if it is `required`, a bad one always.
pub fn at_hand(loaded: Result<Dataset, LoadError>, required: bool) -> Option<Dataset> {
    match loaded {
        Ok(data) => Some(data),
        Err(LoadError::NotFound(_)) if !required => None,
        Err(error) => panic!("{error}\n({REQUIRE}=1 makes a missing set a failure)"),
    }
}
