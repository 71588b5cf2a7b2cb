//! Axes: where values lie, and which of them get a number.

use std::{cmp::Ordering, ops::Range};

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// An axis of a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis<'a> {
    /// What it shows, with its unit.
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
}

impl<'a> Axis<'a> {
    /// With an even scale.
    pub const fn even(label: &'a str) -> Self {
        let scale = Scale::Even;
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
            Scale::Logarithmic => value.log10(),
        }
    }

    fn value(self, place: f64) -> f64 {
        match self {
            Scale::Even => place,
            Scale::Logarithmic => 10_f64.powf(place),
        }
    }

    /// Places that get a number, between two of them.
    fn ticks(self, from: f64, to: f64) -> Vec<f64> {
        let powers = match self {
            Scale::Even => Vec::new(),
            Scale::Logarithmic => powers(from, to),
        };
        if powers.len() > 1 {
            powers
        } else {
            multiples(from, to)
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
        let places = places.filter(|place| place.is_finite());
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = places.fold(nothing, |(low, high), place| {
            (low.min(place), high.max(place))
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
            ticks: scale.ticks(from, to),
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

/// Powers of ten between two logarithms, and 2 and 5 times them if there are few.
fn powers(from: f64, to: f64) -> Vec<f64> {
    let factors: &[f64] = if to - from < 4.0 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    let decades = (from.floor() as i64..=to.ceil() as i64).map(|decade| decade as f64);
    let ticks = decades.flat_map(|decade| factors.iter().map(move |by| decade + by.log10()));
    ticks.filter(|tick| (from..=to).contains(tick)).collect()
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
    }

    #[test]
    fn every_value_lies_inside_of_its_frame() {
        for scale in [Scale::Even, Scale::Logarithmic] {
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
