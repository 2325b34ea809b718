//! Formulations that keep every state on the constraints: coordinate partitioning, null space, and the
//! stabilised index 2 of Gear, Gupta and Leimkuhler.

use catena::formulation::Formulation;
use catena::simulation::{Run, Start, assemble};
use catena::{CoordinateSet, Model, RunSettings, Source};
use catena_tests::{Compiled, Random, built, difference, jacobian_error, ready, written, zoo};

const NAMES: [&str; 3] = ["coordinate-partitioning", "null-space", "ggl"];

/// A bead on a rod that turns at a rate of its own, with friction and a state that drives it.
const TURNED_ROD: &str = r#"
title = "Bead on a turned rod"
parameters = { m = 0.7, g = 9.81, w = 1.3, k = 5 }
coordinates = { x = "bead", y = "bead" }
[energy]
kinetic = "1/2*m*(x'^2 + y'^2)"
potential = "m*g*y + 1/2*k*(x^2 + y^2)"
[forces]
x = "-0.1*x' + 0.2*z"
[states]
z = "y' - z"
[constraints]
rod = "y*cos(w*t) - x*sin(w*t)"
[initial]
x = 0.5
"x'" = 0.2
"#;

/// The linkage, and a constraint that says again what another one says.
fn redundant_four_bar() -> Model {
    let text = catena::systems::find("four-bar").expect("in the zoo").text;
    let text = text.replace("[initial]", "again = \"2*L2*cos(theta2) - 4*x2\"\n[initial]");
    catena::read(Source::new("four-bar.toml", text), &[]).expect("a sound model")
}

/// A rod that turns, by its end alone: no coordinate is an angle.
const TURNING_POINT: &str = r#"
    parameters = { l = 1 }
    coordinates = { x = "", y = "" }
    [energy]
    kinetic = "1/2*(x'^2 + y'^2)"
    [constraints]
    rod = "x^2 + y^2 - l^2"
    [initial]
    x = 1
    y = 0
    "y'" = 12
"#;

/// The linkage ten times as large: lengths exceed angles.
fn large_four_bar() -> Model {
    ready("four-bar", &["L1=10", "L2=4", "L3=9", "L4=8", "theta2'=12"])
}

/// Positions, velocities and states on the constraints at t = 0, near a random guess; none where the
/// guess leads nowhere.
fn consistent_state(model: &Model, random: &mut Random) -> Option<[Vec<f64>; 3]> {
    let system = model.system(CoordinateSet::Absolute);
    let n = system.coordinates.len();
    let mut evaluator = catena_compile::Evaluator::derived(model, system);
    let start = Start::new(model, CoordinateSet::Absolute);
    let near = |value: &f64, random: &mut Random| value + random.between(-0.5, 0.5);
    let guess = Start {
        t: start.t,
        q: start.q.iter().map(|q| near(q, random)).collect(),
        v: random.several(n, -2.0, 2.0),
        states: random.several(system.states.len(), -1.0, 1.0),
        q_given: vec![false; n],
        v_given: vec![false; n],
    };
    let found = assemble(system, &mut evaluator, &guess).ok()?;
    Some([found.q, found.v, found.states])
}

/// Every constrained system of the zoo in the coordinates that constraints need, and three more.
fn constrained() -> Vec<(String, Model)> {
    let zoo =
        zoo(3).into_iter().filter(|(_, model, set)| !model.system(*set).constraints.is_empty());
    let mut systems: Vec<(String, Model)> = zoo.map(|(name, model, _)| (name, model)).collect();
    assert!(systems.len() >= 6, "{}", systems.len());
    systems.push(("turned rod".into(), written(TURNED_ROD)));
    systems.push(("redundant four-bar".into(), redundant_four_bar()));
    systems.push(("large four-bar".into(), large_four_bar()));
    systems
}

/// ẏ, accelerations, λ and Φqᵀλ.
fn evaluated(
    formulation: &mut dyn Formulation,
    t: f64,
    [q, v, states]: &[Vec<f64>; 3],
) -> [Vec<f64>; 4] {
    let mut y = vec![0.0; formulation.state_len()];
    formulation.pack(q, v, states, &mut y);
    let mut rate = vec![0.0; y.len()];
    formulation.derivative(t, &y, &mut rate).expect("it can be evaluated");
    let multipliers = formulation.multipliers().to_vec();
    let accelerations = formulation.accelerations().to_vec();
    let evaluator = formulation.evaluator();
    evaluator.set_state(t, q, v, states);
    let jacobian = evaluator.motion().constraint_jacobian;
    let mut forces = vec![0.0; q.len()];
    for (row, multiplier) in jacobian.chunks(q.len()).zip(&multipliers) {
        forces.iter_mut().zip(row).for_each(|(force, entry)| *force += entry * multiplier);
    }
    [rate, accelerations, multipliers, forces]
}

