//! Measures of chaos: the whole Lyapunov spectra of many starts on one core.
//!
//! `cargo bench -p catena-benches --bench chaos [-- [--json] [TABLE ...]]`

use catena::ensemble::{
    DeviceChoice, Engine, Schedule, SweepOptions, TangentRow, Task, Times, Workload,
};
use catena::formulation::OptionValues;
use catena::integrator::Options;
use catena::{formulation, integrator};
use catena_benches::case::ready;
use catena_benches::command::{self, Measure};
use catena_benches::stopwatch::in_turn;
use catena_benches::table::{Cell, Table};
use catena_compile::InstructionSet;

const ROUNDS: usize = 3;
/// Starts of the double pendulum: both rods level, the upper one turned by so much at most, rad.
const STARTS: usize = 64;
const SPREAD: f64 = 0.1;
/// Simulated time of each, s.
const T_END: f64 = 1000.0;
/// Components of a state, and tangent vectors.
const SIZE: usize = 4;

const TABLES: [(&str, Measure); 1] = [("exponents", exponents)];

fn main() {
    command::main(&TABLES, Vec::new);
}

/// All starts one after the other; of each the energy at both ends and the growth of all vectors.
struct Spectra {
    begun: usize,
    /// In every place: the start, and whether a row was seen.
    places: Vec<(usize, bool)>,
    energies: Vec<[f64; 2]>,
    growth: Vec<[f64; SIZE]>,
}

impl Spectra {
    fn run(engine: &Engine) -> Spectra {
        let mut spectra = Spectra {
            begun: 0,
            places: vec![(0, false); engine.lanes()],
            energies: vec![[0.0; 2]; STARTS],
            growth: vec![[0.0; SIZE]; STARTS],
        };
        engine.runner().run(&mut spectra, &|| false);
        spectra
    }

    /// The largest change of an energy, J.
    fn energy_error(&self) -> f64 {
        self.energies.iter().map(|[first, last]| (last - first).abs()).fold(0.0, f64::max)
    }

    /// The mean of the largest exponents, 1/s.
    fn exponent(&self) -> f64 {
        self.growth.iter().map(|growth| growth[0]).sum::<f64>() / (STARTS as f64 * T_END)
    }
}

impl Workload for Spectra {
    fn next(&mut self, place: usize, task: &mut Task) -> bool {
        if self.begun == STARTS {
            return false;
        }
        self.places[place] = (self.begun, false);
        let level = std::f64::consts::FRAC_PI_2;
        let turned = SPREAD * self.begun as f64 / (STARTS - 1) as f64;
        task.start = Some(vec![level + turned, level, 0.0, 0.0]);
        task.times =
            Some(Times { t_start: 0.0, t_end: T_END, every: T_END, after: 0.0, step: None });
        self.begun += 1;
        true
    }

    fn row(&mut self, place: usize, _t: f64, columns: &[f64]) {
        let row = TangentRow::new(columns, SIZE, SIZE);
        let (start, seen) = &mut self.places[place];
        self.energies[*start][usize::from(*seen)] = row.columns[0];
        self.growth[*start].copy_from_slice(row.logarithms);
        *seen = true;
    }

    fn end(&mut self, _place: usize, outcome: Result<(), String>) {
        outcome.expect("it moves");
    }
}

/// Simulated seconds per second of one core, with all four exponents, beside the change of energy.
fn exponents() -> Table {
    let model = ready("double-pendulum");
    let mut rows = Vec::new();
    for tolerance in [1e-7, 1e-8, 1e-9, 1e-10] {
        let options = SweepOptions {
            formulation: formulation::find("minimal").expect("a formulation"),
            formulation_options: OptionValues::default(),
            integrator: integrator::find("dop853").expect("an integrator"),
            integration: Options {
                rtol: tolerance,
                atol: tolerance,
                max_steps: u64::MAX,
                ..Options::default()
            },
            schedule: Schedule::of_numbers(T_END, None, None),
            instruction_set: InstructionSet::best(),
            device: DeviceChoice::Processor,
        };
        let (columns, first) = (vec!["energy".to_owned()], Task::default());
        let engine =
            Engine::with_tangents(&model, Vec::new(), columns, options, &first, SIZE).expect("one");
        let found = Spectra::run(&engine);
        let [watch] = in_turn(ROUNDS, [&mut || drop(Spectra::run(&engine))]);
        let simulated = STARTS as f64 * T_END / watch.best();
        rows.push(Cell::row(
            &format!("dop853, {tolerance:e}"),
            &[watch.best(), simulated, found.energy_error(), found.exponent()],
        ));
    }
    Table {
        title: "four exponents of 64 double pendulums, 1000 s each, on one core",
        columns: &["what", "s", "simulated_s_per_s", "energy_error_J", "exponent_per_s"],
        rows,
    }
}
