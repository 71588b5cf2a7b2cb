//! Every learner of the parity list, and examples with arbitrary bits.

use pocketron::{
    classifier::OnlineClassifier,
    persist::{self, Persist},
};
use pocketron_cli::model::image_of;

use crate::{
    Input,
    input::assert_finite,
    sensor::FEATURES,
    visit::{self, Task, is_label},
};

pub fn run(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let number = usize::from(input.byte());
    visit::one(number, &mut Taught(input));
}

struct Taught<'a>(Input<'a>);

impl Task for Taught<'_> {
    fn with<C>(&mut self, mut learner: C, label: fn(u8) -> C::Label)
    where
        C: OnlineClassifier<Input = [f32; FEATURES]> + Persist + Clone,
    {
        let fresh = learner.clone();
        let input = &mut self.0;
        let mut last = [0.0; FEATURES];
        let mut steps = 0;
        while !input.is_empty() && steps < 300 {
            step(&mut learner, label, input, &mut last);
            steps += 1;
        }
        goes_on(&learner, fresh, label, input, last);
    }
}

/// An example, or one of those before, is asked about and learned.
fn step<C>(
    learner: &mut C,
    label: fn(u8) -> C::Label,
    input: &mut Input<'_>,
    last: &mut [f32; FEATURES],
) where
    C: OnlineClassifier<Input = [f32; FEATURES]> + Persist + Clone,
{
    let how = input.byte();
    if how & 3 != 0 {
        *last = [0; FEATURES].map(|_| input.number());
    }
    let x = *last;
    let truth = label(how >> 4);
    let id = (how & 8 != 0).then(|| u32::from(how));
    if let Ok((found, score)) = learner.predict_scored(&x) {
        assert!(is_label(found));
        assert_finite(score, "the score");
    }
    let valid = learner.validate(&x, truth, id);
    let before = learner.clone();
    match learner.learn_with_id(&x, truth, id) {
        Ok(outcome) => {
            assert_eq!(valid, Ok(()), "learned what is not valid");
            assert_finite(outcome.score, "the score of the outcome");
            assert!(is_label(outcome.predicted));
        }
        Err(error) => {
            let (was, is) = (image_of(&before), image_of(learner));
            assert_eq!(was, is, "{error} has changed the learner");
        }
    }
}

/// The image gives back the same learner, which goes on with the same bits.
fn goes_on<C>(
    learner: &C,
    mut other: C,
    label: fn(u8) -> C::Label,
    input: &mut Input<'_>,
    x: [f32; FEATURES],
) where
    C: OnlineClassifier<Input = [f32; FEATURES]> + Persist + Clone,
{
    let image = image_of(learner);
    let restored = persist::restore(&mut other, &mut &*image);
    assert_eq!(restored, Ok(()), "its own image");
    assert_eq!(image_of(&other), image);
    let mut learner = learner.clone();
    let truth = label(input.byte());
    // First another reading than the last one: how often that came in a row (a stuck sensor) is not in an image.
    for x in [[0.123, -0.25, 0.0, 1.0], x] {
        let outcomes = [&mut learner, &mut other].map(|one| {
            let outcome = one.learn(&x, truth);
            outcome.map(|outcome| (outcome.score.to_bits(), outcome.mistake, outcome.admission))
        });
        assert_eq!(outcomes[0], outcomes[1]);
    }
    assert_eq!(image_of(&learner), image_of(&other));
}
