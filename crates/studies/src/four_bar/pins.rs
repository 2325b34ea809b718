//! Forces in the pins of the linkage, and what the study's multipliers are in their place.

use super::conditions::{
    LINKAGE_TIME, MOTIONS, column, largest_difference, linkage_models, pinned_models,
    reference_method,
};
use crate::{Laboratory, Section, StudyError};
use catena::Run;
use catena::figure::{Axis, Figure, Panel, Series};
use catena::simulation::Table;

/// The pins: crank to ground, crank to coupler, coupler to rocker, rocker to ground.
const PINS: [&str; 4] = ["O", "B", "C", "D"];
/// Distance of rows, s: forces have narrow peaks.
const FORCE_ROWS: f64 = 0.001;
/// The spinning linkage is drawn up to here, s: a few turns.
const SPIN_SHOWN: f64 = 2.0;

/// A motion in the two forms that have multipliers.
struct Pinned {
    /// With the study's eight constraints.
    study: Run,
    /// With two constraints for each pin.
    pins: Run,
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let pairs: Vec<_> = linkage_models(lab)?.into_iter().zip(pinned_models(lab)?).collect();
    let settings = reference_method("projection").t_end(LINKAGE_TIME).every(FORCE_ROWS);
    let motions = lab.each(&pairs, |lab, (study, pins)| {
        Ok(Pinned { study: lab.run(study, &settings)?, pins: lab.run(pins, &settings)? })
    })?;
    let mut section = Section::default();
    section.text(
        "The force of a constraint on the coordinates is −Φqᵀλ. The study's constraints 1 to 4 place the centres of crank and coupler, 5 and 6 \
         place the centre of the rocker half way between its ground pin and the end of the coupler, and 7 and 8 close the loop by angles. \
         So λ₅ … λ₈ tie three links at once and are not forces of pins, nor are λ₁ … λ₄. Newton's law for each link gives what the pins carry:",
    );
    section.formula(
        "rocker at C: −½ (λ₅, λ₆) + (λ₇, λ₈)          coupler at B: C − (λ₃, λ₄)\n\
         rocker at D: −½ (λ₅, λ₆) − (λ₇, λ₈)          crank at O:   B − (λ₁, λ₂)",
    );
    section.text(
        "With two constraints for each pin, r at one body less r at the other, the multipliers are the pin forces themselves. Both forms must \
         give the same.",
    );
    section.figure(
        "pin-forces",
        "Forces in the four pins: released at rest, and the first turns with a spinning crank",
        force_figure(&motions),
    );
    section.table(
        "pin-forces-table",
        "Largest forces in the pins within 10 s, how far the two forms differ, and the largest size of the pair of multipliers of the study \
         that one might take for the force",
        force_table(&motions),
    );
    Ok(section)
}

/// Size of a planar force over time, N.
fn sizes(run: &Run, names: [&str; 2]) -> Vec<f64> {
    let [x, y] = names.map(|name| column(run, name));
    x.iter().zip(y).map(|(x, y)| x.hypot(*y)).collect()
}

fn study_force(run: &Run, pin: &str) -> Vec<f64> {
    sizes(run, [&format!("pin_{pin}_x"), &format!("pin_{pin}_y")])
}

fn force_figure(motions: &[Pinned]) -> Figure {
    let spans = [LINKAGE_TIME, SPIN_SHOWN];
    let panels =
        motions.iter().zip(spans).zip(["at rest", "spinning"]).map(|((motion, span), name)| {
            let time = column(&motion.study, "t");
            let rows = time.iter().take_while(|t| **t <= span).count();
            let axes = (
                Axis { range: Some([0.0, span]), ..Axis::linear("$t$, s") },
                Axis::linear("force, N"),
            );
            let empty = Panel::new(name, axes.0, axes.1);
            PINS.iter().fold(empty, |panel, pin| {
                let force = study_force(&motion.study, pin);
                panel.with(Series::line(*pin, &time[..rows], &force[..rows]))
            })
        });
    panels.fold(Figure::new("Forces in the pins"), Figure::with)
}

fn force_table(motions: &[Pinned]) -> Table {
    let pairs = [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]];
    let mut words: [Vec<String>; 3] = Default::default();
    let mut numbers: [Vec<f64>; 4] = Default::default();
    for (name, motion) in MOTIONS.iter().zip(motions) {
        for (pin, pair) in PINS.iter().zip(pairs) {
            let force = study_force(&motion.study, pin);
            let largest = force.iter().copied().fold(0.0, f64::max);
            let at = force.iter().position(|force| *force == largest).unwrap_or(0);
            let difference = ["x", "y"].map(|axis| {
                let ours = column(&motion.study, &format!("pin_{pin}_{axis}"));
                largest_difference(ours, column(&motion.pins, &format!("{pin}_f{axis}")))
            });
            let [one, other] = pair.map(|number| format!("lambda_phi{number}"));
            let multipliers = sizes(&motion.study, [&one, &other]);
            let shown =
                [(*name).to_owned(), (*pin).to_owned(), format!("λ{}, λ{}", pair[0], pair[1])];
            words.iter_mut().zip(shown).for_each(|(list, word)| list.push(word));
            let values = [
                largest,
                column(&motion.study, "t").get(at).copied().unwrap_or(f64::NAN),
                difference[0].max(difference[1]),
                multipliers.into_iter().fold(0.0, f64::max),
            ];
            numbers.iter_mut().zip(values).for_each(|(list, value)| list.push(value));
        }
    }
    let [motion, pin, pair] = words;
    let [largest, at, difference, multipliers] = numbers;
    Table::default()
        .with_words("motion", motion)
        .with_words("pin", pin)
        .with_numbers("largest force", "N", largest)
        .with_numbers("at t", "s", at)
        .with_numbers("forms differ by", "N", difference)
        .with_words("multipliers", pair)
        .with_numbers("their largest size", "N", multipliers)
}
