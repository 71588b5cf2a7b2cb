//! Probabilities and unknown samples from the first examples on.

use pocketron::{
    label::Class,
    prelude::*,
    wrap::confidence::{Answer, Confident},
};
use pocketron_testkit::data::shuffle::SplitMix64;

use crate::{kept::bytes_of, yinyang};

const D: usize = 4;
const C: usize = 4;
type Plain = PocketronMulti<D, 60, C>;
type Model = Confident<Plain, C>;
type Point = [f32; D];

/// Four classes around corners that are 3 apart in two features each, with a deviation of 0.8.
struct Blobs(SplitMix64);

impl Blobs {
    fn new(seed: u64) -> Self {
        Blobs(SplitMix64::new(seed))
    }

    fn draw(&mut self, class: u8) -> Point {
        self.wide(class, 1.0)
    }

    /// The same with `spread` times the deviation.
    fn wide(&mut self, class: u8, spread: f32) -> Point {
        let corner = [
            [0.0, 0.0, 0.0, 0.0],
            [3.0, 3.0, 0.0, 0.0],
            [0.0, 3.0, 3.0, 0.0],
            [0.0, 0.0, 3.0, 3.0],
        ];
        corner[usize::from(class)].map(|centre| {
            let noise: f32 = (0..12).map(|_| self.0.below(1000) as f32).sum();
            centre + 0.8 * spread * (noise / 1000.0 - 6.0)
        })
    }

    /// Any of the first `classes`.
    fn any(&mut self, classes: u64) -> (Point, Class) {
        let class = self.0.below(classes) as u8;
        (self.draw(class), Class(class))
    }
}

/// Five examples of each of three classes, class after class.
fn few(blobs: &mut Blobs) -> Model {
    let mut model = Model::new();
    for class in 0..3 {
        for _ in 0..5 {
            model.learn(&blobs.draw(class), Class(class)).expect("good");
        }
    }
    model
}

fn share(rows: &[Point], is: impl Fn(&Point) -> bool) -> f64 {
    rows.iter().filter(|x| is(x)).count() as f64 / rows.len() as f64
}

/// Mean over seeds.
fn mean(seeds: u64, of: impl Fn(u64) -> f64) -> f64 {
    (0..seeds).map(of).sum::<f64>() / seeds as f64
}

/// Expected calibration error in ten bins.
fn calibration_error(answers: &[(Answer<Class>, Class)]) -> f64 {
    let mut bins = [0.0; 10];
    for (answer, truth) in answers {
        let right = f64::from(u8::from(answer.label == *truth));
        let bin = ((answer.probability * 10.0) as usize).min(9);
        bins[bin] += f64::from(answer.probability) - right;
    }
    bins.iter().map(|bin| bin.abs()).sum::<f64>() / answers.len() as f64
}

#[test]
fn it_learns_as_the_learner_inside() {
    let (mut plain, mut model) = (Plain::new(), Model::new());
    let mut blobs = Blobs::new(1);
    for _ in 0..2000 {
        let (x, class) = blobs.any(4);
        assert_eq!(model.predict(&x), plain.predict(&x));
        assert_eq!(model.learn(&x, class), plain.learn(&x, class));
        let answer = model.answer(&x).expect("good");
        assert_eq!(Ok(answer.label), plain.predict(&x));
    }
    model.calibrate(500);
    assert!(bytes_of(model.learner()) == bytes_of(&plain));

    let mut plain = Pocketron::<2, 30>::new();
    let mut model = Confident::<Pocketron<2, 30>, 2>::new();
    for (x, label) in &yinyang(2000, 1, 10) {
        assert_eq!(plain.learn(x, *label), model.learn(x, *label));
        assert_eq!(model.score(x), plain.score(x));
        assert_eq!(model.answer(x).map(|it| it.label), plain.predict(x));
    }
    assert!(bytes_of(model.learner()) == bytes_of(&plain));
}

#[test]
fn its_size_is_as_promised() {
    assert_eq!(size_of::<Model>(), size_of::<Plain>() + 4 * C + 24);
    type Two = Pocketron<7, 20>;
    assert_eq!(
        size_of::<Confident<Two, 2>>(),
        size_of::<Two>() + 4 * 2 + 24
    );
}

