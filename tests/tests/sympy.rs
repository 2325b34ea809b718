//! Chains against a table that another program derived: SymPy, by Lagrange's method, from energies
//! written down anew. `reference/sympy_chains.py` makes the table and states the conventions; its
//! entries are good to 20 digits, so every difference seen here is ours.

use catena::CoordinateSet;
use catena_tests::{Compiled, accelerations, difference, solve, values, written};
use serde_json::Value;
use std::f64::consts::PI;

const TABLE: &str = include_str!("../reference/sympy_chains.json");

/// One chain at one state.
struct Case {
    shape: String,
    links: usize,
    length: Vec<f64>,
    eta0: f64,
    frequency: f64,
    t: f64,
    angles: Vec<f64>,
    rates: Vec<f64>,
    mass_matrix: Vec<f64>,
    forces: Vec<f64>,
    text: String,
}

fn numbers(value: &Value) -> Vec<f64> {
    let entries = value.as_array().expect("a list").iter();
    entries.map(|entry| entry.as_f64().expect("a number")).collect()
}

impl Case {
    fn new(case: &Value) -> Self {
        let number = |key: &str| case[key].as_f64().expect("a number");
        let shape = case["shape"].as_str().expect("a word").to_owned();
        let rows = case["M"].as_array().expect("rows");
        Case {
            links: case["links"].as_u64().expect("a count") as usize,
            length: numbers(&case["length"]),
            eta0: number("eta0"),
            frequency: number("f"),
            t: number("t"),
            angles: numbers(&case["theta"]),
            rates: numbers(&case["rate"]),
            mass_matrix: rows.iter().flat_map(numbers).collect(),
            forces: numbers(&case["Q"]),
            text: model_text(case, &shape),
            shape,
        }
    }

    fn name(&self) -> String {
        format!("{} {}s at t = {}", self.links, self.shape, self.t)
    }

    /// θ̈ by the table.
    fn angular_accelerations(&self) -> Vec<f64> {
        solve(&self.mass_matrix, &self.forces)
    }

    /// Sums along the chain: of links before link i their length, of link i itself the distance of
    /// its centre (rod) or bob, each times a function of the link.
    fn along_chain(&self, of_link: impl Fn(usize) -> f64) -> Vec<f64> {
        let own = if self.shape == "rod" { 0.5 } else { 1.0 };
        let mut before = 0.0;
        let mut sums = Vec::new();
        for i in 0..self.links {
            let term = self.length[i] * of_link(i);
            sums.push(before + own * term);
            before += term;
        }
        sums
    }

    /// x, y and angle of every link from the three lists.
    fn interleaved(&self, x: &[f64], y: &[f64], angle: &[f64]) -> Vec<f64> {
        (0..self.links).flat_map(|i| [x[i], y[i], angle[i]]).collect()
    }

    fn absolute_positions(&self) -> Vec<f64> {
        let pivot = self.eta0 * (2.0 * PI * self.frequency * self.t).cos();
        let x: Vec<f64> =
            self.along_chain(|i| self.angles[i].sin()).iter().map(|x| x + pivot).collect();
        let y = self.along_chain(|i| -self.angles[i].cos());
        self.interleaved(&x, &y, &self.angles)
    }

    fn absolute_velocities(&self) -> Vec<f64> {
        let w = 2.0 * PI * self.frequency;
        let pivot = -self.eta0 * w * (w * self.t).sin();
        let (q, v) = (&self.angles, &self.rates);
        let x: Vec<f64> =
            self.along_chain(|i| q[i].cos() * v[i]).iter().map(|x| x + pivot).collect();
        let y = self.along_chain(|i| q[i].sin() * v[i]);
        self.interleaved(&x, &y, v)
    }

    fn absolute_accelerations(&self, angular: &[f64]) -> Vec<f64> {
        let w = 2.0 * PI * self.frequency;
        let pivot = -self.eta0 * w * w * (w * self.t).cos();
        let (q, v) = (&self.angles, &self.rates);
        let x = self.along_chain(|i| q[i].cos() * angular[i] - q[i].sin() * v[i] * v[i]);
        let x: Vec<f64> = x.iter().map(|x| x + pivot).collect();
        let y = self.along_chain(|i| q[i].sin() * angular[i] + q[i].cos() * v[i] * v[i]);
        self.interleaved(&x, &y, angular)
    }
}

/// The chain as a user would write it.
fn model_text(case: &Value, shape: &str) -> String {
    format!(
        r#"
        [parameters]
        g = {}
        eta0 = {}
        f = {}
        [chain]
        links = {}
        shape = "{shape}"
        mass = {}
        length = {}
        friction = {}
        [chain.pivot]
        x = "eta0*cos(2*pi*f*t)"
        "#,
        case["g"],
        case["eta0"],
        case["f"],
        case["links"],
        case["mass"],
        case["length"],
        case["friction"],
    )
}

fn cases() -> Vec<Case> {
    let table: Value = serde_json::from_str(TABLE).expect("the table is JSON");
    let cases: Vec<Case> =
        table["cases"].as_array().expect("cases").iter().map(Case::new).collect();
    let mut sizes: Vec<usize> = cases.iter().map(|case| case.links).collect();
    sizes.dedup();
    assert_eq!(sizes, [2, 3, 5, 10], "rods and bobs, two states each");
    assert_eq!(cases.len(), 16);
    cases
}

/// Masses, lengths and frictions differ from link to link, the pivot moves, the angles go past a
/// full turn: no index, sign or factor can be wrong unseen.
#[test]
fn mass_matrix_and_forces_of_chains_equal_those_of_sympy() {
    for case in cases() {
        let model = written(&case.text);
        let found = values(&model, CoordinateSet::Own, case.t, &case.angles, &case.rates);
        let mass = relative(&found.mass_matrix, &case.mass_matrix);
        let forces = relative(&found.forces, &case.forces);
        println!("{}: M {mass:.1e}, Q {forces:.1e}", case.name());
        assert!(mass <= 1e-12, "{}: M differs by {mass:e}", case.name());
        assert!(forces <= 1e-12, "{}: Q differs by {forces:e}", case.name());
    }
}

/// To the largest entry, even where all are small.
fn relative(found: &[f64], expected: &[f64]) -> f64 {
    let largest = expected.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let scaled = |values: &[f64]| values.iter().map(|value| value / largest).collect::<Vec<_>>();
    difference(&scaled(found), &scaled(expected))
}

/// Position and angle of every link, tied together by constraints, is another description of the
/// same motion: nothing but the accelerations can be compared, and they must be equal. With bobs M
/// alone is singular; with the constraints it is not.
#[test]
fn the_constrained_description_of_chains_accelerates_like_that_of_sympy() {
    for case in cases() {
        let model = written(&case.text);
        let mut compiled = Compiled::new(&model, CoordinateSet::Absolute);
        let (q, v) = (case.absolute_positions(), case.absolute_velocities());
        let found = compiled.at(case.t, &q, &v);
        let gap = difference(&found.constraints, &vec![0.0; 2 * case.links]);
        assert!(gap <= 1e-13, "{}: the links meet, but for {gap:e}", case.name());
        let (found, _) = accelerations(&found);
        let expected = case.absolute_accelerations(&case.angular_accelerations());
        let gap = relative(&found, &expected);
        println!("{}: accelerations {gap:.1e}", case.name());
        assert!(gap <= 1e-10, "{}: accelerations differ by {gap:e}", case.name());
    }
}
