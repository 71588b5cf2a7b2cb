use pocketron::{budget::{Merging, Projecting}, prelude::*, storage::Inline};

type Wrong = KernelPerceptron<Gaussian, Projecting<Merging, Inline<2, 8>>, Inline<2, 8>>;

fn main() {
    let mut model = Wrong::new(Gaussian::constant(1.0));
    let _ = model.learn(&[0.0, 0.0], Sign::Pos);
}
