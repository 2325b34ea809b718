//! Columns that are asked for: rates of points, resultants, powers and units, against what they follow from.

use catena::analysis::Drive;
use catena::simulation::{Run, RunError, Table, expand_columns};
use catena::{Model, RunFailure, RunSettings};
use catena_tests::{driven_arm, ready, written};

/// A crank with a spring, a damper, a force and a torque beside its motor.
const LOADED: &str = r#"
[[body]]
name = "crank"
mass = 1.5
length = 0.4
[[body]]
name = "rod"
mass = 0.7
length = 0.9
[[joint]]
name = "O"
type = "revolute"
between = ["ground", "crank.A"]
[[joint]]
name = "B"
type = "revolute"
between = ["crank.B", "rod.A"]
[[spring]]
name = "coil"
between = ["ground", "rod.B"]
stiffness = 20
length = 0.3
damping = 0.8
[[torsion-spring]]
name = "coils"
between = ["crank", "rod"]
stiffness = 3
damping = 0.1
[[force]]
name = "push"
on = "rod.B"
x = "2*sin(3*t)"
y = "-1"
[[torque]]
name = "twist"
on = "rod"
from = "crank"
value = "0.5*cos(t)"
[[motor]]
name = "drive"
joint = "O"
angle = "0.3*sin(2*t) + t"
[outputs]
pull = "B_f"
half_pull = "pull/2"
shaft = "drive_torque*drive_angle' - drive_power"
[initial]
crank_angle = 0
rod_angle = 1
"rod_angle'" = 0
"#;

/// Distance of rows, s.
const EVERY: f64 = 0.002;

fn run(model: &Model, columns: &[&str]) -> Run {
    let columns = columns.iter().map(|name| (*name).to_owned()).collect();
    let settings = RunSettings {
        columns,
        t_end: Some(1.0),
        every: Some(EVERY),
        rtol: Some(1e-10),
        atol: Some(1e-10),
        ..RunSettings::default()
    };
    catena::run(model, &settings).unwrap_or_else(|failure| panic!("{failure}"))
}

fn column<'a>(table: &'a Table, name: &str) -> &'a [f64] {
    table.column(name).unwrap_or_else(|| panic!("no {name}"))
}

/// The largest difference of a column from the central differences of another, between its ends.
fn slope_error(table: &Table, value: &str, rate: &str) -> f64 {
    let (t, x, v) = (column(table, "t"), column(table, value), column(table, rate));
    let errors = (1..t.len() - 1).map(|i| {
        let slope = (x[i + 1] - x[i - 1]) / (t[i + 1] - t[i - 1]);
        (slope - v[i]).abs()
    });
    errors.fold(0.0, f64::max) / v.iter().fold(1e-3_f64, |most, v| most.max(v.abs()))
}

#[test]
fn rates_of_points_and_accelerations_are_slopes() {
    let model = ready("four-bar-bodies", &["crank_angle'=3"]);
    let names = ["coupler_B_x", "coupler_B_x'", "coupler_B_x''", "crank_angle'", "crank_angle''"];
    let run = run(&model, &names);
    assert_eq!(run.table.names().collect::<Vec<_>>()[1..], names);
    // central differences leave EVERY²/6 of the third derivative
    for (value, rate) in [
        ("coupler_B_x", "coupler_B_x'"),
        ("coupler_B_x'", "coupler_B_x''"),
        ("crank_angle'", "crank_angle''"),
    ] {
        let error = slope_error(&run.table, value, rate);
        assert!(error < 2e-3, "{rate}: {error}");
    }
}

#[test]
fn resultants_are_the_size_of_both_components_in_mechanisms_and_chains() {
    let chain = ready("chain", &["links=3"]);
    for (model, joint) in [(ready("four-bar-bodies", &[]), "B"), (chain, "joint2")] {
        let names = [format!("{joint}_f"), format!("{joint}_fx"), format!("{joint}_fy")];
        let run = run(&model, &names.each_ref().map(String::as_str));
        let [size, x, y] = names.each_ref().map(|name| column(&run.table, name));
        assert!(size.iter().any(|size| *size > 1.0));
        for row in 0..size.len() {
            let expected = x[row].hypot(y[row]);
            assert!((size[row] - expected).abs() <= 1e-12 * expected, "{joint} in row {row}");
        }
    }
}

