//! Short features: blows, ramps and switches in time, walls, steps and stops in space. With the defaults alone a run is
//! right to a thousandth of the motion, or it says that it is not.
//!
//! What is right comes from a closed form where there is one, else from the same model with a tight tolerance and steps
//! too short to miss anything.

use catena::RunSettings;
use catena::simulation::{Grade, Run, StopReason};
use catena_tests::written;
use std::f64::consts::PI;
use std::time::Instant;

/// Errors may be this large, relative to the largest value of their column.
const TOLERANCE: f64 = 1e-3;
/// Where there is no closed form: the tolerance of the motion that is compared with.
const TIGHT: f64 = 1e-11;

macro_rules! model {
    ($name:literal) => {
        include_str!(concat!("pulses/", $name, ".toml"))
    };
}

/// A column of a model as a function of time.
type Closed<'a> = (&'a str, &'a dyn Fn(f64) -> f64);

/// Runs a model with the defaults alone, unless it is told that this is not possible.
fn run(text: &str) -> Result<Run, String> {
    let run =
        catena::run(&written(text), &RunSettings::default()).map_err(|error| error.to_string())?;
    let certificate = &run.certificate;
    match &certificate.stop {
        StopReason::Failed { message } => Err(message.clone()),
        _ if certificate.verdict.grade != Grade::Good => Err(certificate.verdict.reason.clone()),
        _ => Ok(run),
    }
}

/// The largest error of a column relative to its largest value.
fn error(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len(), "as many rows");
    let size = expected.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
    let pairs = found.iter().zip(expected);
    let error = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error.is_finite() && size > 0.0, "there is a motion");
    error / size
}

/// A run that calls itself good is what the closed form says.
fn follows(text: &str, closed: &[Closed<'_>]) {
    let run = match run(text) {
        Ok(run) => run,
        Err(told) => return assert!(!told.is_empty()),
    };
    let times = run.table.column("t").expect("the time");
    for (name, value) in closed {
        let expected: Vec<f64> = times.iter().map(|&t| value(t)).collect();
        let error = error(run.table.column(name).expect("the column"), &expected);
        assert!(error <= TOLERANCE, "{name} is off by {error:.1e}, {:?}", run.certificate.verdict);
    }
}

/// A run that calls itself good is what one with short steps and a tight tolerance gives.
fn agrees_with_short_steps(text: &str, max_step: f64) {
    let run = match run(text) {
        Ok(run) => run,
        Err(told) => return assert!(!told.is_empty()),
    };
    let settings = RunSettings {
        max_step: Some(max_step),
        ..RunSettings::new().integrator("dop853").tolerance(TIGHT).no_certify()
    };
    let model = written(text);
    let exact = catena::run(&model, &settings).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(exact.certificate.stop, StopReason::Finished);
    let coordinates = model.own.coordinates.iter().map(|coordinate| &coordinate.name);
    for name in coordinates.flat_map(|name| [name.clone(), format!("{name}'")]) {
        let [found, expected] =
            [&run, &exact].map(|run| run.table.column(&name).expect("the column"));
        // what stands still has no size to be relative to
        if expected.iter().all(|value| value.abs() < 1e-9) {
            assert!(found.iter().all(|value| value.abs() < 1e-6), "{name} moves");
            continue;
        }
        let error = error(found, expected);
        assert!(error <= TOLERANCE, "{name} is off by {error:.1e}, {:?}", run.certificate.verdict);
    }
}

/// The time since a moment, 0 before it.
fn since(t: f64, moment: f64) -> f64 {
    (t - moment).max(0.0)
}

#[test]
fn a_blow_of_a_millisecond_moves_a_mass_on_a_spring() {
    // ω = 5 rad/s, F/k = 40 m
    let x = |t: f64| 40.0 * ((5.0 * since(t, 4.001)).cos() - (5.0 * since(t, 4.0)).cos());
    let v = |t: f64| 200.0 * ((5.0 * since(t, 4.0)).sin() - (5.0 * since(t, 4.001)).sin());
    follows(model!("blow-on-spring"), &[("x", &x), ("x'", &v)]);
}

/// A free mass of 2 kg gets 2 N s, however short the blow is; the row at its time has none or all of it.
#[test]
fn blows_between_two_switches_count_however_near_these_are() {
    for duration in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
        let text = format!(
            "parameters = {{ d = {duration:e} }}\ncoordinates = {{ x = \"\" }}\n\
             energy = {{ kinetic = \"x'^2\" }}\n\
             forces = {{ x = \"(sign(t - 31/10) - sign(t - 31/10 - d))/d\" }}\n"
        );
        let v = |t: f64| if t > 3.1 { 1.0 } else { 0.0 };
        follows(&text, &[("x'", &v)]);
        if duration >= 1e-5 {
            assert!(run(&text).is_ok(), "{duration:e} s: {:?}", run(&text).err());
        }
    }
}

