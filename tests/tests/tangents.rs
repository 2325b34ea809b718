//! Tangent vectors carried along by an ensemble: they go where neighbouring motions go, whatever the formulation.

use catena::Model;
use catena::ensemble::{
    DeviceChoice, Engine, Schedule, SweepOptions, TangentRow, Task, Times, Workload,
};
use catena::integrator::Options;
use catena_compile::InstructionSet;
use catena_tests::ready;

fn options(formulation: &str, rtol: f64) -> SweepOptions {
    SweepOptions {
        formulation: catena::formulation::find(formulation).unwrap(),
        formulation_options: catena::formulation::OptionValues::default(),
        integrator: catena::integrator::find("dop853").unwrap(),
        integration: Options { rtol, atol: rtol, ..Options::default() },
        schedule: Schedule::of_numbers(1.0, None, None),
        instruction_set: InstructionSet::best(),
        device: DeviceChoice::Processor,
    }
}

/// Runs tasks one after the other and keeps the last row of each.
struct LastRows {
    tasks: Vec<Task>,
    begun: usize,
    places: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl LastRows {
    fn of(engine: &Engine, tasks: Vec<Task>) -> Vec<Vec<f64>> {
        let rows = vec![Vec::new(); tasks.len()];
        let mut work = LastRows { tasks, begun: 0, places: vec![0; engine.lanes()], rows };
        engine.runner().run(&mut work, &|| false);
        work.rows
    }
}

impl Workload for LastRows {
    fn next(&mut self, place: usize, task: &mut Task) -> bool {
        let Some(next) = self.tasks.get(self.begun) else { return false };
        task.clone_from(next);
        self.places[place] = self.begun;
        self.begun += 1;
        true
    }

    fn row(&mut self, place: usize, _t: f64, columns: &[f64]) {
        self.rows[self.places[place]] = columns.to_vec();
    }

    fn end(&mut self, _place: usize, outcome: Result<(), String>) {
        outcome.unwrap();
    }
}

/// Coordinates, velocities and states.
fn columns(model: &Model) -> Vec<String> {
    let coordinates = model.own.coordinates.iter().map(|coordinate| coordinate.name.clone());
    let velocities = coordinates.clone().map(|name| format!("{name}'"));
    let states = model.own.states.iter().map(|state| state.name.clone());
    coordinates.clone().chain(velocities).chain(states).collect()
}

fn generic(count: usize, phase: f64) -> Vec<f64> {
    (0..count).map(|at| (phase + 1.7 * at as f64).sin()).collect()
}

/// w₁(t) as it would be had it never been made shorter, from a row.
fn first_vector(row: &[f64], k: usize, n: usize) -> Vec<f64> {
    let row = TangentRow::new(row, k, n);
    row.vectors[..n].iter().map(|entry| entry * row.logarithms[0].exp()).collect()
}

#[test]
fn tangent_vectors_go_where_neighbouring_motions_go() {
    for (name, set) in [
        ("triple-pendulum", &["R=0.1", "eta0=0.3"][..]),
        ("lorenz", &[]),
        ("driven-pendulum", &[]),
        ("elastic-pendulum", &[]),
    ] {
        let model = ready(name, set);
        let columns = columns(&model);
        let n = columns.len();
        let times = Times { t_start: 0.3, t_end: 2.0, every: 0.5, after: 0.0, step: None };
        let start = generic(n, 0.4);
        let mut direction = generic(n, 2.0);
        let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        direction.iter_mut().for_each(|x| *x /= length);
        let task =
            |start: Vec<f64>| Task { values: Vec::new(), start: Some(start), times: Some(times) };
        let plain = options("minimal", 1e-13);
        let moved = |factor: f64| -> Vec<f64> {
            start.iter().zip(&direction).map(|(y, w)| y + factor * w).collect()
        };
        let step = 1e-4;
        let first = task(start.clone());
        let engine = Engine::new(&model, Vec::new(), columns.clone(), plain.clone(), &first);
        let ends = LastRows::of(&engine.unwrap(), vec![task(moved(step)), task(moved(-step))]);
        let quotient: Vec<f64> =
            ends[0].iter().zip(&ends[1]).map(|(a, b)| (a - b) / (2.0 * step)).collect();
        for k in [1, n] {
            let vectors = [direction.as_slice(), &generic((k - 1) * n, 5.0)].concat();
            let task = task([start.as_slice(), &vectors].concat());
            let varied = Vec::new();
            let engine =
                Engine::with_tangents(&model, varied, columns.clone(), plain.clone(), &task, k);
            let rows = LastRows::of(&engine.unwrap(), vec![task]);
            let row = TangentRow::new(&rows[0], k, n);
            if k == n {
                let sum: f64 = row.logarithms.iter().sum();
                assert!((sum - row.divergence).abs() < 1e-9, "{name}: {sum} {}", row.divergence);
            }
            let found = first_vector(&rows[0], k, n);
            let size = quotient.iter().fold(0.0, |size: f64, entry| size.max(entry.abs()));
            for (found, expected) in found.iter().zip(&quotient) {
                assert!((found - expected).abs() < 1e-6 * size, "{name}: {found} {expected}");
            }
        }
    }
}
