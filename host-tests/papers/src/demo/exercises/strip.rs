//! A signal in one line of text.

use anyhow::Result;

use crate::device::{Client, Sensor};

const WIDTH: usize = 32;
/// Samples of one letter.
const STEP: usize = 4;
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The last samples that the device has taken, of the axis that moves most.
pub fn of_last(client: &mut Client, sensor: &Sensor, next: u32) -> Result<String> {
    let channels = sensor.channels.len();
    let mut from = next.wrapping_sub((WIDTH * STEP) as u32);
    let mut values = Vec::new();
    while from != next {
        let run = client.samples(from)?;
        from = run.next(channels);
        if run.values.is_empty() {
            break;
        }
        values.extend(run.values);
    }
    let axes = (0..channels).map(|axis| values.iter().skip(axis).step_by(channels));
    let axes = axes.map(|axis| axis.copied().map(f32::from).collect::<Vec<_>>());
    let range = |axis: &Vec<f32>| {
        let low = axis.iter().copied().fold(f32::MAX, f32::min);
        let high = axis.iter().copied().fold(f32::MIN, f32::max);
        (low, (high - low).max(1.0))
    };
    let widest = axes.max_by(|a, b| range(a).1.total_cmp(&range(b).1));
    let widest = widest.unwrap_or_default();
    let (low, height) = range(&widest);
    let level = |samples: &[f32]| {
        let mean = samples.iter().sum::<f32>() / samples.len() as f32;
        LEVELS[(((mean - low) / height * 8.0) as usize).min(7)]
    };
    Ok(widest.chunks(STEP).map(level).collect())
}
