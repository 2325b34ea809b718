//! `catena sweep`

use crate::destinations::Destinations;
use crate::flags::{METHOD, RunFlags, Threads};
use crate::plot::PlotFlags;
use crate::progress::Progress;
use crate::sweep_help::help;
use crate::sweep_report::{
    Kept, attempt_summary, cluster_summary, exported, interrupted_summary, loss_of_precision,
    summary,
};
use crate::{FAILED, ModelArguments, WRONG_USAGE, output, report, signals, sweep_on};
use catena::RunFailure;
use catena::ensemble::{self, SweepError};
use catena::simulation::Table;
use catena::sweep::{
    Attempt, BadChunk, Chunk, Computed, Findings, MAX_DRAWN_AXES, Plan, Store, SweepFailure,
    SweepRequest, SweepResult, Watch, fill, in_memory,
};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Sweep {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    model: Option<ModelArguments>,
    /// What is varied: NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or NAME=VALUE,VALUE,...
    #[arg(long, value_name = "NAME=RANGE", allow_hyphen_values = true)]
    over: Vec<String>,
    /// What is kept of a trajectory: last, max, min, maxabs, amplitude, mean or rms of a column, as max:theta1, or the time
    /// of the first zero of an event or a formula, as "time:theta1 = pi"
    #[arg(long = "measure", value_name = "STATISTIC:COLUMN")]
    measures: Vec<String>,
    /// Start of a trajectory, s [default: from the model, else 0]
    #[arg(long = "start", value_name = "FORMULA", allow_hyphen_values = true)]
    t_start: Option<String>,
    /// End of a trajectory, s; may be a formula of parameters, as 50/f
    #[arg(long = "to", value_name = "FORMULA", allow_hyphen_values = true)]
    t_end: Option<String>,
    /// Distance of rows, from the start on, s
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    every: Option<String>,
    /// Rows count from this time on, s
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    after: Option<String>,
    /// Fixed step, s
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    step: Option<String>,
    #[command(flatten)]
    method: RunFlags<METHOD>,
    /// The file that keeps every finished block at once
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue the file, or begin it if there is none
    #[arg(long, requires = "output")]
    resume: bool,
    /// Compute the I-th of N parts only; `catena sweep merge` puts them together
    #[arg(long, value_name = "I/N", requires = "output")]
    chunk: Option<String>,
    /// Compute on the cluster of a Dask scheduler, by a Python that has the package `catena`
    #[arg(long, value_name = "dask://HOST:PORT", requires = "output", conflicts_with_all = ["chunk", "device", "precision"])]
    on: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// Write the table to a file: .csv, .npz, .json, or .parquet where that was built in; - prints it as CSV
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    #[command(flatten)]
    shown: Shown,
}

#[derive(clap::Subcommand)]
enum Other {
    /// Put the files of several chunks into one
    Merge(Merge),
    /// Show, draw or write out what a file holds, finished or not
    Export(Export),
}

#[derive(clap::Args)]
struct Merge {
    /// The new file
    into: PathBuf,
    /// The files of the chunks
    #[arg(required = true)]
    parts: Vec<PathBuf>,
}

#[derive(clap::Args)]
struct Export {
    /// The result of a sweep
    file: PathBuf,
    /// Write the table to a file: .csv, .npz, .json, or .parquet where that was built in; - prints it as CSV
    table: Option<PathBuf>,
    #[command(flatten)]
    shown: Shown,
}

/// How results are shown.
#[derive(clap::Args)]
struct Shown {
    /// Draw curves over one axis or maps over two: .svg, .png, .pdf or .html
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    style: PlotFlags,
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
}

impl Sweep {
    pub(crate) fn run(self) -> ExitCode {
        let outcome = match (&self.other, &self.model) {
            (Some(Other::Merge(merge)), _) => merge.attempt(),
            (Some(Other::Export(export)), _) => export.attempt(),
            (None, Some(model)) => self.attempt(model),
            // the parser asks for a model where there is no other command
            (None, None) => Err(ExitCode::from(WRONG_USAGE)),
        };
        outcome.unwrap_or_else(|code| code)
    }

