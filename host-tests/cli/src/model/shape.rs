//! The text that says what an image is of.

use std::{error::Error, fmt, str::FromStr};

use pocketron::persist::Shape as ShapeWriter;

use crate::escape;

/// Bytes of a shape: several times those of any model.
pub const LONGEST: usize = 2048;

/// A part of a model and what it is made of: `name(part,part,...)`.
///
/// ```
/// use pocketron_cli::model::Shape;
/// let shape: Shape = "expansion(f32(2,20),gaussian(fast),stop)".parse()?;
/// assert_eq!(shape.parts[0].parts[1].number(), Some(20));
/// assert_eq!(shape.to_string(), "expansion(f32(2,20),gaussian(fast),stop)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Name, or a number.
    pub name: String,
    /// Its parts.
    pub parts: Vec<Shape>,
}

impl Shape {
    /// Its value, if it is a number.
    pub fn number(&self) -> Option<usize> {
        let number = self.name.parse().ok()?;
        self.parts.is_empty().then_some(number)
    }

    /// Name and parts, to be matched.
    pub fn pattern(&self) -> (&str, &[Shape]) {
        (&self.name, &self.parts)
    }

    /// Numbers per example: those of the first set of points, weights or scale that it names.
    pub fn features(&self) -> Option<usize> {
        match self.pattern() {
            ("f32" | "i16" | "i8" | "linear" | "recent-scale", [dim, ..]) => dim.number(),
            (_, parts) => parts.iter().find_map(Shape::features),
        }
    }

    /// Numbers that a learner of this shape has from the start, and its image with it: the other ones come with its
    /// vectors.
    pub fn numbers_at_first(&self) -> usize {
        let own = match self.pattern() {
            ("linear" | "recent-scale", [dim]) => dim.number(),
            _ => None,
        };
        let parts = self.parts.iter().map(Shape::numbers_at_first);
        parts.fold(own.unwrap_or(0), usize::saturating_add)
    }

    /// Writes it into a shape.
    pub fn write(&self, shape: &mut ShapeWriter<'_>) {
        shape.part(&self.name, |inside| {
            self.parts.iter().for_each(|part| part.write(inside));
        });
    }

    /// Says that the host has no such `kind` of part.
    pub fn unknown(&self, kind: &'static str) -> UnknownShape {
        UnknownShape {
            kind,
            part: self.to_string(),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, part) in self.parts.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { "," })?;
            part.fmt(f)?;
        }
        f.write_str(if self.parts.is_empty() { "" } else { ")" })
    }
}

/// Deeper nesting than any model has.
const DEEPEST: usize = 32;

impl FromStr for Shape {
    type Err = UnknownShape;

    fn from_str(text: &str) -> Result<Self, UnknownShape> {
        let mut rest = text.get(..=LONGEST).map_or(text, |_| "");
        match read(&mut rest, DEEPEST) {
            Some(shape) if rest.is_empty() => Ok(shape),
            _ => Err(UnknownShape {
                kind: "shape",
                part: text.into(),
            }),
        }
    }
}

/// Reads a shape from the front of the text.
fn read(rest: &mut &str, deepest: usize) -> Option<Shape> {
    let end = rest.find(['(', ',', ')']).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    *rest = after;
    let mut shape = Shape {
        name: name.into(),
        parts: Vec::new(),
    };
    if name.is_empty() || deepest == 0 {
        return None;
    }
    if let Some(inside) = rest.strip_prefix('(') {
        *rest = inside;
        loop {
            shape.parts.push(read(rest, deepest - 1)?);
            if let Some(after) = rest.strip_prefix(')') {
                *rest = after;
                break;
            }
            *rest = rest.strip_prefix(',')?;
        }
    }
    Some(shape)
}

/// Characters of a part that a message quotes.
const QUOTED: usize = 200;

/// A part that the host cannot put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownShape {
    /// The kind that is expected.
    pub kind: &'static str,
    /// The part.
    pub part: String,
}

impl fmt::Display for UnknownShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, part } = self;
        write!(
            f,
            "the host cannot run this kind of model: it does not know the {kind} `{}`",
            escape::quoted(part, QUOTED)
        )
    }
}

impl Error for UnknownShape {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_no_shape_is_refused() {
        for text in [
            "", "a(", "a()", "a(b", "a(b,)", "a(b))", "a)b", "(a)", ",", "a(,b)", "a(b)c",
        ] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
        let deep = "a(".repeat(10_000);
        assert!(deep.parse::<Shape>().is_err());
    }
}
