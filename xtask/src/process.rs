//! Child processes whose failures name the command, and that cannot hang.

use anyhow::{Context, Result, bail};
use std::{
    io::Read,
    process::{Child, Command, ExitStatus, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The command as one would type it.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// Runs to the end, output going where ours goes; fails if the command does.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs to the end and returns what it wrote to stdout; fails with its stderr.
pub fn capture(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start `{}`", shown(command)))?;
    text_of(command, output)
}

/// As [`capture`], but ends the child after `limit`.
pub fn capture_within(command: &mut Command, limit: Duration) -> Result<String> {
    let output = output_within(command, limit)?;
    text_of(command, output)
}

/// Runs with our output streams, but ends the child after `limit`.
pub fn status_within(command: &mut Command, limit: Duration) -> Result<ExitStatus> {
    let mut child = command
        .stdin(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start `{}`", shown(command)))?;
    wait_within(&mut child, limit).with_context(|| shown(command))
}

fn output_within(command: &mut Command, limit: Duration) -> Result<Output> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{}`", shown(command)))?;
    // Both pipes are drained while we wait: a full pipe would stop the child.
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait_within(&mut child, limit);
    let stdout = stdout.join().unwrap_or_default();
    let stderr = stderr.join().unwrap_or_default();
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

fn text_of(command: &Command, output: Output) -> Result<String> {
    let stdout = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let status = output.status;
        bail!("`{}` failed ({status})\n{stdout}{stderr}", shown(command));
    }
    Ok(stdout.into_owned())
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn wait_within(child: &mut Child, limit: Duration) -> Result<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() >= limit {
            child.kill().context("cannot end the child")?;
            child.wait()?;
            bail!("no end within {} s", limit.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
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
    fn more_output_than_a_pipe_holds_arrives_whole() {
        let limit = Duration::from_secs(30);
        let text = capture_within(&mut shell("yes | head -c 300000"), limit).unwrap();
        assert_eq!(text.len(), 300_000);
    }
}
