//! The linkage by the study's method: angles and rates.

use super::conditions::{
    LINKAGE_ROWS, LINKAGE_TIME, MOTIONS, SPIN, animation, column, linkage_models, study_method,
    tolerance_words, tolerances,
};
use crate::digits::digits;
use crate::{Laboratory, Section, StudyError};
use catena::figure::{Axis, Figure, Panel, Series};
use catena::simulation::Table;
use catena::{FrameTimes, Run};

/// Names of columns, and how figures call them.
const ANGLES: [(&str, &str); 3] =
    [("theta2", "$θ_{2}$"), ("theta3", "$θ_{3}$"), ("theta4", "$θ_{4}$")];
const RATES: [(&str, &str); 3] =
    [("theta2'", "$θ̇_{2}$"), ("theta3'", "$θ̇_{3}$"), ("theta4'", "$θ̇_{4}$")];

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let models = linkage_models(lab)?;
    let settings = study_method(tolerances(lab)).t_end(LINKAGE_TIME).every(LINKAGE_ROWS);
    let runs = lab.each(&models, |lab, model| lab.film(model, &settings, &FrameTimes::ToWatch))?;
    let mut section = Section::default();
    section.text(format!(
        "Crank, coupler and rocker move under gravity, by the method of the study at tolerances of {}: once released at rest, once with the crank \
         turning at {} rad/s at the start. At rest the crank has not the energy to go over the top and swings to and fro; spinning, it goes \
         round. The study prints curves of one motion without its data, so that shapes can be compared and numbers cannot.",
        tolerance_words(tolerances(lab)),
        digits(lab.number(&SPIN), 3)
    ));
    let captions = [
        "Figure 15 of the study: angles and rates of the links, released at rest",
        "Figure 15 of the study: the same with a spinning crank, whose angle has a panel of its own",
    ];
    for ((file, caption), run) in
        ["figure-15-rest", "figure-15-spin"].into_iter().zip(captions).zip(&runs)
    {
        section.figure(file, caption, motion_figure(run));
    }
    section.table("linkage", "Ranges of angles and rates within 10 s", range_table(&runs));
    let labels = ["released at rest", "with a spinning crank"];
    let mut film = animation(
        "Four-bar linkage",
        "multipliers with ode45",
        labels.into_iter().zip(runs).collect(),
    );
    film.speed = Some(0.5);
    section.film("linkage-film", "The linkage, released at rest and with a spinning crank", film);
    Ok(section)
}

/// Angles above rates; an angle that goes round is not drawn with those that do not.
fn motion_figure(run: &Run) -> Figure {
    let time = column(run, "t");
    let panel = |label: &str, names: &[(&str, &str)]| {
        let empty = Panel::new("", Axis::linear("$t$, s"), Axis::linear(label));
        names.iter().fold(empty, |panel, (name, text)| {
            let number = ANGLES.iter().chain(&RATES).position(|(other, _)| other == name);
            let colour = catena::figure::Colour::Number(number.unwrap_or(0) % ANGLES.len());
            panel.with(Series::line(*text, time, column(run, name)).coloured(colour))
        })
    };
    let goes_round = {
        let [low, high] = range(column(run, "theta2"));
        high - low > 2.0 * std::f64::consts::PI
    };
    let angles = match goes_round {
        true => vec![panel("$θ_{2}$, rad", &ANGLES[..1]), panel("angles, rad", &ANGLES[1..])],
        false => vec![panel("angles, rad", &ANGLES)],
    };
    let all = angles.into_iter().chain([panel("rates, rad/s", &RATES)]);
    all.fold(Figure::default(), Figure::with)
}

fn range(values: &[f64]) -> [f64; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY];
    values.iter().fold(start, |[low, high], value| [low.min(*value), high.max(*value)])
}

fn range_table(runs: &[Run]) -> Table {
    let names: Vec<(&str, &str)> = ANGLES.iter().chain(&RATES).copied().collect();
    let words = names.iter().map(|(_, text)| text.replace(['$', '_', '{', '}'], "")).collect();
    let units = names.iter().map(|(name, _)| if name.ends_with('\'') { "rad/s" } else { "rad" });
    let mut table = Table::default()
        .with_words("", words)
        .with_words("unit", units.map(str::to_owned).collect());
    for (motion, run) in MOTIONS.iter().zip(runs) {
        let ranges: Vec<[f64; 2]> =
            names.iter().map(|(name, _)| range(column(run, name))).collect();
        table = table
            .with_numbers(
                format!("{motion}, least"),
                "",
                ranges.iter().map(|range| range[0]).collect(),
            )
            .with_numbers(
                format!("{motion}, largest"),
                "",
                ranges.iter().map(|range| range[1]).collect(),
            );
    }
    table
}
