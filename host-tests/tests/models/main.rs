//! Models that leave the memory they learned in: as bytes, and to the host.

#[path = "../../on-target/src/all_learners/mod.rs"]
mod all_learners;
#[path = "../common/kept.rs"]
mod kept;
#[path = "../../../examples/sensor/mod.rs"]
mod sensor;

mod images;
mod nonsense;
mod on_the_host;
mod wrapped;
