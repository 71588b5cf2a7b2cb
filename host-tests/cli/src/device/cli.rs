//! `pocketron device`: teach, ask, correct and keep a device, at a port or in QEMU.

mod ask;
mod classes;
pub(crate) mod connection;
mod correct;
mod examine;
mod keep;
mod key;
mod power_cut_test;
mod record;
mod sensor;
pub(crate) mod stop;
mod teach;
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
    /// Show firmware, kind of model and sizes
    Identify,
    /// Show counts of examples and mistakes, and the state of flash, stack and line
    Status,
    /// Let it learn the rows of a file
    Teach(teach::TeachOptions),
    /// Let it predict the rows of a file, and count what is right
    Ask(ask::AskOptions),
    /// Examples, vectors and recall of each class, by leave-one-out or on held-out examples
    Classes,
    /// Take back the last example, block of examples, or `forget`
    Undo,
    /// Forget one class, in memory; `undo` takes it back
    Forget(correct::ForgetOptions),
    /// Rehearse stored vectors now; without a sensor, the device does not rehearse by itself
    Rehearse(correct::RehearseOptions),
    /// Describe its sensor: channels, rate, window, features
    Sensor,
    /// Show its sensor's state: the last event, the class being taught, faulty samples
    State,
    /// Write the samples of its sensor as CSV
    Samples(sensor::SamplesOptions),
    /// Show the answer to each window of its sensor; with --teach, teach a class
    Listen(sensor::ListenOptions),
    /// Show the status until Ctrl-C
    Watch(watch::WatchOptions),
    /// Save the model to flash
    Save,
    /// Load the saved model from flash
    Load,
    /// Forget everything learned, in memory; the saved model stays in flash
    Reset(keep::ResetOptions),
    /// Fetch the model's image into a file
    Pull(keep::PullOptions),
    /// Send the image of a model to the device, which saves it to flash
    Push(keep::PushOptions),
    /// Write labelled lines from a port or from standard input to a data file
    Record(record::RecordOptions),
    /// Check that the device computes the same bits as this machine
    SelfTest,
    /// Cut its power in QEMU in the middle of saves, and look for lost models
    PowerCutTest(power_cut_test::PowerCutTestOptions),
}

impl DeviceCommand {
    /// Whether the device keeps a model in its flash.
    fn saves(&self) -> bool {
        match self {
            DeviceCommand::Save | DeviceCommand::Push(_) => true,
            DeviceCommand::Teach(teach) => teach.saves(),
            _ => false,
        }
    }
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
        DeviceCommand::Sensor => sensor::sensor(&mut connect()?)?,
        DeviceCommand::State => sensor::state(&mut connect()?)?,
        DeviceCommand::Samples(samples) => samples.run(&mut connect()?)?,
        DeviceCommand::Listen(listen) => listen.run(&mut connect()?)?,
        DeviceCommand::Watch(watch) => watch.run(&mut connect()?)?,
        DeviceCommand::Save => keep::save(&mut connect()?)?,
        DeviceCommand::Load => keep::load(&mut connect()?)?,
        DeviceCommand::Reset(reset) => reset.run(&mut connect()?)?,
        DeviceCommand::Pull(pull) => pull.run(&mut connect()?)?,
        DeviceCommand::Push(push) => push.run(&mut connect()?)?,
        DeviceCommand::Record(record) => record.run(&connect)?,
        DeviceCommand::SelfTest => examine::self_test(&mut connect()?)?,
        DeviceCommand::PowerCutTest(test) => test.run(&options.connection)?,
    }
    if options.command.saves() {
        options.connection.tell_if_forgotten();
    }
    Ok(())
}
