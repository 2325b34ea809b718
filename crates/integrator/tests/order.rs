//! Conformance, over the catalogue: measured orders against claimed ones.

mod problems;

use catena_integrator::{Entry, INTEGRATORS, Options};
use problems::{begin, pendulum, pendulum_motion, pushed_motion, pushed_pendulum, run};

const END: f64 = 3.0;

/// The largest errors at the ends of steps and inside them, with n steps.
fn errors(entry: &Entry, pushed: bool, n: u32) -> [f64; 2] {
    let exact = |t| if pushed { pushed_motion(t) } else { pendulum_motion(2.0, t) };
    let mut system = if pushed { pushed_pendulum() } else { pendulum() };
    let step = END / f64::from(n);
    let options = Options { step: Some(step), newton_tol: 1e-13, ..Options::default() };
    let mut integrator = begin(entry, &options, &mut system, &exact(0.0), END);
    let mut worst = [0.0_f64; 2];
    run(&mut *integrator, &mut system, END, |integrator| {
        let mut note = |place: usize, t: f64, y: &[f64]| {
            for (y, exact) in y.iter().zip(exact(t)) {
                worst[place] = worst[place].max((y - exact).abs());
            }
        };
        note(0, integrator.time(), integrator.state());
        for theta in [0.1, 0.3, 0.5, 0.7, 0.9] {
            let (t0, t1) = (integrator.previous_time(), integrator.time());
            let t = t0 + theta * (t1 - t0);
            let mut y = [0.0; 2];
            integrator.interpolate(t, &mut y);
            note(1, t, &y);
        }
    })
    .unwrap();
    worst
}

/// The slope of log error over log step across three halvings with errors between 1e-11 and 1e-3: the coarsest for
/// methods of low order, which are asymptotic at once, the finest for the others.
fn measured_order(entry: &Entry, pushed: bool, place: usize) -> f64 {
    let mut points = Vec::new();
    // Quarters of halvings: a method of order 8 crosses the window in three halvings or less.
    for exponent in 11..80 {
        let n = 2.0_f64.powf(f64::from(exponent) / 4.0).round();
        let error = errors(entry, pushed, n as u32)[place];
        if error < 1e-11 || (entry.order <= 3 && points.len() == 13) {
            break;
        }
        if error < 1e-3 {
            points.push(((END / n).ln(), error.ln()));
        }
    }
    let points = &points[points.len().saturating_sub(13)..];
    assert!(points.len() >= 6, "{}: only {} points", entry.name, points.len());
    let count = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let above: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    let below: f64 = points.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    above / below
}

#[test]
fn every_method_has_the_order_it_claims() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        for pushed in [true, false] {
            let measured = measured_order(entry, pushed, 0);
            println!("{:18} order {} measured {measured:.2}", entry.name, entry.order);
            assert!(measured >= f64::from(entry.order) - 0.2, "{}: {measured}", entry.name);
        }
    }
}

#[test]
fn dense_output_has_the_order_it_claims() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        for pushed in [true, false] {
            let measured = measured_order(entry, pushed, 1);
            println!("{:18} dense {} measured {measured:.2}", entry.name, entry.dense_order);
            assert!(measured >= f64::from(entry.dense_order) - 0.2, "{}: {measured}", entry.name);
        }
    }
}
