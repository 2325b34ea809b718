//! Formulations: one evaluation by the number of links, integrations of a chain, and a published table run again.
//!
//! `cargo bench -p catena-benches --bench formulations [-- [--json] [TABLE ...]]`

use catena::analysis::exponent;
use catena::formulation::Formulation;
use catena::{Model, RunSettings};
use catena_benches::by_hand_sweep::Rods;
use catena_benches::case::{COMPARED_AT, Case, build, difference, distance, rods, scattered};
use catena_benches::command::{self, Measure};
use catena_benches::evaluation::{nanoseconds, scattered_states, state_json};
use catena_benches::measurement::{ROUNDS, table_of_chain};
use catena_benches::stopwatch::Stopwatch;
use catena_benches::table::{Cell, Table, json_list};
use std::hint::black_box;
use std::time::Instant;

/// Lengths at which `recursive` stands beside the sweep written by hand; exponents are fitted from the second on.
const SWEPT: [usize; 4] = [3, 20, 100, 1000];
/// Lengths at which formulations stand beside each other.
const COMPARED: [usize; 5] = [50, 100, 200, 400, 800];
/// The mass matrix of more links takes longer to derive than all the rest of this bench.
const MOST_FOR_MINIMAL: usize = 200;
/// States of a chain of this length, all of which pass through the caches, are evaluated one after the other.
const STATES: usize = 8;
/// Largest difference to the sweep written by hand, beside the largest acceleration.
const AGREEMENT: f64 = 1e-11;
/// The same of other formulations to `recursive`.
const AGREEMENT_OF_FORMULATIONS: f64 = 1e-7;
/// The chain that falls.
const LINKS: usize = 20;
const T_END: f64 = 5.0;
/// Error of the tip for which the loosest tolerance is looked for, m.
const WANTED: f64 = 1e-9;
/// The published table: lengths, tolerance, first step (s), distance of rows (s).
const PUBLISHED: [usize; 6] = [2, 4, 8, 16, 20, 40];
const PUBLISHED_TOLERANCE: f64 = 1e-2;
const PUBLISHED_STEP: f64 = 1e-4;

/// Every table: the name that the command line and `--json` use, and how it is measured.
const TABLES: [(&str, Measure); 4] = [
    ("sweep", sweep),
    ("formulations", formulations),
    ("integration", integration),
    ("published", published),
];

