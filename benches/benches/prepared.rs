//! Runs of the double pendulum, prepared once and from scratch, as `benches/python` times them from Python: one line of JSON, µs.
//!
//!     cargo bench -p catena-benches --bench prepared

use catena::simulation::Host;
use catena::{RunPlan, RunSettings};
use catena_benches::stopwatch::Stopwatch;
use std::time::Instant;

const LAPS: usize = 20;

/// The best time of a run, µs.
fn best(settings: &RunSettings) -> f64 {
    let model = catena::load("double-pendulum", &[]).expect("a ready system");
    let plan = RunPlan::new(&model, settings, &model.run).expect("settings that can be");
    let mut prepared = plan.formulation.prepare(&model).expect("it fits");
    let mut watch = Stopwatch::default();
    for _ in 0..LAPS {
        let began = Instant::now();
        let mut clock = || began.elapsed().as_secs_f64();
        let mut go_on = |_| false;
        let mut host = Host::new(&mut clock, &mut go_on);
        watch.lap(|| {
            prepared.run_certified(&plan.options, plan.certification, &mut host).expect("a run")
        });
    }
    1e6 * watch.best()
}

/// The best time to derive, compile and run, µs.
fn best_from_scratch(settings: &RunSettings) -> f64 {
    let model = catena::load("double-pendulum", &[]).expect("a ready system");
    let mut watch = Stopwatch::default();
    for _ in 0..LAPS {
        watch.lap(|| catena::run(&model, settings).expect("a run"));
    }
    1e6 * watch.best()
}

fn main() {
    let short = RunSettings::new().t_end(1.0);
    let uncertified = RunSettings { no_certify: true, ..RunSettings::new() };
    let [whole, short, uncertified] = [RunSettings::new(), short, uncertified].map(|s| best(&s));
    let scratch = best_from_scratch(&RunSettings::new().t_end(1.0));
    println!(
        r#"{{"whole": {whole:.3}, "short": {short:.3}, "uncertified": {uncertified:.3}, "scratch": {scratch:.3}}}"#
    );
}
