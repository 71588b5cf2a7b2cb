//! Images of any shape, as the host opens them.

use pocketron_cli::model::HostModel;

use crate::{Input, images::seal};

/// Shapes to begin with; the fuzzer changes them and puts parts of one into others.
const SHAPES: [&str; 12] = [
    "perceptron(linear(3),margin,last(raw))",
    "perceptron(expansion(f32(2,4),gaussian(fast),stop),unit,last(raw))",
    "perceptron(expansion(i8(2,4),gaussian(fast),merging),margin,last(raw))",
    "perceptron(expansion(f32(2,4),polynomial,least-loss(count,cached)),unit,averaged(0,raw))",
    "perceptron(expansion(f32(2,4),linear,projecting(stop)),unit,last(raw))",
    "standardized(20,recent-scale(2),perceptron(expansion(i8(2,4),gaussian(fast),forget),unit,last(raw)))",
    "one-vs-rest(3,perceptron(expansion(f32(2,4),gaussian(fast),oldest),unit,last(raw)))",
    "shared-support(3,f32(2,4),gaussian(fast),stop,unit)",
    "continual(2,i8(2,4),1,coarse-scale,relevance,binary(settling(30,4)))",
    "continual(3,i8(2,4),3,coarse-scale,relevance,top(settling(35,3)))",
    "calibrated(familiar(continual(2,i8(2,4),1,coarse-scale,relevance,binary(settling(30,4))),quantile(10)),platt)",
    "watched(continual(2,i8(2,4),1,coarse-scale,relevance,binary(settling(30,4))),three-rates,empty)",
];

pub fn run(bytes: &[u8]) {
    let input = &mut Input::new(bytes);
    let shape = shape(input);
    let mut image = b"PKTN\x01\0\0\0\0\0\0\0".to_vec();
    image.extend((shape.len() as u32).to_le_bytes());
    image.extend(&shape);
    image.resize(image.len().next_multiple_of(4), 0);
    while !input.is_empty() && image.len() < 20_000 {
        match input.byte() {
            count @ 0..128 => image.resize(image.len() + 4 * usize::from(count), 0),
            128..192 => image.extend(input.number().to_le_bytes()),
            _ => image.extend(input.word().to_le_bytes()),
        }
    }
    image.extend([0; 4]);
    seal(&mut image);
    let mut model = match HostModel::open(&image) {
        Ok(model) => model,
        Err(error) => {
            let message = error.to_string();
            assert!(message.len() < 2000 && !message.chars().any(char::is_control));
            return;
        }
    };
    assert_eq!(model.image(), image, "loads and saves other bytes");
    model.model_info();
    model.wrappers();
    let features = model.features();
    if features > 4096 {
        return;
    }
    let mut x = vec![0.0; features];
    for step in 0..8_u8 {
        if let Some(first) = x.first_mut() {
            *first = f32::from(step) / 4.0 - 1.0;
        }
        if let Ok(prediction) = model.predict(&x) {
            assert!(
                prediction.score.is_finite(),
                "the score is {}",
                prediction.score
            );
        }
        let before = model.image();
        if model.learn(&x, step % 3).is_err() {
            assert_eq!(model.image(), before, "changed by a refused example");
        }
    }
    let image = model.image();
    let again = HostModel::open(&image).expect("its own image");
    assert_eq!(again.image(), image);
}

/// A shape of the list with changes, or any text.
fn shape(input: &mut Input<'_>) -> Vec<u8> {
    let first = input.byte();
    if first >= 240 {
        let len = usize::from(input.byte());
        return input.take(len).to_vec();
    }
    let mut shape = SHAPES[usize::from(first) % SHAPES.len()]
        .as_bytes()
        .to_vec();
    for _ in 0..input.below(4) {
        let at = usize::from(input.byte()) % shape.len();
        let len = input.below(12);
        match input.below(3) {
            0 => {
                let end = (at + len).min(shape.len());
                shape.splice(at..end, input.take(len).iter().copied());
            }
            1 => {
                let other = SHAPES[input.below(SHAPES.len())];
                shape.splice(at..at, other.bytes());
            }
            _ => {
                shape.drain(at..(at + len).min(shape.len()));
                if shape.is_empty() {
                    return shape;
                }
            }
        }
    }
    shape
}