fn main() {
    command::main(&TABLES, || {
        let states = SWEPT.map(state).join(",\n");
        let tips = PUBLISHED.map(|links| {
            let tip = json_list(&Case::new(rods(links), "recursive", T_END).reference());
            format!(r#"{{"links": {links}, "tip": {tip}}}"#)
        });
        vec![format!(r#""states": [{states}]"#), format!(r#""tips": [{}]"#, tips.join(", "))]
    });
}

/// The state that other programs check with.
fn state(links: usize) -> String {
    let y = scattered(links, 0);
    let mut chain = Chain::new(&rods(links), "recursive", std::slice::from_ref(&y));
    chain.evaluate(0);
    state_json(&format!(r#""links": {links}"#), &y, &chain.angular())
}

/// A formulation of a chain, and its states.
struct Chain {
    formulation: Box<dyn Formulation>,
    links: usize,
    states: Vec<Vec<f64>>,
    rate: Vec<f64>,
    /// Time to derive and compile, s.
    preparation: f64,
}

impl Chain {
    /// `states` are angles and their rates.
    fn new(model: &Model, name: &str, states: &[Vec<f64>]) -> Chain {
        let began = Instant::now();
        let mut formulation = build(model, name);
        let preparation = began.elapsed().as_secs_f64();
        let links = states[0].len() / 2;
        let sizes = formulation.evaluator().sizes();
        let packed = |state: &Vec<f64>| {
            let (angles, rates) = state.split_at(links);
            let mut y = vec![0.0; formulation.state_len()];
            match sizes.coordinates == links {
                true => formulation.pack(angles, rates, &[], &mut y),
                false => {
                    let (q, v) = placed(angles, rates);
                    formulation.pack(&q, &v, &[], &mut y);
                }
            }
            y
        };
        let states = states.iter().map(packed).collect();
        let rate = vec![0.0; formulation.state_len()];
        Chain { formulation, links, states, rate, preparation }
    }

    fn evaluate(&mut self, state: usize) {
        let y = black_box(&self.states[state]);
        black_box(self.formulation.derivative(black_box(0.0), y, &mut self.rate))
            .expect("a motion");
    }

    fn evaluate_all(&mut self) {
        (0..self.states.len()).for_each(|state| self.evaluate(state));
    }

    /// The accelerations of the links' angles that the last evaluation found.
    fn angular(&self) -> Vec<f64> {
        let accelerations = self.formulation.accelerations();
        accelerations
            .chunks_exact(accelerations.len() / self.links)
            .map(|link| link[link.len() - 1])
            .collect()
    }
}

/// The centres of rods of 1 m with their angles, as x, y, θ of each, and the rates of all that.
fn placed(angles: &[f64], rates: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut v) = (Vec::new(), Vec::new());
    let (mut end, mut velocity) = ([0.0, 0.0], [0.0, 0.0]);
    for (angle, rate) in angles.iter().zip(rates) {
        let (sin, cos) = angle.sin_cos();
        let (half, turn) = ([sin / 2.0, -cos / 2.0], [rate * cos / 2.0, rate * sin / 2.0]);
        q.extend([end[0] + half[0], end[1] + half[1], *angle]);
        v.extend([velocity[0] + turn[0], velocity[1] + turn[1], *rate]);
        for axis in 0..2 {
            end[axis] += 2.0 * half[axis];
            velocity[axis] += 2.0 * turn[axis];
        }
    }
    (q, v)
}

/// So many evaluations that a lap takes about 100 µs: short enough to fall between the disturbances.
fn passes(links: usize) -> usize {
    (2000 / (links * STATES)).max(1)
}

/// One evaluation of `recursive` and of the sweep written by hand, in turn.
fn sweep() -> Table {
    let mut rows = Vec::new();
    let (mut catena, mut hand) = (Vec::new(), Vec::new());
    for links in SWEPT {
        let states = scattered_states(links, STATES);
        let mut chain = Chain::new(&rods(links), "recursive", &states);
        let mut by_hand = black_box(Rods::new(links));
        let mut rate = vec![0.0; 2 * links];
        let mut apart = 0.0_f64;
        for (at, y) in states.iter().enumerate() {
            chain.evaluate(at);
            by_hand.derivative(y, &mut rate);
            apart = apart.max(difference(&chain.angular(), &rate[links..]));
        }
        assert!(apart < AGREEMENT, "{links} links: {apart:e} from the one written by hand");
        let [ours, theirs] = nanoseconds(
            100 * ROUNDS,
            passes(links),
            STATES,
            |at| chain.evaluate(at),
            |at| by_hand.derivative(black_box(&states[at]), black_box(&mut rate)),
        );
        if links > SWEPT[0] {
            catena.push((links as f64, ours));
            hand.push((links as f64, theirs));
        }
        let [growth, hands] = [&catena, &hand].map(|points| exponent(points).unwrap_or(f64::NAN));
        let figures = [links as f64, ours, theirs, ours / theirs, growth, hands, apart];
        rows.push(Cell::row("chain", &figures));
    }
    Table {
        title: "one evaluation of `recursive` beside a sweep written by hand; exponents from 20 links to the row's",
        columns: &[
            "system",
            "links",
            "catena_ns",
            "by_hand_ns",
            "ratio",
            "exponent",
            "by_hand_exponent",
            "difference",
        ],
        rows,
    }
}

/// One evaluation under several formulations, in turn.
fn formulations() -> Table {
    let names = ["recursive", "multipliers", "augmented-lagrangian", "minimal"];
    let mut points = names.map(|_| Vec::new());
    let mut rows = Vec::new();
    for links in COMPARED {
        let model = rods(links);
        let states = scattered_states(links, STATES);
        let fit = names.iter().filter(|name| **name != "minimal" || links <= MOST_FOR_MINIMAL);
        let mut chains: Vec<Chain> = fit.map(|name| Chain::new(&model, name, &states)).collect();
        let apart = agreement(&mut chains);
        let mut watches = vec![Stopwatch::default(); chains.len()];
        for _ in 0..20 * ROUNDS {
            for (chain, watch) in chains.iter_mut().zip(&mut watches) {
                watch.lap(|| chain.evaluate_all());
            }
        }
        for (at, (chain, watch)) in chains.iter().zip(&watches).enumerate() {
            let [best, beside] = [watch, &watches[0]].map(|w| w.best() * 1e6 / STATES as f64);
            points[at].push((links as f64, best));
            let growth = exponent(&points[at]).unwrap_or(f64::NAN);
            let preparation = chain.preparation * 1e3;
            let figures = [links as f64, best, best / beside, growth, preparation, apart[at]];
            rows.push(Cell::row(names[at], &figures));
        }
    }
    Table {
        title: "one evaluation under several formulations; exponents from 50 links to the row's",
        columns: &[
            "formulation",
            "links",
            "best_us",
            "beside_recursive",
            "exponent",
            "preparation_ms",
            "difference",
        ],
        rows,
    }
}

/// How far the accelerations of each are from those of the first.
fn agreement(chains: &mut [Chain]) -> Vec<f64> {
    let mut apart = vec![0.0_f64; chains.len()];
    for state in 0..STATES {
        let mut expected = Vec::new();
        for (chain, apart) in chains.iter_mut().zip(&mut apart) {
            chain.evaluate(state);
            if expected.is_empty() {
                expected = chain.angular();
            }
            *apart = apart.max(difference(&chain.angular(), &expected));
        }
    }
    let worst = apart.iter().copied().fold(0.0, f64::max);
    assert!(worst < AGREEMENT_OF_FORMULATIONS, "{worst:e} from `recursive`");
    apart
}

/// The chain falls for five seconds under `recursive`.
fn integration() -> Table {
    let mut chain = Case::new(rods(LINKS), "recursive", T_END);
    let reference = chain.reference();
    let wanted = loosest(&mut chain, "dop853", reference);
    let methods = [
        ("dop853", wanted),
        ("dop853", 1e-7),
        ("dop853", 1e-8),
        ("dop853", 1e-9),
        ("dop853", 1e-10),
        ("dop853", 1e-11),
        ("dopri5", 1e-4),
        ("dopri5", 1e-5),
        ("dopri5", 1e-9),
        ("dopri5", 1e-10),
    ];
    let title =
        "20 rods fall from the horizontal for 5 s under `recursive`; error of the tip at 1 s, m";
    table_of_chain(title, &mut chain, &methods)
}

/// The loosest tolerance of 1, 2, 5, 10 ... that is tight enough, as are all tighter ones.
fn loosest(chain: &mut Case, integrator: &str, reference: [f64; 2]) -> f64 {
    let decades =
        (4..=12).rev().flat_map(|decade| [1, 2, 5].map(|digit| format!("{digit}e-{decade}")));
    let tolerances = decades.map(|text| text.parse::<f64>().expect("a number"));
    let enough = |tolerance: &f64| distance(chain.tip(integrator, *tolerance), reference) <= WANTED;
    tolerances.take_while(enough).last().unwrap_or(f64::NAN)
}

/// The published table: steps and rows, without writing them.
fn published() -> Table {
    let mut rows = Vec::new();
    for links in PUBLISHED {
        let model = rods(links);
        let reference = Case::new(rods(links), "recursive", T_END).reference();
        let requests = ["recursive", "augmented-lagrangian"].map(|name| request(name, links));
        let [mut best, mut preparation] = [[f64::INFINITY; 2]; 2];
        let mut finished = [None, None];
        for _ in 0..ROUNDS {
            for (at, request) in requests.iter().enumerate() {
                let run = catena::run(&model, request).expect("ready systems run");
                best[at] = run.certificate.seconds.min(best[at]);
                preparation[at] = run.certificate.preparation_seconds.min(preparation[at]);
                finished[at] = Some(run);
            }
        }
        for (at, run) in finished.iter().flatten().enumerate() {
            let compared = (COMPARED_AT / PUBLISHED_STEP).round() as usize;
            let column = |name: &str| run.table.column(name).expect("it was asked for")[compared];
            let error = distance([column("tip_x"), column("tip_y")], reference);
            let statistics = run.certificate.statistics;
            let counts = [statistics.steps, statistics.evaluations].map(|count| count as f64);
            let table = [run.table.len() as f64, best[at] * 1e3, preparation[at] * 1e3];
            let figures = [&[links as f64], &table[..], &counts, &[error]].concat();
            rows.push(Cell::row(run.certificate.formulation, &figures));
        }
    }
    Table {
        title: "the published table: `ode45` at 1e-2, 5 s, a row every 1e-4 s; error of the tip at 1 s, m",
        columns: &[
            "formulation",
            "links",
            "rows",
            "best_ms",
            "preparation_ms",
            "steps",
            "evaluations",
            "tip_error",
        ],
        rows,
    }
}

fn request(formulation: &str, links: usize) -> RunSettings {
    let angles = (1..=links).map(|i| format!("theta{i}"));
    let rates = (1..=links).map(|i| format!("theta{i}'"));
    let tip = ["tip_x", "tip_y", "tip_vx", "tip_vy"].map(str::to_owned);
    let columns = std::iter::once("t".to_owned()).chain(angles).chain(rates).chain(tip);
    // constraint errors are left alone, as in the table
    let with = if formulation == "recursive" { vec![] } else { vec!["omega=0".to_owned()] };
    RunSettings {
        formulation: Some(formulation.to_owned()),
        integrator: Some("ode45".to_owned()),
        rtol: Some(PUBLISHED_TOLERANCE),
        atol: Some(PUBLISHED_TOLERANCE),
        first_step: Some(PUBLISHED_STEP),
        every: Some(PUBLISHED_STEP),
        t_end: Some(T_END),
        with,
        columns: columns.collect(),
        ..RunSettings::default()
    }
    .no_certify()
}
