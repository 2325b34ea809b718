//! Modes of a thousand random small linear systems against the exact roots of det(λ²M + λC + K), which is expanded in whole
//! numbers: values to their own stated error, shapes by what they leave of (λ²M + λC + K)φ and by the space they span, and
//! always the word on stability.

mod polynomial;
mod systems;

use catena::analysis::{Character, LinearModel, Mode, Modes, Rest, Stability};
use catena_tests::{Random, written};
use polynomial::{Pair, Polynomial, plus, roots, times};
use systems::{Dice, LinearSystem, Whole};

/// How many systems are tried.
const SYSTEMS: usize = 1000;
/// A shape may leave this part of the terms of its equation.
const SHAPE_TOLERANCE: f64 = 1e-12;
/// Pivots below this part of the largest entry of λ²M + λC + K are zero.
const PIVOT_TOLERANCE: f64 = 1e-9;
/// The error that is stated for a value may not be larger, relative to the value: of a simple one, and of m equal ones
/// this many times the m-th root of rounding.
const MAX_SIMPLE_ERROR: f64 = 1e-6;
const MAX_MULTIPLE_ERROR_TO_ROOT: f64 = 100.0;

/// A root of the characteristic polynomial.
#[derive(Debug)]
struct Exact {
    value: Pair,
    multiplicity: usize,
    /// How many independent vectors λ²M + λC + K takes to zero.
    shapes: usize,
}

#[test]
fn modes_of_random_systems_agree_with_exact_roots() {
    let mut dice = Dice(Random::new(13));
    for number in 0..SYSTEMS {
        let system = dice.system(number);
        let context = format!("system {number}, {}: {system:?}", system.kind);
        let exact = exact_roots(&system);
        let model = written(&text(&system));
        let rest = Rest::nearest(&model).unwrap_or_else(|error| panic!("{context}: {error}"));
        let linear = LinearModel::new(rest).unwrap_or_else(|error| panic!("{context}: {error}"));
        let found = Modes::new(&linear).unwrap_or_else(|error| panic!("{context}: {error}"));
        let context = format!("{context}\nexact {exact:?}\nfound {:?}", found.modes);
        assert_eq!(found.stability(), stability(&exact), "{context}");
        check_values(&system, &exact, &found.modes, &context);
        check_shapes(&system, &exact, &found.modes, &context);
    }
}

/// The model, with everything but its mass as forces: nothing is said about symmetry.
fn text(system: &LinearSystem) -> String {
    let n = system.mass.len();
    let names: Vec<String> = (0..n).map(|i| format!("q{i}")).collect();
    let coordinates: Vec<String> = names.iter().map(|name| format!("{name} = \"\"")).collect();
    let row = |entries: &[i128], factor: f64, prime: &str| -> String {
        let terms = entries.iter().zip(&names);
        let terms = terms.map(|(x, name)| format!("+ {:?}*({x})*{name}{prime}", factor));
        terms.collect::<Vec<_>>().join(" ")
    };
    let kinetic: Vec<String> =
        (0..n).map(|i| format!("{}'*(0 {})", names[i], row(&system.mass[i], 0.5, "'"))).collect();
    let force = |i: usize| {
        let damping = row(&system.damping[i], system.pace, "'");
        let stiffness = row(&system.stiffness[i], system.pace * system.pace, "");
        format!("forces.{} = \"-(0 {damping} {stiffness})\"\n", names[i])
    };
    format!(
        "coordinates = {{ {} }}\nenergy.kinetic = \"{}\"\n{}",
        coordinates.join(", "),
        kinetic.join(" + "),
        (0..n).map(force).collect::<String>()
    )
}

