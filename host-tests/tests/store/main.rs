//! The store: whatever happens to power and flash, the newest acknowledged image comes back, whole.

mod at_rest;
mod brown_outs;
mod bytes;
mod cuts;
mod pending_images;
mod power_cuts;
mod refusals;
mod sim_flash;
mod slots;
mod unstable_flash;
mod wear;
mod while_mounted;
