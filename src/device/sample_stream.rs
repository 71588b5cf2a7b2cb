//! Samples on their way from a sensor to the model, and to the host.

use core::fmt::{self, Write as _};

use super::{
    message::{ErrorReply, RawSamples, Reply, SampleQuality, SensorEvent, SensorInfo, SensorState},
    sensor::Sensor,
    slice_writer::SliceWriter,
};
use crate::{
    classifier::{OnlineClassifier, RemoteModel},
    label::Class,
    sealed::Sealed,
    signal::{Event, FrontEnd, Missing, Quality, Teacher},
};

/// The sensor of a [`Device`](super::Device) whose model is a [`Teacher`]: `C` channels, of which the last `N` samples can be asked for.
///
/// It takes `2 C N + 2 N + 8 C` bytes and some 50 more. A host that looks at the signal `n` times a second needs `N` a little larger than the samples of an
/// `n`th of a second; what it misses is counted.
#[derive(Clone, Debug)]
pub struct SampleStream<const C: usize, const N: usize> {
    channels: [&'static str; C],
    rate: f32,
    /// The last samples; none where one was lost.
    ring: [Option<[i16; C]>; N],
    /// Samples so far, with those that were lost. It wraps.
    next: u32,
    event: SensorEvent,
    event_at: u32,
    /// The class that the host teaches.
    pub(super) class: Option<Class>,
    /// When what was learned is to be saved, if it has not been by then.
    pub(super) save_at: Option<u64>,
    recording: Option<Recording>,
}

/// Progress of a recording that is played.
#[derive(Clone, Copy, Debug)]
struct Recording {
    len: u32,
    /// The next sample.
    at: u32,
    /// Samples from there on that may come.
    to_play: u32,
}

impl<const C: usize, const N: usize> SampleStream<C, N> {
    /// A sensor whose channels have these names, and that gives `rate` samples a second.
    pub const fn new(channels: [&'static str; C], rate: f32) -> Self {
        const {
            assert!(C > 0 && C <= 255, "a sample has between 1 and 255 channels");
            assert!(N > 0, "at least one sample is kept");
        }
        SampleStream {
            channels,
            rate,
            ring: [None; N],
            next: 0,
            event: SensorEvent::Nothing,
            event_at: 0,
            class: None,
            save_at: None,
            recording: None,
        }
    }

    /// The same over a recording of `len` samples, which come when a host [plays](super::message::Request::Play) them.
    pub const fn of_recording(mut self, samples: u32) -> Self {
        self.recording = Some(Recording {
            len: samples,
            at: 0,
            to_play: 0,
        });
        self
    }

    /// A sample was taken, or lost.
    pub(super) fn push(&mut self, sample: Option<[i16; C]>) {
        if let Some(place) = self.ring.get_mut(self.next as usize % N) {
            *place = sample;
        }
        self.next = self.next.wrapping_add(1);
    }

    /// So many samples were lost.
    pub(super) fn skip(&mut self, samples: u32) {
        let kept = samples.min(N as u32);
        self.next = self.next.wrapping_add(samples - kept);
        (0..kept).for_each(|_| self.push(None));
    }

    /// Something came of it.
    pub(super) fn note(&mut self, event: Event) {
        if event != Event::Nothing {
            (self.event, self.event_at) = (event.into(), self.next);
        }
    }

    /// The number of the sample that the recording shall give now, if any.
    pub(super) fn due(&mut self) -> Option<u32> {
        let recording = self.recording.as_mut()?;
        recording.to_play = recording.to_play.checked_sub(1)?;
        let at = recording.at;
        recording.at = at.saturating_add(1);
        Some(at)
    }

    /// The sample of that number, one of the last `N`; none if it was lost.
    fn sample(&self, number: u32) -> Option<[i16; C]> {
        self.ring.get(number as usize % N).copied().flatten()
    }

    /// Samples that can still be asked for.
    fn kept(&self) -> u32 {
        // The ring has been full since the first turn; a counter that wraps does no harm.
        self.next.min(N as u32)
    }
}

impl<const C: usize, const N: usize> Sealed for SampleStream<C, N> {}

impl<T, M, const C: usize, const N: usize> Sensor<Teacher<T, M>> for SampleStream<C, N>
where
    T: FrontEnd<Sample = [i16; C]>,
    M: RemoteModel + OnlineClassifier<Input = T::Features>,
{
    const IS_THERE: bool = true;

    fn info<'s>(&self, name: u16, scratch: &'s mut [u8]) -> Result<SensorInfo<'s>, ErrorReply> {
        let mut names = Names {
            buffer: scratch,
            len: 0,
        };
        let mut name = usize::from(name);
        let mut end = 0;
        while name < C + T::FEATURES {
            let written = match self.channels.get(name) {
                Some(channel) => names.write_str(channel),
                None => T::feature_name(name - C, &mut names),
            };
            if written.and_then(|()| names.write_str("\n")).is_err() {
                break;
            }
            end = names.len;
            name += 1;
        }
        let names = names.buffer.get(..end).unwrap_or_default();
        Ok(SensorInfo {
            channels: C as u8,
            window: T::WINDOW as u16,
            hop: T::HOP as u16,
            features: T::FEATURES as u16,
            rate: self.rate,
            recording: self.recording.map(|recording| recording.len),
            names: core::str::from_utf8(names).unwrap_or_default(),
        })
    }

