//! Motions by Taylor series against closed forms, higher precision and another method.

use catena::symbolic::DoubleDouble;
use catena::{Model, RunSettings};
use catena_tests::{ready, written};

fn settings(integrator: &str, tolerance: f64, t_end: f64) -> RunSettings {
    RunSettings {
        integrator: Some(integrator.into()),
        rtol: Some(tolerance),
        atol: Some(tolerance),
        t_end: Some(t_end),
        ..RunSettings::new().no_certify()
    }
}

/// The last values of some columns.
fn last(model: &Model, request: &RunSettings, columns: &[String]) -> Vec<f64> {
    let run = catena::run(model, request).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.certificate.time, request.t_end.unwrap(), "{:?}", run.certificate.stop);
    let last = |name: &String| *run.table.column(name).unwrap().last().unwrap();
    columns.iter().map(last).collect()
}

fn coordinates(model: &Model) -> Vec<String> {
    let own = &model.own;
    let names = own.coordinates.iter().map(|coordinate| &coordinate.name);
    names.chain(own.states.iter().map(|state| &state.name)).cloned().collect()
}

fn farthest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}

#[test]
fn a_pendulum_has_the_period_of_the_arithmetic_geometric_mean() {
    for angle in [0.3, 1.5, 2.8_f64] {
        let pendulum = written(&format!(
            "[coordinates]\ntheta = \"angle\"\n[energy]\nkinetic = \"1/2*theta'^2\"\n\
             potential = \"-cos(theta)\"\n[initial]\ntheta = {angle}\n",
        ));
        let (mut a, mut g) = (1.0, (angle / 2.0).cos());
        while a - g > 1e-15 {
            (a, g) = ((a + g) / 2.0, (a * g).sqrt());
        }
        let period = std::f64::consts::TAU / a;
        let columns = ["theta".to_owned(), "theta'".to_owned()];
        let found = last(&pendulum, &settings("taylor", 1e-15, 10.0 * period), &columns);
        assert!(farthest(&found, &[angle, 0.0]) < 1e-12, "{angle}: {found:?}");
    }
}

#[test]
fn a_chain_let_go_from_the_horizontal_falls_as_it_should() {
    // most coefficients of its series vanish at the start, the last two at some orders among them
    for (name, values) in [
        ("chain", &["links=1"][..]),
        ("chain", &["links=3"]),
        ("pendulum-chain", &["links=1", "theta1=pi/2"]),
        ("pendulum-chain", &["links=2", "theta1=pi/2", "theta2=pi/2"]),
    ] {
        let model = ready(name, values);
        let columns = coordinates(&model);
        let exact = last(&model, &settings("dop853", 1e-14, 1.0), &columns);
        for exponent in 3..=15 {
            let tolerance = 10.0_f64.powi(-exponent);
            let found = last(&model, &settings("taylor", tolerance, 1.0), &columns);
            let error = farthest(&found, &exact);
            assert!(
                error < (30.0 * tolerance).max(1e-12),
                "{name} {values:?}, {tolerance}: {error}"
            );
        }
    }
}

#[test]
fn coefficients_beyond_the_square_root_of_all_numbers_have_a_step() {
    // x'' = −ω²x from 1 moves as cos ωt, whose coefficients grow as ωᵏ: their squares are infinite, single or in lanes
    let model = written(
        "parameters = { omega = 1e9 }\ncoordinates = { x = \"\" }\ninitial = { x = 1 }\n\
         [energy]\nkinetic = \"1/2*x'^2\"\npotential = \"1/2*omega^2*x^2\"\n",
    );
    let columns = ["x".to_owned()];
    let request = RunSettings { max_steps: Some(2000), ..settings("taylor", 1e-13, 1e-8) };
    let found = last(&model, &request, &columns)[0];
    assert!((found - 10.0_f64.cos()).abs() < 1e-10, "{found}");
}

#[test]
fn what_rests_exactly_goes_on_resting_until_it_is_moved() {
    let resting = ready("double-pendulum", &["theta1=0", "theta2=0"]);
    let found = last(&resting, &settings("taylor", 1e-12, 10.0), &coordinates(&resting));
    assert_eq!(found, [0.0, 0.0]);
    // pushed by a force that is flat to the fourteenth order at the start
    let pushed = written(
        "[coordinates]\nx = \"place\"\n[energy]\nkinetic = \"1/2*x'^2\"\n[forces]\nx = \"(t/2)^14\"\n",
    );
    for exponent in [3, 6, 9, 12, 15] {
        let tolerance = 10.0_f64.powi(-exponent);
        let found = last(&pushed, &settings("taylor", tolerance, 4.0), &["x".to_owned()])[0];
        let exact = 2.0_f64.powi(16) * 4.0 / (15.0 * 16.0);
        assert!(
            (found / exact - 1.0).abs() < (10.0 * tolerance).max(1e-13),
            "{tolerance}: {found}"
        );
    }
}

#[test]
fn what_is_not_smooth_or_short_is_not_passed_over() {
    for force in [
        "-x - 0.2*x'*abs(x') + 0.3*sin(t)",
        "-100*max(x - 0.2, 0) - x + sin(3*t)",
        "100*exp(-((t - 5)/0.01)^2)",
    ] {
        let model = written(&format!(
            "[coordinates]\nx = \"place\"\n[energy]\nkinetic = \"1/2*x'^2\"\n[forces]\nx = \"{force}\"\n",
        ));
        let columns = ["x".to_owned()];
        let exact = last(&model, &settings("dop853", 1e-12, 10.0), &columns);
        for tolerance in [1e-6, 1e-9] {
            let found = last(&model, &settings("taylor", tolerance, 10.0), &columns);
            let error = farthest(&found, &exact);
            assert!(error < 20.0 * tolerance, "{force}, {tolerance}: {error}");
        }
    }
}