    fn attempt(&self, model: &ModelArguments) -> Result<ExitCode, ExitCode> {
        let mut destinations = Destinations::of(model);
        for file in self.output.iter().flat_map(|path| Store::files(path)) {
            destinations.add_any(&file)?;
        }
        destinations.add_table(self.export.as_deref())?;
        output::refuse_two_outputs(self.export.as_deref(), self.shown.json)?;
        destinations.add_picture(self.shown.plot.as_deref())?;
        let model = model.load()?;
        let chunk = self.chunk.as_ref().map_or(Ok(Chunk::WHOLE), |text| text.parse());
        let chunk = chunk
            .map_err(|error: BadChunk| refused(&ensemble::SweepFailure::from(error).into()))?;
        let plan = Plan::new(&model, &self.request());
        let plan = plan.map_err(|failure| refused(&failure.into()))?;
        self.shown.check(plan.description.axes.len())?;
        if let Some(words) = plan.sweep.device_words().filter(|_| !plan.sweep.is_on_device()) {
            report::doubt(&words, None);
        }
        if let (Some(address), Some(path)) = (&self.on, &self.output) {
            return self.on_cluster(address, &model, &plan, path);
        }
        let computed = self.computed(&plan, chunk);
        let (result, attempt) = computed.map_err(|failure| refused(&failure))?;
        let findings = write_table(&*result, self.export.as_deref())?;
        let mut text = String::new();
        if plan.measure_was_chosen {
            text += &format!("no --measure was given: {}\n", plan.description.measures[0]);
        }
        let kept = Kept { file: self.output.as_deref(), table: self.export.as_deref() };
        text += &attempt_summary(&plan, &attempt, &findings, kept);
        let precision_loss = plan.precision_loss(&*result, &signals::received);
        if let Some(loss) = &precision_loss {
            text += &loss_of_precision(&plan, loss);
        }
        let computed = Computed { attempt, device: plan.sweep.device_words(), precision_loss };
        let table = printed(&*result, self.export.as_deref());
        let printed = self.shown.show(&*result, &findings, Some(&computed), text, table)?;
        let interrupted = computed.attempt.interrupted;
        let failed = interrupted || findings.failed == findings.cells;
        Ok(match signals::exit_code() {
            Some(code) if interrupted => code,
            _ if failed && findings.cells > 0 => ExitCode::from(FAILED),
            _ => printed,
        })
    }

    /// A cluster computes; what its file holds is shown as that of `catena sweep export`.
    fn on_cluster(
        &self,
        address: &str,
        model: &catena::Model,
        plan: &Plan,
        path: &Path,
    ) -> Result<ExitCode, ExitCode> {
        let done = sweep_on::compute(address, model, &self.request(), path, self.resume)?;
        let description = plan.description.clone();
        let store = Store::for_sweep(path, description, Chunk::WHOLE, true);
        let store = store.map_err(|failure| refused(&failure.into()))?;
        let findings = write_table(&store, self.export.as_deref())?;
        let mut text = summary(&store, &findings);
        text += &exported(self.export.as_deref(), &findings);
        text += &match &done {
            Some(done) => cluster_summary(address, done, path),
            None => interrupted_summary(path),
        };
        let table = printed(&store, self.export.as_deref());
        let printed = self.shown.show(&store, &findings, None, text, table)?;
        Ok(match signals::exit_code() {
            Some(code) if done.is_none() => code,
            _ if findings.failed == findings.cells || !findings.is_complete() => {
                ExitCode::from(FAILED)
            }
            _ => printed,
        })
    }

    fn request(&self) -> SweepRequest {
        SweepRequest {
            over: self.over.clone(),
            measures: self.measures.clone(),
            t_start: self.t_start.clone(),
            t_end: self.t_end.clone(),
            every: self.every.clone(),
            after: self.after.clone(),
            step: self.step.clone(),
            run: self.method.0.clone(),
        }
    }

    fn computed(
        &self,
        plan: &Plan,
        chunk: Chunk,
    ) -> Result<(Box<dyn SweepResult>, Attempt), SweepFailure> {
        let threads = self.threads.count();
        let store = self
            .output
            .as_ref()
            .map(|path| Store::for_sweep(path, plan.description.clone(), chunk, self.resume));
        let store = store.transpose()?;
        let mut progress = Progress::new();
        let mut watch = |watch: Watch| {
            progress.tell(watch.done as f64 / watch.cells.max(1) as f64, &|| words(watch))
        };
        let computed = match store {
            Some(mut store) => fill(&plan.sweep, &mut store, threads, &mut watch)
                .map(|attempt| (Box::new(store) as Box<dyn SweepResult>, attempt)),
            None => in_memory(plan, threads, &mut watch)
                .map(|(result, attempt)| (Box::new(result) as Box<dyn SweepResult>, attempt))
                .map_err(SweepFailure::from),
        };
        progress.finish();
        computed
    }
}

