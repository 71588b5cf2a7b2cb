//! The features of a window in float64, from all samples since the front end began.

/// Features of one channel in the order of `All`: moments, range, energy, crossings, step, peaks, five bands.
pub fn channel(all: &[f64], window: usize, hop: usize, floor: f64) -> Vec<f64> {
    let begin = all.len() - window;
    let samples = &all[begin..];
    let count = window as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
    let squares = samples.iter().map(|x| x * x).sum::<f64>() / count;
    let mut features = vec![
        mean,
        variance.sqrt(),
        samples.iter().copied().fold(f64::INFINITY, f64::min),
        samples.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        (floor + squares).log2(),
        crossings(all, begin, hop),
        (begin.max(1)..all.len())
            .map(|at| (all[at] - all[at - 1]).abs())
            .sum::<f64>()
            / count,
        peaks(all, begin),
    ];
    features.extend(bands(samples, 5, floor));
    features
}

/// Each pane against the mean of the pane before, the very first against its first sample.
fn crossings(all: &[f64], begin: usize, hop: usize) -> f64 {
    let (mut above, mut count) = (None, 0.0);
    for (at, x) in all.iter().enumerate() {
        let pane = at / hop;
        let level = match pane {
            0 => all[0],
            _ => {
                let before = &all[(pane - 1) * hop..pane * hop];
                let mean = before.iter().sum::<f64>() / hop as f64;
                // Whole numbers are compared with a whole number.
                if all.iter().all(|x| x.fract() == 0.0) {
                    mean.floor()
                } else {
                    mean
                }
            }
        };
        if *x != level {
            let now = *x > level;
            count += f64::from(u8::from(at >= begin && above == Some(!now)));
            above = Some(now);
        }
    }
    count
}

/// A sample that is above the last different one before it, and followed by a smaller one, in the window.
fn peaks(all: &[f64], begin: usize) -> f64 {
    let (mut rising, mut count) = (false, 0.0);
    for at in 1..all.len() {
        if all[at] < all[at - 1] {
            count += f64::from(u8::from(rising && at >= begin));
        }
        if all[at] != all[at - 1] {
            rising = all[at] > all[at - 1];
        }
    }
    count
}

/// Mean squares of the differences between means of 1, 2, 4 ... neighbours.
pub fn bands(samples: &[f64], bands: u32, floor: f64) -> Vec<f64> {
    let is_whole = samples.iter().all(|x| x.fract() == 0.0);
    let energy = |band: u32| {
        let length = 1 << band;
        let differences = samples.chunks_exact(2 * length).map(|pair| {
            let mean = |half: &[f64]| half.iter().sum::<f64>() / length as f64;
            let difference = mean(&pair[length..]) - mean(&pair[..length]);
            if is_whole {
                (difference + 0.5).floor()
            } else {
                difference
            }
        });
        let squares: Vec<f64> = differences.map(|x| x * x).collect();
        (floor + squares.iter().sum::<f64>() / squares.len() as f64).log2()
    };
    (0..bands).map(energy).collect()
}

/// Pearson's correlation; zero if one of them is constant.
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let count = a.len() as f64;
    let mean = |x: &[f64]| x.iter().sum::<f64>() / count;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let product = |x: &[f64], of_x: f64, y: &[f64], of_y: f64| -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - of_x) * (y - of_y)).sum()
    };
    let scale = (product(a, mean_a, a, mean_a) * product(b, mean_b, b, mean_b)).sqrt();
    if scale == 0.0 {
        0.0
    } else {
        product(a, mean_a, b, mean_b) / scale
    }
}

/// Energies of `parts` equal parts of the spectrum, by the sum of its definition, with Hann's window.
pub fn spectrum(samples: &[f64], parts: usize, floor: f64) -> Vec<f64> {
    let count = samples.len();
    let mean = samples.iter().sum::<f64>() / count as f64;
    let turn = |k: usize, t: usize| std::f64::consts::TAU * (k * t) as f64 / count as f64;
    let hann: Vec<f64> = (0..count)
        .map(|t| (samples[t] - mean) * (1.0 - turn(1, t).cos()))
        .collect();
    let energy = |k: usize| {
        let re: f64 = hann
            .iter()
            .enumerate()
            .map(|(t, x)| x * turn(k, t).cos())
            .sum();
        let im: f64 = hann
            .iter()
            .enumerate()
            .map(|(t, x)| x * turn(k, t).sin())
            .sum();
        re * re + im * im
    };
    let width = count / 2 / parts;
    let part = |part: usize| {
        let entries = (part * width).max(1)..(part + 1) * width;
        (floor + entries.map(energy).sum::<f64>() / (count * count) as f64).log2()
    };
    (0..parts).map(part).collect()
}
