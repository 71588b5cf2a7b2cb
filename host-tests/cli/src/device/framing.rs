//! Messages out of a stream of bytes.

use std::{collections::VecDeque, io, time::Instant};

use pocketron::device::{
    frame::{self, FrameError},
    message::{Message, Reply, Request},
};

use super::{LinkError, Transport};

/// Longest frame that is waited for: far more than any device sends at once.
const LONGEST: usize = 1 << 16;

/// The frame around a request.
pub fn encode(number: u32, request: &Request<'_>) -> Result<Vec<u8>, LinkError> {
    // Text and numbers of a request take few bytes; the rest is features or a part of an image.
    let payload = match request {
        Request::Predict { features } | Request::Learn { features, .. } => features.0.len(),
        Request::PushPart { bytes, .. } => bytes.len(),
        Request::PushBegin { digest, tag, .. } => digest.len() + tag.len(),
        _ => 0,
    };
    let mut buffer = vec![0; frame::frame_len(payload + 32)];
    let message = Message {
        number,
        body: *request,
    };
    let used = frame::encode(&message, &mut buffer).map(|frame| frame.len());
    buffer.truncate(used.ok_or(LinkError::Oversized)?);
    Ok(buffer)
}

/// Finds frames in what comes over a line.
pub struct Line {
    transport: Box<dyn Transport>,
    frames: VecDeque<Frame>,
    partial: Vec<u8>,
}

impl Line {
    /// Nothing received yet.
    pub fn new(transport: Box<dyn Transport>) -> Self {
        Line {
            transport,
            frames: VecDeque::new(),
            partial: Vec::new(),
        }
    }

    /// Ends whatever half of a frame the device may have got before.
    pub fn resynchronise(&mut self) -> io::Result<()> {
        self.transport.send(&[0; 4])
    }

    /// Sends frames that [`encode`] made.
    pub fn send(&mut self, frames: &[u8]) -> io::Result<()> {
        self.transport.send(frames)
    }

    /// The next frame, if one is complete by then.
    pub fn next_frame(&mut self, until: Instant) -> io::Result<Option<Frame>> {
        let mut buffer = [0; 4096];
        loop {
            if let Some(frame) = self.frames.pop_front() {
                return Ok(Some(frame));
            }
            let within = until.saturating_duration_since(Instant::now());
            let count = self.transport.receive(&mut buffer, within)?;
            if count == 0 && Instant::now() >= until {
                return Ok(None);
            }
            self.take(&buffer[..count]);
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == 0) {
            match piece.split_last() {
                Some((0, end)) => {
                    self.partial.extend_from_slice(end);
                    let frame = std::mem::take(&mut self.partial);
                    if !frame.is_empty() {
                        self.frames.push_back(Frame(frame));
                    }
                }
                // Noise without an end is kept up to a bound; its checksum will not hold.
                _ if self.partial.len() < LONGEST => self.partial.extend_from_slice(piece),
                _ => {}
            }
        }
    }
}

/// A frame without its final zero.
#[derive(Clone)]
pub struct Frame(Vec<u8>);

impl Frame {
    /// The reply; the frame is used up.
    pub fn message(&mut self) -> Result<Message<Reply<'_>>, FrameError> {
        frame::decode(&mut self.0)
    }

    /// The version of the protocol, from an identity of whatever version: after the number
    /// comes the identity's place among the replies, and then the schema.
    pub fn schema(&mut self) -> Option<u64> {
        const IDENTITY: u8 = 0;
        let message = frame::open(&mut self.0).ok()?;
        let number = message.iter().take_while(|byte| **byte >= 0x80).count() + 1;
        let (kind, rest) = message.get(number..)?.split_first()?;
        let schema = rest.first_chunk()?;
        (*kind == IDENTITY).then(|| u64::from_le_bytes(*schema))
    }
}
