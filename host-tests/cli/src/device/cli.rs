//! `pocketron device`: teach, ask, correct and keep a device, at a port or in QEMU.

mod ask;
mod classes;
mod connection;
mod correct;
mod examine;
mod keep;
mod record;
mod stop;
mod teach;
mod torture;
mod traffic;
mod watch;

use anyhow::Result;
use clap::{Args, Subcommand};

use connection::Connection;

/// Options of the command.
#[derive(Args, Debug)]
pub struct DeviceOptions {
    #[command(flatten)]
    connection: Connection,
    #[command(subcommand)]
    command: DeviceCommand,
}

#[derive(Subcommand, Debug)]
enum DeviceCommand {
    /// Who is there: firmware, kind of model, sizes
    Identify,
    /// How it is: examples, mistakes, flash, stack, line
    Status,
    /// Let it learn the rows of a file
    Teach(teach::TeachOptions),
    /// Let it predict the rows of a file, and count what is right
    Ask(ask::AskOptions),
    /// Examples, stored vectors and leave-one-out recall of each class
    Classes,
    /// Take back the last example, block of examples, or `forget`
    Undo,
    /// Forget one class, in memory; `undo` takes it back
    Forget(correct::ForgetOptions),
    /// Rehearse stored vectors now; in idle time the device does not do so on its own
    Rehearse(correct::RehearseOptions),
    /// Show the status until Ctrl-C
    Watch(watch::WatchOptions),
    /// Keep the model in flash
    Save,
    /// Go back to the model in flash
    Load,
    /// Forget everything learned, in memory; what is in flash stays
    Reset(keep::ResetOptions),
    /// Fetch the model as a file
    Pull(keep::PullOptions),
    /// Give the device the model of a file, which it keeps in flash
    Push(keep::PushOptions),
    /// Write labelled lines from a port or from standard input to a data file
    Record(record::RecordOptions),
    /// Does it calculate as this machine does?
    SelfTest,
    /// Kill it in QEMU in the middle of saves, and look for lost models
    Torture(torture::TortureOptions),
}

/// Carries out one of the commands.
pub fn command(options: &DeviceOptions) -> Result<()> {
    stop::cleanly();
    let connect = || options.connection.open();
    match &options.command {
        DeviceCommand::Identify => examine::identify(&connect()?),
        DeviceCommand::Status => examine::status(&mut connect()?)?,
        DeviceCommand::Teach(teach) => teach.run(&mut connect()?)?,
        DeviceCommand::Ask(ask) => ask.run(&mut connect()?)?,
        DeviceCommand::Classes => classes::classes(&mut connect()?)?,
        DeviceCommand::Undo => correct::undo(&mut connect()?)?,
        DeviceCommand::Forget(forget) => forget.run(&mut connect()?)?,
        DeviceCommand::Rehearse(rehearse) => rehearse.run(&mut connect()?)?,
        DeviceCommand::Watch(watch) => watch.run(&mut connect()?)?,
        DeviceCommand::Save => keep::save(&mut connect()?)?,
        DeviceCommand::Load => keep::load(&mut connect()?)?,
        DeviceCommand::Reset(reset) => reset.run(&mut connect()?)?,
        DeviceCommand::Pull(pull) => pull.run(&mut connect()?)?,
        DeviceCommand::Push(push) => push.run(&mut connect()?)?,
        DeviceCommand::Record(record) => record.run(&connect)?,
        DeviceCommand::SelfTest => examine::self_test(&mut connect()?)?,
        DeviceCommand::Torture(torture) => torture.run(&options.connection)?,
    }
    Ok(())
}
