//! One of all learners.

use pocketron::{
    classifier::OnlineClassifier,
    label::{Class, Label},
    persist::Persist,
};

use crate::{
    all_learners::{self, Failed, Visitor},
    sensor::{FEATURES, Sensor},
};

/// Does something with a learner.
pub trait Task {
    fn with<C>(&mut self, learner: C, label: fn(u8) -> C::Label)
    where
        C: OnlineClassifier<Input = [f32; FEATURES]> + Persist + Clone;
}

/// Does it with the learner of a number, whichever that is.
pub fn one(number: usize, task: &mut impl Task) {
    let count = count();
    let mut chosen = Chosen {
        left: number % count,
        task: Some(task),
    };
    // Learners with fixed parameters are made without fail.
    all_learners::visit_all(&mut chosen).expect("the parameters are good");
}

fn count() -> usize {
    use std::sync::OnceLock;
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let mut counted = Counted(0);
        all_learners::visit_all(&mut counted).expect("the parameters are good");
        counted.0
    })
}

struct Counted(usize);

impl Visitor for Counted {
    fn every<C>(&mut self, _: &str, _: C, _: Sensor<C::Label>) -> Result<(), Failed>
    where
        C: OnlineClassifier<Input = [f32; FEATURES]> + Persist + Clone,
    {
        self.0 += 1;
        Ok(())
    }
}

struct Chosen<'t, T> {
    left: usize,
    task: Option<&'t mut T>,
}

impl<T: Task> Chosen<'_, T> {
    fn is_next(&mut self) -> bool {
        let found = self.left == 0 && self.task.is_some();
        self.left = self.left.saturating_sub(1);
        found
    }
}

impl<T: Task> Visitor for Chosen<'_, T> {
    fn visit<C: all_learners::Binary>(
        &mut self,
        _: &str,
        learner: C,
        _: Sensor<pocketron::label::Sign>,
    ) -> Result<(), Failed> {
        if self.is_next()
            && let Some(task) = self.task.take()
        {
            task.with(learner, sign);
        }
        Ok(())
    }

    fn visit_classes<C: all_learners::Multiclass>(
        &mut self,
        _: &str,
        learner: C,
        _: Sensor<Class>,
    ) -> Result<(), Failed> {
        if self.is_next()
            && let Some(task) = self.task.take()
        {
            // One in eight is of a class that there is not.
            task.with(learner, |byte| Class(byte % 8));
        }
        Ok(())
    }
}

fn sign(byte: u8) -> pocketron::label::Sign {
    use pocketron::label::Sign;
    match byte % 2 {
        0 => Sign::Neg,
        _ => Sign::Pos,
    }
}

/// As many different results as there are labels.
pub fn is_label(label: impl Label) -> bool {
    label.index() < 256
}
