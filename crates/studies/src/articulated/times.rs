//! Computing times over tolerances and grids: Table 1 and Figure 10.

use super::chain::{Bench, Conditions, GRIDS, Method, Steps, TOLERANCES, count_range, figure};
use super::truth::{EVERY, exact};
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Colour, Dash, Figure, Panel, Series};
use catena::simulation::Table;

/// Table 1 of the study, s: for each method, tolerance and grid; MATLAB on a laptop processor of 1.6 GHz.
const PRINTED: [[[f64; 4]; 4]; 2] = [
    [
        [4.74, 4.57, 4.67, 5.96],
        [7.02, 7.04, 7.06, 9.13],
        [7.19, 6.85, 6.84, 9.05],
        [9.85, 10.59, 10.59, 11.65],
    ],
    [
        [6.65, 6.83, 7.34, 10.07],
        [6.83, 6.65, 7.11, 10.16],
        [6.42, 6.09, 6.68, 9.75],
        [7.93, 7.57, 8.61, 10.72],
    ],
];

/// Seconds of Table 1 by method, tolerance and grid.
type Times = [[[f64; 4]; 4]; 2];

/// What one cell of the table was found to be.
struct Cell {
    /// Of the motion with all its output, s.
    seconds: f64,
    steps: f64,
    evaluations: f64,
    /// m
    tip_error: f64,
    /// m
    gap: f64,
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let conditions = Conditions::of(lab);
    let truth = exact(lab, &conditions)?;
    let mut section = Section::default();
    section.text(
        "Times of one run on one thread, the best of several, without derivation and compilation. The output is that of the \
         study: all coordinates and velocities at every point of the grid. The printed times are those of MATLAB on a laptop \
         processor of 1.6 GHz. How many steps and evaluations a run takes does not depend on the machine.",
    );
    let methods = [Method::recursive(), conditions.augmented()];
    let mut cells: Vec<Cell> = Vec::new();
    let mut ours: Times = Default::default();
    for (m, method) in methods.iter().enumerate() {
        let mut bench = Bench::new(lab, conditions.links, method)?;
        for (t, tolerance) in TOLERANCES.into_iter().enumerate() {
            for (g, grid) in GRIDS.into_iter().enumerate() {
                lab.reached((16 * m + 4 * t + g) as f64 / 32.0)?;
                let seconds = seconds(lab, &mut bench, tolerance, grid)?;
                let trial = bench.trial(lab, Steps { tolerance, first: grid, every: EVERY })?;
                ours[m][t][g] = seconds;
                cells.push(Cell {
                    seconds,
                    steps: trial.steps as f64,
                    evaluations: trial.evaluations as f64,
                    tip_error: trial.tip_error(&truth),
                    gap: trial.gap(),
                });
            }
        }
    }
    section.table(
        "table-1-times",
        "Table 1 of the study: computing time over tolerance and grid step, printed and here, on this machine. R is the \
         recursive method, whose joints cannot open, A the augmented Lagrangian.",
        table(&cells),
    );
    let printed = Axis { range: Some([0.0, 12.5]), ..Axis::linear("time, s") };
    section.figure(
        "figure-10-times",
        "Figure 10 of the study: computing time against grid step, a colour for each tolerance; recursive solid, augmented \
         Lagrangian dashed. Above this machine, below the printed times.",
        Figure::new("")
            .with(panel("this machine", &ours, 1e3, Axis::logarithmic("time, ms")))
            .with(panel("printed", &PRINTED, 1.0, printed)),
    );
    section.claim(claim(&ours, &cells));
    Ok(section)
}

/// Seconds of the best of several runs with the output of the study.
fn seconds(
    lab: &Laboratory<'_>,
    bench: &mut Bench,
    tolerance: f64,
    grid: f64,
) -> Result<f64, StudyError> {
    let columns = bench.state();
    let steps = Steps { tolerance, first: grid, every: grid };
    Ok(bench.seconds(lab, steps, &columns)?[0])
}

