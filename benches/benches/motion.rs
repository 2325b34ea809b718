//! Motion: a right-hand side beside one written by hand, compiling, integrations with their error, a whole process.
//!
//! `cargo bench -p catena-benches --bench motion [-- [--json] [TABLE ...]]`

use catena::Model;
use catena_benches::by_hand::Pendulum;
use catena_benches::case::{Case, build, difference, ready, rods, scattered};
use catena_benches::command::{self, Measure};
use catena_benches::evaluation::{nanoseconds, scattered_states, state_json};
use catena_benches::measurement::{COLUMNS, Measurement, ROUNDS, table_of_chain};
use catena_benches::stopwatch::Stopwatch;
use catena_benches::table::{Cell, Table, json_list};
use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const LINKS: usize = 20;
/// States that a right-hand side is evaluated at, one after the other.
const STATES: usize = 16;
/// Their time, s: the pivot of the triple pendulum moves.
const TIME: f64 = 0.3;
/// Largest difference to the right-hand side written by hand, beside the largest acceleration.
const AGREEMENT: f64 = 1e-10;

/// Every table: the name that the command line and `--json` use, and how it is measured.
const TABLES: [(&str, Measure); 5] = [
    ("right_hand_side", right_hand_side),
    ("compile", compile),
    ("chain", chain),
    ("four_bar", four_bar),
    ("process", process),
];

fn main() {
    command::main(&TABLES, || {
        let states = [state("triple-pendulum", 3), state("chain", LINKS)];
        vec![
            format!(r#""states": [{}]"#, states.join(", ")),
            format!(r#""tip": {}"#, json_list(&falling_chain().reference())),
        ]
    });
}

fn model(name: &str) -> Model {
    if name == "chain" { rods(LINKS) } else { ready(name) }
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
    let states = scattered_states(links, STATES);
    let (mut ours, mut theirs) = (vec![0.0; 2 * links], vec![0.0; 2 * links]);
    let mut apart = 0.0_f64;
    for y in &states {
        compiled.derivative(TIME, y, &mut ours).expect("a motion");
        by_hand(TIME, y, &mut theirs);
        apart = apart.max(difference(&ours, &theirs));
    }
    assert!(apart < AGREEMENT, "{name}: {apart:e} from the one written by hand");
    // a lap is short, so that some fall between the disturbances
    let passes = (8000 / (links * STATES)).max(1);
    let [catena, hand] = nanoseconds(
        50 * ROUNDS,
        passes,
        STATES,
        |at| {
            let y = black_box(&states[at]);
            let _ = black_box(compiled.derivative(black_box(TIME), y, &mut ours));
        },
        |at| by_hand(black_box(TIME), black_box(&states[at]), black_box(&mut theirs)),
    );
    Cell::row(name, &[links as f64, catena, hand, catena / hand, apart])
}

/// The state that other programs check with.
fn state(name: &str, links: usize) -> String {
    let y = scattered(links, 0);
    let mut rate = vec![0.0; 2 * links];
    build(&model(name), "minimal").derivative(TIME, &y, &mut rate).expect("a motion");
    state_json(&format!(r#""system": {name:?}, "t": {TIME}"#), &y, &rate[links..])
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
    let methods = [
        ("dopri5", 1e-4),
        ("dopri5", 1e-5),
        ("dopri5", 1e-9),
        ("dopri5", 1e-10),
        ("dop853", 1e-9),
        ("dop853", 1e-10),
        ("dop853", 1e-11),
        ("dop853", 1e-12),
        ("dop853", 1e-13),
    ];
    let title = "20 rods fall from the horizontal for 5 s; error of the tip at 1 s, m";
    table_of_chain(title, &mut falling_chain(), &methods)
}

fn falling_chain() -> Case {
    Case::new(rods(LINKS), "minimal", 5.0)
}

/// A closed loop.
fn four_bar() -> Table {
    let mut linkage = Case::new(ready("four-bar"), "multipliers", 10.0);
    let mut measurement = Measurement::new("dop853", 1e-9);
    for _ in 0..ROUNDS {
        measurement.lap(&mut linkage);
    }
    Table {
        title: "four-bar linkage by `multipliers`, 10 s",
        columns: &COLUMNS[..COLUMNS.len() - 1],
        rows: vec![measurement.row()],
    }
}

/// The command line, from its start to the file, with and without the second run that estimates the error.
fn process() -> Table {
    let file = std::env::temp_dir().join(format!("catena-bench-{}.csv", std::process::id()));
    let arguments: [&[&str]; 2] = [&[], &["--no-certify"]];
    let mut watches = [Stopwatch::default(), Stopwatch::default()];
    match binary() {
        None => eprintln!("process: skipped, first cargo build --release -p catena-cli"),
        Some(binary) => {
            for _ in 0..ROUNDS {
                for (arguments, watch) in arguments.iter().zip(&mut watches) {
                    let mut command = Command::new(&binary);
                    command.args(["run", "double-pendulum", "-o"]).arg(&file).args(*arguments);
                    command.stdout(Stdio::null()).stderr(Stdio::null());
                    let status = watch.lap(|| command.status());
                    assert!(status.is_ok_and(|status| status.success()), "{command:?} failed");
                }
            }
        }
    }
    for written in [file.clone(), file.with_extension("events.csv")] {
        let _ = std::fs::remove_file(written);
    }
    let row = |(arguments, watch): (&&[&str], &Stopwatch)| {
        let command = format!("double-pendulum {}", arguments.join(" "));
        Cell::row(command.trim_end(), &[watch.best() * 1e3, watch.median() * 1e3])
    };
    Table {
        title: "a process, from its start to the file: catena run double-pendulum -o FILE.csv",
        columns: &["system", "best_ms", "median_ms"],
        rows: arguments.iter().zip(&watches).map(row).collect(),
    }
}

/// The command line of the same target folder: cargo puts benches into `deps` beside it.
fn binary() -> Option<PathBuf> {
    let bench = std::env::current_exe().ok()?;
    let binary = bench.parent()?.parent()?.join(format!("catena{}", std::env::consts::EXE_SUFFIX));
    binary.exists().then_some(binary)
}
