//! `catena reproduce`

use crate::flags::Threads;
use crate::output::{bold, green, red, yellow};
use crate::progress::Progress;
use crate::{WRONG_USAGE, output, report, signals};
use catena::analysis::Watch;
use catena::model::Options;
use catena_studies::{
    Claim, Findings, STUDIES, Study, StudyError, Verdict, find, write_overview, write_study,
};
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

/// All studies, one after the other.
const ALL: &str = "all";

#[derive(clap::Args)]
#[command(after_help = settings_help())]
pub(crate) struct Reproduce {
    /// Which study, or all of them
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    study: String,
    /// Fewer and shorter runs: a minute instead of several for all of them
    #[arg(long)]
    quick: bool,
    /// The folder; a study's page is DIR/STUDY/index.html
    #[arg(short, long, value_name = "DIR", default_value = "studies")]
    output: PathBuf,
    /// Change a setting of the study, to see claims stand or fall: omega=10
    #[arg(long = "set", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    settings: Vec<String>,
    #[command(flatten)]
    threads: Threads,
    /// Print the claims as one JSON object
    #[arg(long)]
    json: bool,
}

fn names() -> Vec<&'static str> {
    STUDIES.iter().map(|study| study.name).chain([ALL]).collect()
}

/// What can be changed in each study.
fn settings_help() -> String {
    let mut text = "Settings:\n".to_owned();
    for study in STUDIES {
        for row in study.settings {
            let unit = if row.unit.is_empty() { String::new() } else { format!(" {}", row.unit) };
            text += &format!(
                "  {:<12} {:<8} {} [default: {}{unit}]\n",
                study.name, row.key, row.help, row.default
            );
        }
    }
    text
}

impl Reproduce {
    pub(crate) fn run(self) -> ExitCode {
        self.attempt().unwrap_or_else(|code| code)
    }

    fn attempt(&self) -> Result<ExitCode, ExitCode> {
        let studies: Vec<&'static Study> = match find(&self.study) {
            Some(study) => vec![study],
            None => STUDIES.to_vec(),
        };
        let settings = self.settings(&studies)?;
        require_folder(&self.output)?;
        let mut all = Vec::new();
        let mut text = String::new();
        for (at, study) in studies.iter().enumerate() {
            let span = [at as f64, 1.0].map(|count| count / studies.len() as f64);
            let own = settings.clone().unwrap_or_else(|| Options::new(study.settings));
            let findings = self.reproduced(study, &own, span)?;
            // what is finished is kept, whatever becomes of the others
            let page = write_study(&findings, &self.output, &command()).map_err(lost)?;
            text += &summary(&findings, &page);
            all.push(findings);
        }
        if studies.len() > 1 {
            let page = write_overview(&all, &self.output, &command()).map_err(lost)?;
            text += &format!("all of them: {}\n", page.display());
        }
        if self.json {
            let object: Vec<_> = all.iter().map(Findings::to_json).collect();
            return Ok(output::print(&match object.as_slice() {
                [only] => format!("{only:#}\n"),
                several => format!(
                    "[{}]\n",
                    several.iter().map(|one| format!("{one:#}")).collect::<Vec<_>>().join(",\n")
                ),
            }));
        }
        Ok(output::print(&text))
    }

    /// What was changed, if anything; settings belong to one study.
    fn settings(&self, studies: &[&'static Study]) -> Result<Option<Options>, ExitCode> {
        let refused = |message: &str, help: &str| {
            report::error(message, Some(help));
            ExitCode::from(WRONG_USAGE)
        };
        let [study] = studies else {
            return match self.settings.as_slice() {
                [] => Ok(None),
                _ => Err(refused(
                    "settings belong to one study, and all of them were asked for",
                    "name the study, as in `catena reproduce articulated --set omega=10`",
                )),
            };
        };
        let mut options = Options::new(study.settings);
        for text in &self.settings {
            let Some((key, value)) = text.split_once('=') else {
                return Err(refused(
                    &format!("`{text}` changes nothing"),
                    "write NAME=VALUE, as in --set omega=10",
                ));
            };
            options
                .set_text(key.trim(), value)
                .map_err(|error| refused(&error.to_string(), &error.help()))?;
        }
        Ok(Some(options))
    }

    /// Runs a study while the progress is shown, which goes from the first part of all work over a length of it.
    fn reproduced(
        &self,
        study: &'static Study,
        settings: &Options,
        [first, length]: [f64; 2],
    ) -> Result<Findings, ExitCode> {
        let progress = Mutex::new(Progress::new());
        let began = Instant::now();
        let watch = Watch {
            clock: &|| began.elapsed().as_secs_f64(),
            stop: &|part| {
                let words = || study.name.to_owned();
                let done = first + part * length;
                progress.lock().is_ok_and(|mut progress| progress.tell(done, &words))
            },
            threads: self.threads.count(),
            picture: None,
        };
        let findings = study.run(self.quick, settings, &watch);
        if let Ok(mut progress) = progress.lock() {
            progress.finish();
        }
        findings.map_err(|error| match error {
            StudyError::Interrupted => {
                report::error(&format!("interrupted in the study `{}`", study.name), None);
                signals::exit_code().unwrap_or_else(report::interrupted)
            }
            StudyError::Load(error) => report::load_error(&error),
            StudyError::Run(failure) => report::run_failure(&failure),
            StudyError::Refused(refusal) => report::refusal(&refusal, study.settings),
            other => report::error(&other.to_string(), None),
        })
    }
}

/// A folder that cannot be made is known before the work.
fn require_folder(folder: &Path) -> Result<(), ExitCode> {
    std::fs::create_dir_all(folder).map_err(|error| {
        report::error(
            &format!("cannot make the folder `{}`: {error}", folder.display()),
            Some("name another one with -o DIR"),
        )
    })
}

fn lost(error: catena::WriteError) -> ExitCode {
    report::error(&error.to_string(), None)
}

/// The command as it was typed.
fn command() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    format!("catena {}", words.join(" "))
}

/// The claims of a study, and where its page is.
fn summary(findings: &Findings, page: &Path) -> String {
    let mut text = format!("{}\n{}\n\n", bold(findings.study.title), findings.study.publication);
    for claim in findings.claims() {
        text += &claim_text(claim);
    }
    text + &format!("\nthe page: {}\n\n", page.display())
}

fn claim_text(claim: &Claim) -> String {
    let verdict = claim.verdict.to_string();
    let coloured = match claim.verdict {
        Verdict::Holds => green(&verdict),
        Verdict::HoldsIf(_) => yellow(&verdict),
        Verdict::DoesNotHold => red(&verdict),
        _ => verdict,
    };
    let measured = match claim.measured.as_str() {
        "" => String::new(),
        figures => format!("     measured: {figures}\n"),
    };
    format!("{:<4} {}: {coloured}\n{measured}", claim.id, claim.says)
}
