//! `catena run`

use crate::destinations::Destinations;
use crate::flags::{RunFlags, WHOLE_RUN};
use crate::output::{bold, green, red, yellow};
use crate::plot::{self, PlotFlags};
use crate::progress::Progress;
use crate::{FAILED, ModelArguments, output, report, signals};
use catena::RunSettings;
use catena::figure::Figure;
use catena::simulation::{ErrorEstimate, Grade, Run as Result, StopReason, Table, Verdict};
use std::path::PathBuf;
use std::process::ExitCode;

/// The largest number of values that a line names.
const MAX_NAMED_VALUES: usize = 9;

#[derive(clap::Args)]
pub(crate) struct Run {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    settings: RunFlags<WHOLE_RUN>,
    /// Write the table to a file: .csv, .npz, .json, or .parquet where that was built in
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw the chosen columns, or the coordinates, against time: .svg, .png, .pdf or .html
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Draw them in the terminal
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    style: PlotFlags,
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
}

impl Run {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> std::result::Result<ExitCode, ExitCode> {
        let mut destinations = Destinations::of(&self.model);
        destinations.add_table(self.output.as_deref())?;
        destinations.add_picture(self.plot.as_deref())?;
        let style = self.style.style()?;
        let model = self.model.load()?;
        let RunFlags(settings) = &self.settings;
        let result = moved(&model, settings)?;
        // patterns have become names
        let named = result.table.names().skip(1).map(str::to_owned);
        let columns: Vec<String> =
            if settings.columns.is_empty() { Vec::new() } else { named.collect() };
        let figure = catena::run_figure(&model.title, &result, &columns);
        let description = catena::run_description(&model.title, &result, settings);
        let figure = style.applied(figure, &description);
        let lost = |error: catena::WriteError| report::error(&error.to_string(), None);
        if let Some(path) = &self.output {
            catena::write_run(&result, path).map_err(lost)?;
        }
        if let Some(path) = &self.plot {
            catena::write_picture(&figure, path).map_err(lost)?;
        }
        let text = match self.json {
            true => format!("{:#}\n", catena::run_json(&result)),
            false => self.written(&model, &result) + &self.about_plot(&figure),
        };
        let shown = match self.show {
            true => plot::shown(&figure),
            false => String::new(),
        };
        let printed = output::print(&(shown + &text));
        Ok(match (&result.certificate.stop, result.certificate.verdict.grade) {
            (StopReason::Cancelled, _) => {
                signals::exit_code().unwrap_or_else(|| ExitCode::from(FAILED))
            }
            (StopReason::Failed { .. }, _) => ExitCode::from(FAILED),
            (_, Grade::Wrong) => {
                self.warn(&result);
                ExitCode::from(FAILED)
            }
            (_, Grade::Doubtful) => {
                self.warn(&result);
                printed
            }
            (_, Grade::Good) => printed,
        })
    }

    /// Where the picture is, and what it leaves out.
    fn about_plot(&self, figure: &Figure) -> String {
        let drawn = self.plot.as_ref().map(|path| format!("drawn in {}\n", path.display()));
        match self.plot.is_some() || self.show {
            true => drawn.unwrap_or_default() + &plot::left_out(figure),
            false => String::new(),
        }
    }

    /// Says on standard error that the result is not good, unless its error was left out on purpose.
    fn warn(&self, result: &Result) {
        let Verdict { grade, reason, advice } = &result.certificate.verdict;
        let RunFlags(settings) = &self.settings;
        let unasked = result.certificate.estimate.is_none() && settings.no_certify;
        if *grade == Grade::Wrong || !unasked {
            let help = advice.as_ref().map(|advice| format!("{advice} would help"));
            report::doubt(&format!("the result is {grade}: {reason}"), help.as_deref());
        }
    }

    fn written(&self, model: &catena::Model, result: &Result) -> String {
        let has_energy = !model.own.coordinates.is_empty();
        let certificate = certificate(result, self.output.is_some(), has_energy);
        let mut text = format!("{}\n{certificate}", bold(&model.title));
        let rows = result.table.len();
        text += &match &self.output {
            Some(path) => {
                let events = catena::events_path(path).filter(|_| !result.events.is_empty());
                let count = counted(result.events.len(), "event");
                let events = events.map(|path| format!(", {count} in {}", path.display()));
                format!("{rows} rows in {}{}\n", path.display(), events.unwrap_or_default())
            }
            None if result.certificate.stop == StopReason::Cancelled => {
                format!("{rows} rows, which are not kept; -o FILE.csv would have kept them\n")
            }
            None => format!("{rows} rows; -o FILE.csv keeps them\n"),
        };
        text
    }
}

/// Moves a model while the progress is shown, or says why not and returns the exit code.
fn moved(model: &catena::Model, request: &RunSettings) -> std::result::Result<Result, ExitCode> {
    let mut progress = Progress::new();
    let outcome = catena::run_watched(model, request, &mut |done| progress.step(done));
    progress.finish();
    outcome.map_err(|failure| report::run_failure(&failure))
}

/// The certificate in words; whether rows are kept matters where there are only some. A model of first-order states alone
/// has no energy.
fn certificate(result: &Result, kept: bool, has_energy: bool) -> String {
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
        StopReason::Finished => format!("reached {} s\n", c.time),
        StopReason::Event { name } => format!("ended by the event `{name}` at {} s\n", c.time),
        // the motion itself was over
        StopReason::Cancelled if c.estimate.is_some() => {
            let interrupted = yellow("interrupted");
            format!("reached {} s; {interrupted} while its error was estimated\n", c.time)
        }
        StopReason::Cancelled => {
            let kept = if kept { "; the rows so far are kept" } else { "" };
            format!("{} at {} s{kept}\n", yellow("interrupted"), rounded(c.time))
        }
        StopReason::Failed { message } => format!("{}: {message}\n", red("stopped")),
        _ => format!("ended at {} s\n", c.time),
    };
    match &c.linear_about {
        Some(rest) => text += &about(rest),
        None if has_energy => {
            let (energy, residual) = (c.energy, c.energy_residual);
            text +=
                &format!("energy {energy:.6e} J at the start, balance kept to {residual:.1e} J\n");
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
        text += &format!("{}: {note}\n", yellow("note"));
    }
    if let Some(estimate) = &c.estimate {
        text += &error_estimate(estimate, result.start.t);
    }
    text += &events(&result.events);
    let Verdict { grade, reason, .. } = &c.verdict;
    let word = match grade {
        Grade::Good => green(grade.name()),
        Grade::Doubtful => yellow(grade.name()),
        Grade::Wrong => red(grade.name()),
    };
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

/// "1 event", "2 events"
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// How good coordinates, velocities and first-order states are.
fn error_estimate(estimate: &ErrorEstimate, t_start: f64) -> String {
    if estimate.valid_until == t_start {
        return "a second, more exact run is another motion from the beginning\n".to_owned();
    }
    let mut text = format!("coordinates and velocities accurate to {:.1e}", estimate.error);
    text += &match estimate.diverged {
        false => " by a second, more exact run\n".to_owned(),
        true => format!(
            " up to {} s by a second, more exact run; beyond that the two diverge, and nothing is known\n",
            rounded(estimate.valid_until)
        ),
    };
    if let Some(error) = estimate.event_time {
        text += &format!("the time of the event is accurate to {error:.1e} s\n");
    }
    text
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
fn rounded(value: f64) -> f64 {
    let digits = if value.abs() < 1e-12 { 0.0 } else { value };
    format!("{digits:.5e}").parse().unwrap_or(value)
}
