//! What the tests share: ready systems as models, functions of a model at a state, random states,
//! formulations by name, and a plain way to solve linear equations.

pub mod exported;
pub mod host_device;

use catena::analysis::Watch;
pub use catena::derivation::Random;
use catena::formulation::{Entry, Formulation, FormulationInput, OptionValues, Tangent};
use catena::simulation::{Assembly, Start, assemble};
use catena::{CoordinateSet, Model, Setting, Source};
use catena_compile::{Evaluator, Values};
use std::sync::LazyLock;
use std::time::Instant;

/// An open tree with every joint that a body can hang in.
pub const ARM: &str = include_str!("arm.toml");

/// The arm with its shoulder driven: one constraint that the tree does not keep.
pub fn driven_arm() -> Model {
    let motion = "angle = \"0.4*sin(2*t) + 0.1\"";
    written(&format!("{ARM}\n[[motor]]\nname = \"drive\"\njoint = \"shoulder\"\n{motion}\n"))
}

/// A ready system with settings.
pub fn ready(name: &str, settings: &[&str]) -> Model {
    let settings: Vec<Setting> = settings.iter().map(|text| Setting((*text).to_owned())).collect();
    catena::load(name, &settings).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A watch that only has a clock, for questions that measure time.
pub fn clocked() -> Watch<'static> {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    Watch { clock: &|| BEGAN.elapsed().as_secs_f64(), ..Watch::UNSEEN }
}

/// A model written in a test.
pub fn written(text: &str) -> Model {
    catena::read(Source::new("test.toml", text), &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Every ready system and the starter, and every chain once more in the coordinates of each link,
/// where it has this many links: three coordinates a link grow fast.
pub fn zoo(links: usize) -> Vec<(String, Model, CoordinateSet)> {
    let mut zoo =
        vec![("starter".to_owned(), written(catena::systems::STARTER), CoordinateSet::Own)];
    for system in catena::systems::SYSTEMS {
        let model = ready(system.name, &[]);
        if model.chain.is_some() {
            let short = ready(system.name, &[&format!("links={links}")]);
            zoo.push((format!("{} (absolute)", system.name), short, CoordinateSet::Absolute));
        }
        zoo.push((system.name.to_owned(), model, CoordinateSet::Own));
    }
    zoo
}

/// The functions of a model at a state, with the model's own parameters.
pub fn values(model: &Model, set: CoordinateSet, t: f64, q: &[f64], v: &[f64]) -> Values {
    Compiled::new(model, set).at(t, q, v)
}

/// A model derived and compiled once, to be evaluated at many states.
pub struct Compiled {
    evaluator: Evaluator,
    states: Vec<f64>,
}

impl Compiled {
    /// Compiles the model with its own parameters.
    pub fn new(model: &Model, set: CoordinateSet) -> Self {
        let system = model.system(set);
        let states = vec![0.0; system.states.len()];
        Compiled { evaluator: Evaluator::derived(model, system), states }
    }

    /// The functions at a state; first-order states are 0.
    pub fn at(&mut self, t: f64, q: &[f64], v: &[f64]) -> Values {
        self.evaluator.values_at(t, q, v, &self.states)
    }

    /// The functions at a state with first-order states.
    pub fn with_states(&mut self, t: f64, q: &[f64], v: &[f64], states: &[f64]) -> Values {
        self.evaluator.values_at(t, q, v, states)
    }
}

/// States at t = 0 that satisfy the constraints and their rates: assembled from random guesses, in
/// which coordinates and velocities lie within ±3. A guess that leads nowhere is followed by another.
pub fn consistent_states(
    model: &Model,
    set: CoordinateSet,
    count: usize,
    seed: u64,
) -> Vec<Assembly> {
    let system = model.system(set);
    let mut evaluator = Evaluator::derived(model, system);
    let mut random = Random::new(seed);
    let n = system.coordinates.len();
    let mut guess = || Start {
        t: 0.0,
        q: random.several(n, -3.0, 3.0),
        v: random.several(n, -3.0, 3.0),
        states: random.several(system.states.len(), -3.0, 3.0),
        q_given: vec![false; n],
        v_given: vec![false; n],
    };
    let states: Vec<Assembly> = (0..20 * count)
        .filter_map(|_| assemble(system, &mut evaluator, &guess()).ok())
        .take(count)
        .collect();
    assert_eq!(states.len(), count, "most guesses can be assembled");
    states
}

/// A formulation with options by name; options that it does not have are left out.
pub fn formulation(
    entry: &'static Entry,
    model: &Model,
    options: &[(&str, f64)],
) -> Box<dyn Formulation> {
    let given = |name: &str| options.iter().find(|(other, _)| *other == name);
    let known = entry.options.iter().map(|option| option.name);
    let values = known.filter_map(|name| given(name).map(|(_, value)| (name, *value)));
    (entry.build)(FormulationInput::new(entry, model, OptionValues(values.collect())))
}

/// A formulation by its name, with its own options, for a model that it takes.
pub fn built(model: &Model, name: &str) -> Box<dyn Formulation> {
    let entry = catena::formulation::find(name).expect("the formulation is there");
    assert_eq!((entry.refuses)(model), None);
    formulation(entry, model, &[])
}

/// Largest difference between the Jacobian of a formulation and central differences of its right-hand
/// side, relative to its largest entry or to 1.
pub fn jacobian_error(formulation: &mut dyn Formulation, t: f64, y: &[f64]) -> f64 {
    let (n, h) = (y.len(), 1e-5);
    let mut jacobian = vec![f64::NAN; n * n];
    formulation.jacobian(t, y, Tangent::Full, &mut jacobian).expect("it can be evaluated");
    let mut differences = vec![0.0; n * n];
    for column in 0..n {
        let mut slope = |h: f64| {
            let mut moved = y.to_vec();
            moved[column] += h;
            let mut rate = vec![0.0; n];
            formulation.derivative(t, &moved, &mut rate).expect("it can be evaluated");
            rate
        };
        for (row, (ahead, back)) in slope(h).into_iter().zip(slope(-h)).enumerate() {
            differences[row * n + column] = (ahead - back) / (2.0 * h);
        }
    }
    difference(&jacobian, &differences)
}

/// Φqᵀλ: minus the constraint forces.
pub fn constraint_forces(values: &Values, multipliers: &[f64]) -> Vec<f64> {
    let mut forces = vec![0.0; values.forces.len()];
    let n = forces.len();
    for (row, multiplier) in multipliers.iter().enumerate() {
        for (column, force) in forces.iter_mut().enumerate() {
            *force += values.constraint_jacobian[row * n + column] * multiplier;
        }
    }
    forces
}

/// A name=value setting with a random value.
pub fn random_setting(random: &mut Random, name: &str, low: f64, high: f64) -> String {
    format!("{name}={:?}", random.between(low, high))
}

/// Largest difference of two lists, relative to the largest entry of both or to 1.
pub fn difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len(), "as many entries");
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let pairs = found.iter().zip(expected);
    // NaN must not pass for small
    let gap = pairs.fold(0.0, |gap, (a, b)| if (a - b).abs() <= gap { gap } else { (a - b).abs() });
    gap / largest(found).max(largest(expected)).max(1.0)
}

