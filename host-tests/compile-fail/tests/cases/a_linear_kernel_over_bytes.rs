use pocketron::{kernel::LinearKernel, prelude::*};

fn main() {
    let mut model = Stoptron::<2, 8, LinearKernel, i8>::new(LinearKernel);
    let _ = model.learn(&[0, 0], Sign::Pos);
}
