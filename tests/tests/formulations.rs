//! Every formulation of the catalogue describes the same motion.
//!
//! The equations they are held against are solved here, densely and by elimination with column pivots:
//! M v̇ + Φqᵀλ = Q together with Φq v̇ = γ. States satisfy Φ = Φ̇ = 0, so that what a formulation
//! does about errors of the constraints must not show. Penalties are not exact: theirs is shown to
//! shrink like 1/α.

use catena::formulation::{Entry, FORMULATIONS, Formulation, find};
use catena::simulation::{Assembly, Start, assemble};
use catena::{CoordinateSet, Model, RunSettings};
use catena_compile::{Evaluator, Values};
use catena_tests::{
    Compiled, Random, accelerations, consistent_states, constraint_forces, difference, formulation,
    ready, solve, written, zoo,
};

/// Agreement that is asked for, relative to the largest entry.
const TOLERANCE: f64 = 1e-9;

/// Those whose accelerations are those of the constrained system.
fn exact() -> impl Iterator<Item = &'static Entry> {
    FORMULATIONS.iter().copied().filter(|entry| entry.is_exact())
}

/// A chain whose links all differ, with friction in the joints, on a pivot that moves both ways.
fn random_chain(links: usize, shape: &str, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let mut list = |low, high| format!("{:?}", random.several(links, low, high));
    let (mass, length, friction) = (list(0.2, 2.0), list(0.5, 1.5), list(0.05, 0.5));
    written(&format!(
        r#"
title = "Chain of unequal links"
[chain]
links = {links}
shape = "{shape}"
mass = {mass}
length = {length}
friction = {friction}
start = "hanging"
[chain.pivot]
x = "0.3*cos(4*t + 1)"
y = "0.2*sin(3*t + 2)"
"#
    ))
}

/// Every constrained system of the zoo, and chains whose links differ.
fn systems() -> Vec<(String, Model)> {
    let constrained = |model: &Model| model.absolute.is_some() || !model.own.constraints.is_empty();
    // where constraints are redundant λ is not unique, and the dense solution is none
    let independent = |model: &Model| {
        let diagnosis = catena::diagnose(model);
        diagnosis.rank == diagnosis.constraints
    };
    let mut systems: Vec<(String, Model)> = zoo(4)
        .into_iter()
        .filter(|(_, model, set)| {
            constrained(model) && (model.chain.is_none() || *set == CoordinateSet::Absolute)
        })
        .filter(|(_, model, _)| independent(model))
        .map(|(name, model, _)| (name, model))
        .collect();
    for links in [3, 8] {
        for shape in ["rod", "bob"] {
            let model = random_chain(links, shape, links as u64);
            systems.push((format!("{links} unequal links, {shape}"), model));
        }
    }
    systems
}

/// The coordinates that a formulation works in.
fn coordinate_set(entry: &Entry, model: &Model) -> CoordinateSet {
    if model.absolute.is_some() { entry.coordinates } else { CoordinateSet::Own }
}

/// Evaluates a formulation at a state.
fn evaluate(formulation: &mut dyn Formulation, t: f64, state: &Assembly) {
    let mut y = vec![0.0; formulation.state_len()];
    formulation.pack(&state.q, &state.v, &state.states, &mut y);
    let mut rate = vec![f64::NAN; y.len()];
    formulation.derivative(t, &y, &mut rate).expect("it can be evaluated");
    assert!(rate.iter().all(|rate| rate.is_finite()), "a rate is not finite");
}

/// A state with the functions of the model there.
fn evaluated(
    model: &Model,
    set: CoordinateSet,
    count: usize,
    seed: u64,
) -> Vec<(Assembly, Values)> {
    let mut compiled = Compiled::new(model, set);
    consistent_states(model, set, count, seed)
        .into_iter()
        .map(|state| {
            let values = compiled.with_states(0.0, &state.q, &state.v, &state.states);
            (state, values)
        })
        .filter(|(_, values)| is_regular(values))
        .collect()
}