/// What follows the bar.
fn words(watch: Watch) -> String {
    let rate = watch.computed as f64 / watch.seconds.max(1e-9);
    let left = match watch.computed {
        0 => String::new(),
        _ => format!(", {:.0} s left", (watch.cells - watch.done) as f64 / rate),
    };
    format!("{} of {} cells, {rate:.0} a second{left}", watch.done, watch.cells)
}

impl Merge {
    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let mut destinations = Destinations::reading(self.parts.iter().cloned());
        for file in Store::files(&self.into) {
            destinations.add_any(&file)?;
        }
        let merged = catena::sweep::merge(&self.into, &self.parts);
        let store = merged.map_err(|failure| refused(&failure.into()))?;
        let findings = Findings::of(&store);
        let mut text = summary(&store, &findings);
        text += &format!("merged into {}\n", self.into.display());
        let printed = output::print(&text);
        Ok(if findings.is_complete() { printed } else { ExitCode::from(FAILED) })
    }
}

impl Export {
    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let mut destinations = Destinations::reading(Store::files(&self.file));
        destinations.add_table(self.table.as_deref())?;
        output::refuse_two_outputs(self.table.as_deref(), self.shown.json)?;
        destinations.add_picture(self.shown.plot.as_deref())?;
        let store = Store::open(&self.file).map_err(|failure| refused(&failure.into()))?;
        self.shown.check(store.description().axes.len())?;
        let findings = write_table(&store, self.table.as_deref())?;
        let mut text = summary(&store, &findings);
        text += &exported(self.table.as_deref(), &findings);
        let table = printed(&store, self.table.as_deref());
        let printed = self.shown.show(&store, &findings, None, text, table)?;
        Ok(if findings.unsound == 0 { printed } else { ExitCode::from(FAILED) })
    }
}

impl Shown {
    fn check(&self, axes: usize) -> Result<(), ExitCode> {
        self.style.style()?;
        if self.plot.is_none() || axes <= MAX_DRAWN_AXES {
            return Ok(());
        }
        let message = format!("{axes} axes cannot be drawn");
        let help = "a picture has one axis or two; a table has them all";
        report::error(&message, Some(help));
        Err(ExitCode::from(WRONG_USAGE))
    }

    fn show(
        &self,
        result: &dyn SweepResult,
        findings: &Findings,
        computed: Option<&Computed>,
        mut text: String,
        table: Option<Table>,
    ) -> Result<ExitCode, ExitCode> {
        let style = self.style.style()?;
        let picture = catena::sweep::sweep_picture(result, &style);
        if let (Some(path), Some(picture)) = (&self.plot, picture) {
            let written = catena::write_picture(&*picture, path);
            written.map_err(|error| report::error(&error.to_string(), None))?;
            text += &format!("drawn in {}\n", path.display());
        }
        let words = match self.json {
            true => format!("{:#}\n", catena::sweep::sweep_json(result, findings, computed)),
            false => text,
        };
        Ok(output::print_beside(table.as_ref(), &words))
    }
}

/// Reads everything once, and writes it where that is asked for.
fn write_table(result: &dyn SweepResult, path: Option<&Path>) -> Result<Findings, ExitCode> {
    match path.filter(|path| !output::is_standard(Some(path))) {
        None => Ok(Findings::of(result)),
        Some(path) => catena::sweep::export(result, path)
            .map_err(|error| report::error(&error.to_string(), error.help().as_deref())),
    }
}

/// The table that goes to standard output, if it is to.
fn printed(result: &dyn SweepResult, path: Option<&Path>) -> Option<Table> {
    output::is_standard(path).then(|| catena::sweep::table(result))
}

fn refused(failure: &SweepFailure) -> ExitCode {
    if let SweepFailure::Sweep(ensemble::SweepFailure::Run(failure)) = failure {
        return report::run_failure(failure);
    }
    if let SweepFailure::Sweep(ensemble::SweepFailure::Sweep(SweepError::Run(error))) = failure {
        return report::run_failure(&RunFailure::Run(error.clone()));
    }
    report::error(&failure.to_string(), help(failure).as_deref());
    ExitCode::from(if failure.is_usage() { WRONG_USAGE } else { FAILED })
}
