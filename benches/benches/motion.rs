//! Motion: a right-hand side beside one written by hand, compiling, integrations with their error, a whole process.
//!
//! `cargo bench -p catena-benches --bench motion [-- [--json] [TABLE ...]]`

use catena::formulation::{self, Formulation, OptionValues, Subject};
use catena::integrator::{self, Breakdown, FirstOrderSystem, Options, Partition};
use catena::integrator::{Statistics, Tangent};
use catena::{Model, RunRequest, Setting};
use catena_benches::by_hand::Pendulum;
use catena_benches::stopwatch::Stopwatch;
use catena_benches::table::{Cell, Table, json_list};
use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const LINKS: usize = 20;
/// Everything that is compared is measured in turn, this many times.
const ROUNDS: usize = 20;
/// States that a right-hand side is evaluated at, one after the other.
const STATES: usize = 16;
/// Their time, s: the pivot of the triple pendulum moves.
const TIME: f64 = 0.3;
/// Largest difference to the right-hand side written by hand, beside the largest acceleration.
const AGREEMENT: f64 = 1e-10;
/// The tip is compared at this time, s, with `dop853` at this tolerance.
const COMPARED_AT: f64 = 1.0;
const REFERENCE: f64 = 1e-14;

type Measure = fn() -> Table;

