//! A study: what was published, and the experiments that are made again.

use crate::{Claim, Laboratory, Section, StudyError};
use catena::analysis::Watch;
use catena::model::{OptionRow, Options};

/// A published study that can be run again.
pub struct Study {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Authors, title, journal, year.
    pub publication: &'static str,
    /// What was done, and what the publication leaves open; paragraphs are separated by empty lines.
    pub about: &'static str,
    /// What can be changed, to see claims stand or fall.
    pub settings: &'static [&'static OptionRow],
    /// What is printed wrong: where, and what is right.
    pub misprints: &'static [(&'static str, &'static str)],
    /// In the order of the page.
    pub experiments: &'static [Experiment],
}

/// A part of a study that is run by itself.
pub struct Experiment {
    /// The heading of its section.
    pub title: &'static str,
    /// How long it takes, relative to the others.
    pub weight: f64,
    /// Makes it.
    pub run: fn(&Laboratory<'_>) -> Result<Section, StudyError>,
}

/// A study that was run.
pub struct Findings {
    /// Which one.
    pub study: &'static Study,
    /// Whether fewer and shorter runs did.
    pub quick: bool,
    /// What was changed.
    pub settings: Options,
    /// One for each experiment, under its title.
    pub sections: Vec<(&'static str, Section)>,
    /// How long it took, s.
    pub seconds: f64,
}

impl Study {
    /// Runs all experiments.
    pub fn run(
        &'static self,
        quick: bool,
        settings: &Options,
        watch: &Watch<'_>,
    ) -> Result<Findings, StudyError> {
        let began = (watch.clock)();
        let laboratory = Laboratory::new(quick, settings, watch);
        let total: f64 = self.experiments.iter().map(|experiment| experiment.weight).sum();
        let mut sections = Vec::new();
        let mut done = 0.0;
        for experiment in self.experiments {
            let end = done + experiment.weight / total;
            sections.push((experiment.title, (experiment.run)(&laboratory.part(done..end))?));
            done = end;
        }
        let seconds = (watch.clock)() - began;
        Ok(Findings { study: self, quick, settings: settings.clone(), sections, seconds })
    }
}

impl Findings {
    /// All claims, by their numbers.
    pub fn claims(&self) -> Vec<&Claim> {
        let mut claims: Vec<&Claim> =
            self.sections.iter().flat_map(|(_, section)| &section.claims).collect();
        claims.sort_by_key(|claim| claim.order());
        claims
    }

    /// The settings that differ from those of the study, as NAME = VALUE.
    pub fn changes(&self) -> Vec<String> {
        let given =
            self.study.settings.iter().filter_map(|row| {
                self.settings.get(row).map(|value| format!("{} = {value}", row.key))
            });
        given.collect()
    }
}
