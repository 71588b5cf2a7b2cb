//! Corrections of a model: undo, forget, rehearse.

use anyhow::{Result, bail};
use clap::Args;
use pocketron::device::message::ErrorReply;

use super::keep::confirmed;
use crate::device::{Client, LinkError};

/// Takes back the last example, block or forgotten class.
pub fn undo(client: &mut Client) -> Result<()> {
    client.undo()?;
    println!(
        "the model is as it was before the last example, block or `forget`; \
         the counts of `status` are not taken back"
    );
    Ok(())
}

/// Options of `forget`.
#[derive(Args, Debug)]
pub struct ForgetOptions {
    /// Number of the class, from 0
    #[arg(value_name = "CLASS")]
    class: u8,
    /// Do not ask on a device without undo
    #[arg(long)]
    yes: bool,
}

impl ForgetOptions {
    /// Forgets one class. Only a device that cannot undo it needs a confirmation.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        let (class, classes) = (self.class, client.identity().classes);
        if usize::from(class) >= classes {
            bail!("the model has the classes 0 to {}", classes - 1);
        }
        // Not before it is clear that it can be done: a block replaces what could be taken back.
        client.class_status(class)?;
        let can_undo = match client.begin_block() {
            Ok(()) => true,
            Err(LinkError::Refused(ErrorReply::Unsupported)) => false,
            Err(error) => return Err(error.into()),
        };
        if !can_undo && !self.yes {
            let question = format!("forget class {class}? this device cannot undo it");
            if !confirmed(&question)? {
                println!("nothing was changed");
                return Ok(());
            }
        }
        let forgotten = client.forget(class);
        if can_undo {
            client.end_block()?;
        }
        forgotten?;
        println!("class {class} is forgotten in memory; what is in flash stays");
        if can_undo {
            println!("`pocketron device undo` takes that back until the next example is learned");
        }
        Ok(())
    }
}

/// Options of `rehearse`.
#[derive(Args, Debug)]
pub struct RehearseOptions {
    /// Stored vectors to rehearse, each once at most [default: all]
    #[arg(value_name = "STEPS", default_value_t = u16::MAX, hide_default_value = true)]
    steps: u16,
}

impl RehearseOptions {
    /// Rehearses stored vectors.
    pub fn run(&self, client: &mut Client) -> Result<()> {
        match client.rehearse(self.steps)? {
            0 => println!("no vector moved: each one rehearsed has its margin"),
            moved => println!("vectors that moved: {moved}; repeat it while the number falls"),
        }
        Ok(())
    }
}
