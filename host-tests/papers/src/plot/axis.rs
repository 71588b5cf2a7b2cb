//! Axes: where values lie, and which of them get a number.

use std::{cmp::Ordering, ops::Range};

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// An axis of a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis<'a> {
    /// Its quantity, with the unit.
    pub label: &'a str,
    /// How values lie on it.
    pub scale: Scale,
}

/// How values lie on an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal distances are equal differences.
    Even,
    /// Equal distances are equal factors; only for positive values.
    Logarithmic,
    /// The same with numbers only at powers of ten.
    Decades,
    /// Equal distances are equal differences of square roots: small values get more room, and zero has its place.
    Rooted,
}

impl<'a> Axis<'a> {
    /// With an even scale.
    pub const fn even(label: &'a str) -> Self {
        let scale = Scale::Even;
        Axis { label, scale }
    }

    /// With square roots; each of its values gets a number.
    pub const fn rooted(label: &'a str) -> Self {
        let scale = Scale::Rooted;
        Axis { label, scale }
    }

    /// With a logarithmic scale of several decades.
    pub const fn decades(label: &'a str) -> Self {
        let scale = Scale::Decades;
        Axis { label, scale }
    }

    /// With a logarithmic scale.
    pub const fn logarithmic(label: &'a str) -> Self {
        let scale = Scale::Logarithmic;
        Axis { label, scale }
    }
}

impl Scale {
    fn place(self, value: f64) -> f64 {
        match self {
            Scale::Even => value,
            Scale::Logarithmic | Scale::Decades => value.log10(),
            Scale::Rooted => value.sqrt(),
        }
    }

    fn value(self, place: f64) -> f64 {
        match self {
            Scale::Even => place,
            Scale::Logarithmic | Scale::Decades => 10_f64.powf(place),
            Scale::Rooted => place.max(0.0).powi(2),
        }
    }

    /// Places that get a number, between two of them or at some.
    fn ticks(self, from: f64, to: f64, places: &[f64]) -> Vec<f64> {
        match self {
            Scale::Even => multiples(from, to),
            Scale::Logarithmic => powers(from, to),
            Scale::Decades => {
                let decades = from.ceil() as i64..=to.floor() as i64;
                decades.map(|decade| decade as f64).collect()
            }
            Scale::Rooted => {
                let mut places = places.to_vec();
                places.sort_by(f64::total_cmp);
                places.dedup();
                places
            }
        }
    }
}

/// The part of an axis that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    scale: Scale,
    from: f64,
    to: f64,
    ticks: Vec<f64>,
}

impl Frame {
    /// Around some values, with a little room.
    pub fn around(scale: Scale, values: impl Iterator<Item = f64>) -> Self {
        let places = values.map(|value| scale.place(value));
        let places: Vec<f64> = places.filter(|place| place.is_finite()).collect();
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = places.iter().fold(nothing, |(low, high), place| {
            (low.min(*place), high.max(*place))
        });
        let (low, high) = match low.total_cmp(&high) {
            Ordering::Less => (low, high),
            Ordering::Equal => (low - 0.5, high + 0.5),
            Ordering::Greater => (0.0, 1.0),
        };
        let room = 0.03 * (high - low);
        let (from, to) = (low - room, high + room);
        Frame {
            scale,
            from,
            to,
            ticks: scale.ticks(from, to, &places),
        }
    }
}

impl Ranged for Frame {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (self.scale.place(*value) - self.from) / (self.to - self.from);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        let ticks = self.ticks.iter();
        ticks.map(|tick| self.scale.value(*tick)).collect()
    }

    fn range(&self) -> Range<f64> {
        self.scale.value(self.from)..self.scale.value(self.to)
    }
}

impl ValueFormatter<f64> for Frame {
    /// Four significant digits at most: powers of ten need not be exact.
    fn format(value: &f64) -> String {
        let digits = 3 - value.abs().max(1e-9).log10().floor() as i32;
        let text = format!("{value:.*}", digits.clamp(0, 9) as usize);
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    }
}

/// Three to seven multiples of 1, 2 or 5 times a power of ten.
fn multiples(from: f64, to: f64) -> Vec<f64> {
    let rough = (to - from) / 7.0;
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    (first..=last).map(|number| number as f64 * step).collect()
}

/// Powers of ten between two logarithms, and round numbers between them if there are few.
fn powers(from: f64, to: f64) -> Vec<f64> {
    let factors: &[f64] = match to - from {
        4.0.. => &[1.0],
        1.5.. => &[1.0, 2.0, 5.0],
        _ => &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0],
    };
    let decades = (from.floor() as i64..=to.ceil() as i64).map(|decade| decade as f64);
    let ticks = decades.flat_map(|decade| factors.iter().map(move |by| decade + by.log10()));
    let ticks: Vec<_> = ticks.filter(|tick| (from..=to).contains(tick)).collect();
    match ticks.len() {
        3.. => ticks,
        _ => round(from, to),
    }
}

/// Round numbers within a part of a decade, where it hardly matters that the scale is logarithmic.
fn round(from: f64, to: f64) -> Vec<f64> {
    let values = multiples(10_f64.powf(from), 10_f64.powf(to));
    values.into_iter().map(f64::log10).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::coord::ranged1d::BoldPoints;

    fn numbers(scale: Scale, values: &[f64]) -> Vec<String> {
        let frame = Frame::around(scale, values.iter().copied());
        let ticks = frame.key_points(BoldPoints(9));
        ticks.iter().map(Frame::format).collect()
    }

    #[test]
    fn numbers_of_an_axis_are_round() {
        let even = |values| numbers(Scale::Even, values);
        assert_eq!(even(&[19.4, 27.1]), ["20", "22", "24", "26"]);
        assert_eq!(
            even(&[0.0, 0.25]),
            ["0", "0.05", "0.1", "0.15", "0.2", "0.25"]
        );
        let logarithmic = |values| numbers(Scale::Logarithmic, values);
        assert_eq!(
            logarithmic(&[1.0, 200.0]),
            ["1", "2", "5", "10", "20", "50", "100", "200"]
        );
        assert_eq!(
            logarithmic(&[0.001, 100.0]),
            ["0.001", "0.01", "0.1", "1", "10", "100"]
        );
        assert_eq!(logarithmic(&[6.2, 21.6]), ["7", "10", "15", "20"]);
        assert_eq!(logarithmic(&[1.6, 10.8]), ["2", "3", "5", "7", "10"]);
        assert_eq!(logarithmic(&[21.0, 29.0]), ["22", "24", "26", "28"]);
        let decades = numbers(Scale::Decades, &[300.0, 1e6]);
        assert_eq!(decades, ["1000", "10000", "100000", "1000000"]);
        let rooted = numbers(Scale::Rooted, &[4.0, 0.0, 0.125, 0.125, 1.0]);
        assert_eq!(rooted, ["0", "0.125", "1", "4"]);
    }

    #[test]
    fn every_value_lies_inside_of_its_frame() {
        for scale in [
            Scale::Even,
            Scale::Logarithmic,
            Scale::Decades,
            Scale::Rooted,
        ] {
            for values in [&[0.5, 3.0][..], &[2.0]] {
                let frame = Frame::around(scale, values.iter().copied());
                for value in values {
                    assert!((1..1000).contains(&frame.map(value, (0, 1000))));
                }
            }
        }
        let nothing = Frame::around(Scale::Even, [f64::NAN].into_iter());
        assert_eq!(nothing.range(), -0.03..1.03);
    }
}
