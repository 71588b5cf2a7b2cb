//! The streaming loop and its observers, on streams that can be followed by hand.

use pocketron::{
    budget::Admission,
    classifier::{OnlineClassifier, Outcome},
    error::InputError,
    label::Sign,
    prelude::*,
    stream::{Confusion, Counters, Example, ExampleSource, Next, Observer, Window, run_stream},
};

use Sign::{Neg, Pos};

/// Five samples on a line for a budget of two and a kernel that sees only the same place again.
const SAMPLES: [([f32; 1], Sign); 6] = [
    ([0.0], Pos),      // f = 0: a mistake, stored
    ([0.0], Pos),      // f = 1: right
    ([f32::NAN], Neg), // refused
    ([100.0], Neg),    // f = 0: a mistake, stored
    ([200.0], Pos),    // f = 0: a mistake, the oldest goes
    ([0.0], Neg),      // f = 0, for it has been forgotten: a mistake, the next goes
];

fn model() -> RemoveOldest<1, 2> {
    RemoveOldest::new(Gaussian::constant(1.0))
}

#[test]
fn counters_count_what_happens() {
    let mut counters = Counters::default();
    assert_eq!(counters.accuracy(), None);
    let Ok(()) = run_stream(&mut model(), &mut SAMPLES.iter(), &mut counters);
    let expected = Counters {
        seen: 5,
        mistakes: 4,
        updates: 4,
        evictions: 2,
        refused: 1,
    };
    assert_eq!(counters, expected);
    assert_eq!(counters.accuracy(), Some(0.2));
}

#[test]
fn an_update_that_finds_no_room_is_a_mistake_but_no_update() {
    let mut counters = Counters::default();
    let mut stop = Stoptron::<1, 2>::new(Gaussian::constant(1.0));
    let Ok(()) = run_stream(&mut stop, &mut SAMPLES.iter(), &mut counters);
    // The last sample is now at a stored place, with the other label.
    let expected = (5, 4, 2, 0, 1);
    let Counters {
        seen,
        mistakes,
        updates,
        evictions,
        refused,
    } = counters;
    assert_eq!((seen, mistakes, updates, evictions, refused), expected);
}

#[test]
fn two_observers_see_what_each_would_see_alone() {
    let (mut counters, mut confusion) = (Counters::default(), Confusion::<2>::new());
    let Ok(()) = run_stream(&mut model(), &mut SAMPLES.iter(), &mut counters);
    let Ok(()) = run_stream(&mut model(), &mut SAMPLES.iter(), &mut confusion);
    let mut pair = (Counters::default(), Confusion::<2>::new());
    let Ok(()) = run_stream(&mut model(), &mut SAMPLES.iter(), &mut pair);
    assert_eq!(pair, (counters, confusion));
    let mut lent = Counters::default();
    let Ok(()) = run_stream(&mut model(), &mut SAMPLES.iter(), &mut (&mut lent, ()));
    assert_eq!(lent, counters);
}

#[test]
fn the_loop_is_the_learning_step_and_nothing_else() {
    let (mut looped, mut stepped) = (model(), model());
    let Ok(()) = run_stream(&mut looped, &mut SAMPLES.iter(), &mut ());
    for (x, label) in &SAMPLES {
        let _ = stepped.learn(x, *label);
    }
    assert_eq!(looped.support().alphas(), stepped.support().alphas());
    for x in [[0.0], [100.0], [200.0]] {
        assert_eq!(looped.score(&x), stepped.score(&x));
    }
    // Slot 0 was overwritten by the fifth sample, slot 1 by the sixth.
    assert_eq!(looped.support().alphas(), [1.0, -1.0]);
}

/// Fails after so many samples.
struct Broken {
    left: usize,
}

#[derive(Debug, PartialEq)]
struct Unplugged;

impl ExampleSource for Broken {
    type Input = [f32; 1];
    type Label = Sign;
    type Error = Unplugged;

    fn next_example(&mut self) -> Next<'_, Self> {
        self.left = self.left.checked_sub(1).ok_or(Unplugged)?;
        Ok(Some(Example::new(&[0.5], Pos)))
    }
}

#[test]
fn a_source_that_fails_ends_the_loop_and_what_was_learned_stays() {
    let (mut model, mut counters) = (model(), Counters::default());
    let ended = run_stream(&mut model, &mut Broken { left: 3 }, &mut counters);
    assert_eq!(ended, Err(Unplugged));
    assert_eq!((counters.seen, counters.mistakes), (3, 1));
    assert_eq!(model.predict(&[0.5]), Ok(Pos));
}

