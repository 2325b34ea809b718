//! The certificate of a run in words.

use catena_model::{plain, plain_to};
use catena_simulation::{
    Certificate, ErrorEstimate, Grade, Predictability, Run, StopReason, Table, Verdict,
};

/// The largest number of values that a line names.
const MAX_NAMED_VALUES: usize = 9;

/// The certificate in words; whether rows are kept matters where there are only some. A model of first-order states alone
/// has no energy.
pub fn certificate_text(
    result: &Run,
    kept: bool,
    has_energy: bool,
    paint: &dyn Fn(Grade, &str) -> String,
) -> String {
    let c = &result.certificate;
    let s = &c.statistics;
    let mut text = format!(
        "{} with {}: {} steps, {} rejected, {} evaluations in {:.1} ms\n",
        c.formulation,
        c.integrator,
        s.steps,
        s.rejected,
        s.evaluations,
        c.seconds * 1e3
    );
    text.extend(c.chosen.iter().map(|chosen| format!("{chosen}\n")));
    text += &match &c.stop {
        StopReason::Finished => format!("reached {} s\n", plain(c.time)),
        StopReason::Event { name } => {
            format!("ended by the event `{name}` at {} s\n", plain(c.time))
        }
        // the motion itself was over
        StopReason::Cancelled if c.estimate.is_some() => {
            let interrupted = paint(Grade::Doubtful, "interrupted");
            format!("reached {} s; {interrupted} while its error was estimated\n", plain(c.time))
        }
        StopReason::Cancelled => {
            let kept = if kept { "; the rows so far are kept" } else { "" };
            format!("{} at {} s{kept}\n", paint(Grade::Doubtful, "interrupted"), rounded(c.time))
        }
        StopReason::Failed { message } => {
            format!("{}: {message}\n", paint(Grade::Wrong, "stopped"))
        }
        _ => format!("ended at {} s\n", plain(c.time)),
    };
    match &c.linear_about {
        Some(rest) => text += &about(rest),
        None if has_energy => {
            let (energy, residual) = (c.energy, c.energy_residual);
            let energy = plain_to(energy, 7);
            text += &format!("energy {energy} J at the start, balance kept to {residual:.1e} J\n");
        }
        None => {}
    }
    // NaN, of a linear model, is not greater
    if c.constraint_error > 0.0 || c.constraint_rate_error > 0.0 {
        text += &format!(
            "constraints kept to {:.1e}, their rates to {:.1e}\n",
            c.constraint_error, c.constraint_rate_error
        );
    }
    if let Some(freedom) = &c.freedom {
        text += &format!("degrees of freedom: {freedom}\n");
    }
    for note in c.notes() {
        text += &format!("{}: {note}\n", paint(Grade::Doubtful, "note"));
    }
    if let Some(estimate) = &c.estimate {
        text += &error_estimate(estimate, c, result.start.t);
    }
    if let Some(found) = &c.predictability {
        text += &predictability(found);
    }
    text += &events(&result.events);
    let Verdict { grade, reason, .. } = &c.verdict;
    let word = paint(*grade, grade.name());
    text + &format!("{word}: {reason}\n")
}

/// "top 10 times, first at 0.41 s", a line for each name.
fn events(table: &Table) -> String {
    let names = table.words("event").unwrap_or_default();
    let times = table.numbers("t").unwrap_or_default();
    let mut found: Vec<(&str, usize, f64)> = Vec::new();
    for (name, &time) in names.iter().zip(times) {
        match found.iter_mut().find(|(known, ..)| known == name) {
            Some((_, count, _)) => *count += 1,
            None => found.push((name, 1, time)),
        }
    }
    let line = |(name, count, first): &(&str, usize, f64)| match count {
        1 => format!("{name} once, at {} s\n", rounded(*first)),
        count => format!("{name} {count} times, first at {} s\n", rounded(*first)),
    };
    let mut text: String = found.iter().take(MAX_NAMED_VALUES).map(line).collect();
    if let Some(others) = found.get(MAX_NAMED_VALUES..).filter(|others| !others.is_empty()) {
        let count: usize = others.iter().map(|(_, count, _)| count).sum();
        let count = counted(count, "event");
        text += &format!("{count} of {}\n", counted(others.len(), "other name"));
    }
    text
}

/// A number with its noun: "1 event", "2 events".
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// How good coordinates, velocities and first-order states are.
fn error_estimate(estimate: &ErrorEstimate, certificate: &Certificate, t_start: f64) -> String {
    if estimate.valid_until == t_start {
        return "a second, more exact run is another motion from the beginning\n".to_owned();
    }
    let mut text = format!("coordinates and velocities accurate to {:.1e}", estimate.error);
    let failed = matches!(certificate.stop, StopReason::Failed { .. });
    if estimate.diverged || failed {
        text += &format!(" up to {} s", rounded(estimate.valid_until));
    }
    text += " by a second, more exact run";
    if estimate.diverged {
        text += "; beyond that the two diverge, and nothing is known";
    }
    text.push('\n');
    if let Some(error) = estimate.event_time {
        text += &format!("the time of the event is accurate to {error:.1e} s\n");
    }
    text
}

/// How long a chaotic motion can be predicted.
fn predictability(found: &Predictability) -> String {
    let Predictability { exponent, horizon, longest_horizon } = found;
    format!(
        "neighbouring motions part as exp({} t): an error of the tolerance takes {} s to spoil the motion, one of \
         rounding {} s\n",
        plain_to(*exponent, 3),
        plain_to(*horizon, 3),
        plain_to(*longest_horizon, 3)
    )
}

/// The state of rest that a linear model is about.
fn about(rest: &[(String, f64)]) -> String {
    let shown = rest.iter().take(MAX_NAMED_VALUES);
    let mut values: Vec<String> =
        shown.map(|(name, value)| format!("{name} = {}", rounded(*value))).collect();
    if rest.len() > MAX_NAMED_VALUES {
        values.push(format!("{} more", rest.len() - MAX_NAMED_VALUES));
    }
    let values = values.join(", ");
    format!("linear model about {values}: it keeps neither energy nor constraints\n")
}

/// Six digits, and 0 for what is left of 0 after a solution.
fn rounded(value: f64) -> String {
    plain_to(if value.abs() < 1e-12 { 0.0 } else { value }, 6)
}
