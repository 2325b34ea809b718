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

/// Logarithms of steps and errors, from the longest step on.
#[derive(Default)]
struct Curve {
    points: Vec<(f64, f64)>,
    complete: bool,
}

impl Curve {
    /// Takes a point of a method of some order, if it belongs to the window: errors between 1e-11 and 1e-3.
    fn add(&mut self, order: u32, step: f64, error: f64) {
        self.complete |= error < 1e-11 || (order <= 3 && self.points.len() == 13);
        if !self.complete && error < 1e-3 {
            self.points.push((step.ln(), error.ln()));
        }
    }

    /// The slope across three halvings: the coarsest for methods of low order, which are asymptotic at once, the finest
    /// for the others.
    fn slope(&self) -> Option<f64> {
        let points = &self.points[self.points.len().saturating_sub(13)..];
        let count = points.len() as f64;
        let (mx, my) =
            points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
        let above: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
        let below: f64 = points.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
        (points.len() >= 6).then(|| above / below)
    }
}

/// The measured orders at the ends of steps and inside them.
fn measured_orders(entry: &Entry, pushed: bool) -> [f64; 2] {
    let mut curves = [Curve::default(), Curve::default()];
    // Quarters of halvings: a method of order 8 crosses the window in three halvings or less.
    for exponent in 11..80 {
        let n = 2.0_f64.powf(f64::from(exponent) / 4.0).round();
        let errors = errors(entry, pushed, n as u32);
        for (curve, error) in curves.iter_mut().zip(errors) {
            curve.add(entry.order, END / n, error);
        }
        if curves.iter().all(|curve| curve.complete) {
            break;
        }
    }
    curves.map(|curve| {
        let too_few = || panic!("{}: only {} points", entry.name, curve.points.len());
        curve.slope().unwrap_or_else(too_few)
    })
}

#[test]
fn every_method_and_its_dense_output_have_the_orders_they_claim() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.structural) {
        for pushed in [true, false] {
            let claimed = [entry.order, entry.dense_order];
            let measured = measured_orders(entry, pushed);
            println!("{:18} orders {claimed:?} measured {measured:.2?}", entry.name);
            for (claimed, measured) in claimed.into_iter().zip(measured) {
                let name = entry.name;
                // the seven long steps that do for a high order do not show all of it yet
                let missing = if claimed < 8 { 0.2 } else { 0.35 };
                assert!(measured >= f64::from(claimed) - missing, "{name}: {claimed}, {measured}");
            }
        }
    }
}
