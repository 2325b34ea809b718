//! Many trajectories: steps in lanes beside a loop written by hand and beside one trajectory at a time, accurate sweeps, long
//! chains, two threads.
//!
//! `cargo bench -p catena-benches --bench sweeps [-- [--json] [TABLE ...]]`

use catena::ensemble::{
    Axis, DeviceChoice, Grid, Measure as Kept, Schedule, Statistic, Sweep, SweepOptions,
};
use catena::formulation::{FormulationInput, OptionValues};
use catena::integrator::Options;
use catena::{Model, formulation, integrator};
use catena_benches::by_hand_lanes::{LANES, TripleLanes};
use catena_benches::case::{Case, ready, rods};
use catena_benches::command::{self, Measure};
use catena_benches::stopwatch::{Stopwatch, in_turn};
use catena_benches::table::{Cell, Table};
use catena_compile::{Aligned, InstructionSet, LaneKernel};
use std::hint::black_box;
use std::sync::Barrier;
use std::time::Instant;

const ROUNDS: usize = 60;
/// Trajectories of a lap, s of each, and their step.
const CELLS: usize = 16;
/// Trajectories that choose their steps: many to a lane, as in any sweep.
const FREE_CELLS: usize = 64;
const T_END: f64 = 10.0;
const STEP: f64 = 0.01;
/// Links of the chain.
const LINKS: usize = 20;
/// Starts of the upper rod, rad.
const STARTS: [f64; 2] = [0.1, 1.0];

const TABLES: [(&str, Measure); 4] =
    [("steps", steps), ("accurate", accurate), ("chain", chain), ("threads", threads)];