#[test]
fn it_answers_from_the_first_examples_on() {
    const SEEDS: u64 = 30;
    let of = |measure: &dyn Fn(&Model, &mut Blobs) -> f64| {
        mean(SEEDS, |seed| {
            let mut blobs = Blobs::new(seed);
            let model = few(&mut blobs);
            measure(&model, &mut blobs)
        })
    };
    let rows = |blobs: &mut Blobs, classes: std::ops::Range<u8>| -> Vec<(Point, Class)> {
        let classes = classes.cycle().take(150);
        classes
            .map(|class| (blobs.draw(class), Class(class)))
            .collect()
    };
    let probability = of(&|model, blobs| {
        let rows = rows(blobs, 0..3);
        let right = rows.iter().filter_map(|(x, truth)| {
            let answer = model.answer(x).expect("good");
            (answer.label == *truth).then_some(f64::from(answer.probability))
        });
        let right: Vec<f64> = right.collect();
        assert!(right.len() > 130, "{}", right.len());
        right.iter().sum::<f64>() / right.len() as f64
    });
    assert!(probability > 0.8, "{probability}");

    let unknown = |model: &Model, x: &Point| !model.answer(x).expect("good").known;
    let of_known = of(&|model, blobs| {
        let rows: Vec<Point> = rows(blobs, 0..3).iter().map(|(x, _)| *x).collect();
        share(&rows, |x| unknown(model, x))
    });
    let of_new = of(&|model, blobs| {
        let rows: Vec<Point> = rows(blobs, 3..4).iter().map(|(x, _)| *x).collect();
        share(&rows, |x| unknown(model, x))
    });
    assert!(of_known < 0.3, "{of_known}");
    assert!(of_new > 0.6, "{of_new}");
    let far = of(&|model, _| f64::from(u8::from(unknown(model, &[30.0, -30.0, 30.0, -30.0]))));
    assert_eq!(far, 1.0);
}

/// A model after a stream of three classes, and what it says of further samples.
fn after(examples: usize, seed: u64) -> (Model, Vec<(Answer<Class>, Class)>) {
    let (mut model, mut blobs) = (Model::new(), Blobs::new(seed));
    for _ in 0..examples {
        let (x, class) = blobs.any(3);
        model.learn(&x, class).expect("good");
    }
    let answers = (0..400).map(|_| {
        let (x, class) = blobs.any(3);
        (model.answer(&x).expect("good"), class)
    });
    let answers = answers.collect();
    (model, answers)
}

#[test]
fn about_one_known_sample_in_ten_is_called_unknown() {
    for (examples, seeds) in [(48, 20), (3000, 8)] {
        let unknown = mean(seeds, |seed| {
            let (_, answers) = after(examples, seed);
            let unknown = answers.iter().filter(|(answer, _)| !answer.known);
            unknown.count() as f64 / answers.len() as f64
        });
        assert!((0.03..0.2).contains(&unknown), "{examples}: {unknown}");
    }
}

#[test]
fn probabilities_hold_what_they_say() {
    for (examples, seeds, limit) in [(24, 20, 0.12), (48, 20, 0.12), (3000, 8, 0.06)] {
        let error = mean(seeds, |seed| calibration_error(&after(examples, seed).1));
        assert!(error < limit, "{examples}: {error}");
    }
    // Two classes on top of each other, in three examples of four the first.
    let (mut model, mut blobs) = (Model::new(), Blobs::new(7));
    let mut draw = || {
        let class = Class(u8::from(blobs.0.below(4) == 0));
        (blobs.wide(0, 1.0), class)
    };
    for _ in 0..3000 {
        let (x, class) = draw();
        model.learn(&x, class).expect("good");
    }
    let answers: Vec<_> = (0..2000)
        .map(|_| draw())
        .map(|(x, class)| (model.answer(&x).expect("good"), class))
        .collect();
    let error = calibration_error(&answers);
    assert!(error < 0.12, "{error}");
    let sure = answers.iter().map(|(answer, _)| answer.probability);
    let sure = sure.sum::<f32>() / answers.len() as f32;
    assert!(sure < 0.85, "{sure}");
}

