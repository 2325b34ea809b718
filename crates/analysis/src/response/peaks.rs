//! Peaks: where an amplitude is largest, to a fraction of the grid.
//!
//! A point higher than both neighbours holds a peak between them. Every refinement puts three more points into each of the
//! two intervals and goes on with the highest; in the end a parabola through three points gives the peak. Its curvature stays
//! what it is as points come nearer, unless the response jumps from one branch to another: then the highest point is the peak.

use super::ResponsePoint;

/// New points that a refinement puts into each of the two intervals.
const NEW_POINTS_PER_INTERVAL: usize = 3;
/// A curvature that grows by more than this factor between two refinements is a jump.
const MAX_SMOOTH_GROWTH: f64 = 3.0;

/// A local maximum of an amplitude.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponsePeak {
    /// In the unit of the frequency parameter.
    pub frequency: f64,
    /// The peak lies no further away than this, if there is one peak between the points.
    pub frequency_error: f64,
    /// The amplitude there.
    pub amplitude: f64,
    /// How far the parabola rises above the points (at a jump: how far the nearer neighbour lies below), plus the largest
    /// transient that is left at them; infinite where that is larger than the amplitude, and nothing is known.
    pub amplitude_error: f64,
    /// Whether the response falls to another branch right next to the peak.
    pub jump: bool,
    /// Whether all points around it have settled.
    pub settled: bool,
}

/// Three points around a peak of an output.
#[derive(Clone, Debug)]
pub(super) struct Bracket {
    pub(super) output: usize,
    pub(super) points: [ResponsePoint; 3],
    /// Half the second derivative of the parabola before the last refinement.
    bend_before: Option<f64>,
}

/// The points around all peaks of an output that rise enough above their surroundings, from low to high frequencies.
pub(super) fn brackets(points: &[ResponsePoint], output: usize, prominence: f64) -> Vec<Bracket> {
    let heights: Vec<f64> = points.iter().map(|point| point.amplitudes[output]).collect();
    let is_peak = |&at: &usize| {
        let (height, noise) = (heights[at], points[at].noise);
        noise < 1.0
            && height > heights[at - 1]
            && height >= heights[at + 1]
            && height - floor(&heights, at) >= prominence.max(noise) * height
    };
    let inner = 1..heights.len().saturating_sub(1).max(1);
    let bracket = |at: usize| {
        let points = std::array::from_fn(|i| points[at - 1 + i].clone());
        Bracket { output, points, bend_before: None }
    };
    inner.filter(is_peak).map(bracket).collect()
}

/// The key saddle of a peak: the level to which one has to go down to reach a higher point, on the better side of the two.
/// Behind an end of the curve or a failure it may go on falling, so they set no floor.
fn floor(heights: &[f64], at: usize) -> f64 {
    let way = |side: &mut dyn Iterator<Item = &f64>| {
        let mut lowest = heights[at];
        for &height in side.take_while(|height| height.is_finite()) {
            if height > heights[at] {
                return lowest;
            }
            lowest = lowest.min(height);
        }
        f64::NEG_INFINITY
    };
    way(&mut heights[..at].iter().rev()).max(way(&mut heights[at + 1..].iter()))
}

impl Bracket {
    /// Equal for brackets of the same points.
    pub(super) fn place(&self) -> [u64; 3] {
        self.points.each_ref().map(|point| point.frequency.to_bits())
    }

    /// The frequencies of the next refinement.
    pub(super) fn between(&self) -> Vec<f64> {
        let [low, middle, high] = self.points.each_ref().map(|point| point.frequency);
        let inside = |from: f64, to: f64| {
            let part = move |i: usize| i as f64 / (NEW_POINTS_PER_INTERVAL + 1) as f64;
            (1..=NEW_POINTS_PER_INTERVAL).map(move |i| from + (to - from) * part(i))
        };
        inside(low, middle).chain(inside(middle, high)).collect()
    }

    /// Goes on with the highest of the points and its neighbours.
    pub(super) fn narrow(&mut self, found: Vec<ResponsePoint>) {
        let mut all: Vec<ResponsePoint> = self.points.iter().cloned().chain(found).collect();
        all.retain(|point| point.failure.is_none());
        all.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
        let height = |at: &usize| all[*at].amplitudes[self.output];
        let inner = 1..all.len().saturating_sub(1);
        if let Some(at) = inner.max_by(|a, b| height(a).total_cmp(&height(b))) {
            self.bend_before = Some(self.parabola()[1]);
            self.points = std::array::from_fn(|i| all[at - 1 + i].clone());
        }
    }