#[test]
fn accelerations_and_forces_are_those_of_multipliers_on_the_constraints() {
    let mut random = Random::new(11);
    for (system, model) in constrained() {
        let mut reference = built(&model, "multipliers");
        let mut formulations = NAMES.map(|name| built(&model, name));
        let mut tried = 0;
        for _ in 0..40 {
            let Some(state) = consistent_state(&model, &mut random) else { continue };
            tried += 1;
            let expected = evaluated(reference.as_mut(), 0.0, &state);
            for (name, formulation) in NAMES.iter().zip(&mut formulations) {
                let found = evaluated(formulation.as_mut(), 0.0, &state);
                for (found, expected) in found.iter().zip(&expected) {
                    let error = difference(found, expected);
                    assert!(error < 1e-9, "{system} by {name}: {error:.1e}");
                }
            }
        }
        assert!(tried >= 10, "{system}: only {tried} states");
    }
}

fn run(model: &Model, name: &str, tolerance: f64, t_end: f64, every: f64) -> Run {
    let request = RunSettings {
        formulation: Some(name.into()),
        integrator: Some("dopri5".into()),
        rtol: Some(tolerance),
        atol: Some(tolerance),
        t_end: Some(t_end),
        every: Some(every),
        ..RunSettings::default()
    };
    let run = catena::run(model, &request).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(run.certificate.time, t_end, "{name}: {:?}", run.certificate.stop);
    run
}

/// The largest |Φ| of all rows, most of which lie inside steps.
fn worst_row(model: &Model, run: &Run) -> f64 {
    let set = if model.absolute.is_some() { CoordinateSet::Absolute } else { CoordinateSet::Own };
    let mut compiled = Compiled::new(model, set);
    let system = model.system(set);
    let column = |name: &str| run.table.column(name).expect("a column");
    let columns: Vec<&[f64]> = system.coordinates.iter().map(|c| column(&c.name)).collect();
    let v = vec![0.0; columns.len()];
    let mut worst = 0.0_f64;
    for (row, &t) in column("t").iter().enumerate() {
        let q: Vec<f64> = columns.iter().map(|column| column[row]).collect();
        let values = compiled.at(t, &q, &v);
        worst = values.constraints.iter().fold(worst, |worst, value| worst.max(value.abs()));
    }
    worst
}

#[test]
fn a_spinning_linkage_stays_on_its_constraints_at_every_row() {
    let model = ready("four-bar", &["theta2'=12"]);
    for name in NAMES {
        let run = run(&model, name, 1e-6, 100.0, 0.013);
        let worst = worst_row(&model, &run);
        let certificate = &run.certificate;
        println!("{name}: {worst:.1e} at rows, {:.1e} at steps", certificate.constraint_error);
        assert!(worst <= 1e-9 && certificate.constraint_error <= 1e-9, "{name}: {worst:.1e}");
        assert!(certificate.constraint_rate_error <= 1e-9, "{name}");
    }
}

/// The angle of a crank serves a whole turn, in any unit of length; no position of a turning point does.
#[test]
fn the_partition_changes_where_a_turn_of_the_crank_demands_it() {
    let turn = std::f64::consts::TAU / 12.0;
    let changed = |model: &Model, t_end: f64| -> Option<u64> {
        let run = run(model, NAMES[0], 1e-6, t_end, t_end);
        let remark = run.certificate.remarks.into_iter().find(|text| text.contains("partition"))?;
        println!("{remark}");
        assert!(remark.contains("first at t = 0."), "{remark}");
        remark.split(' ').find_map(|word| word.parse().ok())
    };
    assert_eq!(changed(&ready("four-bar", &["theta2'=12"]), 3.0 * turn), None);
    assert_eq!(changed(&large_four_bar(), 3.0 * turn), None);
    let times = changed(&written(TURNING_POINT), 1.2 * turn).expect("it changes");
    assert!((1..=8).contains(&times), "{times}");
}

/// What is written down must not have a say in what is computed.
#[test]
fn rows_between_steps_leave_the_partition_alone() {
    let model = written(TURNING_POINT);
    let [sparse, dense] = [5.0, 0.001].map(|every| run(&model, NAMES[0], 1e-6, 5.0, every));
    for (a, b) in sparse.table.columns.iter().zip(&dense.table.columns) {
        assert_eq!(a.numbers().last(), b.numbers().last());
    }
}

