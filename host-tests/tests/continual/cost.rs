//! What an example costs: at most `4 B + 1` kernel evaluations.

use std::cell::Cell;

use pocketron::{
    classifier::OnlineClassifier,
    error::InputError,
    kernel::ArdGaussian,
    learners::continual::{AllViolating, AnnealedSteps, BestWrongClass, Binary, ContinualLearner},
    num::Base,
    persist::{Blank, Element, ImageError, Persist, Reader, Shape, Writer},
    storage::{
        Features, Memory,
        point::{NumberOf, Points, Rounding, Rows},
    },
};

use crate::streams::{CLASSES, D, blocks, mixed, quadrants};

const B: usize = 24;

thread_local! {
    static EVALUATIONS: Cell<usize> = const { Cell::new(0) };
}

/// What has been counted since the last time.
fn counted() -> usize {
    EVALUATIONS.replace(0)
}

/// Points that count how many of them an example is compared with.
#[derive(Clone, Debug)]
struct Counting(Rows<i8, D, B>);

#[derive(Clone, Copy, Debug)]
struct Counted;

impl Memory for Counted {
    type Points = Counting;
    type Column<T: Element> = [T; B];
    type Square<T: Element> = [[T; B]; B];
}

impl Persist for Counting {
    fn shape(&self, shape: &mut Shape<'_>) {
        self.0.shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.0.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.0.load(reader)
    }
}

impl Points for Counting {
    type Feature = i8;
    type Point = [i8; D];
    type Owned = [i8; D];

    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn check(&self, x: &[i8; D]) -> Result<(), InputError> {
        self.0.check(x)
    }

    fn write(&mut self, slot: usize, x: &[i8; D]) {
        self.0.write(slot, x);
    }

    fn blend(&mut self, slot: usize, x: &[i8; D], share: f32, rounding: Rounding) {
        self.0.blend(slot, x, share, rounding);
    }

    fn fetch(&self, slot: usize) -> [i8; D] {
        self.0.fetch(slot)
    }

    fn close_gap(&mut self, slot: usize, len: usize) {
        self.0.close_gap(slot, len);
    }

    fn bases(&self, base: Base, x: &[i8; D], first: usize, out: &mut [NumberOf<Self>]) {
        EVALUATIONS.set(EVALUATIONS.get() + out.len());
        self.0.bases(base, x, first, out);
    }

    fn weighted_distances(
        &self,
        weights: &[u16],
        x: &[i8; D],
        first: usize,
        out: &mut [NumberOf<Self>],
    ) {
        EVALUATIONS.set(EVALUATIONS.get() + out.len());
        self.0.weighted_distances(weights, x, first, out);
    }

    fn gather(&self, feature: impl FnMut(usize) -> i8) -> [i8; D] {
        self.0.gather(feature)
    }

    fn change_feature(&mut self, feature: usize, len: usize, change: impl FnMut(&mut i8)) {
        self.0.change_feature(feature, len, change);
    }
}

/// The most that an example of the stream costs; a prediction costs as many as there are vectors.
fn most<L>(mut model: L, stream: &[([f32; D], L::Label)], vectors: impl Fn(&L) -> usize) -> usize
where
    L: OnlineClassifier<Input = [f32; D]>,
{
    let mut most = 0;
    for (x, label) in stream {
        counted();
        model.predict(x).expect("good");
        assert_eq!(counted(), vectors(&model));
        model.learn(x, *label).expect("good");
        most = most.max(counted());
    }
    most
}

/// The one evaluation that is not counted is that of the new vector with the weakest one.
#[test]
fn an_example_costs_at_most_four_times_the_budget() {
    macro_rules! model {
        ($update:ty, $classes:expr, $columns:expr) => {
            ContinualLearner::<Features<D>, Counted, $update, { $classes }, { $columns }>::with_points(
                ArdGaussian::BLANK,
                Counting(Rows::BLANK),
            )
        };
    }
    let order: Vec<usize> = (0..CLASSES).collect();
    let classes = [
        blocks(1, &order, 60),
        mixed(2, 2000, 0.0),
        mixed(3, 2000, 0.3),
    ]
    .concat();
    let signs = [quadrants(1, 1000, 0.0), quadrants(2, 2000, 0.2)].concat();

    let two = model!(Binary<AnnealedSteps<30, 4>>, 2, 1);
    let two = most(two, &signs, |model| model.vectors().len());
    let top = model!(BestWrongClass<AnnealedSteps<35, 3>>, CLASSES, CLASSES);
    let top = most(top, &classes, |model| model.vectors().len());
    type EachOf = AllViolating<AnnealedSteps<35, 3>, CLASSES>;
    let each = model!(EachOf, CLASSES, CLASSES);
    let each = most(each, &classes, |model| model.vectors().len());
    for most in [two, top, each] {
        assert!(most <= 4 * B, "{two} {top} {each}");
        // Otherwise nothing was tested.
        assert!(most > 3 * B, "{two} {top} {each}");
    }

    let mut frugal = model!(BestWrongClass<AnnealedSteps<35, 3>>, CLASSES, CLASSES);
    frugal.set_rehearsals(0);
    let frugal = most(frugal, &classes, |model| model.vectors().len());
    assert_eq!(frugal, 2 * B);
    let mut eager = model!(BestWrongClass<AnnealedSteps<35, 3>>, CLASSES, CLASSES);
    eager.set_rehearsals(5);
    let eager = most(eager, &classes, |model| model.vectors().len());
    assert!((4 * B + 1..=7 * B).contains(&eager), "{eager}");
}

#[test]
fn idle_rehearsal_costs_at_most_the_budget_for_a_step() {
    let mut model = ContinualLearner::<
        Features<D>,
        Counted,
        BestWrongClass<AnnealedSteps<35, 3>>,
        CLASSES,
    >::with_points(ArdGaussian::BLANK, Counting(Rows::BLANK));
    // Fewer than there are slots: all of them are examples, and rehearsed.
    for (x, class) in mixed(1, B - 4, 0.0) {
        model.learn(&x, class).expect("good");
    }
    let len = model.vectors().len();
    assert!(len > 5);
    for steps in [0, 1, 5, 24, 1000] {
        counted();
        model.rehearse(steps);
        let most = usize::from(steps).min(len) * len;
        assert_eq!(counted(), most, "{steps}");
    }
}