#[test]
fn idle_time_calibrates_as_long_as_vectors_are_examples() {
    let mut blobs = Blobs::new(3);
    let mut model = few(&mut blobs);
    let (before, learner) = (bytes_of(&model), bytes_of(model.learner()));
    model.calibrate(0);
    assert!(bytes_of(&model) == before);
    model.calibrate(60);
    assert!(bytes_of(&model) != before && bytes_of(model.learner()) == learner);
    let (known, far) = (blobs.draw(1), [20.0, -20.0, 20.0, -20.0]);
    assert_eq!(model.answer(&known).map(|it| it.label), Ok(Class(1)));
    assert_eq!(model.answer(&far).map(|it| it.known), Ok(false));

    // Nothing to leave out, and averages of examples.
    let mut blank = Model::new();
    blank.calibrate(100);
    assert!(bytes_of(&blank) == bytes_of(&Model::new()));
    let (mut full, _) = after(3000, 1);
    let before = bytes_of(&full);
    full.calibrate(100);
    assert!(bytes_of(&full) == before);
}

#[test]
fn a_wild_value_is_unknown_and_spoils_nothing() {
    for examples in [30, 3000] {
        let (mut model, _) = after(examples, 5);
        for wild in [1e4, -1e9, 1e18, f32::MAX] {
            let x = [0.0, wild, 0.0, 0.0];
            let answer = model.answer(&x).expect("finite");
            assert!(!answer.known && (0.0..=1.0).contains(&answer.probability));
        }
        let limit = model.limit();
        model
            .learn(&[1e12, 0.0, 0.0, 0.0], Class(0))
            .expect("finite");
        assert!(model.limit() < 2.0 * limit, "{limit} {}", model.limit());
        let mut blobs = Blobs::new(77);
        for _ in 0..100 {
            let (x, class) = blobs.any(3);
            model.learn(&x, class).expect("good");
        }
        let rows: Vec<_> = (0..400).map(|_| blobs.any(3)).collect();
        let (mut right, mut known) = (0, 0);
        for (x, class) in &rows {
            let answer = model.answer(x).expect("good");
            right += usize::from(answer.label == *class);
            known += usize::from(answer.known);
        }
        assert!(right > 350 && known > 280, "{examples}: {right} {known}");
        assert!(!model.answer(&[30.0; D]).expect("finite").known);
    }
}

#[test]
fn every_answer_is_a_number() {
    let check = |model: &Model, x: &Point| {
        let answer = model.answer(x).expect("finite");
        assert!((0.0..=1.0).contains(&answer.probability), "{answer:?}");
        let novelty = model.novelty(x).expect("finite");
        assert!(novelty.is_none_or(|novelty| novelty.is_finite() && novelty >= 0.0));
        assert!(model.limit().is_finite() && model.slope() > 0.0 && model.offset() <= 0.0);
        assert_eq!(answer.known, novelty.is_some_and(|it| it <= model.limit()));
    };
    let mut model = Model::new();
    check(&model, &[0.0; D]);
    assert!(!model.answer(&[0.0; D]).expect("finite").known);
    let mut rng = SplitMix64::new(9);
    for _ in 0..3000 {
        // Of any size, often equal, with labels that mean nothing.
        let mut value = || match rng.below(8) {
            0 => 0.0,
            1 => f32::MAX,
            2 => -f32::MAX,
            3 => f32::MIN_POSITIVE,
            _ => (rng.below(2001) as f32 - 1000.0) * 10_f32.powi(rng.below(30) as i32 - 15),
        };
        let x: Point = std::array::from_fn(|_| value());
        check(&model, &x);
        let class = Class(rng.below(C as u64) as u8);
        model.learn(&x, class).expect("finite");
        model.calibrate(1);
    }
    for bad in [f32::NAN, f32::INFINITY] {
        assert!(model.answer(&[0.0, bad, 0.0, 0.0]).is_err());
        let before = bytes_of(&model);
        assert!(model.learn(&[0.0, bad, 0.0, 0.0], Class(0)).is_err());
        assert!(bytes_of(&model) == before);
    }
}
