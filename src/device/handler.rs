//! Bytes in, bytes out.

use super::{
    access::{Access, Unrestricted},
    board_status::BoardStatus,
    frame::{self, FrameError},
    frame_buffer::{Arrival, FrameBuffer},
    limits::buffer_for,
    message::{ErrorReply, Permissions, StoreErrorCode},
    model_store::ModelStore,
    request_handler::RequestHandler,
    sensor::{NoSensor, Sensor},
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
/// faster transfers of images. `S` is its sensor, if it [has one](Device::with_sensor), and `A`
/// decides [who may do what](Device::with_permissions). Too short a frame does not compile:
///
/// ```compile_fail
/// # use pocketron::{device::{Device, message::StoreErrorCode}, persist::store::{RamFlash, WearLimit}, prelude::*};
/// type Tiny<'m> = Device<'m, Stoptron<2, 8>, RamFlash<8>, 2, 127>;
/// let mut model = Stoptron::new(Gaussian::constant(1.0));
/// Tiny::new(&mut model, |_| (), Err(StoreErrorCode::Missing), WearLimit::new(0, 0));
/// ```
pub struct Device<
    'm,
    L,
    F,
    const D: usize,
    const FRAME: usize,
    const SLOTS: usize = 2,
    S = NoSensor,
    A = Unrestricted,
> {
    frame_buffer: FrameBuffer<FRAME>,
    reply_buffer: [u8; FRAME],
    pub(super) request_handler: RequestHandler<'m, L, F, D, SLOTS, S, A>,
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
}

impl<'m, L, F, const D: usize, const FRAME: usize, const SLOTS: usize, A>
    Device<'m, L, F, D, FRAME, SLOTS, NoSensor, A>
where
    L: RemoteModel<Input = [f32; D]>,
    F: NorFlash,
    A: Access,
{
    /// The same device with a sensor.
    ///
    /// ```
    /// use pocketron::device::{Device, SampleStream, message::StoreErrorCode};
    /// use pocketron::persist::store::{RamFlash, WearLimit};
    /// use pocketron::signal::{FrontEnd, Motion, Teachable, Teacher};
    /// use pocketron::prelude::*;
    ///
    /// /// 12 features, 40 support vectors, 4 classes; the last block can be taken back.
    /// type Model = Teacher<Motion<128>, Undo<Teachable<12, 40, 4>>>;
    ///
    /// let mut model = Model::new();
    /// let (no_store, limit) = (Err(StoreErrorCode::Missing), WearLimit::new(60_000, 10_000));
    /// let device = Device::<_, RamFlash<8>, 12, 320>::new(&mut model, |model| *model = Model::BLANK, no_store, limit);
    /// let mut device = device.with_sensor(SampleStream::<3, 64>::new(["x", "y", "z"], 50.0));
    ///
    /// // In the loop: what the driver gave, and the button. Then what there is to rehearse.
    /// device.sample(Ok::<_, ()>([12, -8, 1000]), None)?;
    /// device.idle(20); // milliseconds since the start
    /// assert_eq!(device.model().front_end().quality().samples, 1);
    /// # Ok::<(), pocketron::error::InputError>(())
    /// ```
    pub fn with_sensor<S: Sensor<L>>(self, sensor: S) -> Device<'m, L, F, D, FRAME, SLOTS, S, A> {
        Device {
            frame_buffer: self.frame_buffer,
            reply_buffer: self.reply_buffer,
            request_handler: self.request_handler.map(|_, access| (sensor, access)),
        }
    }
}

impl<'m, L, F, const D: usize, const FRAME: usize, const SLOTS: usize, S>
    Device<'m, L, F, D, FRAME, SLOTS, S>