/// The roots on and above the real axis.
fn exact_roots(system: &LinearSystem) -> Vec<Exact> {
    let entries: Vec<Vec<Polynomial>> = (0..system.mass.len())
        .map(|i| {
            let entry = |j: usize| {
                let [k, c, m] = [&system.stiffness, &system.damping, &system.mass].map(|a| a[i][j]);
                plus(&[k, c, m], &[0], 1)
            };
            (0..system.mass.len()).map(entry).collect()
        })
        .collect();
    let found = roots(&determinant(&entries)).into_iter().filter(|(value, _)| value[1] >= 0.0);
    let exact = found.map(|(value, multiplicity)| Exact {
        shapes: null_dimension(&matrix_at(system, value)),
        value: value.map(|part| part * system.pace),
        multiplicity,
    });
    exact.collect()
}

fn determinant(entries: &[Vec<Polynomial>]) -> Polynomial {
    if entries.is_empty() {
        return vec![1];
    }
    let mut sum = vec![0];
    for (column, entry) in entries[0].iter().enumerate() {
        let without = |row: &Vec<Polynomial>| {
            row.iter().enumerate().filter(|(j, _)| *j != column).map(|(_, x)| x.clone()).collect()
        };
        let minor: Vec<Vec<Polynomial>> = entries[1..].iter().map(without).collect();
        let sign = if column % 2 == 0 { 1 } else { -1 };
        sum = plus(&sum, &times(entry, &determinant(&minor)), sign);
    }
    sum
}

/// λ²M + λC + K, with the pace 1.
fn matrix_at(system: &LinearSystem, value: Pair) -> Vec<Vec<Pair>> {
    let square = [value[0] * value[0] - value[1] * value[1], 2.0 * value[0] * value[1]];
    let at = |matrix: &Whole, i: usize, j: usize| matrix[i][j] as f64;
    let entry = |i: usize, j: usize| {
        std::array::from_fn(|part| {
            square[part] * at(&system.mass, i, j)
                + value[part] * at(&system.damping, i, j)
                + if part == 0 { at(&system.stiffness, i, j) } else { 0.0 }
        })
    };
    let n = system.mass.len();
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

fn times_pair(a: Pair, b: Pair) -> Pair {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

fn size(a: Pair) -> f64 {
    a[0].hypot(a[1])
}

/// Rows less the rank, by elimination with the largest pivot of all.
fn null_dimension(matrix: &[Vec<Pair>]) -> usize {
    let n = matrix.first().map_or(0, Vec::len);
    let mut a = matrix.to_vec();
    let largest = a.iter().flatten().map(|x| size(*x)).fold(1.0, f64::max);
    let mut rank = 0;
    while rank < a.len().min(n) {
        let places = (rank..a.len()).flat_map(|i| (rank..n).map(move |j| (i, j)));
        let (row, column) = places
            .max_by(|x, y| size(a[x.0][x.1]).total_cmp(&size(a[y.0][y.1])))
            .expect("there are places");
        if size(a[row][column]) <= PIVOT_TOLERANCE * largest {
            break;
        }
        a.swap(rank, row);
        a.iter_mut().for_each(|row| row.swap(rank, column));
        let pivot = a[rank].clone();
        let square = pivot[rank][0].powi(2) + pivot[rank][1].powi(2);
        let inverse = [pivot[rank][0] / square, -pivot[rank][1] / square];
        for row in &mut a[rank + 1..] {
            let factor = times_pair(row[rank], inverse);
            for (x, above) in row.iter_mut().zip(&pivot) {
                let part = times_pair(factor, *above);
                *x = [x[0] - part[0], x[1] - part[1]];
            }
        }
        rank += 1;
    }
    n - rank
}

/// What the roots say.
fn stability(exact: &[Exact]) -> Stability {
    let is_zero = |root: &Exact| root.value == [0.0; 2];
    let any = |test: &dyn Fn(&Exact) -> bool| exact.iter().any(test);
    let secular =
        |root: &Exact| root.value[0] == 0.0 && !is_zero(root) && root.shapes < root.multiplicity;
    if any(&|root| root.value[0] > 0.0) || any(&secular) {
        Stability::Unstable
    } else if any(&is_zero) {
        Stability::Neutral
    } else if any(&|root| root.value[0] == 0.0) {
        Stability::Marginal
    } else {
        Stability::Asymptotic
    }
}

fn check_values(system: &LinearSystem, exact: &[Exact], modes: &[Mode], context: &str) {
    let mut listed = vec![0; exact.len()];
    for mode in modes {
        let distance =
            |root: &Exact| (mode.value.re - root.value[0]).hypot(mode.value.im - root.value[1]);
        let (at, root) = exact
            .iter()
            .enumerate()
            .min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)))
            .expect("there are roots");
        let rounding = 4.0 * f64::EPSILON * size(root.value);
        assert!(distance(root) <= mode.error + rounding, "{mode:?} is off\n{context}");
        let most = match root.multiplicity {
            1 => MAX_SIMPLE_ERROR,
            m => MAX_MULTIPLE_ERROR_TO_ROOT * f64::EPSILON.powf(1.0 / m as f64),
        };
        assert!(mode.error <= most * size(root.value), "{mode:?} says too little\n{context}");
        let counts = (mode.multiplicity, mode.independent_shapes);
        assert_eq!(counts, (root.multiplicity, root.shapes), "{mode:?}\n{context}");
        listed[at] += 1;
    }
    for (count, root) in listed.iter().zip(exact) {
        // a rigid motion is listed once, whatever becomes of its velocity
        let expected = match root.value {
            [0.0, 0.0] => root.shapes,
            // without damping ±λ are one mode, the growing one
            [re, 0.0] if re < 0.0 && system.is_conservative() => 0,
            _ => root.multiplicity,
        };
        assert_eq!(*count, expected, "{root:?}\n{context}");
    }
    let free = modes.iter().filter(|mode| mode.character == Character::Free);
    assert!(free.into_iter().all(|mode| mode.value.norm() == 0.0), "{context}");
}