#[test]
fn a_smooth_blow_gives_a_free_mass_its_momentum() {
    let speed = 300.0 * 0.001 * PI.sqrt() / 0.5;
    let x = |t: f64| speed * since(t, 6.3);
    // on the row in the middle of the blow it has half of it
    let v = |t: f64| match t - 6.3 {
        late if late.abs() < 1e-9 => speed / 2.0,
        late => speed * f64::from(late > 0.0),
    };
    follows(model!("bell-on-free-mass"), &[("x", &x), ("x'", &v)]);
}

#[test]
fn a_load_that_is_switched_on_is_answered_from_there_on() {
    let (decay, rate) = (0.4, (40.0_f64 - 0.16).sqrt());
    let x = |t: f64| {
        let s = since(t, 3.0);
        0.1 * (1.0 - (-decay * s).exp() * ((rate * s).cos() + decay / rate * (rate * s).sin()))
    };
    follows(model!("step-by-sign"), &[("x", &x)]);
}

#[test]
fn a_force_that_begins_to_grow_late_is_felt() {
    let x = |t: f64| 5.0 / 9.0 * (since(t, 7.0) - (3.0 * since(t, 7.0)).sin() / 3.0);
    follows(model!("late-ramp"), &[("x", &x)]);
}

#[test]
fn a_table_of_ramps_is_followed_from_corner_to_corner() {
    // one ramp that stays level, integrated once and twice
    let once = |s: f64| if s < 0.01 { s * s / 0.02 } else { s - 0.005 };
    let twice = |s: f64| match s {
        s if s < 0.01 => s.powi(3) / 0.06,
        s => s * s / 2.0 - 0.005 * s + 1e-4 / 6.0,
    };
    let v = |t: f64| once(since(t, 2.0)) - once(since(t, 2.5));
    let x = |t: f64| twice(since(t, 2.0)) - twice(since(t, 2.5));
    follows(model!("table-of-ramps"), &[("x", &x), ("x'", &v)]);
}

#[test]
fn a_quarter_car_at_rest_feels_a_ridge() {
    agrees_with_short_steps(model!("quarter-car"), 5e-4);
}

#[test]
fn every_pulse_of_a_train_counts() {
    agrees_with_short_steps(model!("train-of-pulses"), 2e-3);
}

#[test]
fn three_blows_within_some_milliseconds_all_count() {
    agrees_with_short_steps(model!("three-blows"), 5e-4);
}

#[test]
fn a_support_that_jumps_takes_its_mass_along() {
    agrees_with_short_steps(model!("fast-ramp"), 5e-4);
}

#[test]
fn a_shaker_that_is_switched_on_late_shakes() {
    agrees_with_short_steps(model!("late-drive"), 5e-3);
}

#[test]
fn an_injection_fills_a_tank_of_first_order() {
    let shot = 800.0 * 0.0005 * PI.sqrt();
    let z = |t: f64| match t - 5.0 {
        late if late.abs() < 1e-9 => shot / 2.0,
        late if late < 0.0 => 0.0,
        late => shot * (-0.7 * late).exp(),
    };
    follows(model!("injection"), &[("z", &z)]);
}

#[test]
fn a_motor_that_starts_late_swings_what_hangs_on_it() {
    agrees_with_short_steps(model!("motor-that-starts-late"), 2e-3);
}

#[test]
fn a_gust_of_some_milliseconds_moves_a_hanging_chain() {
    agrees_with_short_steps(model!("gust"), 2e-3);
}

#[test]
fn a_puck_comes_back_from_a_thin_wall_that_is_too_high() {
    agrees_with_short_steps(model!("thin-wall"), 2e-3);
}

#[test]
fn a_puck_is_delayed_by_a_thin_wall_that_is_low_enough() {
    agrees_with_short_steps(model!("low-wall"), 2e-4);
}

#[test]
fn a_puck_goes_on_more_slowly_on_a_step() {
    // the width of the step is a thousandth of the way: what it takes on the slope is below the tolerance
    let slow = (1.0_f64 - 0.8).sqrt();
    let x = |t: f64| if t < 2.5 { t } else { 2.5 + slow * (t - 2.5) };
    follows(model!("steep-step"), &[("x", &x)]);
}

/// Kepler's equation E − e sin E = M, by halving.
fn eccentric_anomaly(mean: f64, eccentricity: f64) -> f64 {
    let (mut low, mut high) = (mean - 1.0, mean + 1.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        match middle - eccentricity * middle.sin() < mean {
            true => low = middle,
            false => high = middle,
        }
    }
    f64::midpoint(low, high)
}

