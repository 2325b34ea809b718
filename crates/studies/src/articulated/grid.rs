//! The "step size" of the study is the distance of its output, and nothing else.

use super::chain::{Bench, Conditions, GRIDS, Method, Steps, T_END, figure};
use crate::{Laboratory, Section, StudyError};
use catena::model::plain_to;
use catena::simulation::Table;

/// Tolerance of these runs: one at which they do not depend on rounding.
const TOLERANCE: f64 = 0.01;
/// The first step of runs that differ in their output only, s.
const FIRST_STEP: f64 = 0.01;
/// Digits in which tips are compared by eye.
const DIGITS: usize = 16;

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let conditions = Conditions::of(lab);
    let mut section = Section::default();
    section.text(
        "The study varies a \"step size\" from 0.1 s to 0.0001 s. `ode45` chooses its own steps by the tolerance; a vector of times that it is \
         given says where the solution is to be interpolated, and the first difference of that vector bounds the first step. Nothing \
         else depends on it. The first table has runs of the recursive method that differ in the distance of their output alone: they \
         take the same steps and end in the same place to the last digit. In the second table the first step is bound by the grid too, as in \
         the study: steps shift a little, and the errors with them. So the grid cannot make a method more or less accurate; it costs \
         time where output is dense.",
    );
    let mut bench = Bench::new(lab, conditions.links, &Method::recursive())?;
    for (file, caption, is_bound) in [
        (
            "grid-output",
            "Output alone: the first step is at most 0.01 s in all of them, tolerance 0.01.",
            false,
        ),
        ("grid-first-step", "Output and first step, as in the study, tolerance 0.01.", true),
    ] {
        let mut table =
            Table::new(["grid, s", "steps", "evaluations", "mean step, s"], GRIDS.len());
        let mut tips: [Vec<String>; 2] = Default::default();
        for grid in GRIDS {
            let first = if is_bound { grid } else { FIRST_STEP };
            let trial = bench.trial(lab, Steps { tolerance: TOLERANCE, first, every: grid })?;
            let steps = trial.steps as f64;
            table.push([grid, steps, trial.evaluations as f64, T_END / steps]);
            for (texts, value) in tips.iter_mut().zip(trial.tip()) {
                texts.push(plain_to(value, DIGITS).replace('-', "−"));
            }
        }
        let [x, y] = tips;
        let table = table.with_words("tip x at 5 s, m", x).with_words("tip y at 5 s, m", y);
        section.table(file, caption, table);
    }
    section.text(format!(
        "The mean step is some hundredths of a second on all grids, up to {} times as long as the finest of them.",
        figure(mean_step(lab, &mut bench)? / GRIDS[GRIDS.len() - 1])
    ));
    Ok(section)
}

/// On the finest grid, s.
fn mean_step(lab: &Laboratory<'_>, bench: &mut Bench) -> Result<f64, StudyError> {
    let finest = GRIDS[GRIDS.len() - 1];
    let steps = Steps { tolerance: TOLERANCE, first: finest, every: T_END };
    Ok(T_END / bench.trial(lab, steps)?.steps as f64)
}