/// What motor, springs, force and torque give is what the energy of the bodies changes by.
#[test]
fn powers_of_all_elements_add_up_to_the_rate_of_the_energy() {
    let model = written(LOADED);
    let powers = ["coil_power", "coils_power", "push_power", "twist_power", "drive_power"];
    let weight = ["crank_y", "rod_y"];
    let run = run(&model, &[&powers[..], &weight, &["kinetic"]].concat());
    let of = |name: &str| column(&run.table, name).to_vec();
    let rows = run.table.len();
    let mut energy = of("kinetic");
    for (mass, height) in [(1.5, of("crank_y")), (0.7, of("rod_y"))] {
        energy.iter_mut().zip(height).for_each(|(energy, y)| *energy += mass * 9.81 * y);
    }
    let power: Vec<f64> = (0..rows)
        .map(|row| powers.iter().map(|name| column(&run.table, name)[row]).sum())
        .collect();
    // Simpson's rule over pairs of rows
    let mut work = 0.0;
    for row in (0..rows - 2).step_by(2) {
        work += EVERY / 3.0 * (power[row] + 4.0 * power[row + 1] + power[row + 2]);
        let gained = energy[row + 2] - energy[0];
        assert!((work - gained).abs() < 1e-5, "row {row}: {work} and {gained}");
    }
    assert!(work.abs() > 0.1, "nothing happened");
}

#[test]
fn outputs_use_outputs_above_them_and_the_forces_of_joints() {
    let run = run(&written(LOADED), &["pull", "half_pull", "shaft", "B_fx", "B_fy"]);
    let of = |name: &str| column(&run.table, name);
    for row in 0..run.table.len() {
        let expected = of("B_fx")[row].hypot(of("B_fy")[row]);
        assert!((of("pull")[row] - expected).abs() <= 1e-12 * expected);
        assert_eq!(of("half_pull")[row], of("pull")[row] / 2.0);
        assert!(of("shaft")[row].abs() < 1e-12);
    }
    let chain = "[chain]\nlinks = 2\n[outputs]\nload = \"joint1_f - joint2_f + joint1_fx\"\n";
    let run = catena::run(&written(chain), &RunSettings::default()).expect("it swings");
    assert!(run.table.column("load").is_some());
}

#[test]
fn outputs_below_and_reactions_elsewhere_are_refused_in_words() {
    let message = |text: &str| {
        let read = catena::read(catena::Source::new("test.toml", text), &[]);
        read.map(|_| ()).expect_err("it is wrong").to_string()
    };
    let model = |end: &str| format!("[chain]\nlinks = 2\n{end}\n");
    assert_eq!(
        message(&model("[outputs]\na = \"b\"\nb = \"1\"")),
        "`a` uses `b`, which is defined after it"
    );
    assert_eq!(message(&model("[outputs]\na = \"a + 1\"")), "`a` uses itself");
    assert_eq!(
        message(&model("[forces]\ntheta1 = \"joint1_fx\"")),
        "`joint1_fx` is an output; a force cannot use it"
    );
    assert_eq!(
        message(&model("[outputs]\na = \"joint1_fx'\"")),
        "`joint1_fx` is an output and has no time derivative"
    );
}

/// A motor leads the motion in a run as it does in kinematics: what both name is the same, with one sign.
#[test]
fn runs_and_inverse_dynamics_name_the_same_forces() {
    let quick = ready("quick-return", &[]);
    for model in [quick, driven_crank()] {
        let further = model.own.quantities.iter().map(|quantity| quantity.name.clone());
        let outputs = model.own.outputs.iter().map(|output| output.name.clone());
        let multipliers = model.own.constraints.iter().map(|c| format!("lambda_{}", c.name));
        let names: Vec<String> = outputs.chain(multipliers).chain(further).collect();
        let run = run(&model, &names.iter().map(String::as_str).collect::<Vec<_>>());
        let (from, to) = (Some(0.0), Some(1.0));
        let request = Drive { from, to, points: 501, columns: names.clone(), ..Drive::default() };
        let driven = catena::analysis::drive(&model, &request).expect("the motor leads it");
        assert!(names.len() > 5);
        for name in &names {
            let (a, b) = (column(&run.table, name), column(&driven.table, name));
            let size = a.iter().fold(1.0_f64, |most, a| most.max(a.abs()));
            for (row, (a, b)) in a.iter().zip(b).enumerate() {
                assert!((a - b).abs() < 1e-6 * size, "{name}, row {row}: {a} and {b}");
            }
            let [a, b] = [&run.table, &driven.table].map(|table| table.find(name).map(|c| &c.unit));
            assert_eq!(a, b, "{name}");
        }
    }
}

/// A crank that its motor turns, with nothing left free.
fn driven_crank() -> Model {
    written(
        r#"
[[body]]
name = "crank"
mass = 2
length = 0.5
[[joint]]
name = "O"
type = "revolute"
between = ["ground", "crank.A"]
[[spring]]
name = "coil"
between = ["ground", "crank.B"]
stiffness = 5
length = 0.2
[[motor]]
name = "drive"
joint = "O"
angle = "2*t + 0.2*sin(t)"
"#,
    )
}

