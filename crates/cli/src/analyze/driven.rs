//! What `response` and `resonance` have in common: the frequencies, the method, and how trouble is told.

use crate::flags::{METHODS, RunFlags};
use crate::progress::Progress;
use crate::{FAILED, ModelArguments, WRONG_USAGE, report};
use catena::analysis::linear_response::LinearResponseRequest;
use catena::analysis::response::{ResponseError, ResponseRequest};
use catena::ensemble::{Axis, SweepError};
use catena::sweep::{SweepFailure, SweptAxis, swept_axis};
use catena::{Model, RunFailure, RunSettings};
use std::process::ExitCode;
use std::sync::Mutex;

#[derive(clap::Args)]
pub(super) struct Driven {
    #[command(flatten)]
    model: ModelArguments,
    /// The frequencies, then a parameter with a curve for each value: NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or
    /// NAME=VALUE,VALUE,...
    #[arg(long, value_name = "NAME=RANGE", required = true, allow_hyphen_values = true)]
    over: Vec<String>,
    /// Amplitudes of these columns; the coordinates and states if absent
    #[arg(long, value_delimiter = ',')]
    columns: Vec<String>,
    /// How far a settled motion may be from the steady one, beside its amplitude
    #[arg(long, default_value = "1e-5", allow_hyphen_values = true)]
    tolerance: f64,
    /// How often the points around a peak are made denser, four times each
    #[arg(long, default_value = "2")]
    refinements: usize,
    #[command(flatten)]
    method: RunFlags<METHODS>,
    /// Fixed step, s
    #[arg(long, allow_hyphen_values = true)]
    step: Option<f64>,
    /// How many threads compute; all cores if it is not said
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Driven {
    /// The model and what is asked of it.
    pub(super) fn request(&self) -> Result<(Model, ResponseRequest), ExitCode> {
        let model = self.model.load()?;
        let (frequency, parameter) = self.ranges()?;
        let (step, columns) = (self.step, self.columns.clone());
        let methods = RunSettings { step, columns, ..self.method.0.clone() };
        let mut request = catena::response_request(&model, &methods, frequency.values)
            .map_err(|failure| unfit(&failure))?;
        request.frequency = Some(frequency.name);
        request.parameter = parameter;
        request.settling.tolerance = self.tolerance;
        request.refinements = self.refinements;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        request.threads = self.threads.map_or_else(cores, usize::from);
        Ok((model, request))
    }

    /// The same for small motions.
    pub(super) fn linear_request(
        &self,
        input: Option<String>,
    ) -> Result<(Model, LinearResponseRequest), ExitCode> {
        let model = self.model.load()?;
        let (SweptAxis { name, values, .. }, parameter) = self.ranges()?;
        let (frequency, outputs) = (Some(name), self.columns.clone());
        Ok((model, LinearResponseRequest { frequency, values, parameter, input, outputs }))
    }

    /// The frequencies, and the parameter with a curve for each value.
    fn ranges(&self) -> Result<(SweptAxis, Option<Axis>), ExitCode> {
        let axes = self.over.iter().map(|text| swept_axis(text)).collect::<Result<Vec<_>, _>>();
        let mut axes = axes.map_err(|failure| no_range(&failure))?.into_iter();
        let (Some(frequency), parameter, None) = (axes.next(), axes.next(), axes.next()) else {
            let help = "one for the frequency, one for a parameter";
            report::error("there can be two ranges --over", Some(help));
            return Err(ExitCode::from(WRONG_USAGE));
        };
        let parameter = parameter.map(|SweptAxis { name, values, .. }| Axis { name, values });
        Ok((frequency, parameter))
    }
}

/// Does the work while the progress is shown.
pub(super) fn watched<T>(work: impl FnOnce(&(dyn Fn(f64) -> bool + Sync)) -> T) -> T {
    let progress = Mutex::new(Progress::new());
    let found = work(&|part| progress.lock().is_ok_and(|mut progress| progress.step(part)));
    if let Ok(mut progress) = progress.lock() {
        progress.finish();
    }
    found
}

/// Says why there is no response.
pub(super) fn refused(error: &ResponseError) -> ExitCode {
    if let ResponseError::Sweep(SweepError::Run(run)) = error {
        return unfit(&RunFailure::Run(run.clone()));
    }
    let help = match error {
        ResponseError::NoDrive => {
            "write a force, a definition or a constraint with a sine or cosine of t".to_owned()
        }
        ResponseError::UnknownFrequency { meant: Some(meant), .. } => {
            format!("did you mean `{meant}`?")
        }
        ResponseError::UnknownFrequency { .. } | ResponseError::NotPeriodic { .. } => {
            "the first --over names the parameter f of cos(2*pi*f*t), or omega of cos(omega*t)"
                .to_owned()
        }
        ResponseError::BadFrequencies => "write --over f=0.1:2:100".to_owned(),
        ResponseError::Twice { .. } => "let the second --over name another parameter".to_owned(),
        ResponseError::Sweep(SweepError::UnknownAxis { meant: Some(meant), .. }) => {
            format!("did you mean `{meant}`?")
        }
        ResponseError::Sweep(SweepError::UnknownAxis { known, .. }) => {
            format!("known: {}", known.join(", "))
        }
        ResponseError::BadSetting { .. } => "write another number".to_owned(),
        _ => "`catena check` says more about the model".to_owned(),
    };
    report::error(&error.to_string(), Some(&help));
    let of_model = matches!(error, ResponseError::NoDrive | ResponseError::Stopped);
    ExitCode::from(if of_model { FAILED } else { WRONG_USAGE })
}

fn unfit(failure: &RunFailure) -> ExitCode {
    report::run_failure(failure)
}

fn no_range(failure: &SweepFailure) -> ExitCode {
    report::error(&failure.to_string(), failure.help().as_deref());
    ExitCode::from(WRONG_USAGE)
}
