//! Both methods moving side by side, with joints in the colours of their gaps.

use super::chain::{
    Conditions, INTEGRATOR, Method, STABILISED_OMEGA, T_END, TOLERANCES, chain, settings,
};
use crate::{Laboratory, Section, StudyError};
use catena::analysis::AnswerFilm;
use catena::{Animation, FrameTimes, Run, RunSettings};

/// The grid of the films, s.
const GRID: f64 = 0.1;
/// Frames of a film: one every 25 ms, ten in the time in which the tip cracks.
const FRAMES: usize = 201;
/// Half the true speed: the whip is to be seen.
const SPEED: f64 = 0.5;

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let conditions = Conditions::of(lab);
    let mut section = Section::default();
    let methods = [Method::recursive(), conditions.augmented(), conditions.stabilised()];
    let films = lab.each(&methods, |lab, method| filmed(lab, &conditions, method))?;
    let [recursive, own, stabilised] = &films[..] else { return Ok(section) };
    section.text(
        "The animations of the study are at tolerance 0.1. Joints are white where they are closed, yellow and then red where they are \
         open by a hundredth of the picture; a dashed line joins the two points of an open one.",
    );
    section.film(
        "film-study",
        "Both methods at tolerance 0.1, grid 0.1 s.",
        animation("Both methods at tolerance 0.1", [recursive, own]),
    );
    section.film(
        "film-stabilised",
        format!("The same with stabilisation: ω = {STABILISED_OMEGA} rad/s, ξ = 1."),
        animation("Both methods at tolerance 0.1, with stabilisation", [recursive, stabilised]),
    );
    Ok(section)
}

fn filmed(
    lab: &Laboratory<'_>,
    conditions: &Conditions,
    method: &Method,
) -> Result<AnswerFilm, StudyError> {
    let settings = RunSettings {
        rtol: Some(TOLERANCES[0]),
        atol: Some(TOLERANCES[0]),
        first_step: Some(GRID),
        every: Some(T_END),
        ..settings(method, INTEGRATOR)
    };
    let model = chain(lab, conditions.links)?;
    let Run { film, certificate, .. } = lab.film(&model, &settings, &FrameTimes::Evenly(FRAMES))?;
    let verdict = Some(certificate.verdict);
    Ok(AnswerFilm { label: method.label.clone(), film: film.unwrap_or_default(), verdict })
}

fn animation(title: &str, films: [&AnswerFilm; 2]) -> Animation {
    Animation {
        title: title.to_owned(),
        about: String::new(),
        films: films.map(AnswerFilm::clone).to_vec(),
        figure: None,
        clock: Some([String::new(), "s".to_owned()]),
        duration: None,
        speed: Some(SPEED),
    }
}
