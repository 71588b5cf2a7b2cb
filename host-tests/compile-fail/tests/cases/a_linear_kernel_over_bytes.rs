use pocketron::{kernel::Linear, prelude::*};

fn main() {
    let mut model = Stoptron::<2, 8, Linear, i8>::new(Linear);
    let _ = model.learn(&[0, 0], Sign::Pos);
}