/// Whether the constraints are well apart. Linkages assembled from random guesses fold flat now and then,
/// and a flat pose is singular: no two ways to solve agree there.
fn is_regular(values: &Values) -> bool {
    let (n, m) = (values.forces.len(), values.gamma.len());
    let mut rows: Vec<Vec<f64>> =
        values.constraint_jacobian.chunks_exact(n.max(1)).map(<[f64]>::to_vec).collect();
    let length = |row: &[f64]| row.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    for row in &mut rows {
        let length = length(row);
        row.iter_mut().for_each(|entry| *entry /= length);
    }
    // what is left of each row beside those before it
    for i in 0..m {
        let rest = length(&rows[i]);
        if rest < 1e-2 {
            return false;
        }
        let direction: Vec<f64> = rows[i].iter().map(|entry| entry / rest).collect();
        for row in &mut rows[i + 1..] {
            let along: f64 = row.iter().zip(&direction).map(|(a, b)| a * b).sum();
            row.iter_mut().zip(&direction).for_each(|(entry, d)| *entry -= along * d);
        }
    }
    true
}

#[test]
fn accelerations_and_constraint_forces_are_those_of_the_dense_solution() {
    let mut compared = Vec::new();
    for (name, model) in systems() {
        for set in [CoordinateSet::Own, CoordinateSet::Absolute] {
            if set == CoordinateSet::Absolute && model.absolute.is_none() {
                continue;
            }
            let states = evaluated(&model, set, 100, 7);
            let fits = |entry: &&Entry| {
                (entry.refuses)(&model).is_none() && coordinate_set(entry, &model) == set
            };
            for entry in exact().filter(fits) {
                let mut built = formulation(entry, &model, &[]);
                for (number, (state, values)) in states.iter().enumerate() {
                    let label = format!("{name} by {}, state {number}", entry.name);
                    let (motion, multipliers) = accelerations(values);
                    evaluate(built.as_mut(), 0.0, state);
                    let error = difference(built.accelerations(), &motion);
                    assert!(error <= TOLERANCE, "{label}: accelerations {error:.1e}");
                    let forces = constraint_forces(values, built.multipliers());
                    let error = difference(&forces, &constraint_forces(values, &multipliers));
                    assert!(error <= TOLERANCE, "{label}: constraint forces {error:.1e}");
                    // the constraints of these systems are independent, so λ is unique
                    let error = difference(built.multipliers(), &multipliers);
                    assert!(error <= TOLERANCE, "{label}: multipliers {error:.1e}");
                }
                compared.push(entry.name);
            }
        }
    }
    for entry in exact() {
        let times = compared.iter().filter(|name| **name == entry.name).count();
        assert!(times >= 6, "{} was compared in {times} systems only", entry.name);
    }
}

/// γ − 2ξωΦ̇ − ω²Φ, with Φ̇ = Φq v + Φt
fn stabilised_gamma(values: &Values, v: &[f64], omega: f64, xi: f64) -> Vec<f64> {
    let rows = values.constraint_jacobian.chunks_exact(v.len());
    let rates = rows
        .zip(&values.constraint_rate)
        .map(|(row, rate)| rate + row.iter().zip(v).map(|(entry, v)| entry * v).sum::<f64>());
    let errors = values.constraints.iter().zip(rates);
    let terms = values.gamma.iter().zip(errors);
    terms
        .map(|(gamma, (value, rate))| gamma - 2.0 * xi * omega * rate - omega * omega * value)
        .collect()
}

