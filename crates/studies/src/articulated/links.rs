//! Computing times over the number of rods: Table 2.

use super::chain::{Bench, Conditions, Method, Steps, figure};
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Figure, Panel, Series};
use catena::simulation::Table;

/// Rods of Table 2.
const LINKS: [usize; 6] = [2, 4, 8, 16, 20, 40];
/// Longer chains, which the study does not have.
const LONGER: [usize; 2] = [80, 160];
/// Table 2 of the study, s: recursive and augmented Lagrangian.
const PRINTED: [[f64; 6]; 2] = [
    [2.4636, 3.1051, 4.3666, 7.7205, 9.6861, 26.4762],
    [2.4622, 2.6025, 3.5003, 7.0528, 10.0302, 32.6064],
];
/// Tolerance and grid of the table, s.
const TOLERANCE: f64 = 0.01;
const GRID: f64 = 0.0001;
/// The end of motions that tell what an evaluation costs, s: short, so that other programs rarely come between.
const SHORT: f64 = 0.5;

/// A way to solve for accelerations.
struct Solver {
    method: Method,
    /// What it solves, and how.
    kind: &'static str,
    /// The most rods: what is dense takes long.
    most: usize,
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let conditions = Conditions::of(lab);
    let mut section = Section::default();
    section.text(
        "Table 2 of the study is at tolerance 0.01 with output every 0.0001 s, 50 001 rows, so that in a compiled program most of \
         the time is spent on output, which grows with the number of rows and coordinates. What the methods themselves cost is seen without it: time \
         divided by evaluations, for five ways to accelerations. `recursive` sweeps along the chain. `augmented-lagrangian` and \
         `multipliers` eliminate along the band that neighbouring rods make of their matrices, zeros left out. `minimal` \
         factors the dense n × n mass matrix of the angles, `null-space` the dense matrix of all constraints and coordinates.",
    );
    let studied = [Method::recursive(), conditions.augmented()];
    let mut ours: Vec<Vec<f64>> = Vec::new();
    for (m, method) in studied.iter().enumerate() {
        let mut row = Vec::new();
        for links in LINKS {
            lab.reached(0.25 * m as f64)?;
            let steps = Steps { tolerance: TOLERANCE, first: GRID, every: GRID };
            let mut bench = Bench::new(lab, links, method)?;
            let columns = bench.state();
            row.push(bench.seconds(lab, steps, &columns)?[0]);
        }
        ours.push(row);
    }
    section.table(
        "table-2-times",
        "Table 2 of the study: computing time over the number of rods, tolerance 0.01, grid 0.0001 s, printed and on this machine.",
        printed_table(&ours),
    );
    let solvers = solvers(lab, &conditions);
    let chains: Vec<usize> = match lab.quick {
        true => LINKS.to_vec(),
        false => LINKS.into_iter().chain(LONGER).collect(),
    };
    let costs = costs(&lab.part(0.5..1.0), &solvers, &chains)?;
    section.table(
        "cost-of-an-evaluation",
        "Time of one evaluation on this machine: the first half second of the motion without output, divided by its evaluations; and the \
         exponent of n from 20 to 40 rods, as far as Table 2 goes.",
        cost_table(&solvers, &chains, &costs),
    );
    section.figure(
        "cost-of-an-evaluation",
        "Time of one evaluation over the number of rods on this machine.",
        plot(&solvers, &chains, &costs),
    );
    section.claim(claim(&solvers, &chains, &ours, &costs));
    Ok(section)
}

fn solvers(lab: &Laboratory<'_>, conditions: &Conditions) -> Vec<Solver> {
    let solver = |method, kind, most| Solver { method, kind, most };
    vec![
        solver(Method::recursive(), "sweep", usize::MAX),
        solver(Method::plain("multipliers"), "banded, 5n", usize::MAX),
        solver(conditions.augmented(), "banded, 3n, in rounds", usize::MAX),
        solver(Method::plain("minimal"), "dense, n", usize::MAX),
        solver(Method::plain("null-space"), "dense, 3n", lab.quick_or(40, 80)),
    ]
}

/// Seconds of an evaluation for each solver and chain; NaN where it was not run.
fn costs(
    lab: &Laboratory<'_>,
    solvers: &[Solver],
    chains: &[usize],
) -> Result<Vec<Vec<f64>>, StudyError> {
    let mut costs = Vec::new();
    for (at, solver) in solvers.iter().enumerate() {
        let mut row = Vec::new();
        for &links in chains {
            lab.reached(at as f64 / solvers.len() as f64)?;
            row.push(match links <= solver.most {
                true => cost(lab, links, &solver.method)?,
                false => f64::NAN,
            });
        }
        costs.push(row);
    }
    Ok(costs)
}