fn check_shapes(system: &LinearSystem, exact: &[Exact], modes: &[Mode], context: &str) {
    for mode in modes {
        let shape: Vec<Pair> = mode.shape.iter().map(|x| [x.re, x.im]).collect();
        let value = [mode.value.re / system.pace, mode.value.im / system.pace];
        let matrix = matrix_at(system, value);
        let terms: f64 = [&system.mass, &system.damping, &system.stiffness]
            .iter()
            .zip([size(value).powi(2), size(value), 1.0])
            .map(|(part, factor)| {
                part.iter().flatten().map(|x| x.abs() as f64 * factor).sum::<f64>()
            })
            .sum();
        let left = matrix.iter().map(|row| {
            let products = row.iter().zip(&shape).map(|(a, x)| times_pair(*a, *x));
            size(products.fold([0.0; 2], |sum, x| [sum[0] + x[0], sum[1] + x[1]]))
        });
        let left = left.fold(0.0, f64::max);
        assert!(left <= SHAPE_TOLERANCE * terms, "{mode:?} leaves {left:.1e}\n{context}");
        assert!(
            mode.shape_residual <= SHAPE_TOLERANCE && mode.shape_error < 1e-6,
            "{mode:?}\n{context}"
        );
    }
    for root in exact {
        if system.is_conservative() && root.value[0] < 0.0 {
            continue;
        }
        let same = |mode: &&Mode| {
            size([mode.value.re - root.value[0], mode.value.im - root.value[1]])
                <= mode.error + 4.0 * f64::EPSILON * size(root.value)
        };
        let shapes: Vec<Vec<Pair>> = modes
            .iter()
            .filter(same)
            .map(|mode| mode.shape.iter().map(|x| [x.re, x.im]).collect())
            .collect();
        // the dimension of what they span: columns less those that depend on the others
        let spanned = system.mass.len() - null_dimension(&shapes);
        assert_eq!(spanned, root.shapes, "the shapes of {root:?} span too little\n{context}");
    }
}
