//! A device that measures.

use super::{handler::Device, message::ErrorReply, sample_stream::SampleStream};
use crate::{
    classifier::{OnlineClassifier, RemoteModel},
    error::InputError,
    label::Class,
    persist::store::nor_flash::NorFlash,
    signal::{Event, FrontEnd, Idle, Teacher},
};

/// Milliseconds from the last rehearsal to the save.
const SAVE_AFTER: u64 = 5000;

/// With a sensor, the loop of the board has two more calls: [`sample`](Self::sample) when a sample came, and
/// [`idle`](Self::idle) when nothing waits.
impl<
    T,
    M,
    F,
    const D: usize,
    const FRAME: usize,
    const SLOTS: usize,
    const C: usize,
    const N: usize,
> Device<'_, Teacher<T, M>, F, D, FRAME, SLOTS, SampleStream<C, N>>
where
    T: FrontEnd<Sample = [i16; C], Features = [f32; D]>,
    M: RemoteModel + OnlineClassifier<Input = [f32; D]>,
    F: NorFlash,
{
    /// Takes what a driver gave, and the class that is being taught if the board has a button and it is held. An error is a lost sample.
    ///
    /// # Errors
    ///
    /// As [`Teacher::sample`].
    pub fn sample<E>(
        &mut self,
        reading: Result<[i16; C], E>,
        button: Option<Class>,
    ) -> Result<Event, InputError> {
        let handler = &mut self.request_handler;
        if let Ok(sample) = &reading {
            handler.sensor.push(*sample);
        }
        let class = button.or(handler.sensor.class);
        let event = handler.model_store.model.reading(reading, class)?;
        if matches!(event, Event::Teaching { .. }) {
            handler.model_store.touch();
        }
        handler.sensor.note(event);
        Ok(event)
    }

    /// To be called between two samples: replays one exemplar if nothing is taught, and says when to [save](Device::save).
    pub fn idle(&mut self) -> Idle {
        let idle = self.request_handler.model_store.model.idle();
        if idle == Idle::Rehearsed {
            self.request_handler.model_store.touch();
        }
        idle
    }

    /// With a recording in place of a sensor, instead of both: does the next small thing, and says whether there was one. Five seconds after all was
    /// rehearsed, it saves, as often as the limit on wear allows; `now` counts milliseconds.
    ///
    /// A sample comes when a host has asked for it and nothing is left to be rehearsed, so that the same requests give the same bits however fast
    /// the board is. `read` gets the number of the sample.
    pub fn step<E>(&mut self, now: u64, read: impl FnOnce(u32) -> Result<[i16; C], E>) -> bool {
        match self.idle() {
            Idle::Rehearsed => return true,
            Idle::Save => self.request_handler.sensor.unsaved_since = Some(now),
            Idle::Nothing => {}
        }
        self.save_after_a_while(now);
        let Some(number) = self.request_handler.sensor.due() else {
            return false;
        };
        // Only a class that does not exist is an error, and a host cannot teach one.
        let _ = self.sample(read(number), None);
        true
    }

    /// Saves what was taught, unless more is taught soon: several blocks then take one save.
    fn save_after_a_while(&mut self, now: u64) {
        let Some(since) = self.request_handler.sensor.unsaved_since else {
            return;
        };
        if now.saturating_sub(since) < SAVE_AFTER || self.model().class().is_some() {
            return;
        }
        // Too soon after the last one: later. What else is wrong with the flash, a host learns when it saves.
        if !matches!(self.save(now), Err(ErrorReply::TooSoon { .. })) {
            self.request_handler.sensor.unsaved_since = None;
        }
    }
}