/// A row for each tolerance and grid; cells are ordered by method, tolerance and grid.
fn table(cells: &[Cell]) -> Table {
    let keys: Vec<(usize, usize)> =
        (0..TOLERANCES.len()).flat_map(|t| (0..GRIDS.len()).map(move |g| (t, g))).collect();
    let by_key = |what: &dyn Fn(&(usize, usize)) -> f64| keys.iter().map(what).collect();
    let mut table = Table::default()
        .with_numbers("tolerance", "", by_key(&|key| TOLERANCES[key.0]))
        .with_numbers("grid", "s", by_key(&|key| GRIDS[key.1]));
    let names = ["R", "A"];
    for (m, name) in names.into_iter().enumerate() {
        let printed = by_key(&|&(t, g)| PRINTED[m][t][g]);
        table = table.with_numbers(format!("{name}, printed"), "s", printed);
    }
    /// What is read off a cell.
    type Reading = fn(&Cell) -> f64;
    let readings: [(&str, &'static str, Reading); 4] = [
        ("here", "ms", |cell| 1e3 * cell.seconds),
        ("steps", "", |cell| cell.steps),
        ("evaluations", "", |cell| cell.evaluations),
        ("tip error", "m", |cell| cell.tip_error),
    ];
    for (what, unit, reading) in readings {
        for (name, half) in names.into_iter().zip(cells.chunks(keys.len())) {
            let column = half.iter().map(reading).collect();
            table = table.with_numbers(format!("{name}, {what}"), unit, column);
        }
    }
    let gaps = cells[keys.len()..].iter().map(|cell| cell.gap).collect();
    table.with_numbers("A, gap", "m", gaps)
}

fn panel(title: &str, times: &Times, scale: f64, y: Axis) -> Panel {
    let mut panel = Panel::new(title, Axis::logarithmic("grid step, s"), y);
    for (method, dash) in times.iter().zip([Dash::Solid, Dash::Dashed]) {
        for (at, (row, tolerance)) in method.iter().zip(TOLERANCES).enumerate() {
            let y: Vec<f64> = row.iter().map(|seconds| scale * seconds).collect();
            let series = Series::line_and_marks(format!("tolerance {tolerance}"), GRIDS, y);
            panel = panel.with(series.coloured(Colour::Number(at)).dashed(dash));
        }
    }
    panel
}

/// In how many cells of the printed table the recursive method is the slower one, and how many there are.
pub(super) fn printed_slower() -> [usize; 2] {
    let [recursive, augmented] = PRINTED.map(|times| times.concat());
    let slower = recursive.iter().zip(&augmented).filter(|(a, b)| a > b).count();
    [slower, recursive.len()]
}

/// On how many grids the recursive method was faster, for each tolerance.
fn wins(times: &Times) -> String {
    let [recursive, augmented] = times;
    let count = |(a, b): (&[f64; 4], &[f64; 4])| a.iter().zip(b).filter(|(a, b)| a < b).count();
    let counts = recursive.iter().zip(augmented).map(count).map(|won| format!("{won}/4"));
    counts.collect::<Vec<_>>().join(", ")
}

fn claim(ours: &Times, cells: &[Cell]) -> Claim {
    let evaluations = |method: usize, tolerance: usize| {
        let from = 16 * method + 4 * tolerance;
        count_range(
            &cells[from..from + 4].iter().map(|cell| cell.evaluations).collect::<Vec<f64>>(),
        )
    };
    let last = TOLERANCES.len() - 1;
    let measured = format!(
        "recursive faster on this machine on {} grids; evaluations, recursive and augmented Lagrangian: {} and {} at 0.1, {} \
         and {} at 0.0001; one run at 0.0001, grid 0.1 s: {} and {} ms",
        wins(ours),
        evaluations(0, 0),
        evaluations(1, 0),
        evaluations(0, last),
        evaluations(1, last),
        figure(1e3 * ours[0][last][0]),
        figure(1e3 * ours[1][last][0]),
    );
    Claim::new(
        "A7",
        "the recursive method is faster at tolerance 0.1, the augmented Lagrangian at 0.0001",
    )
    .published(format!("recursive faster on {} grids at 0.1, 0.01, 0.001, 0.0001", wins(&PRINTED)))
    .measured(measured, Verdict::Machine)
    .because(
        "Positions are smoother functions of time than joint angles, so that tight tolerances take fewer evaluations in absolute \
         coordinates. What an evaluation costs is a matter of the program: a sweep of many small operations is dear in an \
         interpreted language, a matrix that a library solves is not.",
    )
}
