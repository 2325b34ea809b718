//! The verdict: what a result is worth, in one word, with the figure that decides and what would help.
//!
//! Each figure of the certificate is compared with a size of the motion itself: the error with the motion that the
//! columns cover, the balance of energy with the energy that changed hands, the constraints with the size of the
//! mechanism. The worst of them decides.

use crate::certificate::{Certificate, StopReason};
use crate::pose_words::short;
use std::fmt;

/// What a result is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// It can be used as it is.
    Good,
    /// It may be wrong, or nobody looked.
    #[default]
    Doubtful,
    /// It is not the motion of the model.
    Wrong,
}

impl Grade {
    /// The word of tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Good => "good",
            Grade::Doubtful => "doubtful",
            Grade::Wrong => "wrong",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A grade with its reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// What the result is worth.
    pub grade: Grade,
    /// The figure that decided, as a clause.
    pub reason: String,
    /// What would help, as a clause; nothing for what is good.
    pub advice: Option<String>,
}

/// What one figure of the certificate says.
struct Finding {
    grade: Grade,
    /// The figure relative to the bound from which on it is wrong.
    severity: f64,
    reason: String,
    advice: Option<String>,
}

/// A figure of the certificate, and the parts of its size up to which it is good and from which on it is wrong.
#[derive(Debug)]
pub struct Criterion {
    /// What is judged.
    pub figure: &'static str,
    /// The size that it is divided by.
    pub relative_to: &'static str,
    /// Good up to here. For the error it leaves room for an estimate that is too small.
    pub good: f64,
    /// Wrong from here on.
    pub wrong: f64,
}

/// A chaotic motion of which less than this part of the time is known is doubtful, however good that part is.
pub(crate) const LEAST_KNOWN_SHARE: f64 = 0.1;

/// Everything that is judged.
pub static CRITERIA: [&Criterion; 3] = [&ERROR, &ENERGY, &CONSTRAINTS];

pub(crate) static ERROR: Criterion = Criterion {
    figure: "error, by the second run",
    relative_to: "the motion that the column covers",
    good: 0.001,
    wrong: 0.15,
};

/// Of the balance of energy.
pub static ENERGY: Criterion = Criterion {
    figure: "residual of the balance of energy",
    relative_to: "the energy that changed hands",
    good: 0.005,
    wrong: 0.15,
};

/// Of the constraints.
pub static CONSTRAINTS: Criterion = Criterion {
    figure: "distance from the constraints",
    relative_to: "the size of the mechanism",
    good: 0.001,
    wrong: 0.05,
};

impl Finding {
    /// A figure relative to the size it belongs to: good up to the first bound, wrong from the second on.
    fn new(figure: f64, criterion: &Criterion, reason: String, advice: String) -> Finding {
        // what is not a number is neither
        let grade = match figure {
            figure if figure <= criterion.good => Grade::Good,
            figure if figure < criterion.wrong => Grade::Doubtful,
            _ => Grade::Wrong,
        };
        let severity = if figure.is_nan() { f64::INFINITY } else { figure / criterion.wrong };
        Finding { grade, severity, reason, advice: Some(advice) }
    }
}

impl Verdict {
    /// What the figures of a certificate come to: the worst decides; among good ones the error is what counts.
    pub(crate) fn of(c: &Certificate) -> Verdict {
        if matches!(c.stop, StopReason::Failed { .. }) {
            let reason = "it did not reach its end".to_owned();
            return Verdict { grade: Grade::Wrong, reason, advice: None };
        }
        let (error, others) = (error(c), [energy(c), constraints(c)]);
        let mut decides = error;
        for other in others.into_iter().flatten().filter(|other| other.grade > Grade::Good) {
            if (other.grade, other.severity) > (decides.grade, decides.severity) {
                decides = other;
            }
        }
        let Finding { mut grade, mut reason, advice, .. } = decides;
        if let Some(estimate) = c.estimate.as_ref().filter(|estimate| estimate.chaotic) {
            reason += &format!(
                ", up to {} s: the motion is chaotic, and no method follows it for long",
                short(estimate.judged_until)
            );
            if estimate.judged_share < LEAST_KNOWN_SHARE {
                grade = grade.max(Grade::Doubtful);
            }
        }
        Verdict { grade, reason, advice: advice.filter(|_| grade > Grade::Good) }
    }
}

