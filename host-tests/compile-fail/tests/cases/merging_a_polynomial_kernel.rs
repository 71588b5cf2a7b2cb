use pocketron::{budget::Merging, prelude::*, storage::Inline};

fn main() {
    let kernel = Polynomial::new(2, 1.0, 1.0).unwrap();
    let mut model = KernelPerceptron::<_, Merging, Inline<2, 8>>::new(kernel);
    let _ = model.learn(&[0.0, 0.0], Sign::Pos);
}
