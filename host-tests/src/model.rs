//! Models out of their images, run on the host.

mod envelope;

pub use envelope::Envelope;
