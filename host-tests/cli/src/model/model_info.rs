//! Facts about a model that need no run.

use pocketron::{learners::continual::Recall, persist::Persist};

use super::{ImageHeader, image_of};

/// Facts about a binary learner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelInfo {
    /// Support vectors in use and at most, if it has any.
    pub vectors: Option<(usize, usize)>,
    /// Leave-one-out recall on them, if it can tell.
    pub recall: Option<Recall>,
    /// Kernel, rule and the like, with their parameters.
    pub parts: Vec<String>,
}

impl ModelInfo {
    /// Of a learner of two classes: those of both.
    pub fn of_all(model_info: Vec<(Option<u32>, ModelInfo)>) -> Self {
        let mut model_info = model_info.into_iter().map(|(_, model_info)| model_info);
        let first = model_info.next().unwrap_or_default();
        model_info.fold(first, |mut sum, other| {
            if let (Some((used, _)), Some((more, _))) = (&mut sum.vectors, other.vectors) {
                *used += more;
            }
            if let (Some(recall), Some(more)) = (&mut sum.recall, other.recall) {
                recall.asked += more.asked;
                recall.right += more.right;
            }
            sum
        })
    }
}

/// Names of a part's words, as `docs/image.md` lists them; those of integers end with `#`.
fn words(part: &str) -> &'static [&'static str] {
    match part {
        "gaussian" => &["gamma"],
        "polynomial" => &["scale", "offset", "degree#"],
        "margin" => &["eta", "tau of positive", "tau of negative"],
        "passive-aggressive" => &["aggressiveness"],
        "shrinking" => &["lambda", "examples#"],
        "alma" => &["alpha", "updates#", "squared norm"],
        _ => &[],
    }
}

/// A part with its parameters: `margin: eta 1, tau of positive 1, tau of negative 1`.
pub fn parameters(part: &dyn Persist) -> String {
    let bytes = image_of(part);
    let Ok(image_header) = ImageHeader::open(&bytes) else {
        // A part without words and without a name of its own.
        return String::new();
    };
    let name = image_header.shape.split('(').next().unwrap_or_default();
    let body = bytes.get(image_header.body..).unwrap_or_default();
    let (values, _) = body.as_chunks();
    let values = words(name)
        .iter()
        .zip(values)
        .map(|(name, bytes)| match name.strip_suffix('#') {
            Some(name) => format!("{name} {}", u32::from_le_bytes(*bytes)),
            None => format!("{name} {}", f32::from_le_bytes(*bytes)),
        });
    let values: Vec<_> = values.collect();
    match values.is_empty() {
        true => image_header.shape,
        false => format!("{}: {}", image_header.shape, values.join(", ")),
    }
}
