//! Bytes in, bytes out.

use super::{
    board_status::BoardStatus,
    frame::{self, FrameError},
    frame_buffer::{Arrival, FrameBuffer},
    limits::buffer_for,
    message::StoreErrorCode,
    model_store::ModelStore,
    request_handler::RequestHandler,
};
use crate::{
    classifier::RemoteModel,
    persist::store::{SlotRing, WearLimit, nor_flash::NorFlash},
};

/// A model that is taught, asked, saved and exchanged over a serial line.
///
/// `L` learns from `D` features, `F` is the driver of the flash with `SLOTS` slots, and
/// `FRAME` the bytes of the longest frame, its final zero included; there is one such
/// buffer for each direction and, during an answer, one on the stack. A longer frame makes
/// faster transfers of images; too short a one does not compile:
///
/// ```compile_fail
/// # use pocketron::{device::{Device, message::StoreErrorCode}, persist::store::{RamFlash, WearLimit}, prelude::*};
/// type Tiny<'m> = Device<'m, Stoptron<2, 8>, RamFlash<8>, 2, 127>;
/// let mut model = Stoptron::new(Gaussian::constant(1.0));
/// Tiny::new(&mut model, |_| (), Err(StoreErrorCode::Missing), WearLimit::new(0, 0));
/// ```
pub struct Device<'m, L, F, const D: usize, const FRAME: usize, const SLOTS: usize = 2> {
    frame_buffer: FrameBuffer<FRAME>,
    reply_buffer: [u8; FRAME],
    request_handler: RequestHandler<'m, L, F, D, SLOTS>,
}

impl<'m, L, F, const D: usize, const FRAME: usize, const SLOTS: usize>
    Device<'m, L, F, D, FRAME, SLOTS>
where
    L: RemoteModel<Input = [f32; D]>,
    F: NorFlash,
{
    /// A device that begins with the model in its store, and with `model` as it is if the
    /// store cannot give one; its status says why.
    ///
    /// `reset` makes the model fresh. A store that could not be mounted is handed over as
    /// the reason (`SlotRing::mount(..).map_err(Into::into)`), and one that does not exist
    /// as [`StoreErrorCode::Missing`]: all that needs no flash works without. `limit` counts
    /// milliseconds.
    pub fn new(
        model: &'m mut L,
        reset: fn(&mut L),
        store: Result<SlotRing<F, SLOTS>, StoreErrorCode>,
        limit: WearLimit,
    ) -> Self {
        const {
            assert!(
                FRAME >= buffer_for(D, L::CLASSES),
                "the frame is too short for the model's examples, its classes, or a status"
            );
            assert!(
                FRAME <= u16::MAX as usize && D <= u16::MAX as usize,
                "a device describes its sizes with 16 bits"
            );
        }
        Device {
            frame_buffer: FrameBuffer::new(),
            reply_buffer: [0; FRAME],
            request_handler: RequestHandler::new(ModelStore::new(model, reset, store, limit)),
        }
    }

    /// The same device with a name and version of its firmware, for hosts to show.
    pub fn with_firmware(mut self, firmware: &'m str) -> Self {
        self.request_handler.firmware = firmware;
        self
    }

    /// The same device on a board that can hold so many frames while it is busy; one
    /// unless said otherwise.
    pub fn with_window(mut self, frames: u8) -> Self {
        self.request_handler.window = frames.max(1);
        self
    }

    /// The model as it is now.
    pub fn model(&self) -> &L {
        self.request_handler.model_store.model
    }

    /// Takes a byte from the line, and returns the frame to be sent, if there is one.
    ///
    /// Every byte is taken, whatever it is. The answer to a frame comes with its final
    /// zero; how long that takes depends on what is asked: erasing flash is the slowest.
    pub fn receive(&mut self, byte: u8, board_status: &BoardStatus) -> Option<&[u8]> {
        let message = match self.frame_buffer.take(byte)? {
            Arrival::Frame(frame) => frame::open(frame),
            Arrival::Overlong => Err(FrameError::Damaged),
        };
        let mut scratch = [0; FRAME];
        let len = self.request_handler.answer(
            message,
            board_status,
            &mut scratch,
            &mut self.reply_buffer,
        )?;
        self.reply_buffer.get(..len)
    }
}
