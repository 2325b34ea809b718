//! Random small systems M q̈ + C q̇ + K q = 0 with whole entries, of every kind that makes modes difficult.

use catena_tests::Random;

/// A square matrix of whole numbers.
pub(crate) type Whole = Vec<Vec<i128>>;

/// M, C and K.
#[derive(Debug)]
pub(crate) struct LinearSystem {
    pub(crate) kind: &'static str,
    pub(crate) mass: Whole,
    pub(crate) damping: Whole,
    pub(crate) stiffness: Whole,
    /// Time runs this many times as fast: C and K are multiplied by it and by its square.
    pub(crate) pace: f64,
}

impl LinearSystem {
    /// Whether all forces have a potential.
    pub(crate) fn is_conservative(&self) -> bool {
        self.damping.iter().flatten().all(|x| *x == 0)
            && self.stiffness == transposed(&self.stiffness)
    }
}

/// Paces of which most have no end in binary: what was exact in whole numbers is no longer.
const PACES: [f64; 5] = [1.0, 0.1, 0.3, 7.7, 130.0];

/// The kinds, one after the other.
type Kind = (&'static str, fn(&mut Dice, usize) -> [Whole; 3]);
pub(crate) const KINDS: [Kind; 10] = [
    ("coupled", coupled),
    ("coupled without damping", undamped),
    ("uncoupled", uncoupled),
    ("critically damped", critical),
    ("defective", defective),
    ("equal", equal),
    ("gyroscopic", gyroscopic),
    ("free", free),
    ("free with friction", free_with_friction),
    ("any forces", any_forces),
];

/// Whole numbers by chance.
pub(crate) struct Dice(pub(crate) Random);

impl Dice {
    pub(crate) fn between(&mut self, low: i128, high: i128) -> i128 {
        let span = (high - low + 1) as f64;
        low + (self.0.between(0.0, 1.0) * span).floor().min(span - 1.0) as i128
    }

    fn matrix(&mut self, n: usize, size: i128) -> Whole {
        (0..n).map(|_| (0..n).map(|_| self.between(-size, size)).collect()).collect()
    }

    fn diagonal(&mut self, n: usize, low: i128, high: i128) -> Whole {
        let entries: Vec<i128> = (0..n).map(|_| self.between(low, high)).collect();
        diagonal(&entries)
    }

    /// A matrix with determinant 1, so that what it mixes keeps its eigenvalues and their multiplicities.
    fn mixing(&mut self, n: usize) -> Whole {
        let mut mixing = diagonal(&vec![1; n]);
        for i in 0..n {
            for j in 0..i {
                mixing[i][j] = self.between(-1, 1);
            }
        }
        mixing
    }

    pub(crate) fn system(&mut self, number: usize) -> LinearSystem {
        let (kind, build) = KINDS[number % KINDS.len()];
        let n = self.between(1, 3) as usize;
        let pace = PACES[self.between(0, PACES.len() as i128 - 1) as usize];
        let [mass, damping, stiffness] = build(self, n);
        LinearSystem { kind, mass, damping, stiffness, pace }
    }
}

fn diagonal(entries: &[i128]) -> Whole {
    let n = entries.len();
    (0..n).map(|i| (0..n).map(|j| if i == j { entries[i] } else { 0 }).collect()).collect()
}

pub(crate) fn product(a: &Whole, b: &Whole) -> Whole {
    let n = a.len();
    let entry = |i: usize, j: usize| (0..n).map(|k| a[i][k] * b[k][j]).sum();
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

fn transposed(a: &Whole) -> Whole {
    (0..a.len()).map(|i| a.iter().map(|row| row[i]).collect()).collect()
}

fn sum(a: &Whole, b: &Whole) -> Whole {
    let rows = a.iter().zip(b);
    rows.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect()
}

/// Pᵀ A P
fn mixed(a: &Whole, by: &Whole) -> Whole {
    product(&transposed(by), &product(a, by))
}

/// Springs or dampers between neighbours, held by the ground at the first one or not at all.
fn row_of_elements(dice: &mut Dice, n: usize, ground: i128) -> Whole {
    let mut matrix = diagonal(&vec![0; n]);
    matrix[0][0] += ground;
    for i in 1..n {
        let element = dice.between(1, 9);
        matrix[i][i] += element;
        matrix[i - 1][i - 1] += element;
        matrix[i][i - 1] -= element;
        matrix[i - 1][i] -= element;
    }
    matrix
}

fn positive(dice: &mut Dice, n: usize) -> Whole {
    let part = dice.matrix(n, 1);
    sum(&product(&transposed(&part), &part), &dice.diagonal(n, 1, 4))
}

fn coupled(dice: &mut Dice, n: usize) -> [Whole; 3] {
    let ground = dice.between(1, 5);
    [positive(dice, n), row_of_elements(dice, n, ground), positive(dice, n)]
}

fn undamped(dice: &mut Dice, n: usize) -> [Whole; 3] {
    [positive(dice, n), diagonal(&vec![0; n]), positive(dice, n)]
}

fn uncoupled(dice: &mut Dice, n: usize) -> [Whole; 3] {
    [dice.diagonal(n, 1, 3), dice.diagonal(n, 0, 10), dice.diagonal(n, 0, 9)]
}

/// c² = 4mk in coordinates that mix what is critical with what is not.
fn critical(dice: &mut Dice, n: usize) -> [Whole; 3] {
    let mut parts = [dice.diagonal(n, 1, 1), dice.diagonal(n, 0, 8), dice.diagonal(n, 1, 9)];
    let rate = dice.between(1, 4);
    (parts[1][0][0], parts[2][0][0]) = (2 * rate, rate * rate);
    let mixing = dice.mixing(n);
    parts.map(|part| mixed(&part, &mixing))
}

/// A force that follows from one coordinate and acts on another of the same frequency: one shape for two values.
fn defective(dice: &mut Dice, n: usize) -> [Whole; 3] {
    let (c, k) = (dice.between(0, 3), dice.between(0, 9));
    let mut stiffness = diagonal(&vec![k; n]);
    (1..n).for_each(|i| stiffness[i][i - 1] = dice.between(0, 2));
    let mixing = dice.mixing(n);
    [diagonal(&vec![1; n]), diagonal(&vec![c; n]), stiffness].map(|part| mixed(&part, &mixing))
}

/// Several times the same oscillator: a space of shapes for one value.
fn equal(dice: &mut Dice, n: usize) -> [Whole; 3] {
    let (m, c, k) = (dice.between(1, 3), dice.between(0, 4), dice.between(1, 9));
    let mixing = dice.mixing(n);
    [m, c, k].map(|entry| mixed(&diagonal(&vec![entry; n]), &mixing))
}

/// Forces across the velocity, with stiffness of either sign.
fn gyroscopic(dice: &mut Dice, n: usize) -> [Whole; 3] {
    let part = dice.matrix(n, 4);
    let skew =
        sum(&part, &transposed(&part).iter().map(|row| row.iter().map(|x| -x).collect()).collect());
    [dice.diagonal(n, 1, 2), skew, dice.diagonal(n, -3, 6)]
}

fn free(dice: &mut Dice, n: usize) -> [Whole; 3] {
    let mixing = dice.mixing(n);
    let parts = [dice.diagonal(n, 1, 4), row_of_elements(dice, n, 0), row_of_elements(dice, n, 0)];
    parts.map(|part| mixed(&part, &mixing))
}

fn free_with_friction(dice: &mut Dice, n: usize) -> [Whole; 3] {
    let ground = dice.between(1, 5);
    [positive(dice, n), row_of_elements(dice, n, ground), row_of_elements(dice, n, 0)]
}

fn any_forces(dice: &mut Dice, n: usize) -> [Whole; 3] {
    [positive(dice, n), dice.matrix(n, 5), dice.matrix(n, 6)]
}
