//! What the default learner promises to whoever teaches it.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/kept.rs"]
mod kept;

mod cost;
mod forgetting;
mod images;
mod late;
mod long_streams;
mod malformed;
mod order;
mod rehearsal;
mod sensors;
mod streams;
mod undo;
