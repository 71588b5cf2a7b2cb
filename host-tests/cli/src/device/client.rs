//! The requests to a device, one method each.

use std::{ops::ControlFlow, time::Duration};

use pocketron::device::message::{ClassStatus, DeviceStatus, ErrorReply, Floats, Learned, Request};

use super::{
    Answer, Identity, LinkError, Prediction, Session, Statistics, Timeouts, Transport,
    answer::Saved,
};

/// A device at the other end of a line.
pub struct Client {
    pub(super) session: Session,
    pub(super) identity: Identity,
}

/// Result of teaching an example: learned (with an answer, unless that got lost), or refused.
pub type Taught = Result<Option<Learned>, ErrorReply>;

/// Takes one kind of answer; an error reply becomes an error.
macro_rules! expected {
    ($answer:expr, $wanted:literal, $pattern:pat => $value:expr) => {
        match $answer {
            $pattern => Ok($value),
            Answer::Refused(error) => Err(LinkError::Refused(error)),
            Answer::Forgotten => Err(LinkError::AnswerLost),
            _ => Err(LinkError::Unexpected($wanted)),
        }
    };
}
pub(super) use expected;

impl Client {
    /// Asks who is there.
    pub fn connect(transport: Box<dyn Transport>, timeouts: Timeouts) -> Result<Self, LinkError> {
        let (session, identity) = Session::connect(transport, timeouts)?;
        Ok(Client { session, identity })
    }

    /// Identity of the device when the line was opened.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Requests on their way at a time; the device's own wish unless changed.
    pub fn set_window(&mut self, window: usize) {
        self.session.set_window(window);
    }

    /// Statistics of the line so far.
    pub fn statistics(&self) -> Statistics {
        self.session.statistics()
    }

    /// Its present identity.
    pub fn identify(&mut self) -> Result<Identity, LinkError> {
        let answer = self.session.ask(&Request::Identify)?;
        expected!(answer, "an identity", Answer::Identity(identity) => *identity)
    }

    /// Its status.
    pub fn status(&mut self) -> Result<DeviceStatus, LinkError> {
        let answer = self.session.ask(&Request::Status)?;
        expected!(answer, "its status", Answer::Status(status) => *status)
    }

    /// Its prediction for `features`.
    pub fn predict(&mut self, features: &[f32]) -> Result<Prediction, LinkError> {
        let mut found = None;
        self.predict_all([features], |prediction| {
            found = Some(prediction);
            ControlFlow::Continue(())
        })?;
        match found {
            Some(prediction) => prediction.map_err(LinkError::Refused),
            None => Err(LinkError::Unexpected("a prediction")),
        }
    }

