//! `catena run`

use crate::animation::{self, Animate};
use crate::destinations::Destinations;
use crate::flags::{RunFlags, WHOLE_RUN};
use crate::output::bold;
use crate::plot::{self, PlotFlags};
use crate::progress::Progress;
use crate::{FAILED, ModelArguments, draw, output, report, signals};
use catena::figure::Figure;
use catena::simulation::{Grade, Run as Result, StopReason, Verdict};
use catena::{Animation, FrameTimes, RunSettings};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Run {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    settings: RunFlags<WHOLE_RUN>,
    /// Write the table to a file: .csv, .npz, .json, or .parquet where that was built in; - prints it as CSV
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw the chosen columns, or the coordinates, against time: .svg, .png, .pdf or .html
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    animate: Animate,
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
        output::refuse_two_outputs(self.output.as_deref(), self.json)?;
        destinations.add_picture(self.plot.as_deref())?;
        destinations.add_animation(self.animate.animate.as_deref())?;
        let style = self.style.style()?;
        let model = self.model.load()?;
        if self.animate.animate.is_some() {
            draw::require_sketch(&model)?;
        }
        let RunFlags(settings) = &self.settings;
        let result = moved(&model, settings, self.animate.animate.is_some())?;
        // patterns have become names
        let named = result.table.names().skip(1).map(str::to_owned);
        let columns: Vec<String> =
            if settings.columns.is_empty() { Vec::new() } else { named.collect() };
        let figure = catena::run_figure(&model.title, &result, &columns);
        let description = catena::run_description(&model.title, &result, settings);
        let figure = style.applied(figure, &description);
        let lost = |error: catena::WriteError| report::error(&error.to_string(), None);
        let printed_table = output::is_standard(self.output.as_deref()).then_some(&result.table);
        if let Some(path) = self.output.as_ref().filter(|_| printed_table.is_none()) {
            catena::write_run(&result, path).map_err(lost)?;
        }
        if let Some(path) = &self.plot {
            catena::write_picture(&figure, path).map_err(lost)?;
        }
        let moving = match &self.animate.animate {
            Some(path) => {
                let animation = Animation::of_run(&model.title, &result, Some(figure.clone()));
                let animation = Animation { speed: self.animate.speed, ..animation };
                animation::write(&model, &animation, path)?
            }
            None => String::new(),
        };
        let text = match self.json {
            true => format!("{:#}\n", catena::run_json(&result)),
            false => self.written(&model, &result) + &self.about_plot(&figure) + &moving,
        };
        let shown = match self.show {
            true => plot::shown(&figure),
            false => String::new(),
        };
        let printed = output::print_beside(printed_table, &(shown + &text));
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
        let certificate =
            catena::certificate_text(result, self.output.is_some(), has_energy, &output::graded);
        let mut text = format!("{}\n{certificate}", bold(&model.title));
        let rows = result.table.len();
        text += &match &self.output {
            Some(path) if output::is_standard(Some(path)) => format!("{rows} rows\n"),
            Some(path) => {
                let events = catena::events_path(path).filter(|_| !result.events.is_empty());
                let count = catena::counted(result.events.len(), "event");
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
pub(crate) fn moved(
    model: &catena::Model,
    request: &RunSettings,
    is_filmed: bool,
) -> std::result::Result<Result, ExitCode> {
    let mut progress = Progress::new();
    let mut stop = |done: f64| progress.step(done);
    let outcome = match is_filmed {
        true => catena::film_run(model, request, &FrameTimes::ToWatch, &mut stop),
        false => catena::run_watched(model, request, &mut stop),
    };
    progress.finish();
    outcome.map_err(|failure| report::run_failure(&failure))
}