/// Away from Φ = Φ̇ = 0: what is added to γ, and the α of the damped penalty, in the plain form
/// (M + αΦqᵀΦq) v̇ = Q + αΦqᵀγ̃, λ = α(Φq v̇ − γ̃). A small α makes the most of it.
#[test]
fn errors_of_the_constraints_enter_as_the_equations_say() {
    let (omega, xi, alpha) = (3.0, 0.7, 0.5);
    let mut random = Random::new(17);
    for (name, model) in systems() {
        let [baumgarte, damped] = ["baumgarte", "penalty-damped"].map(|name| {
            let entry = find(name).expect("it is in the catalogue");
            formulation(entry, &model, &[("omega", omega), ("xi", xi), ("alpha", alpha)])
        });
        let (mut baumgarte, mut damped) = (baumgarte, damped);
        let set = coordinate_set(find("baumgarte").expect("it is there"), &model);
        let mut functions = Compiled::new(&model, set);
        for _ in 0..20 {
            let n = model.system(set).coordinates.len();
            let (q, v) = (random.several(n, -2.0, 2.0), random.several(n, -2.0, 2.0));
            let state = Assembly { t: 0.0, q, v, states: Vec::new(), solved: Vec::new() };
            let t = random.between(0.0, 2.0);
            let mut values = functions.at(t, &state.q, &state.v);
            values.gamma = stabilised_gamma(&values, &state.v, omega, xi);

            let (motion, multipliers) = accelerations(&values);
            evaluate(baumgarte.as_mut(), t, &state);
            let error = difference(baumgarte.accelerations(), &motion);
            assert!(error <= TOLERANCE, "{name} by baumgarte: accelerations {error:.1e}");
            let error = difference(baumgarte.multipliers(), &multipliers);
            assert!(error <= TOLERANCE, "{name} by baumgarte: multipliers {error:.1e}");

            let (motion, multipliers) = penalised(&values, alpha);
            evaluate(damped.as_mut(), t, &state);
            let error = difference(damped.accelerations(), &motion);
            assert!(error <= TOLERANCE, "{name} by penalty-damped: accelerations {error:.1e}");
            let error = difference(damped.multipliers(), &multipliers);
            assert!(error <= TOLERANCE, "{name} by penalty-damped: multipliers {error:.1e}");
        }
    }
}

/// v̇ of (M + αΦqᵀΦq) v̇ = Q + αΦqᵀγ, and λ = α(Φq v̇ − γ).
fn penalised(values: &Values, alpha: f64) -> (Vec<f64>, Vec<f64>) {
    let n = values.forces.len();
    let (mut matrix, mut right) = (values.mass_matrix.clone(), values.forces.clone());
    let rows: Vec<&[f64]> = values.constraint_jacobian.chunks_exact(n).collect();
    for (row, gamma) in rows.iter().zip(&values.gamma) {
        for i in 0..n {
            for j in 0..n {
                matrix[i * n + j] += alpha * row[i] * row[j];
            }
            right[i] += alpha * row[i] * gamma;
        }
    }
    let motion = solve(&matrix, &right);
    let error = |(row, gamma): (&&[f64], &f64)| {
        alpha * (row.iter().zip(&motion).map(|(entry, a)| entry * a).sum::<f64>() - gamma)
    };
    let multipliers = rows.iter().zip(&values.gamma).map(error).collect();
    (motion, multipliers)
}

/// (M + αΦqᵀΦq) v̇ = Q + αΦqᵀγ leaves Φq v̇ − γ = λ/α: accelerations and forces are off by a multiple
/// of 1/α, and twice the α halves the error.
#[test]
fn the_error_of_the_damped_penalty_halves_when_alpha_doubles() {
    let entry = find("penalty-damped").expect("it is in the catalogue");
    // these two come near their flat poses, where no α is large
    let folding = ["scissor-lift", "n-four-bar"];
    let systems = systems().into_iter();
    for (name, model) in systems.filter(|(name, _)| !folding.contains(&name.as_str())) {
        let states = evaluated(&model, coordinate_set(entry, &model), 100, 7);
        // large beside the masses, small enough for the error to stand out from rounding
        let alphas = [1e8, 2e8];
        let mut built =
            alphas.map(|alpha| formulation(entry, &model, &[("alpha", alpha), ("omega", 0.0)]));
        for (number, (state, values)) in states.iter().enumerate() {
            let (motion, multipliers) = accelerations(values);
            let forces = constraint_forces(values, &multipliers);
            let errors = [0, 1].map(|which| {
                let built = built[which].as_mut();
                evaluate(built, 0.0, state);
                let found = constraint_forces(values, built.multipliers());
                [difference(built.accelerations(), &motion), difference(&found, &forces)]
            });
            for (quantity, (once, twice)) in
                ["accelerations", "forces"].iter().zip(errors[0].iter().zip(errors[1]))
            {
                let label = format!("{name}, state {number}, {quantity}");
                assert!(once * alphas[0] <= 1e5, "{label}: {once:.1e} at α = {:e}", alphas[0]);
                let part = twice / once;
                assert!((part - 0.5).abs() <= 0.005, "{label}: {part} of the error is left");
            }
        }
    }
}

