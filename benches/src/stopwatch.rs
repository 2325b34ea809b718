//! Wall time of something done many times.

use std::time::Instant;

/// Laps of the same thing. What disturbs a lap only makes it longer: the best of many is the figure, and the median
/// tells how disturbed it was.
#[derive(Clone, Debug, Default)]
pub struct Stopwatch {
    seconds: Vec<f64>,
}

impl Stopwatch {
    /// Times one lap.
    pub fn lap<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = std::hint::black_box(run());
        self.seconds.push(start.elapsed().as_secs_f64());
        result
    }

    /// The shortest lap, s.
    pub fn best(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The lap in the middle, s.
    pub fn median(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// Laps of several things in turn, so that what disturbs one disturbs all.
pub fn in_turn<const N: usize>(rounds: usize, runs: [&mut dyn FnMut(); N]) -> [Stopwatch; N] {
    let mut runs = runs.map(|run| (Stopwatch::default(), run));
    for _ in 0..rounds {
        for (watch, run) in &mut runs {
            watch.lap(run);
        }
    }
    runs.map(|(watch, _)| watch)
}