/// The Lorenz equations in twice the usual precision, by series of order 30 in steps of 1/128.
fn lorenz(until: f64, mut show: impl FnMut(f64, [f64; 3])) {
    const ORDER: usize = 30;
    let number = DoubleDouble::from;
    let beta = number(8.0) / number(3.0);
    let step = number(1.0 / 128.0);
    let mut state = [number(1.0); 3];
    for count in 1..=(until * 128.0) as u32 {
        let mut series = vec![state];
        for k in 0..ORDER {
            let product = |a: usize, b: usize| {
                (0..=k).fold(number(0.0), |sum, j| sum + series[j][a] * series[k - j][b])
            };
            let [x, y, z] = series[k];
            let rates = [
                number(10.0) * (y - x),
                number(28.0) * x - product(0, 2) - y,
                product(0, 1) - beta * z,
            ];
            series.push(rates.map(|rate| rate / number((k + 1) as f64)));
        }
        let sum = |i: usize| series.iter().rev().fold(number(0.0), |sum, y| sum * step + y[i]);
        state = [0, 1, 2].map(sum);
        show(f64::from(count) / 128.0, state.map(DoubleDouble::to_f64));
    }
}

#[test]
fn the_lorenz_equations_are_followed_as_far_as_double_precision_reaches() {
    let model = ready("lorenz", &[]);
    let request = RunSettings { every: Some(1.0 / 128.0), ..settings("taylor", 1e-16, 40.0) };
    let run = catena::run(&model, &request).unwrap();
    let columns = ["x", "y", "z"].map(|name| run.table.column(name).unwrap());
    let mut parted = None;
    let mut row = 0;
    lorenz(40.0, |t, exact| {
        row += 1;
        let error = farthest(&columns.map(|column| column[row]), &exact);
        // rounding errors of 1e-16 of the state grow as exp(0.906 t)
        let allowed = 3e-14 * (0.906 * t).exp();
        assert!(parted.is_some() || error < allowed.max(1e-13), "{t}: {error}, {allowed}");
        if error > 1.0 {
            parted.get_or_insert(t);
        }
    });
    assert!(parted.is_none_or(|t| t > 30.0), "they part at {parted:?}");
}

#[test]
fn series_and_runge_kutta_agree_where_both_are_legal() {
    for (name, values, formulation) in [
        ("double-pendulum", &[][..], "minimal"),
        ("triple-pendulum", &[], "minimal"),
        ("elastic-pendulum", &[], "minimal"),
        ("cart-pendulum", &[], "minimal"),
        ("bead-on-hoop", &[], "minimal"),
        ("driven-pendulum", &[], "minimal"),
        ("chain", &["links=4", "friction=0.1"], "recursive"),
        ("chain", &["links=3"], "multipliers"),
        ("pendulum-chain", &["links=3"], "recursive"),
        ("double-pendulum-cartesian", &[], "multipliers"),
        ("double-pendulum-cartesian", &[], "projection"),
        ("double-pendulum-cartesian", &[], "baumgarte"),
        ("slider-crank", &[], "projection"),
        ("four-bar", &["theta2'=3"], "multipliers"),
        ("four-bar", &["theta2'=3"], "projection"),
        ("desk-lamp", &[], "projection"),
    ] {
        let model = ready(name, values);
        let run = |integrator: &str| {
            let request = RunSettings {
                formulation: Some(formulation.into()),
                every: Some(0.03),
                ..settings(integrator, 1e-12, 1.5)
            };
            catena::run(&model, &request).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        let (series, stages) = (run("taylor"), run("dop853"));
        for column in coordinates(&model).iter().map(String::as_str).chain(["energy"]) {
            let values = [&series, &stages].map(|run| run.table.column(column).unwrap());
            let size = values[1].iter().fold(1.0, |size: f64, value| size.max(value.abs()));
            let error = farthest(values[0], values[1]) / size;
            assert!(error < 2e-9, "{name} by {formulation}, {column}: {error}");
        }
        let steps = [&series, &stages].map(|run| run.certificate.statistics.steps);
        assert!(2 * steps[0] < 3 * steps[1], "{name} by {formulation}: {steps:?}");
    }
}

#[test]
fn formulations_that_solve_in_loops_are_refused_with_the_reason() {
    let model = ready("double-pendulum-cartesian", &[]);
    for formulation in ["augmented-lagrangian", "coordinate-partitioning", "ggl"] {
        let request =
            RunSettings { formulation: Some(formulation.into()), ..settings("taylor", 1e-9, 1.0) };
        let error = catena::run(&model, &request).expect_err("it has no series").to_string();
        assert!(error.contains("solved in loops"), "{formulation}: {error}");
    }
}

/// Nobody names a formulation: what is taken has series.
#[test]
fn mechanisms_take_a_formulation_with_series() {
    for name in ["four-bar-bodies", "double-wishbone", "desk-lamp"] {
        let request = RunSettings { no_certify: false, ..settings("taylor", 1e-9, 0.2) };
        let run = catena::run(&ready(name, &[]), &request).expect("it moves");
        assert_eq!(run.certificate.verdict.grade, catena::simulation::Grade::Good, "{name}");
    }
}