#[test]
fn a_comet_passes_close_to_its_sun_and_flies_on() {
    // half axis 1, eccentricity 0.999, from the farthest point
    let (e, anomaly) = (0.999, |t: f64| eccentric_anomaly(PI + t, 0.999));
    let x = |t: f64| e - anomaly(t).cos();
    let y = |t: f64| -(1.0 - e * e).sqrt() * anomaly(t).sin();
    let vx = |t: f64| anomaly(t).sin() / (1.0 - e * anomaly(t).cos());
    follows(model!("near-collision"), &[("x", &x), ("y", &y), ("x'", &vx)]);
}

#[test]
fn a_narrow_magnetic_well_bends_the_path_of_a_ball() {
    agrees_with_short_steps(model!("magnetic-well"), 2e-4);
}

#[test]
fn a_slider_is_caught_by_a_notch() {
    agrees_with_short_steps(model!("latch"), 2e-3);
}

#[test]
fn a_slider_comes_back_from_a_hard_stop() {
    let (rate, contact) = (5e5_f64.sqrt(), PI / 5e5_f64.sqrt());
    let x = |t: f64| match t - 3.0 {
        s if s < 0.0 => 0.5 * t,
        s if s < contact => 1.5 + 0.5 / rate * (rate * s).sin(),
        s => 1.5 - 0.5 * (s - contact),
    };
    follows(model!("stop-by-max"), &[("x", &x)]);
}

#[test]
fn a_ball_bounces_on_hard_ground_again_and_again() {
    let (g, rate) = (9.81, 1e5_f64.sqrt());
    let speed = (2.0_f64 * g).sqrt();
    let flight = 2.0 * speed / g;
    let contact = 2.0 * (PI - (speed * rate / g).atan()) / rate;
    let y = |t: f64| match (t + flight / 2.0) % (flight + contact) {
        s if s < flight => speed * s - g * s * s / 2.0,
        s => {
            let angle = rate * (s - flight);
            g / 1e5 * (angle.cos() - 1.0) - speed / rate * angle.sin()
        }
    };
    follows(model!("bouncing-ball"), &[("y", &y)]);
}

#[test]
fn a_force_that_changes_its_sign_with_the_place_gives_parabolas() {
    let x = |t: f64| match t % 4.0 {
        s if s < 1.0 => 1.5 - 1.5 * s * s,
        s if s < 3.0 => -1.5 + 1.5 * (s - 2.0) * (s - 2.0),
        s => 1.5 - 1.5 * (4.0 - s) * (4.0 - s),
    };
    follows(model!("abs-spring"), &[("x", &x)]);
}

#[test]
fn dry_friction_that_sticks_is_told_as_what_it_is_within_a_second() {
    for text in [model!("dry-friction"), model!("sliding-without-a-spring")] {
        let began = Instant::now();
        let told = run(text).expect_err("a block that sticks is no motion of this model");
        assert!(began.elapsed().as_secs_f64() < 1.0, "{:?}", began.elapsed());
        for word in ["dry friction", "stick", "tanh"] {
            assert!(told.contains(word), "{told}");
        }
    }
}

/// A doubt about everything would pass the tests above.
#[test]
fn most_short_features_are_followed_and_not_only_told() {
    let models = [
        model!("blow-on-spring"),
        model!("bell-on-free-mass"),
        model!("step-by-sign"),
        model!("late-ramp"),
        model!("table-of-ramps"),
        model!("quarter-car"),
        model!("train-of-pulses"),
        model!("three-blows"),
        model!("fast-ramp"),
        model!("late-drive"),
        model!("injection"),
        model!("motor-that-starts-late"),
        model!("gust"),
        model!("thin-wall"),
        model!("low-wall"),
        model!("steep-step"),
        model!("near-collision"),
        model!("magnetic-well"),
        model!("latch"),
        model!("stop-by-max"),
        model!("bouncing-ball"),
        model!("abs-spring"),
    ];
    let told: Vec<String> = models.iter().filter_map(|text| run(text).err()).collect();
    assert!(10 * told.len() <= models.len(), "{told:#?}");
}

/// Without a feature nothing is told: the doubt above is not there by itself.
#[test]
fn a_swing_without_short_features_is_called_good() {
    let text = model!("abs-spring").replace("3*abs(x)", "1/2*3*x^2");
    let x = |t: f64| 1.5 * (3.0_f64.sqrt() * t).cos();
    assert!(run(&text).is_ok());
    follows(&text, &[("x", &x)]);
}