/// The error relative to the motion that the columns cover; doubt where it was not estimated.
fn error(c: &Certificate) -> Finding {
    let doubt = |reason: &str, advice: Option<&str>| Finding {
        grade: Grade::Doubtful,
        severity: 0.0,
        reason: reason.to_owned(),
        advice: advice.map(str::to_owned),
    };
    match &c.estimate {
        _ if c.stop == StopReason::Cancelled => doubt("it was interrupted", None),
        None => {
            doubt("its error was not estimated", Some("a second, more exact run (`--certify`)"))
        }
        Some(estimate) => {
            let figure = estimate.part_of_motion;
            let reason = match figure == 0.0 {
                true if estimate.rests => {
                    format!("the model rests, and the run does to {:.1e}", estimate.error)
                }
                true => "its error is no more than rounding".to_owned(),
                false => format!("its error is {} of the motion", percent(figure)),
            };
            if let Some(reason) = c.unconfirmed.as_ref().filter(|_| figure <= ERROR.good) {
                return doubt(reason, Some(&c.remedy));
            }
            Finding::new(figure, &ERROR, reason, c.remedy.clone())
        }
    }
}

/// The balance of energy relative to the energy that changed hands.
fn energy(c: &Certificate) -> Option<Finding> {
    let rests = c.estimate.as_ref().is_some_and(|estimate| estimate.rests);
    if rests || c.linear_about.is_some() || c.exchanged_energy <= 0.0 {
        return None;
    }
    let figure = c.energy_residual / c.exchanged_energy;
    let reason = format!("the balance of energy is off by {} of what moved", percent(figure));
    Some(Finding::new(figure, &ENERGY, reason, c.remedy.clone()))
}

/// The constraints relative to the size of the mechanism.
fn constraints(c: &Certificate) -> Option<Finding> {
    if c.linear_about.is_some() || c.constraint_distance == 0.0 {
        return None;
    }
    let figure = c.constraint_distance / c.size;
    let missed = percent(figure);
    let reason = format!("the constraints are missed by {missed} of the mechanism's size");
    let advice = match c.formulation {
        "projection" => c.remedy.clone(),
        _ => "the formulation `projection`, which keeps them".to_owned(),
    };
    Some(Finding::new(figure, &CONSTRAINTS, reason, advice))
}

/// A part in two digits: `1.2e-4 %`, `3.1 %`.
fn percent(part: f64) -> String {
    match 100.0 * part {
        part if !part.is_finite() => "an unknown part".to_owned(),
        0.0 => "0 %".to_owned(),
        part if !(1e-2..1e5).contains(&part) => format!("{part:.1e} %"),
        part => {
            let decimals = (1.0 - part.log10().floor()).max(0.0) as usize;
            format!("{part:.decimals$} %")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_with_two_digits() {
        let parts = [0.0, 1.23e-7, 3.14e-4, 0.0123, 0.5, 12.0, 4e30, f64::INFINITY];
        let words = [
            "0 %",
            "1.2e-5 %",
            "0.031 %",
            "1.2 %",
            "50 %",
            "1200 %",
            "4.0e32 %",
            "an unknown part",
        ];
        assert_eq!(parts.map(percent), words);
    }

    #[test]
    fn bounds_are_inclusive_below_and_not_a_number_is_wrong() {
        let grade = |part: f64| {
            let figure = part * ENERGY.good;
            Finding::new(figure, &ENERGY, String::new(), String::new()).grade
        };
        assert_eq!(grade(1.0), Grade::Good);
        assert_eq!(grade(1.1), Grade::Doubtful);
        assert_eq!(grade(ENERGY.wrong / ENERGY.good), Grade::Wrong);
        assert_eq!(grade(f64::NAN), Grade::Wrong);
    }

    #[test]
    fn the_table_of_the_book_is_that_of_the_code() {
        let page = include_str!("../../../book/methods.md");
        for Criterion { figure, relative_to, good, wrong } in CRITERIA {
            let [good, wrong] = [good, wrong].map(|part| 100.0 * part);
            let row = format!("| {figure} | {relative_to} | {good} % | {wrong} % |");
            assert!(page.contains(&row), "{row}");
        }
    }
}
