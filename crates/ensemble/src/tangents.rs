//! Tangent vectors that a trajectory carries along: kept orthonormal, their growth counted.
//!
//! # Equations
//! W = (w₁ … w_k) follows the variational equations. Now and then W = Q R; the motion goes on with Q, and ln Rⱼⱼ is added up.
//! Because the equations are linear in W, so are the slopes of the integrator: both become those of Q, and no step begins
//! anew. How many steps lie between two such moments follows from how much vectors turn towards each other.
//!
//! # Reference
//! K. Geist, U. Parlitz, W. Lauterborn, *Comparison of different methods for computing Lyapunov exponents*, 1990: discrete QR

use catena_integrator::Lanes;
use catena_linear::gram_schmidt::{follow, orthonormalise};
use catena_linear::norm;

/// Vectors that grow or shrink by more than this factor, or of which less than this part is at right angles to those before,
/// are made orthonormal more often; 20 is where a relative tolerance has lost little more than a digit.
const LARGEST_STRETCH: f64 = 20.0;
/// Below this factor they are made orthonormal less often.
const SMALL_STRETCH: f64 = 4.0;
const MOST_STEPS_BETWEEN: u32 = 64;

/// The growth of the tangent vectors of one trajectory since it began.
#[derive(Clone, Debug)]
pub(crate) struct TangentGrowth {
    /// Σ ln Rⱼⱼ
    logarithms: Vec<f64>,
    /// The second vector, had it not been made orthogonal to the first, in units of what is at right angles to it.
    lean: f64,
    steps: u32,
    interval: u32,
}

/// A thread's own workspace for k vectors of n components.
pub(crate) struct Tangents {
    /// n
    len: usize,
    /// k
    count: usize,
    growth: Vec<TangentGrowth>,
    vectors: Vec<f64>,
    slopes: Vec<f64>,
    r: Vec<f64>,
    sizes: Vec<f64>,
}

impl Tangents {
    pub(crate) fn new(count: usize, len: usize, places: usize) -> Tangents {
        let none = TangentGrowth { logarithms: vec![0.0; count], lean: 0.0, steps: 0, interval: 1 };
        Tangents {
            len,
            count,
            growth: vec![none; places],
            vectors: vec![0.0; count * len],
            slopes: vec![0.0; count * len],
            r: vec![0.0; count * count],
            sizes: vec![0.0; count],
        }
    }

    /// The vectors of a trajectory that begins, made orthonormal; their growth is counted from here. Where none are given they
    /// begin in directions that no symmetry of the model knows: along one of these nothing might ever grow.
    pub(crate) fn begin(&mut self, place: usize, vectors: &mut [f64]) {
        let growth = &mut self.growth[place];
        growth.logarithms.fill(0.0);
        (growth.lean, growth.steps, growth.interval) = (0.0, 0, 1);
        orthonormalise(vectors, self.len, &mut self.r);
    }

    /// A step was made in a lane: its vectors become orthonormal if it is time.
    pub(crate) fn step(&mut self, lane: usize, lanes: &mut Lanes) {
        let growth = &mut self.growth[lane];
        growth.steps += 1;
        if growth.steps < growth.interval {
            return;
        }
        growth.steps = 0;
        let Self { vectors, slopes, len, .. } = self;
        lanes.read_tail(lane, *len, vectors, slopes);
        let stretch = self.factor(lane);
        let Self { vectors, slopes, len, r, .. } = self;
        follow(slopes, *len, r);
        lanes.write_tail(lane, *len, vectors, slopes);
        let growth = &mut self.growth[lane];
        if stretch > LARGEST_STRETCH {
            growth.interval = (growth.interval / 2).max(1);
        } else if stretch < SMALL_STRETCH {
            growth.interval =
                (growth.interval + growth.interval.div_ceil(4)).min(MOST_STEPS_BETWEEN);
        }
    }

