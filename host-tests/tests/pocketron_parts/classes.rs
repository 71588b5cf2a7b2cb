//! A stream of several classes, and the learner of them with what it shows of itself.

use pocketron::{
    kernel::Relevance,
    label::Class,
    memory::{Features, Inline},
    multiclass::{SharedMerging, Steps, Update},
};

use crate::formulas::Dice;

pub const D: usize = 4;
pub const B: usize = 12;
pub const C: usize = 4;

pub type Model<U> = SharedMerging<Relevance<Features<D>>, Inline<D, B, i8>, C, U>;
pub type Coefficients = [f64; C];

pub fn norm(a: &Coefficients) -> f64 {
    a.iter().map(|a| a * a).sum::<f64>().sqrt()
}

/// The coefficients of every vector.
pub fn rows<U>(model: &Model<U>) -> Vec<Coefficients> {
    let mut rows = vec![[0.0; C]; model.support().len()];
    for class in 0..C {
        let coefficients = model.coefficients(Class(class as u8));
        for (row, coefficient) in rows.iter_mut().zip(coefficients) {
            row[class] = f64::from(coefficient);
        }
    }
    rows
}

/// The steps that the update takes for an example, which is of one of the classes from then on.
pub fn steps<U: Update<C> + Clone>(model: &Model<U>, x: &[i8; D], label: Class) -> Steps<C> {
    let scores = model.scores(x).expect("good");
    let known = |class: Class| class == label || model.seen(class) > 0;
    let scores = std::array::from_fn(|c| known(Class(c as u8)).then_some(scores[c]));
    model.update().clone().steps(&scores, label)
}

/// Clouds around two centres for each class; one label in ten is wrong.
pub fn clouds(seed: u64, count: usize) -> Vec<([i8; D], Class)> {
    let mut dice = Dice::new(seed);
    let reach = dice.even(30.0, 80.0);
    let centres: [[i8; D]; 2 * C] = std::array::from_fn(|_| dice.point(reach));
    let mut example = |row: usize| {
        let centre = row * 5 % centres.len();
        let noise: [i8; D] = dice.point(0.4 * reach);
        let x = std::array::from_fn(|k| centres[centre][k].saturating_add(noise[k]));
        let class = centre + usize::from(dice.chance(0.1));
        (x, Class((class % C) as u8))
    };
    (0..count).map(&mut example).collect()
}
