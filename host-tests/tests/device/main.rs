//! The handler of the protocol: whatever comes over the line, it answers or skips it, and does each
//! command once.

mod bad_frames;
mod bad_requests;
mod bench;
mod board_parts;
mod confidence;
mod correction_sequences;
mod corrections;
mod encoding;
mod keeping;
mod lossy_line;
mod messages;
mod numbers;
mod permissions;
mod power_cuts;
mod protocol_page;
mod pushing;
mod questions;
mod remote_models;
mod sensors;
mod sequences;
mod signed_pushes;
mod wear;
mod wire;