    /// Its predictions for many, a window at a time. `answered` hears of them in
    /// order, and may stop.
    pub fn predict_all<'e>(
        &mut self,
        inputs: impl IntoIterator<Item = &'e [f32]>,
        mut answered: impl FnMut(Result<Prediction, ErrorReply>) -> ControlFlow<()>,
    ) -> Result<(), LinkError> {
        let requests = inputs.into_iter().map(|features| (None, features));
        self.stream(requests, |answer| match answer {
            Answer::Refused(error) => Ok(answered(Err(error))),
            answer => {
                expected!(answer, "a prediction", Answer::Predicted(found) => answered(Ok(found)))
            }
        })
    }

    /// Teaches one example.
    pub fn learn(&mut self, class: u8, features: &[f32]) -> Result<Learned, LinkError> {
        let mut found = None;
        self.learn_all([(class, features)], |taught| {
            found = Some(taught);
            ControlFlow::Continue(())
        })?;
        match found {
            Some(Ok(Some(learned))) => Ok(learned),
            Some(Ok(None)) => Err(LinkError::AnswerLost),
            Some(Err(error)) => Err(LinkError::Refused(error)),
            None => Err(LinkError::Unexpected("what it learned")),
        }
    }

    /// Teaches many, a window at a time. `answered` hears of them in order, and may
    /// stop: what is on its way then is still learned and heard of.
    pub fn learn_all<'e>(
        &mut self,
        examples: impl IntoIterator<Item = (u8, &'e [f32])>,
        mut answered: impl FnMut(Taught) -> ControlFlow<()>,
    ) -> Result<(), LinkError> {
        let requests = examples.into_iter();
        let requests = requests.map(|(class, features)| (Some(class), features));
        self.stream(requests, |answer| match answer {
            Answer::Forgotten => Ok(answered(Ok(None))),
            Answer::Refused(error) => Ok(answered(Err(error))),
            answer => {
                expected!(answer, "what it learned", Answer::Learned(found) => answered(Ok(Some(found))))
            }
        })
    }

    /// Keeps the window full of examples: with a class to learn, without one to predict.
    fn stream<'e>(
        &mut self,
        examples: impl Iterator<Item = (Option<u8>, &'e [f32])>,
        mut answered: impl FnMut(Answer) -> Result<ControlFlow<()>, LinkError>,
    ) -> Result<(), LinkError> {
        // Answers to a host that left in the middle are none of ours.
        while self.session.next_answer()?.is_some() {}
        let mut bytes = Vec::new();
        for (class, features) in examples {
            if !self.session.has_room()
                && let Some(answer) = self.session.next_answer()?
                && answered(answer)?.is_break()
            {
                break;
            }
            if features.len() != self.identity.features {
                return Err(LinkError::Features(features.len(), self.identity.features));
            }
            bytes.clear();
            bytes.extend(features.iter().flat_map(|feature| feature.to_le_bytes()));
            let features = Floats(&bytes);
            self.session.submit(&match class {
                Some(class) => Request::Learn { class, features },
                None => Request::Predict { features },
            })?;
        }
        while let Some(answer) = self.session.next_answer()? {
            let _ = answered(answer)?;
        }
        Ok(())
    }

    /// Keeps the model in flash.
    pub fn save(&mut self) -> Result<Saved, LinkError> {
        let answer = self.session.ask(&Request::Save)?;
        expected!(answer, "that it saved", Answer::Saved(saved) => saved)
    }

    /// Sends the wish to save and does not wait: for those who want to see it interrupted.
    pub fn begin_save(&mut self) -> Result<(), LinkError> {
        self.session.submit(&Request::Save)
    }

    /// Whether the answer to [`begin_save`](Self::begin_save) comes within some time.
    pub fn saved_within(&mut self, time: Duration) -> Result<Option<Saved>, LinkError> {
        match self.session.answer_within(time)? {
            Some(answer) => {
                expected!(answer, "that it saved", Answer::Saved(saved) => Some(saved))
            }
            None => Ok(None),
        }
    }

    /// Goes back to the model in flash, and says which one that is.
    pub fn load(&mut self) -> Result<u32, LinkError> {
        let answer = self.session.ask(&Request::Load)?;
        expected!(answer, "that it loaded", Answer::Loaded(sequence) => sequence)
    }

    /// Forgets everything learned, in memory; what is in flash stays.
    pub fn reset(&mut self) -> Result<(), LinkError> {
        let answer = self.session.ask(&Request::Arm)?;
        let token = expected!(answer, "a token", Answer::Armed(token) => token)?;
        self.carry_out(&Request::Reset { token })
    }

    /// Counters of a class.
    pub fn class_status(&mut self, class: u8) -> Result<ClassStatus, LinkError> {
        let answer = self.session.ask(&Request::Class { class })?;
        expected!(answer, "the status of a class", Answer::Class(status) => status)
    }

    /// Forgets one class, in memory; the others stay.
    pub fn forget(&mut self, class: u8) -> Result<(), LinkError> {
        self.carry_out(&Request::Forget { class })
    }

    /// Takes back the last example, block or forgotten class.
    pub fn undo(&mut self) -> Result<(), LinkError> {
        self.carry_out(&Request::Undo)
    }

    /// From here on, changes are one block that [`undo`](Self::undo) takes back as a whole.
    pub fn begin_block(&mut self) -> Result<(), LinkError> {
        self.carry_out(&Request::BeginBlock)
    }

    /// The block is complete.
    pub fn end_block(&mut self) -> Result<(), LinkError> {
        self.carry_out(&Request::EndBlock)
    }

    /// Rehearses stored vectors, each once at most; how many moved.
    pub fn rehearse(&mut self, steps: u16) -> Result<u16, LinkError> {
        let answer = self.session.ask(&Request::Rehearse { steps })?;
        expected!(answer, "what it rehearsed", Answer::Rehearsed(moved) => moved)
    }

    /// Gives a command that has no answer but that it is done.
    pub(super) fn carry_out(&mut self, command: &Request<'_>) -> Result<(), LinkError> {
        let answer = self.session.ask(command)?;
        expected!(answer, "that it is done", Answer::Done => ())
    }

    /// The hash of its calculations.
    pub fn self_test(&mut self) -> Result<u32, LinkError> {
        let answer = self.session.ask(&Request::SelfTest)?;
        expected!(answer, "its self-test", Answer::Tested(hash) => hash)
    }
}
