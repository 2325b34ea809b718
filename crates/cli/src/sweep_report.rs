//! What a sweep found, in words.

use crate::output::{bold, is_standard, mark, red, yellow};
use crate::sweep_on::Done;
use catena::analysis::{Words, duration};
use catena::ensemble::PrecisionLoss;
use catena::model::scientific;
use catena::sweep::{Attempt, Description, Extreme, Findings, Plan, SweepResult};
use std::path::Path;

/// Where the cells of a sweep go.
pub(crate) struct Kept<'a> {
    /// The file that keeps every block.
    pub(crate) file: Option<&'a Path>,
    /// The table that was written in the end.
    pub(crate) table: Option<&'a Path>,
}

/// What was computed now, and what became of it.
pub(crate) fn attempt_summary(
    plan: &Plan,
    attempt: &Attempt,
    findings: &Findings,
    kept: Kept<'_>,
) -> String {
    let mut text = found(&plan.description, findings, &plan.sweep.measure_units());
    if let Some(words) = plan.sweep.device_words().filter(|_| plan.sweep.is_on_device()) {
        text += &format!("{}: {words}\n", yellow("device"));
    }
    let Attempt { computed, mended, .. } = *attempt;
    if mended > 0 {
        text += &format!("{}: {}\n", yellow("mended"), counted(mended, "damaged block"));
    }
    text += &match computed {
        0 => "nothing was left to compute\n".to_owned(),
        _ => speed(plan, attempt),
    };
    text += &exported(kept.table, findings);
    text + &match (kept.file.map(Path::display), kept.table, attempt.interrupted) {
        (Some(path), _, false) => format!("kept in {path}\n"),
        (Some(_), _, true) => kept.file.map(interrupted_summary).unwrap_or_default(),
        (None, Some(_), false) => String::new(),
        (None, Some(_), true) => {
            format!("{}: with -o FILE --resume would continue\n", red("interrupted"))
        }
        (None, None, true) => {
            format!("{}: nothing is kept; -o FILE would\n", red("interrupted"))
        }
        (None, None, false) => "nothing is kept; -o FILE would\n".to_owned(),
    }
}

/// What a cluster has done.
pub(crate) fn cluster_summary(address: &str, done: &Done, path: &Path) -> String {
    let kept = format!("kept in {}\n", path.display());
    if done.blocks == 0 {
        return format!("nothing was left to compute\n{kept}");
    }
    let (blocks, workers) = (counted(done.blocks, "block"), counted(done.workers, "worker"));
    let (tasks, time) = (counted(done.tasks, "task"), duration(done.seconds));
    format!("computed {blocks} in {time} on {address}: {tasks}, {workers}\n{kept}")
}

/// What a signal has left.
pub(crate) fn interrupted_summary(path: &Path) -> String {
    format!("{}: --resume continues {}\n", red("interrupted"), path.display())
}

/// What was written as a table.
pub(crate) fn exported(table: Option<&Path>, findings: &Findings) -> String {
    table.map_or_else(String::new, |path| {
        let rows = counted(findings.cells_done, "row");
        match is_standard(Some(path)) {
            true => format!("{rows}\n"),
            false => format!("{rows} in {}\n", path.display()),
        }
    })
}

fn speed(plan: &Plan, attempt: &Attempt) -> String {
    let rate = attempt.computed as f64 / attempt.seconds.max(1e-9);
    let side_by_side = match plan.sweep.lanes() {
        lanes if plan.sweep.is_on_device() => {
            format!("{} side by side", attempt.computed.min(lanes as u64))
        }
        1 => "one by one".to_owned(),
        lanes => format!("{lanes} side by side with {}", plan.instruction_set.name()),
    };
    let threads = counted(attempt.threads as u64, "thread");
    let (computed, time) = (attempt.computed, duration(attempt.seconds));
    format!("computed {computed} in {time}: {rate:.0} a second, {side_by_side}, {threads}\n")
}

/// How far numbers in single precision are off.
pub(crate) fn loss_of_precision(plan: &Plan, loss: &PrecisionLoss) -> String {
    let cells = counted(loss.cells as u64, "cell");
    let mut text = format!("of {cells} computed again in double precision\n");
    let names = plan.description.measures.iter().zip(plan.sweep.measure_units());
    for ((name, unit), loss) in names.zip(&loss.measures) {
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let [half, all] = [loss.median, loss.largest].map(|number| scientific(number, 1));
        text += &format!("  {name}: half agree within {half}{unit}, all within {all}{unit}");
        text += &match loss.one_sided {
            0 => "\n".to_owned(),
            count => format!("; {count} have a number in one precision alone\n"),
        };
    }
    text
}

/// What a file holds.
pub(crate) fn summary(result: &dyn SweepResult, findings: &Findings) -> String {
    let mut text = found(result.description(), findings, &[]);
    let Findings { blocks, missing, unsound, .. } = *findings;
    if missing + unsound > 0 {
        let sound = blocks - missing - unsound;
        text += &format!("{}: {sound} of {blocks} blocks are there", yellow("incomplete"));
        if unsound > 0 {
            text += &format!(", {} left out", counted(unsound, "damaged block"));
        }
        text += "; the same command with --resume computes the rest\n";
    }
    text
}

/// Extremes and failures; a file does not know the units of its measures.
fn found(description: &Description, findings: &Findings, units: &[&str]) -> String {
    let mut text = format!("{}\n", bold(&description.title));
    text += &match findings.cells_done == findings.cells {
        true => counted(findings.cells, "cell"),
        false => format!("{} of {}", findings.cells_done, counted(findings.cells, "cell")),
    };
    let axes = description.axes.iter().map(|axis| format!("{} {}", axis.values.len(), axis.name));
    text += &format!(": {}\n", axes.collect::<Vec<_>>().join(" × "));
    let units = units.iter().copied().chain(std::iter::repeat(""));
    let rows = findings.measures.iter().zip(units).map(|(measure, unit)| {
        let end = |extreme: Option<Extreme>| match extreme {
            Some(Extreme { value, cell }) => {
                [scientific(value, 6), description.cell_in_words(cell)]
            }
            None => ["–".to_owned(), String::new()],
        };
        let ([least, least_at], [greatest, greatest_at]) =
            (end(measure.least), end(measure.greatest));
        let name = match unit {
            "" => measure.name.clone(),
            unit => format!("{}, {unit}", measure.name),
        };
        vec![name, least, least_at, greatest, greatest_at]
    });
    let mut words = Words::default();
    words.table(["measure", "smallest", "at", "largest", "at"], rows.collect());
    text += &words.write(&mark, &bold);
    for measure in findings.measures.iter().filter(|measure| measure.never > 0) {
        text += &format!("{}: never in {}\n", measure.name, counted(measure.never, "cell"));
    }
    if findings.failed > 0 {
        text += &format!("{} in {}:\n", red("failed"), counted(findings.failed, "cell"));
        for (cell, reason) in &findings.reasons {
            text += &format!("  {}: {reason}\n", description.cell_in_words(*cell));
        }
        let more = findings.failed - findings.reasons.len() as u64;
        if more > 0 {
            text += &format!("  and {more} more\n");
        }
    }
    text
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
