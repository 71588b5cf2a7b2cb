use pocketron::{budget::{LeastLoss, Projecting}, prelude::*, storage::Inline};

type Small = Inline<2, 8>;
type Wrong = KernelPerceptron<Gaussian, Projecting<LeastLoss<Small>, Small>, Small>;

fn main() {
    let mut model = Wrong::new(Gaussian::constant(1.0));
    let _ = model.learn(&[0.0, 0.0], Sign::Pos);
}