/// The word of a motor is the word of a driven coordinate: the same torque under the same name.
#[test]
fn a_driven_coordinate_needs_what_a_motor_would() {
    let motor = driven_crank();
    let text = motor.sources[0].text.replace("2*t + 0.2*sin(t)", "3*t");
    let by_motor = Drive { to: Some(1.0), points: 11, ..Drive::default() };
    let by_motor = catena::analysis::drive(&written(&text), &by_motor).expect("it turns");
    let free = text.split("[[motor]]").next().expect("a motor").to_owned();
    let request = Drive {
        coordinate: Some("crank_angle".into()),
        from: Some(0.0),
        to: Some(3.0),
        rate: 3.0,
        points: 11,
        columns: vec!["drive_power".into()],
    };
    let by_name = catena::analysis::drive(&written(&free), &request).expect("it turns");
    let pairs = column(&by_motor.table, "drive_torque").iter();
    for (a, b) in pairs.zip(column(&by_name.table, "drive_torque")) {
        assert!((a - b).abs() < 1e-9, "{a} and {b}");
    }
    for (power, torque) in
        column(&by_name.table, "drive_power").iter().zip(column(&by_name.table, "drive_torque"))
    {
        assert!((power - 3.0 * torque).abs() < 1e-9);
    }
}

#[test]
fn every_column_of_a_mechanism_has_its_unit() {
    let run = catena::run(&written(LOADED), &RunSettings::default()).expect("it turns");
    // 2 may be a factor or a length
    for column in run.table.columns.iter().filter(|column| column.name != "half_pull") {
        assert!(!column.unit.is_empty(), "{}", column.name);
    }
    let unit = |name: &str| run.table.find(name).map(|column| column.unit.as_ref());
    for (name, expected) in [
        ("t", "s"),
        ("crank_x", "m"),
        ("crank_angle'", "rad/s"),
        ("B_fx", "N"),
        ("lambda_drive", "N m"),
        ("drive_torque", "N m"),
        ("coil_force", "N"),
        ("coils_torque", "N m"),
        ("kinetic", "J"),
        ("pull", "N"),
        ("shaft", "W"),
        ("half_pull", ""),
    ] {
        assert_eq!(unit(name), Some(expected), "{name}");
    }
}

#[test]
fn units_of_other_models_are_those_of_angles_alone() {
    let run = catena::run(&ready("cart-pendulum", &[]), &RunSettings::default()).expect("it runs");
    let unit = |name: &str| run.table.find(name).map(|column| column.unit.as_ref());
    assert_eq!(unit("theta"), Some("rad"));
    assert_eq!(unit("theta'"), Some("rad/s"));
    assert_eq!(unit("x"), Some(""));
}

#[test]
fn patterns_mean_columns_of_a_run_first_and_all_others_next() {
    let model = driven_arm();
    let expand = |pattern: &str| expand_columns(&model.own, &[pattern.to_owned()]);
    let forces = expand("*_fx").expect("there are forces");
    assert!(forces.len() > 1 && forces.iter().all(|name| name.ends_with("_fx")), "{forces:?}");
    let powers = expand("*_power").expect("there are powers");
    assert!(powers.contains(&"drive_power".to_owned()), "{powers:?}");
    let twice = ["shoulder_fx".to_owned(), "shoulder_f*".to_owned()];
    let both = expand_columns(&model.own, &twice).expect("a joint");
    assert_eq!(both.iter().filter(|name| *name == "shoulder_fx").count(), 1, "{both:?}");
    assert!(matches!(expand("nothing_*"), Err(RunError::NoMatchingColumn { .. })));
}

#[test]
fn a_linear_model_says_that_it_has_no_forces() {
    let settings = RunSettings {
        linear: true,
        columns: vec!["theta1''".to_owned()],
        ..RunSettings::default()
    };
    let failure = catena::run(&ready("double-pendulum", &[]), &settings).map(|_| ());
    let Err(RunFailure::Run(error)) = failure else { panic!("it has accelerations") };
    assert!(matches!(error, RunError::NotInLinearModel { .. }), "{error}");
}

/// Certified or not, the time stands first and once.
#[test]
fn the_time_is_always_first() {
    let model = ready("double-pendulum", &[]);
    for no_certify in [false, true] {
        let columns = ["theta1", "t", "theta1"].map(str::to_owned).to_vec();
        let settings = RunSettings { columns, no_certify, ..RunSettings::default() };
        let run = catena::run(&model, &settings).expect("it runs");
        assert_eq!(run.table.names().collect::<Vec<_>>(), ["t", "theta1"]);
    }
}