/// Solves a dense linear system, matrix row by row, by elimination with column pivots.
pub fn solve(matrix: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| matrix[i * n..(i + 1) * n].iter().copied().chain([right[i]]).collect())
        .collect();
    for k in 0..n {
        let size = |&i: &usize| rows[i][k].abs();
        let pivot = (k..n).max_by(|i, j| size(i).total_cmp(&size(j))).expect("a row is left");
        rows.swap(k, pivot);
        assert!(rows[k][k] != 0.0, "the matrix is singular");
        for i in k + 1..n {
            let factor = rows[i][k] / rows[k][k];
            for j in k..=n {
                rows[i][j] -= factor * rows[k][j];
            }
        }
    }
    let mut solution = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][n] - known) / rows[i][i];
    }
    solution
}

/// Accelerations and multipliers: M v̇ + Φqᵀ λ = Q together with Φq v̇ = γ.
pub fn accelerations(values: &Values) -> (Vec<f64>, Vec<f64>) {
    let (n, m) = (values.forces.len(), values.gamma.len());
    let size = n + m;
    let mut matrix = vec![0.0; size * size];
    for i in 0..n {
        for j in 0..n {
            matrix[i * size + j] = values.mass_matrix[i * n + j];
        }
    }
    for i in 0..m {
        for j in 0..n {
            let entry = values.constraint_jacobian[i * n + j];
            matrix[(n + i) * size + j] = entry;
            matrix[j * size + n + i] = entry;
        }
    }
    let right: Vec<f64> = values.forces.iter().chain(&values.gamma).copied().collect();
    let mut solution = solve(&matrix, &right);
    let multipliers = solution.split_off(n);
    (solution, multipliers)
}