    /// Makes the vectors of a trajectory orthonormal and adds up what they grew by; whether they were stretched so much that
    /// it is to be done more often.
    pub(crate) fn renew(&mut self, place: usize, vectors: &mut [f64]) -> bool {
        self.vectors.copy_from_slice(vectors);
        let stretch = self.factor(place);
        vectors.copy_from_slice(&self.vectors);
        stretch > LARGEST_STRETCH
    }

    /// The same for the vectors in the workspace; how much they were stretched.
    fn factor(&mut self, place: usize) -> f64 {
        let Self { len, count, vectors, r, sizes, .. } = self;
        for (size, vector) in sizes.iter_mut().zip(vectors.chunks_exact(*len)) {
            *size = norm(vector);
        }
        orthonormalise(vectors, *len, r);
        let mut stretch: f64 = 1.0;
        for (at, &size) in sizes.iter().enumerate() {
            stretch = stretch.max(size).max(1.0 / size).max(size / r[at * *count + at]);
        }
        let lean = self.lean(place);
        let Self { growth, r, count, .. } = self;
        let growth = &mut growth[place];
        growth.lean = lean;
        for (at, logarithm) in growth.logarithms.iter_mut().enumerate() {
            *logarithm += r[at * *count + at].ln();
        }
        stretch
    }

    /// The lean of the second vector with what was factored last.
    fn lean(&self, place: usize) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let (first, [along, own]) = (self.r[0], [self.r[self.count], self.r[self.count + 1]]);
        (first * self.growth[place].lean + along) / own
    }

    /// Appends to a row what the vectors of a state come to, see [`crate::TangentRow`]; their growth goes on as it was.
    pub(crate) fn append(
        &mut self,
        place: usize,
        mut tail: impl Iterator<Item = f64>,
        row: &mut Vec<f64>,
    ) {
        self.vectors.iter_mut().zip(&mut tail).for_each(|(entry, value)| *entry = value);
        orthonormalise(&mut self.vectors, self.len, &mut self.r);
        let on_diagonal = self.r.iter().step_by(self.count + 1);
        let logarithms = self.growth[place].logarithms.iter().zip(on_diagonal);
        row.extend(logarithms.map(|(before, r)| before + r.ln()));
        row.push(1.0 / self.lean(place).hypot(1.0));
        row.push(tail.next().unwrap_or(f64::NAN));
        row.extend_from_slice(&self.vectors);
    }
}

/// Numbers between −½ and ½ without a pattern, always the same.
pub(crate) fn patternless() -> impl Iterator<Item = f64> {
    // squares times the golden ratio: rows of them are independent of each other
    (1_u32..).map(|at| (f64::from(at).powi(2) * 0.618_033_988_749_894_9).fract() - 0.5)
}

/// A row of an engine that carries tangent vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentRow<'a> {
    /// The columns.
    pub columns: &'a [f64],
    /// For each tangent vector the logarithm of its growth since the trajectory began, of the part at right angles to those
    /// before it.
    pub logarithms: &'a [f64],
    /// GALI₂: the area between the first two vectors as they began, each of length 1; 1 if there is one vector alone.
    pub alignment: f64,
    /// ∫ div ẏ dt since the trajectory began: the sum of all logarithms where there are as many vectors as components.
    pub divergence: f64,
    /// The vectors, orthonormal, one after the other: a trajectory may go on with them.
    pub vectors: &'a [f64],
}

impl<'a> TangentRow<'a> {
    /// Takes a row of k tangent vectors of n components apart.
    pub fn new(row: &'a [f64], k: usize, n: usize) -> TangentRow<'a> {
        let (columns, rest) = row.split_at(row.len() - k - 2 - k * n);
        let (logarithms, rest) = rest.split_at(k);
        let (&[alignment, divergence], vectors) =
            rest.split_first_chunk().unwrap_or((&[f64::NAN; 2], &[]));
        TangentRow { columns, logarithms, alignment, divergence, vectors }
    }
}