/// What an observer hears of one sample.
type Told = Result<(Sign, Outcome<Sign>), (Sign, InputError)>;

/// Remembers what it is told.
#[derive(Default)]
struct Diary(Vec<Told>);

impl Observer<Sign> for Diary {
    fn learned(&mut self, truth: Sign, outcome: &Outcome<Sign>) {
        self.0.push(Ok((truth, *outcome)));
    }

    fn refused(&mut self, truth: Sign, reason: InputError) {
        self.0.push(Err((truth, reason)));
    }
}

#[test]
fn an_observer_is_told_of_every_sample_in_order() {
    let mut diary = Diary::default();
    let Ok(()) = run_stream(&mut model(), &mut SAMPLES.iter(), &mut diary);
    let took = |truth, predicted, score, admission: Option<Admission>| {
        let mistake = admission.is_some();
        let outcome = Outcome {
            predicted,
            score,
            mistake,
            admission,
            warning: None,
        };
        Ok((truth, outcome))
    };
    let expected = [
        took(Pos, Neg, 0.0, Some(Admission::Inserted)),
        took(Pos, Pos, 1.0, None),
        Err((Neg, InputError::NonFinite)),
        took(Neg, Neg, 0.0, Some(Admission::Inserted)),
        took(Pos, Neg, 0.0, Some(Admission::Replaced(0))),
        took(Neg, Neg, 0.0, Some(Admission::Replaced(1))),
    ];
    assert_eq!(diary.0, expected);
}

/// Hands out mistakes and right answers as told.
fn outcome(predicted: Sign, mistake: bool) -> Outcome<Sign> {
    Outcome {
        predicted,
        score: 1.0,
        mistake,
        admission: None,
        warning: None,
    }
}

#[test]
fn a_window_forgets_what_leaves_it() {
    let mut window = Window::<3>::new();
    assert_eq!(window.error(), None);
    let mistakes = [true, true, false, false, true, false, false, false, true];
    let errors = [3, 3, 2, 1, 1, 1, 1, 0, 1].map(|thirds| thirds as f32 / 3.0);
    for (mistake, error) in mistakes.into_iter().zip(errors) {
        window.learned(Pos, &outcome(Pos, mistake));
        assert_eq!(window.error(), Some(error));
    }
    window.refused(Pos, InputError::NonFinite);
    assert_eq!(window.error(), Some(1.0 / 3.0), "a refusal is no error");
}

#[test]
fn a_confusion_matrix_counts_by_truth_and_prediction() {
    let mut matrix = Confusion::<3>::new();
    assert_eq!((matrix.accuracy(), matrix.recall(Class(0))), (None, None));
    for (truth, predicted) in [
        (0, 0),
        (0, 0),
        (0, 1),
        (1, 1),
        (1, 0),
        (2, 1),
        (7, 0),
        (0, 7),
    ] {
        matrix.count(Class(truth), Class(predicted));
    }
    assert_eq!(matrix.of(Class(0), Class(0)), 2);
    assert_eq!(matrix.of(Class(2), Class(1)), 1);
    assert_eq!(matrix.of(Class(1), Class(2)), 0);
    assert_eq!(matrix.recall(Class(0)), Some(2.0 / 3.0));
    assert_eq!(matrix.recall(Class(2)), Some(0.0));
    assert_eq!(matrix.precision(Class(1)), Some(1.0 / 3.0));
    assert_eq!(matrix.precision(Class(2)), None, "never predicted");
    assert_eq!(
        matrix.accuracy(),
        Some(0.5),
        "classes beyond the table are left out"
    );
    assert_eq!(
        (matrix.recall(Class(7)), matrix.of(Class(7), Class(0))),
        (None, 0)
    );
}

#[test]
fn a_confusion_matrix_watches_predictions_before_learning() {
    let mut matrix = Confusion::<2>::new();
    let Ok(()) = run_stream(&mut model(), &mut SAMPLES.iter(), &mut matrix);
    assert_eq!(matrix.of(Pos, Neg), 2);
    assert_eq!(matrix.of(Pos, Pos), 1);
    assert_eq!(
        matrix.of(Neg, Neg),
        2,
        "a score of zero predicts the negative class"
    );
    assert_eq!(matrix.of(Neg, Pos), 0);
}

#[test]
fn a_score_of_zero_is_a_mistake_whatever_the_label() {
    for label in [Pos, Neg] {
        let mut fresh = model();
        let outcome = OnlineClassifier::learn(&mut fresh, &[1.0], label).expect("finite");
        assert!(outcome.mistake && outcome.changed());
    }
}
