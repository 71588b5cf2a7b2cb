//! Li and Lin: random coordinate descent on the 0/1 loss.

mod alone;
mod boosted;
mod curve_figure;
mod problem;
mod trial;

pub use alone::Alone;
pub use boosted::Boosted;
pub use curve_figure::CurveFigure;
