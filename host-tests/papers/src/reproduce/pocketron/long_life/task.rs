//! Tasks: six concepts of two to four features.

use crate::data::rng::TestRng;

/// The most features of a task.
pub const MAX_DIM: usize = 4;

/// Features of an example; a task with fewer leaves the others at zero.
pub type Point = [f32; MAX_DIM];

/// A concept, and the size of the model that learns it.
#[derive(Debug, PartialEq)]
pub struct Task {
    /// Its name.
    pub name: &'static str,
    /// Features.
    pub dim: usize,
    /// Classes.
    pub classes: u8,
    /// Support vectors.
    pub budget: usize,
    /// Width of the Gaussian kernel of the papers' learners, which take part where there are two classes.
    pub gamma: Option<f32>,
    concept: Concept,
}

/// How classes lie among the features. Features are uniform in `[-1, 1]` except those of the blobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Concept {
    /// The sign of the product of the first two features.
    Product,
    /// The quadrants of the first two features.
    Quadrants,
    /// Normal distributions around the corners of a square.
    Blobs,
    /// The side of a plane through the origin.
    Plane,
    /// Inside or outside of a circle of half the area in the first two features.
    Disc,
    /// The colours of a 4 x 4 checkerboard.
    Checker,
}

/// All tasks.
pub static TASKS: [Task; 6] = [
    Task {
        name: "quad2",
        dim: 4,
        classes: 2,
        budget: 32,
        gamma: Some(2.0),
        concept: Concept::Product,
    },
    Task {
        name: "quad4",
        dim: 2,
        classes: 4,
        budget: 64,
        gamma: None,
        concept: Concept::Quadrants,
    },
    Task {
        name: "blobs",
        dim: 2,
        classes: 4,
        budget: 64,
        gamma: None,
        concept: Concept::Blobs,
    },
    Task {
        name: "plane",
        dim: 4,
        classes: 2,
        budget: 32,
        gamma: Some(0.25),
        concept: Concept::Plane,
    },
    Task {
        name: "disc",
        dim: 3,
        classes: 2,
        budget: 32,
        gamma: Some(2.0),
        concept: Concept::Disc,
    },
    Task {
        name: "checker",
        dim: 2,
        classes: 2,
        budget: 64,
        gamma: Some(16.0),
        concept: Concept::Checker,
    },
];

impl Task {
    /// The task of that name.
    pub fn named(name: &str) -> Option<&'static Task> {
        TASKS.iter().find(|task| task.name == name)
    }

    /// An example with its true class.
    pub(super) fn draw(&self, rng: &mut TestRng) -> (Point, u8) {
        if self.concept == Concept::Blobs {
            return blob(rng);
        }
        let mut x = Point::default();
        for feature in &mut x[..self.dim] {
            *feature = (2.0 * rng.unit() - 1.0) as f32;
        }
        (x, self.concept.class(&x))
    }
}

/// One of four classes around `(±1, ±1)` with a standard deviation of 0.6:
/// the best classifier is wrong in 9.3 % of the cases.
fn blob(rng: &mut TestRng) -> (Point, u8) {
    const DEVIATION: f64 = 0.6;
    let class = rng.below(4) as u8;
    let mut around = |is_right: bool| {
        let centre = if is_right { 1.0 } else { -1.0 };
        (centre + DEVIATION * rng.gaussian()) as f32
    };
    let x = [around(class & 1 != 0), around(class & 2 != 0), 0.0, 0.0];
    (x, class)
}

impl Concept {
    /// The class at a point; of the blobs, the likeliest one.
    fn class(self, x: &Point) -> u8 {
        let quadrant = u8::from(x[0] > 0.0) + 2 * u8::from(x[1] > 0.0);
        match self {
            Concept::Product => u8::from(quadrant == 0 || quadrant == 3),
            Concept::Quadrants | Concept::Blobs => quadrant,
            Concept::Plane => {
                let normal = [1.0, -0.75, 0.5, 0.25];
                let products = x.iter().zip(normal).map(|(x, normal)| x * normal);
                u8::from(products.sum::<f32>() > 0.0)
            }
            Concept::Disc => {
                let square = f64::from(x[0]) * f64::from(x[0]) + f64::from(x[1]) * f64::from(x[1]);
                u8::from(square < 2.0 / std::f64::consts::PI)
            }
            Concept::Checker => {
                let cell = |x: f32| (2.0 * (x + 1.0)) as u8;
                (cell(x[0]) + cell(x[1])) % 2
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWN: usize = 40_000;

    fn drawn(task: &Task) -> impl Iterator<Item = (Point, u8)> {
        let mut rng = TestRng::new(7);
        (0..DRAWN).map(move |_| task.draw(&mut rng))
    }

    #[test]
    fn classes_are_equally_frequent() {
        for task in &TASKS {
            let mut counts = vec![0; usize::from(task.classes)];
            drawn(task).for_each(|(_, class)| counts[usize::from(class)] += 1);
            let expected = DRAWN / counts.len();
            for count in counts {
                let share = f64::from(count) / expected as f64;
                assert!((share - 1.0).abs() < 0.04, "{} {share}", task.name);
            }
        }
    }

    #[test]
    fn only_the_features_of_a_task_vary() {
        for task in &TASKS {
            for feature in 0..MAX_DIM {
                let mut values = drawn(task).map(|(x, _)| x[feature]);
                let varies = values.any(|value| value != 0.0);
                assert_eq!(varies, feature < task.dim, "{} {feature}", task.name);
            }
        }
    }

    #[test]
    fn the_best_classifier_of_the_blobs_is_wrong_in_nine_percent() {
        let blobs = Task::named("blobs").unwrap();
        let wrong = drawn(blobs).filter(|(x, class)| Concept::Blobs.class(x) != *class);
        let share = 100.0 * wrong.count() as f64 / DRAWN as f64;
        assert!((share - 9.3).abs() < 0.5, "{share}");
    }

    #[test]
    fn each_concept_is_the_one_described() {
        let class = |name: &str, x: Point| Task::named(name).unwrap().concept.class(&x);
        assert_eq!(class("quad2", [0.3, -0.2, 0.9, 0.9]), 0);
        assert_eq!(class("quad2", [-0.3, -0.2, 0.9, 0.9]), 1);
        assert_eq!(class("quad4", [-0.3, 0.2, 0.0, 0.0]), 2);
        assert_eq!(class("disc", [0.7, 0.3, -1.0, 0.0]), 1);
        assert_eq!(class("disc", [0.7, 0.4, -1.0, 0.0]), 0);
        assert_eq!(class("checker", [-0.9, -0.9, 0.0, 0.0]), 0);
        assert_eq!(class("checker", [-0.4, -0.9, 0.0, 0.0]), 1);
        assert_eq!(class("checker", [0.9, -0.9, 0.0, 0.0]), 1);
    }
}
