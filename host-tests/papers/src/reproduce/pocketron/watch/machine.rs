//! Who learns.

use anyhow::Result;
use pocketron::{
    classifier::{OnlineClassifier, RemoteModel},
    label::Class,
    learners::PocketronMulti,
    persist::BoundedImage,
    signal::Teachable,
    wrap::{ExemplarReplay, confidence::Confident},
};

use super::{
    BUDGET,
    person::{CLASSES, DIM, Window, mean_recall},
};

/// The default learner alone.
pub type Plain = PocketronMulti<DIM, BUDGET, CLASSES>;

/// The learner for teaching by hand.
pub type Hand = Teachable<DIM, BUDGET, CLASSES>;

/// A learner that can begin as a factory model.
pub trait Machine: OnlineClassifier<Input = [f32; DIM], Label = Class> + RemoteModel {
    /// Its name in a table.
    const NAME: &'static str;

    /// Whether it rehearses after a block, until nothing is left to do.
    const REHEARSES: bool;

    /// Around a model that others have taught.
    fn of(factory: Plain) -> Self;

    /// Bytes in memory, and of the longest image.
    fn bytes() -> [usize; 2];
}

impl Machine for Plain {
    const NAME: &'static str = "PocketronMulti<12, 40, 7>";
    const REHEARSES: bool = false;

    fn of(factory: Plain) -> Self {
        factory
    }

    fn bytes() -> [usize; 2] {
        [size_of::<Self>(), <Self as BoundedImage>::MAX_BYTES]
    }
}

impl Machine for Hand {
    const NAME: &'static str = "Teachable<12, 40, 7>";
    const REHEARSES: bool = true;

    fn of(factory: Plain) -> Self {
        Confident::of(ExemplarReplay::of(factory))
    }

    fn bytes() -> [usize; 2] {
        [size_of::<Self>(), <Self as BoundedImage>::MAX_BYTES]
    }
}

impl Machine for Confident<Plain, CLASSES> {
    const NAME: &'static str = "Confident<PocketronMulti<12, 40, 7>, 7>";
    const REHEARSES: bool = false;

    fn of(factory: Plain) -> Self {
        Confident::of(factory)
    }

    fn bytes() -> [usize; 2] {
        [size_of::<Self>(), <Self as BoundedImage>::MAX_BYTES]
    }
}

/// A model that others have taught.
pub fn factory(others: &[Window]) -> Result<Plain> {
    let mut model = Plain::new();
    for window in others {
        model.learn(&window.features, Class(window.class))?;
    }
    Ok(model)
}

/// Teaches blocks, with rehearsal after each; the share of windows that were right before they were
/// taught, in percent.
pub fn teach<M: Machine>(machine: &mut M, blocks: &[Vec<Window>]) -> Result<f64> {
    let (mut right, mut all) = (0, 0);
    for block in blocks {
        for window in block {
            let outcome = machine.learn(&window.features, Class(window.class))?;
            right += usize::from(!outcome.mistake);
            all += 1;
        }
        while M::REHEARSES && machine.rehearse_steps(1)? > 0 {}
    }
    Ok(100.0 * right as f64 / all.max(1) as f64)
}

/// The mean recall on some windows.
pub fn recall<M: Machine>(machine: &M, windows: &[Window]) -> Result<f64> {
    mean_recall(windows, |window| {
        Ok(machine.predict(&window.features)? == Class(window.class))
    })
}

/// The mean recall that the machine reports of itself, if it can.
pub fn reported<M: Machine>(machine: &M) -> Option<f64> {
    let classes = (0..CLASSES as u8).filter_map(|class| machine.recall_of(Class(class)));
    let shares: Vec<f64> = classes
        .filter(|recall| recall.asked > 0)
        .map(|recall| f64::from(recall.right) / f64::from(recall.asked))
        .collect();
    (!shares.is_empty()).then(|| 100.0 * shares.iter().sum::<f64>() / shares.len() as f64)
}
