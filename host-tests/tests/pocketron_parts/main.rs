//! The parts of the default learner, each against its formula of `docs/pocketron.md` in plain `f64`.
//!
//! The formulas know nothing of how the core computes: no tables, no shifts, no whole weights. What the core may be off
//! by is derived beside each comparison.

mod annealed_steps;
mod classes;
mod formulas;
mod lessons;
mod mergers;
mod merging_classes;
mod moving;
mod relevance;
mod relevance_classes;
mod scale;
