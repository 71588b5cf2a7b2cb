use pocketron::{budget::Merging, memory::Inline, prelude::*};

fn main() {
    let kernel = Polynomial::new(2, 1.0, 1.0).unwrap();
    let mut model = KernelPerceptron::<_, Merging, Inline<2, 8>>::new(kernel);
    let _ = model.learn(&[0.0, 0.0], Sign::Pos);
}