where
    L: RemoteModel<Input = [f32; D]>,
    F: NorFlash,
    S: Sensor<L>,
{
    /// The same device with a line that may do no more than this.
    ///
    /// Unless said otherwise the line may do everything, which is right for development. A product begins with
    /// [`Permissions::ASK`], or with [`Permissions::TEACH`] if its owner teaches it over the line.
    ///
    /// ```
    /// use pocketron::device::{Device, message::{Permissions, StoreErrorCode}};
    /// use pocketron::persist::store::{RamFlash, WearLimit};
    /// use pocketron::prelude::*;
    ///
    /// type Model = PocketronMulti<3, 20, 4>;
    /// let mut model = Model::BLANK;
    /// let (no_store, limit) = (Err(StoreErrorCode::Missing), WearLimit::new(60_000, 10_000));
    /// let device = Device::<_, RamFlash<8>, 3, 256>::new(&mut model, |model| *model = Model::BLANK, no_store, limit);
    /// let mut device = device.with_permissions(Permissions::ASK);
    ///
    /// // In the loop: a button lets the line teach for a minute.
    /// let (now, mut until) = (5_000, 0);
    /// let button_is_pressed = true;
    /// if button_is_pressed {
    ///     until = now + 60_000;
    /// }
    /// let may_teach = now < until;
    /// device.set_permissions(if may_teach { Permissions::TEACH } else { Permissions::ASK });
    /// assert_eq!(device.permissions(), Permissions::TEACH);
    /// ```
    pub fn with_permissions(
        self,
        permissions: Permissions,
    ) -> Device<'m, L, F, D, FRAME, SLOTS, S, Permissions> {
        Device {
            frame_buffer: self.frame_buffer,
            reply_buffer: self.reply_buffer,
            request_handler: self.request_handler.map(|sensor, _| (sensor, permissions)),
        }
    }
}

impl<L, F, const D: usize, const FRAME: usize, const SLOTS: usize, S>
    Device<'_, L, F, D, FRAME, SLOTS, S, Permissions>
where
    L: RemoteModel<Input = [f32; D]>,
    F: NorFlash,
    S: Sensor<L>,
{
    /// What the line may do now.
    pub fn permissions(&self) -> Permissions {
        self.request_handler.access
    }

    /// Changes what the line may do, from the next request on.
    ///
    /// What the line has begun ends with its permission, and stays ended if the permission comes back: a class that it teaches by the sensor,
    /// a push, a reset that is armed.
    pub fn set_permissions(&mut self, permissions: Permissions) {
        self.request_handler.access = permissions;
        self.request_handler.end_unpermitted();
    }
}

impl<'m, L, F, const D: usize, const FRAME: usize, const SLOTS: usize, S, A>
    Device<'m, L, F, D, FRAME, SLOTS, S, A>
where
    L: RemoteModel<Input = [f32; D]>,
    F: NorFlash,
    S: Sensor<L>,
    A: Access,
{
    /// The same device with a name and version of its firmware, for hosts to show.
    pub fn with_firmware(mut self, firmware: &'m str) -> Self {
        self.request_handler.firmware = firmware;
        self
    }

    /// The same device, which takes only images that are [signed](super::signature) with this key.
    ///
    /// Take another key for each device: a signature names the sequence number of its image, not the device.
    #[cfg(feature = "auth")]
    pub fn with_key(mut self, key: &'m [u8; super::signature::BYTES]) -> Self {
        self.request_handler.model_store.push_check.key = Some(key);
        self
    }

    /// The same device on a board that can hold `N` frames while it is busy; one
    /// unless said otherwise.
    pub fn with_window(mut self, frames: u8) -> Self {
        self.request_handler.window = frames.max(1);
        self
    }

    /// Keeps the model in flash, unless it is there already; the sequence number of its image. `now` counts milliseconds, as the limit on wear
    /// does. For a device that saves on its own, when nothing waits: flash is erased meanwhile.
    ///
    /// The [reserve](WearLimit::with_reserve) is for what the application itself has taught, or taken back: a model that only
    /// the line has changed is saved as if the line had asked for it.
    ///
    /// # Errors
    ///
    /// Without a store, if the limit on wear refuses, or if the flash does.
    pub fn save(&mut self, now: u64) -> Result<u32, ErrorReply> {
        self.request_handler.model_store.save(now, false)
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