fn main() {
    command::main(&TABLES, || {
        let last = reference();
        vec![format!(r#""last": {}"#, catena_benches::table::json_list(&last))]
    });
}

/// A sweep over the first angle that keeps all angles at the end.
fn sweep(
    model: &Model,
    formulation: &str,
    integrator: &str,
    (integration, step): (Options, Option<f64>),
    set: InstructionSet,
    cells: usize,
) -> Sweep {
    let options = SweepOptions {
        formulation: formulation::find(formulation).expect("a formulation"),
        formulation_options: OptionValues::default(),
        integrator: integrator::find(integrator).expect("an integrator"),
        integration,
        schedule: Schedule::of_numbers(T_END, None, step),
        instruction_set: set,
        device: DeviceChoice::Processor,
    };
    let names = model.own.coordinates.iter().map(|coordinate| coordinate.name.clone());
    let measures = names.map(|column| Kept { statistic: Statistic::Last, column }).collect();
    let axis = Axis::linear(&model.own.coordinates[0].name, STARTS[0], STARTS[1], cells);
    Sweep::new(model, Grid { axes: vec![axis] }, measures, options).expect("a sweep")
}

fn values(sweep: &Sweep) -> Vec<f64> {
    sweep.worker().run(0..sweep.len(), &|| false).expect("nobody cancels").values
}

/// Classical Runge–Kutta steps of the shaken triple pendulum, millions per second and core.
fn steps() -> Table {
    let model = ready("triple-pendulum");
    let per_lap = CELLS as f64 * T_END / STEP;
    let sets: Vec<InstructionSet> =
        InstructionSet::ALL.into_iter().filter(|set| set.is_available()).collect();
    let rk4 = |set| sweep(&model, "minimal", "rk4", (Options::default(), Some(STEP)), set, CELLS);
    let sweeps: Vec<Sweep> = sets.iter().map(|&set| rk4(set)).collect();
    let mut workers: Vec<_> = sweeps.iter().map(Sweep::worker).collect();
    let mut watches = vec![Stopwatch::default(); sets.len()];
    let by_hand = black_box(TripleLanes::ready());
    let mut alone = Case::new(model.clone(), "minimal", T_END);
    let [mut hand, mut scalar] = [Stopwatch::default(), Stopwatch::default()];
    for _ in 0..ROUNDS {
        for (worker, watch) in workers.iter_mut().zip(&mut watches) {
            watch.lap(|| worker.run(0..CELLS as u64, &|| false));
        }
        hand.lap(|| {
            for _ in 0..CELLS / LANES {
                let mut y = black_box([[0.3; LANES]; 6]);
                by_hand.steps(&mut y, STEP, (T_END / STEP) as usize);
                black_box(y);
            }
        });
        scalar.lap(|| alone.integrate_evenly("rk4", STEP).expect("it moves"));
    }
    let time = |steps: f64, watch: &Stopwatch| watch.best() / steps * 1e9;
    let scalar = time(T_END / STEP, &scalar);
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut push = |name: &str, nanoseconds: f64| {
        rows.push(Cell::row(name, &[nanoseconds, 1e3 / nanoseconds, scalar / nanoseconds]));
    };
    for (set, watch) in sets.iter().zip(&watches) {
        push(&format!("lanes, {}", set.name()), time(per_lap, watch));
    }
    push("by hand, 8 lanes", time(per_lap, &hand));
    push("one trajectory at a time", scalar);
    Table {
        title: "rk4 steps of the shaken triple pendulum on one core",
        columns: &["what", "step_ns", "million_steps_per_s", "beside_one_at_a_time"],
        rows,
    }
}

/// Ends of the trajectories of [`accurate`], nearly exact.
fn reference() -> Vec<f64> {
    let options = Options { rtol: 1e-14, atol: 1e-14, ..Options::default() };
    let model = ready("triple-pendulum");
    values(&sweep(&model, "minimal", "dop853", (options, None), InstructionSet::best(), FREE_CELLS))
}

/// Simulated seconds per second of one core, with the largest error of an angle at the end.
fn accurate() -> Table {
    let (model, exact) = (ready("triple-pendulum"), reference());
    let mut rows = Vec::new();
    for (method, tolerance) in
        [("dopri5", 1e-9), ("dop853", 1e-9), ("dop853", 5e-10), ("taylor", 5e-9), ("taylor", 1e-9)]
    {
        let options = Options { rtol: tolerance, atol: tolerance, ..Options::default() };
        let best = InstructionSet::best();
        let sweep = sweep(&model, "minimal", method, (options, None), best, FREE_CELLS);
        let found = values(&sweep);
        let apart = found.iter().zip(&exact).map(|(a, b)| (a - b).abs());
        let error = apart.fold(0.0, f64::max);
        let mut worker = sweep.worker();
        let [watch] = in_turn(
            ROUNDS,
            [&mut || {
                black_box(worker.run(0..sweep.len(), &|| false));
            }],
        );
        let simulated = FREE_CELLS as f64 * T_END / watch.best();
        rows.push(Cell::row(method, &[tolerance, watch.best() * 1e3, simulated, error]));
    }
    Table {
        title: "the shaken triple pendulum, 10 s from rest, adaptive steps in lanes",
        columns: &["integrator", "tolerance", "lap_ms", "simulated_s_per_s", "error"],
        rows,
    }
}

/// One evaluation of the rate of a chain, in lanes: alone, and in the steps of a sweep.
fn chain() -> Table {
    let model = rods(LINKS);
    let entry = formulation::find("recursive").expect("a formulation");
    let subject = FormulationInput::new(entry, &model, OptionValues::default());
    let line = (entry.rhs_program)(&subject).expect("chains have one");
    let (_, rate) = line.rate_program().fused().hoisted("parameters");
    let mut rows = Vec::new();
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let rk4 = (Options::default(), Some(STEP));
        let sweep = sweep(&model, "recursive", "rk4", rk4, set, CELLS);
        let mut worker = sweep.worker();
        let kernel = LaneKernel::new(&rate, set);
        let [mut inputs, mut outputs, mut scratch] =
            [kernel.input_len(), kernel.output_len(), kernel.scratch_len()].map(Aligned::zeros);
        let lanes = kernel.lanes();
        // states that are all different, and parameters of 1 kg and 1 m
        for (at, input) in inputs.iter_mut().enumerate() {
            *input = if at < (1 + 2 * LINKS) * lanes { 0.1 * (at % 31) as f64 } else { 1.0 };
        }
        let calls = 1000;
        let [alone, step] = in_turn(
            ROUNDS,
            [
                &mut || {
                    for _ in 0..calls {
                        kernel.run(black_box(&inputs), &mut outputs, &mut scratch);
                    }
                },
                &mut || {
                    black_box(worker.run(0..CELLS as u64, &|| false));
                },
            ],
        );
        let evaluations = CELLS as f64 * 4.0 * T_END / STEP;
        let alone = alone.best() / (calls * lanes) as f64;
        rows.push(Cell::row(set.name(), &[alone * 1e6, step.best() / evaluations * 1e6]));
    }
    Table {
        title: "a chain of 20 rods under `recursive`: an evaluation of one state in lanes, alone and in rk4 steps with all around it",
        columns: &["lanes", "alone_us", "in_steps_us"],
        rows,
    }
}

/// What two threads do beside one, and what a loop that needs nothing but registers does.
fn threads() -> Table {
    let model = ready("triple-pendulum");
    let rk4 = (Options::default(), Some(STEP));
    let sweep = sweep(&model, "minimal", "rk4", rk4, InstructionSet::best(), 8 * CELLS);
    let len = sweep.len();
    let sweeping = |threads: u64| {
        together(threads, |thread| {
            let mut worker = sweep.worker();
            let part = len / threads;
            move || {
                black_box(worker.run(thread * part..(thread + 1) * part, &|| false));
            }
        })
    };
    let spinning = |threads: u64| {
        together(threads, |_| {
            move || {
                let mut x = [black_box(1.0_f64); 8];
                for _ in 0..8_000_000 / threads {
                    for (i, x) in x.iter_mut().enumerate() {
                        *x = *x * 0.999_999 + i as f64;
                    }
                }
                black_box(x);
            }
        })
    };
    let mut best = [f64::INFINITY; 4];
    for _ in 0..20 {
        let round = [sweeping(1), sweeping(2), spinning(1), spinning(2)];
        best.iter_mut().zip(round).for_each(|(best, seconds)| *best = best.min(seconds));
    }
    let (gain, bound) = (best[0] / best[1], best[2] / best[3]);
    Table {
        title: "two threads beside one",
        columns: &["what", "times_faster"],
        rows: vec![
            Cell::row("a sweep", &[gain]),
            Cell::row("a loop in registers", &[bound]),
            Cell::row("the sweep's part of it", &[gain / bound]),
        ],
    }
}

/// Seconds until all threads have done their part, once all are prepared.
fn together<F: FnMut()>(threads: u64, prepare: impl Fn(u64) -> F + Sync) -> f64 {
    let barrier = Barrier::new(threads as usize);
    std::thread::scope(|scope| {
        let (barrier, prepare) = (&barrier, &prepare);
        let run = move |thread: u64| {
            let mut run = prepare(thread);
            barrier.wait();
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        };
        let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || run(thread))).collect();
        let own = run(0);
        others.into_iter().fold(own, |most, other| most.max(other.join().expect("it runs")))
    })
}
