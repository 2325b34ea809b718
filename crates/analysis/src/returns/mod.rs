//! Motions seen as maps: a state each time the drive begins anew, or each time a section is crossed.
//!
//! # Equations
//! A motion with the flow $\varphi$ becomes a sequence $x_{k+1} = P(x_k)$: for a driven system
//! $P(x) = \varphi_T(x)$ with the period $T$ of the drive (stroboscopic map), else the place where the motion crosses the
//! section $g(x) = 0$ in its direction the next time (first-return map).
//!
//! # When to choose it
//! To see at a glance whether a motion repeats, lies on a curve or fills an area: `poincare` shows the points. Where a number is wanted
//! and not a picture, `lyapunov` and `classify` have it.
//!
//! # Reference
//! H. Poincaré, *Les méthodes nouvelles de la mécanique céleste* III, 1899; J. Guckenheimer and P. Holmes, *Nonlinear
//! Oscillations, Dynamical Systems, and Bifurcations of Vector Fields*, 1983, section 1.5

mod chains;
mod circle;
mod never_crossed;
mod poincare;

pub(crate) use chains::{AddPoint, Chain, Link, ReturnPoints, Returns, SeenSoFar, add_point};
pub(crate) use circle::Circle;
pub(crate) use never_crossed::never_crossed;
pub use poincare::{Poincare, PoincareCheck, PoincareMotion, PoincareRequest, poincare};
pub(crate) use poincare::{engine_options, poincare_shown, refused};

use crate::{DrivePeriod, PeriodError, Refusal};
use catena_ensemble::{BadSection, PoincareSection};
use catena_model::{CoordinateSet, Model};

/// The event that is the section of a model where nobody names one.
const USUAL_SECTION: &str = "section";

/// When a motion is looked at.
#[derive(Clone, Debug)]
pub enum ReturnMap {
    /// Once in a period of the drive.
    Period(DrivePeriod),
    /// Where it crosses a section.
    Section(PoincareSection),
}

impl ReturnMap {
    /// The one that is asked for; else the period of the drive, else the event `section` of the model or its only one.
    pub fn choose(
        model: &Model,
        set: CoordinateSet,
        section: Option<(&str, Option<i8>)>,
        period: Option<&str>,
    ) -> Result<ReturnMap, Refusal> {
        let read = |text: &str, direction| {
            let section = PoincareSection::read(model, set, text, direction);
            section.map(ReturnMap::Section).map_err(|bad: BadSection| {
                let cure = bad.cure.clone();
                Refusal::of_question(bad.to_string(), cure)
            })
        };
        match (section, period) {
            (Some(_), Some(_)) => {
                return Err(Refusal::of_question(
                    "a motion is looked at by its period or on a section, not both",
                    "leave out {period} or {section}",
                ));
            }
            (Some((text, direction)), None) => return read(text, direction),
            (None, Some(text)) => return Ok(ReturnMap::Period(DrivePeriod::given(model, text)?)),
            (None, None) => {}
        }
        let events = &model.system(set).events;
        let usual = events.iter().find(|event| event.entry.name == USUAL_SECTION);
        let only = (events.len() == 1).then(|| &events[0]);
        match DrivePeriod::find(model) {
            Ok(period) => Ok(ReturnMap::Period(period)),
            Err(PeriodError::NoDrive) => match usual.or(only) {
                Some(event) => read(&event.entry.name, None),
                None => Err(no_section(events.iter().map(|event| event.entry.name.as_str()))),
            },
            Err(error) => Err(Refusal::of_model(
                error.to_string(),
                "look at a section instead, as {section} \"theta = 0\", or give {period}",
            )),
        }
    }

    /// The sections that the engine is to watch.
    pub(crate) fn sections(&self) -> &[PoincareSection] {
        match self {
            ReturnMap::Period(_) => &[],
            ReturnMap::Section(section) => std::slice::from_ref(section),
        }
    }

    /// In words: "once in a period of the drive", "where `x` crosses 0 upwards".
    pub(crate) fn words(&self) -> String {
        match self {
            ReturnMap::Period(_) => "once in a period of the drive".to_owned(),
            ReturnMap::Section(section) => {
                let how = match section.direction {
                    1 => " upwards",
                    -1 => " downwards",
                    _ => "",
                };
                format!("at crossings of `{}`{how}", section.text)
            }
        }
    }
}

/// Nothing says when the motion is to be looked at.
fn no_section<'a>(events: impl Iterator<Item = &'a str>) -> Refusal {
    let events: Vec<&str> = events.collect();
    let named = match events.as_slice() {
        [] => String::new(),
        events => format!(", or an event: {}", events.join(", ")),
    };
    Refusal::of_question(
        "nothing says when to look at the motion: the model has no drive whose period could, and no section is named",
        format!("write a formula, as {{section}} \"theta1 = 0\"{named}; or a time with {{period}}"),
    )
}
