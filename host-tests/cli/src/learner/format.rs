//! Formats of features.

use clap::ValueEnum;

/// Storage format of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// As they come.
    #[default]
    F32,
    /// 32 bits, standardised in the stream.
    F32Scaled,
    /// 16 bits, standardised in the stream.
    I16,
    /// 8 bits, standardised in the stream.
    I8,
}

impl Format {
    /// Whether features are in fixed point.
    pub fn is_fixed(self) -> bool {
        matches!(self, Format::I16 | Format::I8)
    }

    /// Its name in tables and commands.
    pub fn name(self) -> &'static str {
        match self {
            Format::F32 => "f32",
            Format::F32Scaled => "f32-scaled",
            Format::I16 => "i16",
            Format::I8 => "i8",
        }
    }
}
