//! Child processes whose failures name the command, and that are ended when they take too long.

use anyhow::{Context, Result, bail};
#[cfg(unix)]
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike,
};
use std::{
    io::Read,
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

/// For whatever has no limit of its own: far above a first build on a slow machine.
const LIMIT: Duration = Duration::from_secs(60 * 60);

/// For a pipe to end after its process has; another process may still hold it open.
const GRACE: Duration = Duration::from_secs(10);

/// The command as one would type it.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// Runs with our output streams; fails if the command does, or after [`LIMIT`].
pub fn run(command: &mut Command) -> Result<()> {
    run_within(command, LIMIT)
}

/// As [`run`], with another limit.
pub fn run_within(command: &mut Command, limit: Duration) -> Result<()> {
    let status = status_within(command, limit)?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Returns what the command wrote to stdout; fails with its stderr, or after [`LIMIT`].
pub fn capture(command: &mut Command) -> Result<String> {
    capture_within(command, LIMIT)
}

/// As [`capture`], with another limit.
pub fn capture_within(command: &mut Command, limit: Duration) -> Result<String> {
    let output = output_within(command, limit)?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let status = output.status;
        bail!("`{}` failed ({status})\n{stdout}{stderr}", shown(command));
    }
    Ok(stdout.into_owned())
}

/// Everything that the command leaves behind, failed or not; an error only after [`LIMIT`].
pub fn output(command: &mut Command) -> Result<Output> {
    output_within(command, LIMIT)
}

/// Runs with our output streams, but ends the child after `limit`.
pub fn status_within(command: &mut Command, limit: Duration) -> Result<ExitStatus> {
    let mut child = start(command)?;
    wait_within(&mut child, limit).with_context(|| shown(command))
}

/// As [`output`], with another limit.
pub fn output_within(command: &mut Command, limit: Duration) -> Result<Output> {
    let mut child = start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    // Both pipes are drained while we wait: a full pipe would stop the child.
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait_within(&mut child, limit);
    let stdout = stdout.recv_timeout(GRACE).unwrap_or_default();
    let stderr = stderr.recv_timeout(GRACE).unwrap_or_default();
    let status = status.with_context(|| {
        let so_far = String::from_utf8_lossy(&stdout);
        format!("`{}` printed so far:\n{so_far}", shown(command))
    })?;
    Ok(Output {
        status,
        stdout,
        stderr,
    })
}

/// Time that processors have worked for the children that have ended, and for theirs; none where the system does not count it.
pub fn work_of_children() -> Duration {
    #[cfg(unix)]
    if let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) {
        let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
        return Duration::from_micros(u64::try_from(microseconds).unwrap_or(0));
    }
    Duration::ZERO
}

/// Without input: a question that no user sees must fail, not wait.
fn start(command: &mut Command) -> Result<Child> {
    let child = command.stdin(Stdio::null()).spawn();
    child.with_context(|| format!("cannot start `{}`", shown(command)))
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        // No receiver is left when the grace is over.
        let _ = sender.send(bytes);
    });
    receiver
}

fn wait_within(child: &mut Child, limit: Duration) -> Result<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() >= limit {
            end(child)?;
            bail!("no end within {} s", limit.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Ends the child and what it has started: the test that hangs is a child of cargo.
///
/// Not by a process group of its own, which Ctrl-C would not reach.
fn end(child: &mut Child) -> Result<()> {
    let mut group = descendants(child.id());
    child.kill().context("cannot end the child")?;
    child.wait()?;
    if !group.is_empty() {
        group.insert(0, "-KILL".into());
        // Some may have ended by themselves; the limit is reported in any case.
        let mut kill = Command::new("kill");
        let _ = kill.args(group).stderr(Stdio::null()).status();
    }
    Ok(())
}

/// Process numbers below `parent`, as far as `ps` knows; none where there is no `ps`.
fn descendants(parent: u32) -> Vec<String> {
    let listed = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output();
    let Ok(listed) = listed else {
        return Vec::new();
    };
    let listed = String::from_utf8_lossy(&listed.stdout);
    let pairs: Vec<(&str, &str)> = listed
        .lines()
        .filter_map(|line| line.trim().split_once(char::is_whitespace))
        .map(|(child, parent)| (child, parent.trim_start()))
        .collect();
    let mut found = vec![parent.to_string()];
    let mut next = 0;
    while let Some(above) = found.get(next).cloned() {
        let below = pairs.iter().filter(|(_, parent)| *parent == above);
        found.extend(below.map(|(child, _)| child.to_string()));
        next += 1;
    }
    found.split_off(1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_child_that_hangs_is_ended_and_its_output_kept() {
        let start = Instant::now();
        let limit = Duration::from_millis(300);
        let error = capture_within(&mut shell("echo begun; exec sleep 60"), limit).unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(30));
        assert!(format!("{error:#}").contains("begun\n"), "{error:#}");
    }

    /// As with `cargo test`: the child waits for a process that hangs and holds the pipe.
    #[test]
    fn what_the_child_started_ends_with_it() {
        let start = Instant::now();
        let limit = Duration::from_millis(300);
        let script = "sleep 61 & echo $!; wait; true";
        let error = capture_within(&mut shell(script), limit).unwrap_err();
        assert!(start.elapsed() < GRACE, "the pipe was closed");
        let error = format!("{error:#}");
        let sleeper = error.lines().nth(1).unwrap().split(':').next().unwrap();
        // A killed process may stay in the table until its new parent looks.
        let mut ps = Command::new("ps");
        let state = ps.args(["-o", "stat=", "-p", sleeper]).output().unwrap();
        let state = String::from_utf8_lossy(&state.stdout);
        let state = state.trim();
        assert!(
            state.is_empty() || state.starts_with('Z'),
            "{error} {state}"
        );
    }

    #[test]
    fn a_status_and_an_output_are_handed_on_whether_good_or_bad() {
        let limit = Duration::from_secs(30);
        let status = status_within(&mut shell("exit 3"), limit).unwrap();
        assert_eq!(status.code(), Some(3));
        assert!(run(&mut shell("exit 3")).is_err() && run(&mut shell("true")).is_ok());
        let output = output(&mut shell("echo reason >&2; exit 3")).unwrap();
        assert_eq!(
            (output.status.code(), output.stderr),
            (Some(3), b"reason\n".into())
        );
    }

    #[test]
    fn a_failure_names_the_command_and_shows_its_stderr() {
        let error = capture(&mut shell("echo reason >&2; exit 3")).unwrap_err();
        let error = format!("{error:#}");
        assert!(
            error.contains("sh -c") && error.contains("reason\n"),
            "{error}"
        );
    }

    #[test]
    fn the_work_of_a_child_is_counted_when_it_has_ended() {
        let before = work_of_children();
        run(&mut shell(
            "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done",
        ))
        .unwrap();
        assert!(work_of_children() > before);
    }

    #[test]
    fn more_output_than_a_pipe_holds_arrives_whole() {
        let limit = Duration::from_secs(30);
        let text = capture_within(&mut shell("yes | head -c 300000"), limit).unwrap();
        assert_eq!(text.len(), 300_000);
    }
}
