use pocketron::{budget::{FewestErrors, Reservoir}, prelude::*, storage::Inline};

type Sample = Reservoir<Inline<3, 4>>;
type Wrong = KernelPerceptron<Gaussian, FewestErrors<Sample>, Inline<2, 8>>;

fn main() {
    let mut model = Wrong::new(Gaussian::constant(1.0));
    let _ = model.learn(&[0.0, 0.0], Sign::Pos);
}
