use pocketron::prelude::*;

fn main() {
    let mut model = Stoptron::<2, 8>::new(Gaussian::constant(1.0));
    let _ = model.learn(&[0.0, 0.0, 0.0], Sign::Pos);
}
