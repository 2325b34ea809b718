//! `catena analyze response`

use super::driven::{Driven, refused, watched};
use super::linear_response;
use super::presentation::Presentation;
use crate::output::{table, yellow};
use crate::{WRONG_USAGE, report};
use catena::analysis::response::{self, Curve, Peak, response};
use std::process::ExitCode;

/// Flags about a motion in time: a transfer function has none.
const METHOD: [&str; 11] = [
    "formulation",
    "integrator",
    "rtol",
    "atol",
    "first_step",
    "max_step",
    "max_steps",
    "with",
    "step",
    "tolerance",
    "refinements",
];

#[derive(clap::Args)]
#[command(after_help = "catena analyze response triple-pendulum --over f=0.05:2:79 --over R=0.5,1")]
pub(super) struct Response {
    #[command(flatten)]
    driven: Driven,
    /// From rest, or each frequency from where the one before has settled; rest if absent
    #[arg(long, value_enum, value_delimiter = ',')]
    branches: Vec<Branch>,
    /// Small motions about rest instead: the complex transfer function from the drive to the columns
    #[arg(long, conflicts_with_all = METHOD)]
    linear: bool,
    /// What the drive moves, with --linear: a definition or output; found if only one depends on time alone
    #[arg(long, value_name = "NAME", requires = "linear")]
    input: Option<String>,
    #[command(flatten)]
    presentation: Presentation,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum Branch {
    /// Every frequency begins at the model's start
    Rest,
    /// From low to high
    Up,
    /// From high to low
    Down,
}

impl From<Branch> for response::Branch {
    fn from(branch: Branch) -> response::Branch {
        match branch {
            Branch::Rest => response::Branch::FromRest,
            Branch::Up => response::Branch::Up,
            Branch::Down => response::Branch::Down,
        }
    }
}

impl Response {
    pub(super) fn attempt(&self) -> Result<ExitCode, ExitCode> {
        self.presentation.check(catena::TABLE_FORMATS)?;
        if self.linear {
            return self.attempt_linear();
        }
        let (model, mut request) = self.driven.request()?;
        if !self.branches.is_empty() {
            request.branches = self.branches.iter().map(|&branch| branch.into()).collect();
        }
        let found = watched(|stop| response(&model, &request, stop));
        let found = found.map_err(|error| refused(&error))?;
        let answer = catena::response_answer(&model, &request, &found);
        self.presentation.present(&answer, &written(&found))
    }

    fn attempt_linear(&self) -> Result<ExitCode, ExitCode> {
        if !self.branches.is_empty() {
            let reason =
                "--branches makes no sense with --linear: a linear response has one branch";
            report::error(reason, Some("leave out one of the two"));
            return Err(ExitCode::from(WRONG_USAGE));
        }
        let (model, request) = self.driven.linear_request(self.input.clone())?;
        let found = linear_response::find(&model, &request)?;
        let answer = catena::linear_response_answer(&model, &found);
        self.presentation.present(&answer, &linear_response::written(&found))
    }
}

fn written(found: &response::Response) -> String {
    let unit = found.frequency.unit.symbol();
    let frequency = format!("{}, {unit}", found.frequency.name);
    let headings = ["peak of", frequency.as_str(), "±", "amplitude", "±", ""];
    let mut text = String::new();
    for curve in &found.curves {
        let peaks = found.outputs.iter().zip(&curve.peaks);
        let rows: Vec<Vec<String>> =
            peaks.flat_map(|(name, peaks)| peaks.iter().map(|peak| row(name, peak))).collect();
        text += &format!("{}: {}\n", catena::curve_name(found, curve), settled(curve));
        text += &match rows.is_empty() {
            true => "no peak between these frequencies\n".to_owned(),
            false => table(&headings, &rows),
        };
        text += "\n";
    }
    text
}

pub(super) fn row(name: &str, peak: &Peak) -> Vec<String> {
    let mut numbers = vec![name.to_owned()];
    numbers.extend([format!("{:.6}", peak.frequency), format!("{:.1e}", peak.frequency_error)]);
    numbers.extend([format!("{:.6}", peak.amplitude), format!("{:.1e}", peak.amplitude_error)]);
    numbers.push(remark(peak).to_owned());
    numbers
}

fn remark(peak: &Peak) -> &'static str {
    match (peak.jump, peak.settled) {
        (true, true) => "jumps",
        (true, false) => "jumps, not settled",
        (false, true) => "",
        (false, false) => "not settled",
    }
}

/// How good the points of a curve are.
fn settled(curve: &Curve) -> String {
    let points = curve.points.len();
    let settled = curve.points.iter().filter(|point| point.settled);
    let worst = settled.clone().map(|point| point.error).fold(0.0, f64::max);
    let mut text = format!("{} of {points} points settled to {worst:.1e}", settled.count());
    let failures: Vec<&String> =
        curve.points.iter().filter_map(|point| point.failure.as_ref()).collect();
    let again = curve.points.iter().filter(|point| point.repeats_after > 1).count();
    if again > 0 {
        text += &format!("; {again} repeat after several periods of the drive");
    }
    if let Some(reason) = failures.first() {
        text += &format!("; {} {}: {reason}", failures.len(), yellow("failed"));
    }
    if let Some(error) = curve.integration_error {
        text += &format!("; smaller tolerances change the highest by {error:.1e}");
    }
    text
}