/// Springs hold a rod only while it is off its length by λ/α, so the motion itself tends to the
/// constrained one like 1/α. From a start without load: a sudden load would ring, not settle.
#[test]
fn the_motion_of_the_penalty_tends_to_the_constrained_one_like_one_over_alpha() {
    let model = ready("double-pendulum-cartesian", &[]);
    let motion = |formulation: &str, with: &[String]| {
        let request = RunSettings {
            formulation: Some(formulation.into()),
            integrator: Some("dop853".into()),
            rtol: Some(1e-12),
            atol: Some(1e-12),
            t_end: Some(0.5),
            every: Some(0.05),
            with: with.to_vec(),
            ..RunSettings::default()
        };
        let run = catena::run(&model, &request).expect("it runs");
        let columns =
            ["x1", "y1", "x2", "y2"].map(|name| run.table.column(name).expect("a column"));
        columns.concat()
    };
    let constrained = motion("multipliers", &[]);
    let distances = [1e5, 1e6, 1e7]
        .map(|alpha| difference(&motion("penalty", &[format!("alpha={alpha:e}")]), &constrained));
    assert!(distances[0] < 1e-4, "{distances:?}");
    for pair in distances.windows(2) {
        let part = pair[1] / pair[0];
        assert!((0.09..=0.11).contains(&part), "ten times the α leaves {part}: {distances:?}");
    }
}

/// A state in the coordinates of each link with these angles and rates.
fn with_angles(model: &Model, set: CoordinateSet, angles: &[f64], rates: &[f64]) -> Assembly {
    let system = model.system(set);
    let mut evaluator = Evaluator::derived(model, system);
    let n = system.coordinates.len();
    let (mut q, mut v, mut given) = (vec![0.0; n], vec![0.0; n], vec![false; n]);
    for (link, at) in angle_places(model, set).into_iter().enumerate() {
        (q[at], v[at], given[at]) = (angles[link], rates[link], true);
    }
    let start = Start { t: 0.0, q, v, states: Vec::new(), q_given: given.clone(), v_given: given };
    assemble(system, &mut evaluator, &start).expect("any angles can be assembled")
}

/// Where the angles of a chain stand among its coordinates.
fn angle_places(model: &Model, set: CoordinateSet) -> Vec<usize> {
    let coordinates = &model.system(set).coordinates;
    let angle = |at: &usize| coordinates[*at].name.starts_with("theta");
    (0..coordinates.len()).filter(angle).collect()
}

/// Every exact formulation against the angular accelerations of `minimal`, at random angles.
fn compare_with_minimal(label: &str, model: &Model, states: usize, seed: u64) {
    let links = model.chain.as_ref().expect("a chain").links;
    let mut random = Random::new(seed);
    let cases: Vec<[Vec<f64>; 2]> = (0..states)
        .map(|_| [random.several(links, -3.0, 3.0), random.several(links, -2.0, 2.0)])
        .collect();
    let angular = |entry: &'static Entry| -> Vec<Vec<f64>> {
        let set = coordinate_set(entry, model);
        let places = angle_places(model, set);
        let mut built = formulation(entry, model, &[]);
        let mut one = |[angles, rates]: &[Vec<f64>; 2]| {
            evaluate(built.as_mut(), 0.0, &with_angles(model, set, angles, rates));
            places.iter().map(|&at| built.accelerations()[at]).collect()
        };
        cases.iter().map(&mut one).collect()
    };
    let expected = angular(find("minimal").expect("it is in the catalogue"));
    for entry in exact() {
        for (found, expected) in angular(entry).iter().zip(&expected) {
            let error = difference(found, expected);
            assert!(error <= TOLERANCE, "{label} by {}: {error:.1e}", entry.name);
        }
    }
}

/// Two derivations from different energies, in 3n coordinates and in n. The programs of `multipliers`
/// stay small enough to be unrolled at every size for rods; those of `minimal`, whose mass matrix is
/// full, do not, and bobs have no inertia of their own: both then go through loops.
#[test]
fn chains_of_1_to_100_links_accelerate_alike_in_both_sets_of_coordinates() {
    for links in [1, 2, 3, 5, 10, 20, 40, 100] {
        for shape in ["rod", "bob"] {
            let model = random_chain(links, shape, 100 + links as u64);
            compare_with_minimal(&format!("{links} links, {shape}"), &model, 2, links as u64);
        }
    }
}

