//! `catena analyze resonance`

use super::driven::{Driven, refused, watched};
use super::presentation::Presentation;
use super::response::{Branch, row};
use crate::output::table;
use crate::{WRONG_USAGE, report};
use catena::analysis::resonance::{self, PeakChoice, ResonanceError, ResonanceTrack, resonance};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "catena analyze resonance triple-pendulum --over f=0.66:0.84:19 --over R=0.2:0.5:7"
)]
pub(super) struct Resonance {
    #[command(flatten)]
    driven: Driven,
    /// From rest, or each frequency from where the one before has settled
    #[arg(long, value_enum, default_value = "rest")]
    branch: Branch,
    /// The first, second, ... peak between these frequencies; the highest if absent
    #[arg(long, value_name = "NUMBER")]
    peak: Option<usize>,
    #[command(flatten)]
    presentation: Presentation,
}

impl Resonance {
    pub(super) fn attempt(&self) -> Result<ExitCode, ExitCode> {
        self.presentation.check(catena::TABLE_FORMATS)?;
        let (model, mut request) = self.driven.request()?;
        request.branches = vec![self.branch.into()];
        let choice = self.peak.map_or(PeakChoice::Highest, PeakChoice::Number);
        let found = watched(|stop| resonance(&model, &request, choice, stop));
        let found = found.map_err(|error| told(&error))?;
        let answer = catena::resonance_answer(&model, &request, &found);
        self.presentation.present(&answer, &written(&found))
    }
}

fn told(error: &ResonanceError) -> ExitCode {
    let help = match error {
        ResonanceError::Response(error) => return refused(error),
        ResonanceError::NoParameter => "add a second range, such as --over R=0.1:0.5:5",
        ResonanceError::NoSuchPeak => "write --peak 1 for the first",
        _ => "choose one with --branch",
    };
    report::error(&error.to_string(), Some(help));
    ExitCode::from(WRONG_USAGE)
}

fn written(found: &resonance::Resonance) -> String {
    let frequency = &found.response.frequency;
    let (unit, parameter) = (frequency.unit.symbol(), found.parameter.as_str());
    let heading = format!("{}, {unit}", frequency.name);
    let headings = [parameter, heading.as_str(), "±", "amplitude", "±", "", "slope"];
    let mut text = String::new();
    for track in &found.tracks {
        let slopes = std::iter::once(None).chain(track.slopes());
        let rows: Vec<Vec<String>> = track
            .rows
            .iter()
            .zip(slopes)
            .map(|(entry, slope)| {
                let value = entry.value.to_string();
                let mut cells = match &entry.peak {
                    Some(peak) => row(&value, peak),
                    None => {
                        ["", "", "", "", "no peak"].iter().fold(vec![value], |mut cells, cell| {
                            cells.push((*cell).to_owned());
                            cells
                        })
                    }
                };
                cells.push(slope.map_or_else(String::new, |slope| format!("{slope:.4}")));
                cells
            })
            .collect();
        text +=
            &format!("{}\n{}{}\n", track.output, table(&headings, &rows), laws(track, parameter));
    }
    text
}

fn laws(track: &ResonanceTrack, parameter: &str) -> String {
    let mut text = String::new();
    if let Some(fit) = track.shift {
        text += &format!(
            "the peak moves by {:.4} ± {:.1e} for 1 of {parameter} (R² = {:.4}, {} peaks)\n",
            fit.slope, fit.slope_error, fit.r_squared, fit.points
        );
    }
    if let Some(fit) = track.decay {
        text += &format!(
            "it shrinks as exp(−{:.4} {parameter}) ± {:.1e} (R² = {:.4})\n",
            fit.rate, fit.rate_error, fit.r_squared
        );
    }
    text
}
