//! Whole models over the line.

use pocketron::device::{
    message::Request,
    signature::{BYTES, Signature, sign},
};

use super::{Answer, Client, LinkError, answer::Saved, client::expected};
use crate::model::ImageHeader;

/// What a push is signed with.
#[derive(Clone, Copy)]
pub struct Signer<'k> {
    /// The device's key.
    pub key: &'k [u8; BYTES],
    /// The only sequence number to sign for; none: whichever the device names.
    ///
    /// What a device says is not authenticated. Whoever sits on the line can name a later number, keep the signature, and push the image once the
    /// device has got there.
    pub sequence: Option<u32>,
}

impl Signer<'_> {
    fn sign(self, named: u32, image: &[u8]) -> Result<Signature, LinkError> {
        match self.sequence {
            Some(wanted) if wanted != named => Err(LinkError::OtherSequence { named, wanted }),
            _ => Ok(sign(self.key, named, image)),
        }
    }
}

/// Restarts of a pull at most, when the model changes meanwhile.
const ATTEMPTS: usize = 5;

impl Client {
    /// The image of the model as it is now. `progress` hears of bytes done and all.
    ///
    /// Parts of different generations do not fit together: when the model changes
    /// in between, it starts over.
    pub fn pull(&mut self, progress: &mut dyn FnMut(usize, usize)) -> Result<Vec<u8>, LinkError> {
        for _ in 0..ATTEMPTS {
            if let Some(image) = self.pull_generation(progress)? {
                let image_header = ImageHeader::open(&image);
                return image_header.map(|_| image).map_err(|error| {
                    LinkError::Image(format!("the device sent a bad image: {error}"))
                });
            }
        }
        Err(LinkError::Restless)
    }

    /// `None` when the model changed on the way.
    fn pull_generation(
        &mut self,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Option<Vec<u8>>, LinkError> {
        let (mut image, mut generation) = (Vec::new(), None);
        loop {
            let offset = image.len() as u32;
            let answer = self.session.ask(&Request::Pull { offset })?;
            let part = expected!(answer, "a part of its model", Answer::Part(part) => part)?;
            if *generation.get_or_insert(part.generation) != part.generation {
                return Ok(None);
            }
            image.extend(&part.bytes);
            progress(image.len(), part.len as usize);
            if image.len() >= part.len as usize {
                return Ok(Some(image));
            }
            if part.bytes.is_empty() {
                return Err(LinkError::Unexpected("more of its model"));
            }
        }
    }

    /// Gives the device another model, which it keeps in flash and becomes.
    pub fn push(
        &mut self,
        image: &[u8],
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Saved, LinkError> {
        self.push_signed(image, None, progress)
    }

    /// The same, signed if there is a signer. A device that wants a signature gets one, or nothing is sent.
    pub fn push_signed(
        &mut self,
        image: &[u8],
        signer: Option<Signer<'_>>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Saved, LinkError> {
        let image_header =
            ImageHeader::open(image).map_err(|error| LinkError::Image(error.to_string()))?;
        if image_header.shape_hash != self.identity.shape_hash {
            return Err(LinkError::Image(format!(
                "the image is of another kind of model:\n  image:  {}\n  device: {}",
                image_header.shape, self.identity.shape
            )));
        }
        let len = image.len() as u32;
        // Whatever was saved since the line was opened has taken a number.
        let signature = match (signer, self.identify()?.push_sequence) {
            (Some(signer), Some(sequence)) => Some(signer.sign(sequence, image)?),
            (None, None) => None,
            (None, Some(_)) => return Err(LinkError::WantsSignature),
            (Some(_), None) => return Err(LinkError::ChecksNoSignature),
        };
        let begin = match &signature {
            Some(Signature { digest, tag }) => Request::PushBegin { len, digest, tag },
            None => Request::unsigned_push(len),
        };
        let answer = self.session.ask(&begin)?;
        expected!(answer, "that it is ready", Answer::Done => ())?;

        // One at a time: a device writes each to its flash, and its window is one of examples,
        // which are shorter.
        let size = self.identity.part.max(1);
        for (part, bytes) in image.chunks(size).enumerate() {
            let offset = part * size;
            progress(offset, image.len());
            let offset = offset as u32;
            match self.session.ask(&Request::PushPart { offset, bytes })? {
                // If it was refused, the end of the push will say so.
                Answer::Forgotten => {}
                answer => expected!(answer, "that it took a part", Answer::Done => ())?,
            }
        }
        progress(image.len(), image.len());
        let answer = self.session.ask(&Request::PushEnd)?;
        expected!(answer, "that it saved", Answer::Saved(saved) => saved)
    }
}
