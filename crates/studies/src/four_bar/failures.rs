//! Where the study's own code would fail, and why.

use super::conditions::{
    LINKAGE_TIME, ODE45_DEFAULTS, animation, pinned_models, study_method, tolerance_words,
};
use super::{parallelogram, shaken_pivot};
use crate::digits::digits;
use crate::{Laboratory, Section, StudyError};
use catena::{FrameTimes, RunSettings};

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let mut section = Section::default();
    section.text(
        "The two examples are kind to the scripts: their constraints do not move, the runs are short, the tolerances tight, and no pose is singular. \
         Each of these in turn:",
    );
    shaken_pivot::show(&lab.part(0.0..0.3), &mut section)?;
    loose_tolerances(&lab.part(0.3..0.6), &mut section)?;
    parallelogram::show(&lab.part(0.6..1.0), &mut section)?;
    section.text(
        "The call. As printed, the scripts hand the structure of options to `ode45` behind the parameters of the model. Octave 7 ends that with \
         `called with too many inputs`. What works is a function of two arguments that holds the parameters, and the options as the fourth \
         argument: `ode45(@(t, y) motion(t, y, m, l, g), t, y0, options)`.",
    );
    Ok(section)
}

/// The linkage as bodies and pins, so that a film can measure how far each pin is open.
fn loose_tolerances(lab: &Laboratory<'_>, section: &mut Section) -> Result<(), StudyError> {
    let [_, spinning] = pinned_models(lab)?;
    let methods = [study_method(ODE45_DEFAULTS), RunSettings::new().no_certify()];
    let mut runs = lab.each(&methods, |lab, method| {
        lab.film(&spinning, &method.clone().t_end(LINKAGE_TIME), &FrameTimes::ToWatch)
    })?;
    let (Some(ours), Some(theirs)) = (runs.pop(), runs.pop()) else { return Ok(()) };
    section.text(format!(
        "No tolerance given. A reader who leaves out the options gets {} from `ode45`. With two constraints for each pin and the study's method the \
         spinning linkage then misses its constraints by {} m within {} s; a run with nothing chosen (`{}`, `{}`) keeps them to {} m. The film \
         colours each pin by how far it is open.",
        tolerance_words(ODE45_DEFAULTS),
        digits(theirs.certificate.constraint_error, 2),
        digits(LINKAGE_TIME, 2),
        ours.certificate.formulation,
        ours.certificate.integrator,
        digits(ours.certificate.constraint_error, 1)
    ));
    let label = format!("multipliers, ode45 at {}", tolerance_words(ODE45_DEFAULTS));
    let films = vec![(label.as_str(), theirs), ("nothing chosen", ours)];
    let mut film =
        animation("Four-bar linkage, spinning", "pins coloured by how far they are open", films);
    film.speed = Some(0.5);
    section.film(
        "open-pins-film",
        "The study's method at the tolerances that `ode45` takes by itself, and a run with nothing chosen",
        film,
    );
    Ok(())
}
