//! A device that measures.

use super::{access::Access, handler::Device, message::Permission, sample_stream::SampleStream};
use crate::{
    classifier::{OnlineClassifier, RemoteModel},
    error::{EditError, InputError},
    label::Class,
    persist::store::nor_flash::NorFlash,
    signal::{Event, FrontEnd, Idle, Teacher},
};

/// Milliseconds from the last rehearsal to the save, and from a save that failed to the next attempt.
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
    A,
> Device<'_, Teacher<T, M>, F, D, FRAME, SLOTS, SampleStream<C, N>, A>
where
    T: FrontEnd<Sample = [i16; C], Features = [f32; D]>,
    M: RemoteModel + OnlineClassifier<Input = [f32; D]>,
    F: NorFlash,
    A: Access,
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
        handler.sensor.push(reading.as_ref().ok().copied());
        let class = button.or(handler.sensor.class);
        let event = handler.model_store.model.reading(reading, class)?;
        if matches!(event, Event::Teaching { .. }) {
            match button {
                Some(_) => handler.model_store.touch_by_application(),
                None => handler.model_store.touch(),
            }
        }
        handler.sensor.note(event);
        Ok(event)
    }

    /// This many samples were lost before the next one. They take numbers, and no window goes over a long gap.
    pub fn skip(&mut self, samples: u32) {
        let handler = &mut self.request_handler;
        handler.sensor.skip(samples);
        handler.model_store.model.front_end_mut().skip(samples);
    }

    /// Takes back the last block, as a host can.
    ///
    /// # Errors
    ///
    /// As [`Teacher::undo`].
    pub fn undo(&mut self) -> Result<(), EditError> {
        self.request_handler.model_store.model.undo()?;
        self.request_handler.model_store.touch_by_application();
        Ok(())
    }

    /// To be called between two samples; `now` counts milliseconds. Replays one exemplar if nothing is taught, and says when to
    /// [save](Device::save): five seconds after all was rehearsed, so that several blocks take one save, and every five seconds from then on until the
    /// model is saved.
    ///
    /// What only the line has changed waits until the line may save: it could not make it permanent itself, either. Whatever else the line has
    /// taught is saved with what the application has.
    pub fn idle(&mut self, now: u64) -> Idle {
        let handler = &mut self.request_handler;
        match handler.model_store.model.idle() {
            Idle::Rehearsed => {
                handler.model_store.touch_by_rehearsal();
                return Idle::Rehearsed;
            }
            Idle::Save => handler.sensor.save_at = Some(now.saturating_add(SAVE_AFTER)),
            Idle::Nothing => {}
        }
        if handler.model_store.model.class().is_some() {
            return Idle::Nothing;
        }
        handler.model_store.rehearsed();
        if handler.sensor.save_at.is_none_or(|at| now < at) {
            return Idle::Nothing;
        }
        // A host may have saved it.
        let is_unsaved = handler.model_store.is_unsaved();
        let line_may_save = handler.access.permissions().allows(Permission::Save);
        if is_unsaved && !line_may_save && !handler.model_store.has_application_change() {
            return Idle::Nothing;
        }
        handler.sensor.save_at = is_unsaved.then(|| now.saturating_add(SAVE_AFTER));
        if is_unsaved {
            Idle::Save
        } else {
            Idle::Nothing
        }
    }

    /// With a recording in place of a sensor, instead of both: does the next small thing, and says whether there was one. It saves when
    /// [`idle`](Self::idle) says so, as often as the limit on wear allows.
    ///
    /// A sample comes when a host has asked for it and nothing is left to be rehearsed, so that the same requests give the same bits however fast
    /// the board is. `read` gets the number of the sample.
    pub fn step<E>(&mut self, now: u64, read: impl FnOnce(u32) -> Result<[i16; C], E>) -> bool {
        match self.idle(now) {
            Idle::Rehearsed => return true,
            Idle::Save => {
                // If it fails, `idle` says so again, and a host sees that the model is not saved.
                let _ = self.save(now);
            }
            Idle::Nothing => {}
        }
        let Some(number) = self.request_handler.sensor.due() else {
            return false;
        };
        // Only a class that does not exist is an error, and a host cannot teach one.
        let _ = self.sample(read(number), None);
        true
    }
}
