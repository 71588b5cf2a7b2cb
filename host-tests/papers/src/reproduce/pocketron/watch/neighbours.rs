//! 5-NN that keeps every window.

use anyhow::Result;

use super::person::{CLASSES, DIM, Window, mean_recall};

const NEIGHBOURS: usize = 5;

/// Windows, standardised on themselves.
pub struct Neighbours {
    kept: Vec<([f64; DIM], u8)>,
    mean: [f64; DIM],
    deviation: [f64; DIM],
}

impl Neighbours {
    pub fn of(windows: &[Window]) -> Self {
        let count = windows.len().max(1) as f64;
        let (mut mean, mut deviation) = ([0.0; DIM], [0.0; DIM]);
        for feature in 0..DIM {
            let values = windows
                .iter()
                .map(|window| f64::from(window.features[feature]));
            let centre = values.clone().sum::<f64>() / count;
            let squares: f64 = values.map(|value| (value - centre).powi(2)).sum();
            mean[feature] = centre;
            deviation[feature] = match (squares / count).sqrt() {
                0.0 => 1.0,
                other => other,
            };
        }
        let mut machine = Neighbours {
            kept: Vec::new(),
            mean,
            deviation,
        };
        let scaled = windows
            .iter()
            .map(|window| (machine.scaled(window), window.class));
        machine.kept = scaled.collect();
        machine
    }

    /// Bytes of what it keeps: features in 32 bits, and a class.
    pub fn bytes(&self) -> usize {
        self.kept.len() * (4 * DIM + 1)
    }

    fn scaled(&self, window: &Window) -> [f64; DIM] {
        let mut scaled = [0.0; DIM];
        for (feature, to) in scaled.iter_mut().enumerate() {
            *to = (f64::from(window.features[feature]) - self.mean[feature])
                / self.deviation[feature];
        }
        scaled
    }

    /// The class of most of the five nearest; of equals, that of the nearest.
    fn predict(&self, window: &Window) -> u8 {
        let x = self.scaled(window);
        let mut near: Vec<(f64, u8)> = Vec::with_capacity(NEIGHBOURS + 1);
        for (kept, class) in &self.kept {
            let distance: f64 = kept.iter().zip(&x).map(|(a, b)| (a - b).powi(2)).sum();
            let place = near.partition_point(|(other, _)| *other <= distance);
            if place < NEIGHBOURS {
                near.insert(place, (distance, *class));
                near.truncate(NEIGHBOURS);
            }
        }
        let mut votes = [0; CLASSES];
        for (_, class) in &near {
            votes[usize::from(*class)] += 1;
        }
        let most = votes.iter().max().copied().unwrap_or(0);
        let mut ranked = near.iter().map(|(_, class)| *class);
        ranked
            .find(|class| votes[usize::from(*class)] == most)
            .unwrap_or(0)
    }

    pub fn recall(&self, windows: &[Window]) -> Result<f64> {
        mean_recall(windows, |window| Ok(self.predict(window) == window.class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_the_five_nearest_decide_and_the_nearest_of_equals() {
        let window = |at: f32, class| Window {
            features: [at; DIM],
            class,
            arm: 0,
        };
        let at = [(0.0, 0), (1.0, 1), (2.0, 1), (3.0, 0), (9.0, 2), (90.0, 3)];
        let windows = at.map(|(at, class)| window(at, class));
        let machine = Neighbours::of(&windows);
        // Two of 0 and two of 1 are among the nearest five.
        assert_eq!(machine.predict(&window(0.2, 9)), 0);
        assert_eq!(machine.predict(&window(1.4, 9)), 1);
        assert_eq!(machine.bytes(), 6 * 49);
        assert_eq!(
            Neighbours::of(&windows[4..5]).predict(&window(0.0, 9)),
            2,
            "a constant feature"
        );
    }
}