    /// The first derivative and half the second at the middle point of the parabola through the points.
    fn parabola(&self) -> [f64; 2] {
        let [x0, x1, x2] = self.points.each_ref().map(|point| point.frequency);
        let [y0, y1, y2] = self.heights();
        let (left, right) = ((y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1));
        let bend = (right - left) / (x2 - x0);
        [left + bend * (x1 - x0), bend]
    }

    fn heights(&self) -> [f64; 3] {
        self.points.each_ref().map(|point| point.amplitudes[self.output])
    }

    /// The peak, as well as it is known.
    pub(super) fn peak(&self) -> ResponsePeak {
        let [low, middle, high] = &self.points;
        let ([below, height, above], [slope, bend]) = (self.heights(), self.parabola());
        let jump = self.bend_before.is_some_and(|before| bend < MAX_SMOOTH_GROWTH * before);
        let shift = if bend < 0.0 && !jump { -0.5 * slope / bend } else { 0.0 };
        let rise = slope * shift + bend * shift * shift;
        let doubt = if jump { height - below.max(above) } else { rise };
        let unsettled = self.points.iter().fold(0.0, |most: f64, point| most.max(point.error));
        let unsettled = if unsettled < 1.0 { unsettled } else { f64::INFINITY };
        let spacing = (middle.frequency - low.frequency).max(high.frequency - middle.frequency);
        ResponsePeak {
            frequency: middle.frequency + shift,
            frequency_error: spacing,
            amplitude: height + rise,
            amplitude_error: doubt + unsettled * height,
            jump,
            settled: self.points.iter().all(|point| point.settled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(from: f64, to: f64, count: usize, height: impl Fn(f64) -> f64) -> Vec<ResponsePoint> {
        let point = |at: usize| {
            let frequency = from + (to - from) * at as f64 / (count - 1) as f64;
            let amplitudes = vec![height(frequency)];
            let failed = ResponsePoint::failed(frequency, 1, String::new());
            ResponsePoint {
                settled: true,
                error: 0.0,
                noise: 0.0,
                failure: None,
                amplitudes,
                ..failed
            }
        };
        (0..count).map(point).collect()
    }

    fn refined(height: impl Fn(f64) -> f64 + Copy) -> ResponsePeak {
        let mut found = brackets(&points(0.0, 2.0, 21, height), 0, 0.01);
        assert_eq!(found.len(), 1);
        for _ in 0..2 {
            let more = found[0].between();
            let more = more.into_iter().flat_map(|at| points(at, at, 2, height).pop()).collect();
            found[0].narrow(more);
        }
        found[0].peak()
    }

    #[test]
    fn a_smooth_peak_is_found_to_a_fraction_of_the_points() {
        let peak = refined(|x| 1.0 / (1.0 + (x - 1.234_f64).powi(2)));
        assert!((peak.frequency - 1.234).abs() < 1e-5 && !peak.jump && peak.settled);
        assert!((peak.amplitude - 1.0).abs() < 1e-9);
    }

    #[test]
    fn at_a_jump_the_highest_point_is_the_peak() {
        let peak = refined(|x| if x < 1.234 { x } else { 0.1 });
        assert!(peak.jump);
        assert!((peak.frequency - 1.234).abs() <= peak.frequency_error);
        assert!(peak.amplitude <= 1.234 && 1.234 - peak.amplitude <= peak.amplitude_error);
    }

    #[test]
    fn what_cannot_be_told_from_rest_has_no_peak() {
        let mut found = points(0.0, 2.0, 21, |x| 1e-10 * (1.2 + (9.0 * x).sin()));
        assert_eq!(brackets(&found, 0, 0.01).len(), 3);
        found.iter_mut().for_each(|point| point.noise = 1e-9 / point.amplitudes[0]);
        assert_eq!(brackets(&found, 0, 0.01).len(), 0);
    }

    #[test]
    fn ripples_are_no_peaks() {
        let rippled = |x: f64| 1.0 - (x - 1.0).powi(2) + 1e-3 * (40.0 * x).sin();
        assert_eq!(brackets(&points(0.0, 2.0, 201, rippled), 0, 0.01).len(), 1);
    }
}