#[test]
fn a_redundant_constraint_does_no_harm_and_is_remarked() {
    let model = redundant_four_bar();
    let plain = run(&ready("four-bar", &[]), "projection", 1e-10, 2.0, 2.0);
    for name in NAMES {
        let run = run(&model, name, 1e-10, 2.0, 2.0);
        let angle = |run: &Run| *run.table.column("theta2").and_then(<[f64]>::last).expect("rows");
        let gap = (angle(&run) - angle(&plain)).abs();
        assert!(gap < 1e-7, "{name}: {gap:.1e}");
        assert!(run.certificate.constraint_error < 1e-12, "{name}");
        let remarks = run.certificate.remarks.join("\n");
        let told = ["constraints were dependent", "followed from other constraints"];
        assert!(told.iter().any(|text| remarks.contains(text)), "{name}: {remarks}");
    }
}

/// A chain of three links: the errors of five orders of tolerance against minimal coordinates, and
/// beside those of multipliers.
#[test]
fn errors_fall_with_the_tolerance_as_those_of_multipliers_do() {
    let model = ready("pendulum-chain", &["links=3"]);
    let request = RunSettings {
        formulation: Some("minimal".into()),
        integrator: Some("dop853".into()),
        rtol: Some(1e-13),
        atol: Some(1e-13),
        t_end: Some(2.0),
        every: Some(2.0),
        ..RunSettings::default()
    };
    let exact = catena::run(&model, &request).expect("it runs");
    let angles = |run: &Run| -> Vec<f64> {
        let names = ["theta1", "theta2", "theta3", "theta1'", "theta2'", "theta3'"];
        let last = |name| *run.table.column(name).and_then(<[f64]>::last).expect("rows");
        names.map(last).to_vec()
    };
    let expected = angles(&exact);
    let errors = |name: &str| {
        [1e-4, 1e-6, 1e-8, 1e-10].map(|tolerance| {
            difference(&angles(&run(&model, name, tolerance, 2.0, 2.0)), &expected)
        })
    };
    let reference = errors("multipliers");
    println!("multipliers: {reference:?}");
    for name in NAMES {
        let found = errors(name);
        println!("{name}: {found:?}");
        for (error, reference) in found.iter().zip(&reference) {
            assert!(*error < 10.0 * reference, "{name}: {found:?}");
        }
        assert!(found[3] < 1e-8, "{name}: {found:?}");
    }
}

/// With fixed steps the order shows itself: five for dopri5. Rows stand at ends of steps.
#[test]
fn the_order_of_the_integrator_is_kept() {
    let model = ready("double-pendulum-cartesian", &[]);
    let rows = |name: &str, step: f64| -> Vec<f64> {
        let request = RunSettings {
            formulation: Some(name.into()),
            integrator: Some("dopri5".into()),
            step: Some(step),
            t_end: Some(1.6),
            every: Some(0.08),
            ..RunSettings::default()
        };
        let run = catena::run(&model, &request).unwrap_or_else(|error| panic!("{name}: {error}"));
        let columns = model.own.coordinates.iter().map(|c| run.table.column(&c.name));
        columns.flat_map(|column| column.expect("a coordinate").to_vec()).collect()
    };
    for name in NAMES {
        let exact = rows(name, 0.001);
        let [coarse, fine] = [0.02, 0.01].map(|step| difference(&rows(name, step), &exact));
        let order = (coarse / fine).log2();
        println!("{name}: {coarse:.1e} and {fine:.1e}, order {order:.2}");
        assert!(order > 4.5, "{name}: {coarse:.1e} and {fine:.1e}");
    }
}

#[test]
fn the_balance_of_a_turned_rod_closes_with_the_tolerance() {
    let model = written(TURNED_ROD);
    for name in NAMES {
        let residuals = [1e-5, 1e-7, 1e-9]
            .map(|tol| run(&model, name, tol, 4.0, 4.0).certificate.energy_residual);
        println!("{name}: {residuals:?}");
        for pair in residuals.windows(2) {
            assert!(pair[1] < pair[0] / 20.0, "{name}: {residuals:?}");
        }
        assert!(residuals[2] < 1e-6, "{name}: {residuals:?}");
    }
}

