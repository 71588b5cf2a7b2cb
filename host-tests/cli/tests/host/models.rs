//! `pocketron model`: images of models shown and asked.

use pocketron::{
    prelude::*,
    wrap::{
        confidence::{Calibrated, NoveltyDetector},
        drift::{DriftMonitor, Reset},
    },
};
use pocketron_cli::model::image_of;

use crate::{command::POCKETRON, common::files::Scratch};

/// A model that knows its confidence: its wrappers by name, and what they say about rows.
#[test]
fn a_model_in_wrappers_is_shown_and_asked() {
    let mut model = Calibrated::<NoveltyDetector<DriftMonitor<Pocketron<1, 8>, Reset>, 10>>::new();
    let mut rows = String::from("label,x\n");
    for n in 0..300_u32 {
        let (x, hot) = ((n * 37 % 40) as f32, n * 37 % 40 >= 20);
        let label = if hot { Sign::Pos } else { Sign::Neg };
        model.learn(&[x], label).expect("a good example");
        if n < 40 {
            rows += &format!("{},{x}\n", i32::from(hot));
        }
    }
    let scratch = Scratch::new("model-wrapped");
    let image = scratch.put("a.pktn", &image_of(&model));
    let file = scratch.put("some.csv", rows.as_bytes());
    let (image, file) = (image.display(), file.display());

    let shown = POCKETRON.printed(&format!("model show {image}"));
    let fact = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("no `{name}` in {text}"))
            .to_string()
    };
    assert!(fact(&shown, "calibrated").contains("probability of class 1"));
    assert!(fact(&shown, "novelty detector").contains("10 % of the examples"));
    assert!(fact(&shown, "drift monitor").contains("on alarm: forget and learn anew"));
    assert!(fact(&shown, "class ").ends_with("examples  vectors  at most  leave-one-out"));
    assert!(fact(&shown, "leave-one-out on stored vectors").contains("hard ones"));
    let words = |line: String| -> Vec<String> { line.split_whitespace().map(Into::into).collect() };
    let seen = model.learner().learner().learner().seen(Class(1));
    assert_eq!(words(fact(&shown, "1 "))[1], seen.to_string(), "{shown}");

    let asked = POCKETRON.printed(&format!("model ask {image} {file} --rows --labels 0,1"));
    let heading = [
        "row",
        "label",
        "taken",
        "for",
        "score",
        "probability",
        "known",
    ];
    assert_eq!(words(fact(&asked, "row")), heading);
    let first = words(fact(&asked, "1 "));
    let probability = model.confidence(&[0.0]).expect("good");
    assert_eq!(first[4], format!("{probability:.3}"), "{asked}");
    let summary = fact(&asked, "label ");
    assert!(summary.ends_with("mean probability  unknown"), "{asked}");
    assert!(fact(&asked, "class ").ends_with("leave-one-out"), "{asked}");
    let short = POCKETRON.printed(&format!("model ask {image} {file}"));
    assert!(asked.contains(&short), "{short}");
}