/// Its three rows of M vanish: M alone cannot be inverted, M and Φq together can.
#[test]
fn a_massless_link_between_others_only_passes_forces_on() {
    let model = written(
        r#"
title = "Chain with a massless link"
[chain]
links = 4
mass = [1.0, 0, 0.7, 1.2]
length = [1.0, 0.8, 1.1, 0.9]
friction = [0.1, 0.2, 0.3, 0.1]
start = "horizontal"
"#,
    );
    compare_with_minimal("a massless second link", &model, 50, 3);
}

/// A constraint written twice leaves λ open; the shortest one gives each copy half.
#[test]
fn a_copy_of_a_constraint_changes_no_motion_and_takes_half_of_the_force() {
    let text = catena::systems::find("four-bar").expect("it is in the zoo").text;
    let phi8 = "L2*sin(theta2) + L3*sin(theta3) - L4*sin(theta4)";
    let copied = format!("phi8 = \"{phi8}\"\nphi9 = \"{phi8}\"\n");
    let twice = written(&text.replace(&format!("phi8 = \"{phi8}\"\n"), &copied));
    assert_eq!(twice.own.constraints.len(), 9);
    let states = evaluated(&ready("four-bar", &[]), CoordinateSet::Own, 100, 5);
    for entry in exact().filter(|entry| (entry.refuses)(&twice).is_none()) {
        let mut built = formulation(entry, &twice, &[]);
        for (number, (state, values)) in states.iter().enumerate() {
            let label = format!("{}, state {number}", entry.name);
            evaluate(built.as_mut(), 0.0, state);
            let (motion, multipliers) = accelerations(values);
            let error = difference(built.accelerations(), &motion);
            assert!(error <= TOLERANCE, "{label}: accelerations {error:.1e}");
            let half = multipliers[7] / 2.0;
            let expected = [&multipliers[..7], &[half, half]].concat();
            let error = difference(built.multipliers(), &expected);
            assert!(error <= TOLERANCE, "{label}: multipliers {error:.1e}");
        }
    }
}

/// Forty coordinates, all coupled by M and by each of twenty-five constraints: too much to unroll.
#[test]
fn large_systems_where_everything_is_coupled_are_solved_in_loops_alike() {
    let (coordinates, constraints) = (40, 25);
    let mut random = Random::new(11);
    let mut sum = |term: &dyn Fn(f64, usize) -> String| {
        let terms: Vec<String> =
            (1..=coordinates).map(|i| term(random.between(0.3, 1.0), i)).collect();
        terms.join(" + ")
    };
    let names: Vec<String> = (1..=coordinates).map(|i| format!("q{i} = \"angle {i}\"")).collect();
    let own = sum(&|mass, i| format!("{mass:?}*q{i}'^2"));
    let shared = sum(&|share, i| format!("{share:?}*cos(q{i})*q{i}'"));
    let potential = sum(&|weight, i| format!("{weight:?}*cos(2*q{i})"));
    let rows: Vec<String> = (1..=constraints)
        .map(|k| {
            format!("c{k} = \"{}\"", sum(&|a, i| format!("{a:?}*sin(q{i} + {}*{a:?})", k * i)))
        })
        .collect();
    let model = written(&format!(
        "title = \"Everything coupled\"\n[coordinates]\n{}\n[energy]\nkinetic = \"{own} + ({shared})^2\"\n\
         potential = \"{potential}\"\n[constraints]\n{}\n",
        names.join("\n"),
        rows.join("\n"),
    ));
    let states = evaluated(&model, CoordinateSet::Own, 20, 5);
    for entry in exact().filter(|entry| (entry.refuses)(&model).is_none()) {
        let mut built = formulation(entry, &model, &[]);
        for (number, (state, values)) in states.iter().enumerate() {
            let label = format!("{}, state {number}", entry.name);
            let (motion, multipliers) = accelerations(values);
            evaluate(built.as_mut(), 0.0, state);
            let error = difference(built.accelerations(), &motion);
            assert!(error <= TOLERANCE, "{label}: accelerations {error:.1e}");
            let error = difference(built.multipliers(), &multipliers);
            assert!(error <= TOLERANCE, "{label}: multipliers {error:.1e}");
        }
    }
}