/// A mass on a spring that has none itself, but a constraint that says where its end is; and a
/// coordinate that has neither.
#[test]
fn what_has_no_mass_moves_as_constraints_say_or_is_named() {
    let model = |more: &str| {
        written(&format!(
            r#"
            parameters = {{ m = 2, k = 8 }}
            coordinates = {{ x = "mass", s = "end of the spring", free = "" }}
            [energy]
            kinetic = "1/2*m*x'^2"
            potential = "1/2*k*s^2 + free^2"
            [constraints]
            tied = "s - x"
            {more}
            [initial]
            x = 0.5
            "#
        ))
    };
    let state = [vec![0.5, 0.5, 0.0], vec![0.1, 0.1, 0.0], vec![]];
    for name in NAMES {
        let mut formulation = built(&model("held = \"free\""), name);
        let [_, accelerations, multipliers, _] = evaluated(formulation.as_mut(), 0.0, &state);
        assert!(
            difference(&accelerations, &[-2.0, -2.0, 0.0]) < 1e-12,
            "{name}: {accelerations:?}"
        );
        assert!(difference(&multipliers, &[-4.0, 0.0]) < 1e-12, "{name}: {multipliers:?}");
        let mut formulation = built(&model(""), name);
        let mut rate = [0.0; 6];
        let broken = formulation.derivative(0.0, &state[..2].concat(), &mut rate);
        let message = broken.expect_err("nothing determines it").to_string();
        assert!(message.contains("`free` has no mass there"), "{name}: {message}");
    }
}

/// Away from the constraints the state of Gear, Gupta and Leimkuhler moves so that neither Φ nor Φ̇
/// changes; differences along the motion say so.
#[test]
fn the_stabilised_motion_keeps_constraint_errors_as_they_are() {
    // errors of two copies of a constraint can differ, and then one motion cannot keep both
    let systems = constrained().into_iter().filter(|(name, _)| name != "redundant four-bar");
    for (system, model) in systems {
        let mut formulation = built(&model, "ggl");
        let mut random = Random::new(5);
        let state = (0..20).find_map(|_| consistent_state(&model, &mut random));
        let [q, v, states] = state.expect("a state on the constraints");
        let mut y = vec![0.0; formulation.state_len()];
        formulation.pack(&q, &v, &states, &mut y);
        for (i, entry) in y.iter_mut().enumerate() {
            *entry += 0.1 * (1.0 + i as f64).sin();
        }
        let mut rate = vec![0.0; y.len()];
        formulation.derivative(0.0, &y, &mut rate).expect("it can be evaluated");
        let mut levels = |h: f64| -> Vec<f64> {
            let moved: Vec<f64> = y.iter().zip(&rate).map(|(y, rate)| y + h * rate).collect();
            formulation.evaluator().set_joined_state(h, &moved);
            let drift = formulation.evaluator().drift();
            [drift.values, drift.rates].concat()
        };
        let (ahead, back) = (levels(1e-5), levels(-1e-5));
        let slopes: Vec<f64> = ahead.iter().zip(&back).map(|(a, b)| (a - b) / 2e-5).collect();
        let worst = slopes.iter().fold(0.0_f64, |worst, slope| worst.max(slope.abs()));
        assert!(worst < 1e-5, "{system}: {worst:.1e}");
    }
}

/// On the constraints the derivatives for implicit methods are those of the right-hand side.
#[test]
fn derivatives_for_implicit_methods_are_exact_on_the_constraints() {
    for (system, model) in constrained() {
        for name in NAMES {
            let mut formulation = built(&model, name);
            let mut random = Random::new(3);
            let state = (0..20).find_map(|_| consistent_state(&model, &mut random));
            let [q, v, states] = state.expect("a state on the constraints");
            let n = formulation.state_len();
            let mut y = vec![0.0; n];
            formulation.pack(&q, &v, &states, &mut y);
            // assembled to 1e-8 is not on the constraints to the last bit
            formulation.after_step(0.0, &mut y).expect("it can be corrected");
            let error = jacobian_error(formulation.as_mut(), 0.0, &y);
            // the slotted lever bends its constraint so much that differences lose a digit
            let most = if system == "quick-return" { 1e-6 } else { 1e-7 };
            assert!(error < most, "{system} by {name}: {error:.1e}");
        }
    }
}

/// Implicit methods come to the same end.
#[test]
fn implicit_methods_agree() {
    let model = ready("slider-crank", &[]);
    let last = |name: &str| -> Vec<f64> {
        let request = RunSettings {
            formulation: Some(name.into()),
            integrator: Some("radau5".into()),
            rtol: Some(1e-9),
            atol: Some(1e-9),
            t_end: Some(1.0),
            every: Some(1.0),
            ..RunSettings::default()
        };
        let run = catena::run(&model, &request).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(run.certificate.time, 1.0, "{name}: {:?}", run.certificate.stop);
        println!("{name}: {:?}", run.certificate.statistics);
        let names = model.own.coordinates.iter();
        names.map(|c| run.table.column(&c.name).expect("a column")[1]).collect()
    };
    let expected = last("projection");
    for name in NAMES {
        let error = difference(&last(name), &expected);
        assert!(error < 1e-6, "{name}: {error:.1e}");
    }
}