    fn samples<'s>(&self, from: u32, scratch: &'s mut [u8]) -> Result<RawSamples<'s>, ErrorReply> {
        let kept = self.kept();
        let behind = self.next.wrapping_sub(from);
        // Half of all numbers lie behind. Those ahead are from before a restart: all that is there is new.
        let (wanted, dropped) = if behind > 1 << 31 {
            (kept, 0)
        } else {
            (behind.min(kept), behind.saturating_sub(kept))
        };
        let first = self.next.wrapping_sub(wanted);
        let samples = (0..wanted).map(|number| self.sample(first.wrapping_add(number)));
        // Lost samples only have numbers; the answer ends before the next that is lost.
        let lost = samples.clone().take_while(Option::is_none).count();
        let room = scratch.len() / (2 * C);
        let mut bytes = SliceWriter::new(scratch);
        for channel in samples
            .skip(lost)
            .map_while(|sample| sample)
            .take(room)
            .flatten()
        {
            bytes.push(&channel.to_le_bytes());
        }
        Ok(RawSamples {
            first: first.wrapping_add(lost as u32),
            dropped,
            bytes: bytes.finish(),
        })
    }

    fn state(&self, model: &Teacher<T, M>) -> Result<SensorState, ErrorReply> {
        Ok(SensorState {
            event: self.event,
            event_at: self.event_at,
            next: self.next,
            teaching: model.class().map(|class| class.0),
            owed: model.rehearsals_owed().unwrap_or(0),
            unsaved: false,
            to_play: self.recording.map_or(0, |recording| recording.to_play),
            quality: model.front_end().quality().into(),
        })
    }

    fn teach(&mut self, model: &mut Teacher<T, M>, class: Option<u8>) -> Result<(), ErrorReply> {
        let class = class.map(Class);
        let event = model.switch(class)?;
        self.class = class;
        self.note(event);
        Ok(())
    }

    fn end_teaching(&mut self) {
        self.class = None;
    }

    fn cancel_save(&mut self) {
        self.save_at = None;
    }

    fn play(
        &mut self,
        model: &mut Teacher<T, M>,
        from: Option<u32>,
        samples: u32,
    ) -> Result<Reply<'static>, ErrorReply> {
        let recording = self.recording.as_mut().ok_or(ErrorReply::NoRecording)?;
        if let Some(from) = from {
            (recording.at, recording.to_play) = (from.min(recording.len), 0);
            model.front_end_mut().restart();
        }
        let left = recording.len.saturating_sub(recording.at);
        recording.to_play = recording.to_play.saturating_add(samples).min(left);
        Ok(Reply::Playing {
            to_play: recording.to_play,
            left: left - recording.to_play,
        })
    }
}

impl From<Event> for SensorEvent {
    fn from(event: Event) -> Self {
        match event {
            Event::Nothing => SensorEvent::Nothing,
            Event::Teaching { class, windows } => SensorEvent::Teaching {
                class: class.0,
                windows,
            },
            Event::Taught { class, windows } => SensorEvent::Taught {
                class: class.0,
                windows,
            },
            Event::Known { class, probability } => SensorEvent::Known {
                class: class.0,
                probability,
            },
            Event::Unknown => SensorEvent::Unknown,
            Event::NotReady(Missing::FirstClass) => SensorEvent::NeedsFirstClass,
            Event::NotReady(Missing::SecondClass) => SensorEvent::NeedsSecondClass,
            Event::NotReady(Missing::MoreExamples) => SensorEvent::NeedsMoreExamples,
        }
    }
}

impl From<SensorEvent> for Event {
    fn from(event: SensorEvent) -> Self {
        match event {
            SensorEvent::Nothing => Event::Nothing,
            SensorEvent::Teaching { class, windows } => Event::Teaching {
                class: Class(class),
                windows,
            },
            SensorEvent::Taught { class, windows } => Event::Taught {
                class: Class(class),
                windows,
            },
            SensorEvent::Known { class, probability } => Event::Known {
                class: Class(class),
                probability,
            },
            SensorEvent::Unknown => Event::Unknown,
            SensorEvent::NeedsFirstClass => Event::NotReady(Missing::FirstClass),
            SensorEvent::NeedsSecondClass => Event::NotReady(Missing::SecondClass),
            SensorEvent::NeedsMoreExamples => Event::NotReady(Missing::MoreExamples),
        }
    }
}

impl From<Quality> for SampleQuality {
    fn from(quality: Quality) -> Self {
        SampleQuality {
            samples: quality.samples,
            lost: quality.lost,
            saturated: quality.saturated,
            constant: quality.constant,
            non_finite: quality.non_finite,
        }
    }
}

impl From<SampleQuality> for Quality {
    fn from(quality: SampleQuality) -> Self {
        Quality {
            samples: quality.samples,
            lost: quality.lost,
            saturated: quality.saturated,
            constant: quality.constant,
            non_finite: quality.non_finite,
        }
    }
}

/// Text that must not be cut.
struct Names<'s> {
    buffer: &'s mut [u8],
    len: usize,
}

impl fmt::Write for Names<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let rest = self.buffer.get_mut(self.len..).ok_or(fmt::Error)?;
        let place = rest.get_mut(..text.len()).ok_or(fmt::Error)?;
        for (to, from) in place.iter_mut().zip(text.as_bytes()) {
            *to = *from;
        }
        self.len += text.len();
        Ok(())
    }
}
