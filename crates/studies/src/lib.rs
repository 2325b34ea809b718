//! Published studies run again: every table and figure, and every claim weighed by figures of the same run.
//!
//! A [`Study`] is a row of [`STUDIES`]: what was published, what can be changed, and the experiments. Experiments see
//! nothing but the facade; they yield text, figures, tables, films and [`Claim`]s, and a page shows them.
//!
//! ```no_run
//! use catena::analysis::Watch;
//! use catena::model::Options;
//!
//! let study = catena_studies::find("articulated").ok_or("no such study")?;
//! let mut settings = Options::new(study.settings);
//! settings.set_text("omega", "10")?;
//! let findings = study.run(true, &settings, &Watch::UNSEEN)?;
//! for claim in findings.claims() {
//!     println!("{} {}: {}", claim.id, claim.verdict, claim.measured);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod articulated;
mod claim;
mod digits;
mod folder;
mod four_bar;
mod laboratory;
mod machine;
mod page;
mod penalty;
mod section;
mod study;
mod triple;

pub use claim::{Claim, Verdict};
pub use folder::{write_overview, write_study};
pub use laboratory::{Laboratory, StudyError};
pub use section::{Block, Section};
pub use study::{Experiment, Findings, Study};

/// Every study. The command line, its help and the tests read this list.
pub static STUDIES: &[&Study] =
    &[&articulated::STUDY, &penalty::STUDY, &triple::STUDY, &four_bar::STUDY];

/// The study of this name.
pub fn find(name: &str) -> Option<&'static Study> {
    STUDIES.iter().copied().find(|study| study.name == name)
}
