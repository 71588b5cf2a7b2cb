//! Copies of a model inside of another's image.
//!
//! Some reactions to drift keep a copy of the model. The core reads one into a blank model of its type. Here the type says
//! nothing about sizes, so whoever reads or names a copy says first what it is of.

use std::cell::RefCell;

use super::Shape;

thread_local! {
    static SHAPES: RefCell<Vec<Shape>> = const { RefCell::new(Vec::new()) };
}

/// Inside of `body`, a blank learner is of that shape.
pub fn of<T>(shape: &Shape, body: impl FnOnce() -> T) -> T {
    SHAPES.with_borrow_mut(|shapes| shapes.push(shape.clone()));
    let result = body();
    SHAPES.with_borrow_mut(Vec::pop);
    result
}

/// The shape of a blank learner.
///
/// # Panics
///
/// Outside of [`of`].
pub fn current() -> Shape {
    let shape = SHAPES.with_borrow(|shapes| shapes.last().cloned());
    shape.expect("only copies of a known shape are blank")
}
