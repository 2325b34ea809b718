//! Nothing is wrong quietly: each result says what it is worth, by figures that belong to what is delivered.

use catena::simulation::{Certificate, Grade, Run, StopReason};
use catena::{Model, RunSettings};
use catena_tests::{ready, written};

fn run(model: &Model, settings: &RunSettings) -> Run {
    catena::run(model, settings).unwrap_or_else(|error| panic!("{error}"))
}

fn by_default(model: &Model) -> Run {
    run(model, &RunSettings::new())
}

/// The largest |a − b| / max(1, |b|) of the columns that two runs share, on the rows up to a time.
fn true_error(run: &Run, exact: &Run, columns: usize, until: f64) -> f64 {
    let times = run.table.column("t").expect("there is always a time");
    let rows = times.iter().take_while(|time| **time <= until).count();
    let errors = (1..=columns).flat_map(|column| {
        let [found, exact] = [run, exact].map(|run| run.table.columns[column].numbers());
        found[..rows].iter().zip(exact).map(|(a, b)| (a - b).abs() / b.abs().max(1.0))
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn rows_belong_to_the_balance_of_energy() {
    let run = by_default(&ready("double-pendulum", &[]));
    let energy = run.table.column("energy").expect("runs have it");
    let of_rows = energy.iter().fold(0.0, |most: f64, h| most.max((h - energy[0]).abs()));
    let residual = run.certificate.energy_residual;
    // the column has T + V, the residual h: they round differently
    assert!(residual > 0.999 * of_rows && residual < 1e-4, "{residual:e}, on rows {of_rows:e}");
}

#[test]
fn rows_are_as_good_as_steps() {
    let model = ready("double-pendulum", &[]);
    for integrator in ["dopri5", "tsit5", "dop853"] {
        let settings = RunSettings::new().integrator(integrator).t_end(5.0);
        let many = run(&model, &settings.clone().every(0.01)).certificate.energy_residual;
        let few = run(&model, &settings.every(5.0)).certificate.energy_residual;
        assert!(many < 2.0 * few, "{integrator}: {many:e} with rows, {few:e} at steps");
    }
}

#[test]
fn a_drive_that_leaves_the_system_at_rest_keeps_its_balance() {
    for pivot in ["0.1*cos(4*pi*t)", "0.02*sin(31*t) + 0.1*cos(t)"] {
        let chain = format!(
            "[chain]\nlinks = 3\nstart = [0, 0, 0]\n[chain.pivot]\ny = \"{pivot}\"\n[run]\nt_end = 60\n"
        );
        let Certificate { energy_residual, exchanged_energy, statistics, verdict, .. } =
            by_default(&written(&chain)).certificate;
        assert!(energy_residual < 2e-3 * exchanged_energy, "{pivot}: {energy_residual:e} J");
        assert!(statistics.steps > 100, "{pivot}: {} steps", statistics.steps);
        assert_eq!(verdict.grade, Grade::Good, "{pivot}: {}", verdict.reason);
    }
}

#[test]
fn steps_that_leave_the_mechanism_are_never_good() {
    let settings =
        RunSettings::new().formulation("projection").integrator("rk4").step(0.18).t_end(5.0);
    let certificate = run(&ready("four-bar", &["theta2'=6"]), &settings).certificate;
    assert!(certificate.constraint_error < 1e-6, "{:e}", certificate.constraint_error);
    assert_eq!(certificate.verdict.grade, Grade::Wrong, "{}", certificate.verdict.reason);
    let advice = certificate.verdict.advice.unwrap_or_default();
    let stopped = matches!(certificate.stop, StopReason::Failed { .. });
    assert!(stopped || advice.contains("step"), "{advice}");
}

#[test]
fn the_worse_the_tolerance_the_worse_the_verdict() {
    let model = ready("chain", &["links=4"]);
    let grade = |tolerance: f64| {
        let settings = RunSettings::new().tolerance(tolerance).t_end(3.0);
        run(&model, &settings).certificate.verdict
    };
    assert_eq!(grade(1e-7).grade, Grade::Good, "{}", grade(1e-7).reason);
    let loose = grade(0.1);
    assert!(loose.grade > Grade::Good, "{}", loose.reason);
    let advice = loose.advice.expect("what would help");
    let word = advice.strip_prefix("rtol ").and_then(|rest| rest.split_once(' ')).expect("rtol");
    let helps: f64 = word.0.parse().expect("a number");
    assert_eq!(grade(helps).grade, Grade::Good, "{advice}: {}", grade(helps).reason);
}

/// The order of the method says how short a step has to be.
#[test]
fn a_step_that_is_advised_is_short_enough() {
    let model = ready("driven-pendulum", &[]);
    for (integrator, step) in [("heun", 0.1), ("rk4", 0.5), ("implicit-midpoint", 0.1)] {
        let certificate = |step: f64| {
            let settings = RunSettings::new().integrator(integrator).step(step).t_end(5.0);
            run(&model, &settings).certificate
        };
        let coarse = certificate(step).verdict;
        assert!(coarse.grade > Grade::Good, "{integrator}: {}", coarse.reason);
        let advice = coarse.advice.expect("what would help");
        let word = advice.strip_prefix("a step of ").and_then(|rest| rest.strip_suffix(" s"));
        let helps: f64 = word.expect("a step").parse().expect("a number");
        let fine = certificate(helps).verdict;
        assert_eq!(fine.grade, Grade::Good, "{integrator}, {advice}: {}", fine.reason);
    }
}

#[test]
fn soft_springs_in_the_place_of_constraints_are_an_error() {
    let model = ready("double-pendulum-cartesian", &[]);
    let settings = RunSettings::new().formulation("penalty").with("alpha", 1e3).t_end(2.0);
    let soft = run(&model, &settings);
    let exact = RunSettings::new().formulation("projection").tolerance(1e-11).t_end(2.0);
    let estimate = soft.certificate.estimate.expect("the run is short");
    let error = true_error(&soft, &run(&model, &exact), 8, estimate.valid_until);
    assert!(
        error <= 2.0 * estimate.error && estimate.error <= 2.0 * error,
        "{error:e}, {estimate:?}"
    );
    assert!(soft.certificate.verdict.grade > Grade::Good, "{}", soft.certificate.verdict.reason);
}

#[test]
fn an_event_between_rows_ends_both_runs_and_has_an_error_of_its_own() {
    let ball = written(
        "[coordinates]\nx = \"height\"\n[energy]\nkinetic = \"1/2*x'^2\"\npotential = \"9.81*x\"\n\
         [initial]\nx = 1.0\n[events]\nfloor = { when = \"x\", terminal = true }\n\
         [run]\nt_end = 2\nevery = 0.1\n",
    );
    let certificate = by_default(&ball).certificate;
    assert!(matches!(certificate.stop, StopReason::Event { .. }));
    let estimate = certificate.estimate.expect("the run is short");
    assert!(!estimate.diverged, "{estimate:?}");
    let exact = (2.0 / 9.81_f64).sqrt();
    let off = (certificate.time - exact).abs();
    assert!(off <= 2.0 * estimate.event_time.expect("an event ended it") + 1e-15, "{off:e}");
    assert_eq!(certificate.verdict.grade, Grade::Good, "{}", certificate.verdict.reason);
}

#[test]
fn a_chaotic_run_is_judged_up_to_a_time_that_the_verdict_names() {
    let certificate = by_default(&ready("double-pendulum", &[])).certificate;
    let estimate = certificate.estimate.expect("the run is short");
    assert!(estimate.chaotic && estimate.valid_until > 5.0, "{estimate:?}");
    assert_eq!(certificate.verdict.grade, Grade::Good);
    assert!(estimate.judged_until > 5.0 && estimate.judged_until <= estimate.valid_until);
    let until = format!("up to {} s", estimate.judged_until);
    assert!(certificate.verdict.reason.contains(&until), "{}", certificate.verdict.reason);
}

/// Near the upper rest errors grow exponentially for a while, but one degree of freedom is never chaotic.
#[test]
fn a_plain_pendulum_is_never_called_chaotic() {
    let pendulum = written(
        "coordinates = { a = \"\" }\ninitial = { a = \"179 deg\" }\n\
         energy = { kinetic = \"a'^2/2\", potential = \"-9.81*cos(a)\" }\n",
    );
    let long = RunSettings::new().t_end(100.0);
    let exact = RunSettings { t_end: Some(100.0), ..RunSettings::new().tolerance(1e-13) };
    let (run, exact) = (run(&pendulum, &long), run(&pendulum, &exact));
    let certificate = &run.certificate;
    let estimate = certificate.estimate.as_ref().expect("the run is short");
    assert!(estimate.diverged && !estimate.chaotic, "{estimate:?}");
    assert!(true_error(&run, &exact, 2, 100.0) > 0.1, "it is off");
    assert!(certificate.verdict.grade > Grade::Good, "{}", certificate.verdict.reason);
}

/// However a motion goes on, a method that is too coarse from the beginning is to blame, and not chaos.
#[test]
fn coarse_steps_do_not_pass_for_chaos() {
    let linkage = ready("slider-crank-bodies", &[]);
    for integrator in ["rk4", "implicit-midpoint", "generalized-alpha"] {
        for step in [0.05, 0.02] {
            let settings = RunSettings::new().integrator(integrator).step(step).t_end(5.0);
            let certificate = match catena::run(&linkage, &settings) {
                Ok(run) => run.certificate,
                Err(_) => continue,
            };
            let chaotic = certificate.estimate.is_some_and(|estimate| estimate.chaotic);
            assert!(!chaotic, "{integrator}, {step}: {}", certificate.verdict.reason);
        }
    }
    let pendulums = ready("double-pendulum", &[]);
    let certificate = run(&pendulums, &RunSettings::new().integrator("rk4").step(0.1)).certificate;
    assert!(certificate.verdict.grade > Grade::Good, "{}", certificate.verdict.reason);
}

#[test]
fn a_chaotic_motion_that_is_hardly_known_is_doubtful() {
    let model = ready("double-pendulum", &[]);
    let certificate = run(&model, &RunSettings::new().t_end(300.0)).certificate;
    let estimate = certificate.estimate.expect("the run is short");
    assert!(estimate.chaotic && estimate.judged_share < 0.1, "{estimate:?}");
    assert_eq!(certificate.verdict.grade, Grade::Doubtful, "{}", certificate.verdict.reason);
}

#[test]
fn first_order_states_alone_have_a_verdict() {
    let model = written("[states]\nz = \"-3*z + sin(t)\"\n[initial]\nz = 1\n");
    let certificate = by_default(&model).certificate;
    assert_eq!(certificate.verdict.grade, Grade::Good, "{}", certificate.verdict.reason);
    let loose = RunSettings::new().integrator("euler").step(0.6);
    let certificate = run(&model, &loose).certificate;
    assert!(certificate.verdict.grade > Grade::Good, "{}", certificate.verdict.reason);
}

#[test]
fn what_nobody_looked_at_is_not_called_good() {
    let model = ready("triple-pendulum", &[]);
    let unseen = run(&model, &RunSettings::new().no_certify()).certificate;
    assert!(unseen.estimate.is_none());
    assert_eq!(unseen.verdict.grade, Grade::Doubtful);
    assert!(by_default(&model).certificate.estimate.is_some());
    let long = RunSettings::new().integrator("euler").step(4e-6).t_end(1.0).every(1.0);
    assert!(run(&model, &long).certificate.estimate.is_none());
    assert!(run(&model, &long.certify()).certificate.estimate.is_some());
}

#[test]
fn the_verdict_does_not_depend_on_how_many_rows_are_asked_for() {
    let late = RunSettings::new().integrator("implicit-midpoint").step(0.5).t_end(100.0);
    let oscillator = written(
        "[coordinates]\nx = \"\"\n[energy]\nkinetic = \"1/2*x'^2\"\npotential = \"1/2*x^2\"\n[initial]\nx = 1\n",
    );
    let cases = [
        (ready("four-bar", &[]), RunSettings::new(), Grade::Good),
        (oscillator, late, Grade::Wrong),
    ];
    for (model, settings, expected) in cases {
        let duration = settings.t_end.unwrap_or(10.0);
        let parts = [1.0, 2.0, 7.0, 50.0, 250.0].map(|rows| {
            let certificate = run(&model, &settings.clone().every(duration / rows)).certificate;
            assert_eq!(certificate.verdict.grade, expected, "{} rows", rows);
            certificate.estimate.expect("runs are short").part_of_motion
        });
        let [least, most] = [f64::min, f64::max].map(|of| parts.into_iter().reduce(of).unwrap());
        assert!(most < 1.2 * least, "{parts:?}");
    }
}

#[test]
fn rows_that_all_show_one_place_of_a_period_hide_no_motion() {
    let model = written(
        "coordinates = { x = \"\" }\ninitial = { x = 1 }\n\
         [energy]\nkinetic = \"1/2*x'^2\"\npotential = \"1/2*x^2\"\n",
    );
    for periods in [100.0, 200.0] {
        let t_end = std::f64::consts::TAU * periods;
        let settings =
            RunSettings { rtol: Some(1e-10), atol: Some(1e-12), ..RunSettings::new().t_end(t_end) };
        let certificate = run(&model, &settings.every(std::f64::consts::TAU)).certificate;
        assert_eq!(certificate.verdict.grade, Grade::Good, "{}", certificate.verdict.reason);
        let estimate = certificate.estimate.expect("the run is short");
        assert!(!estimate.rests && estimate.part_of_motion < 1e-7, "{estimate:?}");
    }
}

#[test]
fn a_step_beyond_the_end_is_not_compared_with_itself() {
    // z = 1/(1 + 999 exp(−t)), which a step of 20 s or a polynomial at zero knows nothing of
    let model = written("[states]\nz = \"z*(1 - z)\"\n[initial]\nz = 0.001\n");
    for integrator in ["euler", "rk4", "dopri5", "dop853", "taylor"] {
        for step in [20.0, 40.0, 50.0, 1e3] {
            let settings = RunSettings::new().integrator(integrator).t_end(20.0).step(step);
            let Certificate { verdict, .. } = run(&model, &settings).certificate;
            assert_ne!(verdict.grade, Grade::Good, "{integrator}, {step} s: {}", verdict.reason);
        }
    }
}

/// A Kepler ellipse against Kepler's equation.
#[test]
fn the_error_of_a_taylor_series_is_what_is_said_of_it() {
    for (eccentricity, tolerance) in [(0.3_f64, 3e-11), (0.5, 1e-7), (0.6, 1e-11), (0.6, 1e-10)] {
        let model = written(&format!(
            "parameters = {{ e = {eccentricity} }}\ncoordinates = {{ x = \"\", y = \"\" }}\n\
             initial = {{ x = \"1 - e\", \"y'\" = \"sqrt((1 + e)/(1 - e))\" }}\n\
             [energy]\nkinetic = \"1/2*(x'^2 + y'^2)\"\npotential = \"-1/sqrt(x^2 + y^2)\"\n",
        ));
        let settings = RunSettings::new().integrator("taylor").tolerance(tolerance);
        let run = run(&model, &settings.t_end(125.0));
        let [t, x, y] = ["t", "x", "y"].map(|name| run.table.column(name).expect("it has one"));
        let [vx, vy] = ["x'", "y'"].map(|name| run.table.column(name).expect("it has one"));
        let error = (0..t.len()).fold(0.0, |most: f64, row| {
            let mut anomaly = t[row];
            for _ in 0..50 {
                let missed = anomaly - eccentricity * anomaly.sin() - t[row];
                anomaly -= missed / (1.0 - eccentricity * anomaly.cos());
            }
            let (sin, cos) = anomaly.sin_cos();
            let minor = (1.0 - eccentricity * eccentricity).sqrt();
            let rate = 1.0 / (1.0 - eccentricity * cos);
            let exact = [cos - eccentricity, minor * sin, -sin * rate, minor * cos * rate];
            let found = [x[row], y[row], vx[row], vy[row]];
            let errors = found.iter().zip(exact).map(|(a, b)| (a - b).abs() / b.abs().max(1.0));
            errors.fold(most, f64::max)
        });
        let said = run.certificate.estimate.expect("the run is short").error;
        let case = format!("e = {eccentricity} at {tolerance:e}: {said:e} said, {error:e} true");
        assert!(error < 1.1 * said && said < 1.5 * error, "{case}");
    }
}

#[test]
fn what_hangs_at_rest_is_good_and_what_balances_on_a_point_is_not() {
    let rod = |angle: &str| {
        written(&format!(
            "[[body]]\nname = \"rod\"\nmass = 1\nlength = 1\nangle = \"{angle}\"\n\
             [[joint]]\nname = \"A\"\ntype = \"revolute\"\nbetween = [[0, 0], \"rod.A\"]\n"
        ))
    };
    let hanging = by_default(&rod("-90 deg")).certificate.verdict;
    assert_eq!(hanging.grade, Grade::Good, "{}", hanging.reason);
    assert!(hanging.reason.starts_with("the model rests"), "{}", hanging.reason);
    let balanced = by_default(&rod("90 deg")).certificate.verdict;
    assert_ne!(balanced.grade, Grade::Good, "{}", balanced.reason);
}