/// Seconds of an evaluation without output.
fn cost(lab: &Laboratory<'_>, links: usize, method: &Method) -> Result<f64, StudyError> {
    let mut bench = Bench::new(lab, links, method)?.until(SHORT);
    let steps = Steps { tolerance: TOLERANCE, first: GRID, every: SHORT };
    let [seconds, evaluations] = bench.seconds(lab, steps, &["tip_x".to_owned()])?;
    Ok(seconds / evaluations)
}

/// The exponent of n in times, over the last doubling of n in Table 2.
fn exponent(chains: &[usize], times: &[f64]) -> f64 {
    let time = |links: usize| {
        let at = chains.iter().position(|&other| other == links);
        at.map_or(f64::NAN, |at| times[at])
    };
    let [.., short, long] = LINKS;
    (time(long) / time(short)).ln() / (long as f64 / short as f64).ln()
}

fn printed_table(ours: &[Vec<f64>]) -> Table {
    let ms = |times: &[f64]| times.iter().map(|seconds| 1e3 * seconds).collect();
    Table::default()
        .with_numbers("rods", "", LINKS.map(|links| links as f64).to_vec())
        .with_numbers("recursive, printed", "s", PRINTED[0].to_vec())
        .with_numbers("augmented Lagrangian, printed", "s", PRINTED[1].to_vec())
        .with_numbers("recursive, this machine", "ms", ms(&ours[0]))
        .with_numbers("augmented Lagrangian, this machine", "ms", ms(&ours[1]))
}

fn cost_table(solvers: &[Solver], chains: &[usize], costs: &[Vec<f64>]) -> Table {
    let words = |what: &dyn Fn(&Solver) -> String| solvers.iter().map(what).collect();
    let mut table = Table::default()
        .with_words("method", words(&|solver| solver.method.label.clone()))
        .with_words("solves", words(&|solver| solver.kind.to_owned()));
    for (at, links) in chains.iter().enumerate() {
        let column = costs.iter().map(|row| 1e6 * row[at]).collect();
        table = table.with_numbers(format!("n = {links}"), "µs", column);
    }
    table.with_numbers("exponent", "", costs.iter().map(|row| exponent(chains, row)).collect())
}

fn plot(solvers: &[Solver], chains: &[usize], costs: &[Vec<f64>]) -> Figure {
    let mut panel =
        Panel::new("", Axis::logarithmic("rods"), Axis::logarithmic("time of an evaluation, µs"));
    let x: Vec<f64> = chains.iter().map(|&links| links as f64).collect();
    for (solver, row) in solvers.iter().zip(costs) {
        let y: Vec<f64> = row.iter().map(|seconds| 1e6 * seconds).collect();
        let name = format!("{}: {}", solver.method.label, solver.kind);
        panel = panel.with(Series::line_and_marks(name, x.clone(), y));
    }
    Figure::from(panel)
}

fn claim(solvers: &[Solver], chains: &[usize], ours: &[Vec<f64>], costs: &[Vec<f64>]) -> Claim {
    let faster: Vec<String> = LINKS
        .iter()
        .enumerate()
        .filter(|(at, _)| ours[0][*at] < ours[1][*at])
        .map(|(_, links)| links.to_string())
        .collect();
    let exponents: Vec<String> = solvers
        .iter()
        .zip(costs)
        .map(|(solver, row)| {
            format!(
                "{} {} ({})",
                solver.method.formulation,
                figure(exponent(chains, row)),
                solver.kind
            )
        })
        .collect();
    let printed = PRINTED.map(|times| figure(exponent(&LINKS, &times)));
    Claim::new("A8", "with few rods the augmented Lagrangian is faster, with 20 and more the recursive method")
        .published(format!(
            "Table 2; exponents of n from 20 to 40 rods: recursive {}, augmented Lagrangian {}",
            printed[0], printed[1]
        ))
        .measured(
            format!(
                "recursive faster on this machine with {} rods; exponents of the time of an evaluation from 20 to 40 rods: {}",
                if faster.is_empty() { "none of the numbers of".to_owned() } else { faster.join(", ") },
                exponents.join(", ")
            ),
            Verdict::Machine,
        )
        .because(
            "A sweep costs n, and so does one elimination along the band; the augmented Lagrangian goes through many rounds behind it, and \
             how many depends on α and on the length of the chain. Dense factorisation costs n³, which for few rods hides behind what does not depend on n. Where the curves cross is \
             a matter of the program, not of the method.",
        )
}
