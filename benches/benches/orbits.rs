//! Orbit diagrams of the driven pendulum and the turnover map of the double pendulum, on one core.
//!
//! `cargo bench -p catena-benches --bench orbits [-- [--json] [TABLE ...]]`

use catena::ensemble::{
    Axis, DeviceChoice, Grid, Measure as Kept, Schedule, Statistic, Sweep, SweepOptions,
};
use catena::formulation::OptionValues;
use catena::integrator::Options;
use catena::{formulation, integrator};
use catena_benches::case::ready;
use catena_benches::command::{self, Measure};
use catena_benches::table::{Cell, Table};
use catena_compile::InstructionSet;
use std::f64::consts::PI;
use std::time::Instant;

/// Values of the drive, and periods of each, one half of which is kept.
const VALUES: usize = 1000;
const PERIODS: usize = 1000;
/// The same where the state is carried along: one motion after the other.
const CARRIED_VALUES: usize = 100;
/// Starts along each side of the map, and how long each may take, s.
const SIDE: usize = 200;
const T_END: f64 = 30.0;

const TABLES: [(&str, Measure); 2] = [("orbits", orbits), ("turnover", turnover)];

fn main() {
    command::main(&TABLES, Vec::new);
}

/// Seconds that a diagram takes, doublings included.
fn diagram(branches: &str, values: usize) -> f64 {
    let model = ready("driven-pendulum");
    let (over, half) = (format!("drive=1:1.5:{values}"), (PERIODS / 2).to_string());
    let options = [
        ("over", over.as_str()),
        ("branches", branches),
        ("transient", half.as_str()),
        ("keep", half.as_str()),
    ];
    let began = Instant::now();
    let answer = catena::ask("bifurcation", &model, &options).expect("a diagram");
    assert!(answer.shortfall.is_none(), "{:?}", answer.shortfall);
    began.elapsed().as_secs_f64()
}

fn orbits() -> Table {
    let row = |name: &str, values: usize| {
        let seconds = diagram(name, values);
        Cell::row(name, &[values as f64, seconds, seconds / values as f64 * 1e3])
    };
    Table {
        title: "orbit diagram of the driven pendulum, 1000 periods for each value, one core, doublings included",
        columns: &["branch", "values", "time, s", "time per value, ms"],
        rows: vec![row("rest", VALUES), row("up", CARRIED_VALUES)],
    }
}

fn turnover() -> Table {
    let model = ready("double-pendulum");
    let options = SweepOptions {
        formulation: formulation::find("minimal").expect("a formulation"),
        formulation_options: OptionValues::default(),
        integrator: integrator::find("dop853").expect("an integrator"),
        integration: Options { rtol: 1e-6, atol: 1e-9, ..Options::default() },
        schedule: Schedule::of_numbers(T_END, None, None),
        instruction_set: InstructionSet::best(),
        device: DeviceChoice::Processor,
    };
    let axes = ["theta1", "theta2"].map(|name| Axis::linear(name, -PI, PI, SIDE)).to_vec();
    let time = Kept { statistic: Statistic::Time, column: "turnover".into() };
    let sweep = Sweep::new(&model, Grid { axes }, vec![time], options).expect("a sweep");
    let began = Instant::now();
    let block = sweep.worker().run(0..sweep.len(), &|| false).expect("nobody cancels");
    let seconds = began.elapsed().as_secs_f64();
    let never = block.values.iter().filter(|value| value.is_nan()).count();
    let cells = (SIDE * SIDE) as f64;
    Table {
        title: "time until a rod of the double pendulum turns over, up to 30 s at 1e-6, one core",
        columns: &["map", "time, s", "cells a second", "never, %"],
        rows: vec![Cell::row(
            "200 × 200",
            &[seconds, cells / seconds, 100.0 * never as f64 / cells],
        )],
    }
}