/// Every table: the name that the command line and `--json` use, and how it is measured.
const TABLES: [(&str, Measure); 5] = [
    ("right_hand_side", right_hand_side),
    ("compile", compile),
    ("chain", chain),
    ("four_bar", four_bar),
    ("process", process),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let named: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    if let Some(unknown) = named.iter().find(|name| !TABLES.iter().any(|table| table.0 == **name)) {
        eprintln!("there is no table `{unknown}`: {}", TABLES.map(|table| table.0).join(", "));
        std::process::exit(2);
    }
    let mut fields = Vec::new();
    for (name, measure) in TABLES {
        if !named.is_empty() && !named.contains(&name) {
            continue;
        }
        let table = measure();
        match json {
            true => fields.push(format!("{name:?}: {}", table.json())),
            false => println!("{}", table.text()),
        }
    }
    if json {
        let states = [state_json("triple-pendulum", 3), state_json("chain", LINKS)];
        fields.push(format!(r#""states": [{}]"#, states.join(", ")));
        fields.push(format!(r#""tip": {}"#, json_list(&reference(&mut falling_chain()))));
        println!("{{{}}}", fields.join(",\n"));
    }
}

fn model(name: &str) -> Model {
    let settings = match name {
        "chain" => vec![Setting(format!("links={LINKS}"))],
        _ => vec![],
    };
    catena::load(name, &settings).expect("ready systems are right")
}

/// The compiled equations of a model: all that is known here of how they are made.
fn build(model: &Model, formulation: &str) -> Box<dyn Formulation> {
    let entry = formulation::find(formulation).expect("a formulation");
    (entry.build)(Subject::new(entry, model, OptionValues::default()))
}

/// One evaluation of (q̇, v̇): Catena's and the loop written by hand, in turn.
fn right_hand_side() -> Table {
    // masses and lengths are data for Catena, so the compiler must not see them here either
    let (triple, rods) = black_box((Pendulum::<3>::triple(), Pendulum::<LINKS>::rods()));
    Table {
        title: "one right-hand side, `minimal`, beside the same written by hand",
        columns: &["system", "links", "catena_ns", "by_hand_ns", "ratio", "difference"],
        rows: vec![
            beside("triple-pendulum", 3, |t, y, rate| triple.derivative(t, y, rate)),
            beside("chain", LINKS, |t, y, rate| rods.derivative(t, y, rate)),
        ],
    }
}

fn beside(name: &str, links: usize, by_hand: impl Fn(f64, &[f64], &mut [f64])) -> Vec<Cell> {
    let mut compiled = build(&model(name), "minimal");
    let states: Vec<Vec<f64>> = (0..STATES).map(|seed| state(links, seed)).collect();
    let (mut ours, mut theirs) = (vec![0.0; 2 * links], vec![0.0; 2 * links]);
    let mut difference = 0.0_f64;
    for y in &states {
        compiled.derivative(TIME, y, &mut ours).expect("a motion");
        by_hand(TIME, y, &mut theirs);
        let largest = theirs.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        for (a, b) in ours.iter().zip(&theirs) {
            difference = difference.max((a - b).abs() / largest);
        }
    }
    assert!(difference < AGREEMENT, "{name}: {difference:e} from the one written by hand");
    // a lap is short, so that some fall between the disturbances
    let (mut catena, mut hand) = (Stopwatch::default(), Stopwatch::default());
    let passes = (8000 / (links * STATES)).max(1);
    for _ in 0..50 * ROUNDS {
        catena.lap(|| {
            for y in std::iter::repeat_n(&states, passes).flatten() {
                let _ = black_box(compiled.derivative(black_box(TIME), black_box(y), &mut ours));
            }
        });
        hand.lap(|| {
            for y in std::iter::repeat_n(&states, passes).flatten() {
                by_hand(black_box(TIME), black_box(y), black_box(&mut theirs));
            }
        });
    }
    let [catena, hand] = [catena, hand].map(|watch| watch.best() * 1e9 / (passes * STATES) as f64);
    Cell::row(name, &[links as f64, catena, hand, catena / hand, difference])
}

/// Angles within ±3.1 and rates within ±3, scattered.
fn state(links: usize, seed: usize) -> Vec<f64> {
    let scattered = |k: usize| 2.0 * ((k + 1) as f64 * 0.618_033_988_749_894_9).fract() - 1.0;
    let angles = (0..links).map(|i| 3.1 * scattered(41 * seed + i));
    let rates = (0..links).map(|i| 3.0 * scattered(41 * seed + 7 * i + 3));
    angles.chain(rates).collect()
}

/// A state with its accelerations: other programs check with it that they compute the same.
fn state_json(name: &str, links: usize) -> String {
    let y = state(links, 0);
    let mut rate = vec![0.0; 2 * links];
    build(&model(name), "minimal").derivative(TIME, &y, &mut rate).expect("a motion");
    let [q, v, accelerations] = [&y[..links], &y[links..], &rate[links..]].map(json_list);
    format!(
        r#"{{"system": {name:?}, "t": {TIME}, "q": {q}, "v": {v}, "accelerations": {accelerations}}}"#
    )
}

/// From the text of the model to functions that can be called.
fn compile() -> Table {
    let mut watch = Stopwatch::default();
    for _ in 0..ROUNDS {
        watch.lap(|| build(&model("chain"), "minimal"));
    }
    Table {
        title: "from the text of the model to compiled functions",
        columns: &["system", "links", "best_ms", "median_ms"],
        rows: vec![Cell::row("chain", &[LINKS as f64, watch.best() * 1e3, watch.median() * 1e3])],
    }
}

/// The chain falls for five seconds.
fn chain() -> Table {
    let mut chain = falling_chain();
    let reference = reference(&mut chain);
    let mut measurements = [
        ("dopri5", 1e-4),
        ("dopri5", 1e-5),
        ("dopri5", 1e-9),
        ("dopri5", 1e-10),
        ("dop853", 1e-9),
        ("dop853", 1e-10),
        ("dop853", 1e-11),
        ("dop853", 1e-12),
        ("dop853", 1e-13),
    ]
    .map(|(integrator, tolerance)| Measurement::new(integrator, tolerance));
    for _ in 0..ROUNDS {
        for measurement in &mut measurements {
            measurement.lap(&mut chain);
        }
    }
    let rows = measurements.iter().map(|measurement| {
        let end = chain.integrate(measurement.integrator, measurement.tolerance, COMPARED_AT).0;
        let [x, y] = tip(&end);
        measurement.row(&[(x - reference[0]).hypot(y - reference[1])])
    });
    Table {
        title: "20 rods fall from the horizontal for 5 s; error of the tip at 1 s, m",
        columns: &[
            "integrator",
            "tolerance",
            "alone_ms",
            "alone_median",
            "run_ms",
            "run_median",
            "steps",
            "rejected",
            "evaluations",
            "tip_error",
        ],
        rows: rows.collect(),
    }
}

fn falling_chain() -> Case {
    Case::new("chain", "minimal", 5.0)
}

/// Where the tip is, as well as we know it.
fn reference(chain: &mut Case) -> [f64; 2] {
    tip(&chain.integrate("dop853", REFERENCE, COMPARED_AT).0)
}

/// The end of a chain of rods of 1 m.
fn tip(y: &[f64]) -> [f64; 2] {
    let angles = &y[..LINKS];
    [angles.iter().map(|q| q.sin()).sum(), -angles.iter().map(|q| q.cos()).sum::<f64>()]
}

/// A closed loop.
fn four_bar() -> Table {
    let mut linkage = Case::new("four-bar", "multipliers", 10.0);
    let mut measurement = Measurement::new("dop853", 1e-9);
    for _ in 0..ROUNDS {
        measurement.lap(&mut linkage);
    }
    Table {
        title: "four-bar linkage by `multipliers`, 10 s",
        columns: &[
            "integrator",
            "tolerance",
            "alone_ms",
            "alone_median",
            "run_ms",
            "run_median",
            "steps",
            "rejected",
            "evaluations",
        ],
        rows: vec![measurement.row(&[])],
    }
}

/// A model with its compiled equations and its start.
struct Case {
    model: Model,
    formulation: &'static str,
    motion: Motion,
    start: Vec<f64>,
    /// s
    t_end: f64,
}

impl Case {
    fn new(name: &str, formulation: &'static str, t_end: f64) -> Case {
        let model = model(name);
        let motion = Motion(build(&model, formulation));
        let mut case = Case { model, formulation, motion, start: vec![], t_end };
        let start = case.run("dopri5", 1e-3).start;
        case.start = [start.q, start.v].concat();
        case
    }

    /// The integration alone: no rows, no certificate.
    fn integrate(&mut self, method: &str, tolerance: f64, t_end: f64) -> (Vec<f64>, Statistics) {
        let options = Options { rtol: tolerance, atol: tolerance, ..Options::default() };
        let mut integrator = (integrator::find(method).expect("an integrator").build)(&options);
        integrator.begin(&mut self.motion, 0.0, &self.start, t_end).expect("a start");
        while integrator.time() < t_end {
            integrator.step(&mut self.motion).expect("a step");
        }
        (integrator.state().to_vec(), integrator.statistics())
    }

    /// All of it: equations, compiling, rows, certificate.
    fn run(&self, integrator: &str, tolerance: f64) -> catena::simulation::Run {
        let request = RunRequest {
            formulation: Some(self.formulation.to_owned()),
            integrator: Some(integrator.to_owned()),
            rtol: Some(tolerance),
            atol: Some(tolerance),
            t_end: Some(self.t_end),
            ..RunRequest::default()
        };
        catena::run(&self.model, &request).expect("ready systems run")
    }
}

/// How long a method takes.
struct Measurement {
    integrator: &'static str,
    tolerance: f64,
    alone: Stopwatch,
    run: Stopwatch,
    statistics: Statistics,
}

impl Measurement {
    fn new(integrator: &'static str, tolerance: f64) -> Measurement {
        let (alone, run) = (Stopwatch::default(), Stopwatch::default());
        Measurement { integrator, tolerance, alone, run, statistics: Statistics::default() }
    }

    fn lap(&mut self, case: &mut Case) {
        let (integrator, tolerance, t_end) = (self.integrator, self.tolerance, case.t_end);
        self.statistics = self.alone.lap(|| case.integrate(integrator, tolerance, t_end)).1;
        self.run.lap(|| case.run(integrator, tolerance));
    }

    fn row(&self, more: &[f64]) -> Vec<Cell> {
        let [alone, run] =
            [&self.alone, &self.run].map(|watch| [watch.best() * 1e3, watch.median() * 1e3]);
        let Statistics { steps, rejected, evaluations, .. } = self.statistics;
        let counts = [steps, rejected, evaluations].map(|count| count as f64);
        Cell::row(self.integrator, &[&[self.tolerance], &alone[..], &run, &counts, more].concat())
    }
}

/// A formulation as a first-order system.
struct Motion(Box<dyn Formulation>);

impl FirstOrderSystem for Motion {
    fn len(&self) -> usize {
        self.0.state_len()
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.0.derivative(t, y, rate)
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.0.jacobian(t, y, tangent, jacobian)
    }

    fn after_step(&mut self, _: f64, _: &mut [f64]) -> Result<bool, Breakdown> {
        Ok(false)
    }

    fn partition(&self) -> Option<Partition> {
        None
    }
}

/// The command line, from its start to the file.
fn process() -> Table {
    let mut watch = Stopwatch::default();
    let file = std::env::temp_dir().join(format!("catena-bench-{}.csv", std::process::id()));
    match binary() {
        None => eprintln!("process: skipped, first cargo build --release -p catena-cli"),
        Some(binary) => {
            let mut command = Command::new(binary);
            command.args(["run", "double-pendulum", "-o"]).arg(&file);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            for _ in 0..ROUNDS {
                let status = watch.lap(|| command.status());
                assert!(status.is_ok_and(|status| status.success()), "{command:?} failed");
            }
        }
    }
    for written in [file.clone(), file.with_extension("events.csv")] {
        let _ = std::fs::remove_file(written);
    }
    Table {
        title: "a process, from its start to the file: catena run double-pendulum -o FILE.csv",
        columns: &["system", "best_ms", "median_ms"],
        rows: vec![Cell::row("double-pendulum", &[watch.best() * 1e3, watch.median() * 1e3])],
    }
}

/// The command line of the same target folder: cargo puts benches into `deps` beside it.
fn binary() -> Option<PathBuf> {
    let bench = std::env::current_exe().ok()?;
    let binary = bench.parent()?.parent()?.join(format!("catena{}", std::env::consts::EXE_SUFFIX));
    binary.exists().then_some(binary)
}
