//! Why there is no period.

use crate::Refusal;
use catena_model::plain_to;

/// Why there is no period.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PeriodError {
    /// Time does not enter the equations.
    #[error("the model has no drive: time changes nothing in its equations, so it has no period")]
    NoDrive,
    /// All rates are zero for these values of the parameters.
    #[error("the drive stands still with these values: its rate is 0")]
    StandsStill,
    /// Rates without a common period.
    #[error(
        "the drive never repeats: its rates {} rad/s are not in ratios of small whole numbers",
        in_words(rates)
    )]
    Incommensurate {
        /// The rates, rad/s, rising.
        rates: Vec<f64>,
    },
    /// The rate of an angle is not constant, or time enters otherwise.
    #[error(
        "the drive never repeats: time enters other than by sines, cosines and motors of constant \
         rate"
    )]
    Uneven,
    /// Functions differ after the period.
    #[error(
        "the equations are not the same again after {} s",
        plain_to(*period, 6)
    )]
    NotTheSameAgain {
        /// The time that was tried, s.
        period: f64,
    },
    /// A formula that says nothing.
    #[error("`{text}` is no period: {reason}")]
    BadFormula {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A period that is no time.
    #[error("a period must be positive, and it is {period} s with these values")]
    NotPositive {
        /// The value, s.
        period: f64,
    },
}

fn in_words(rates: &[f64]) -> String {
    let texts: Vec<String> = rates.iter().map(|&rate| plain_to(rate, 6)).collect();
    match texts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

impl From<PeriodError> for Refusal {
    fn from(error: PeriodError) -> Refusal {
        let message = error.to_string();
        match &error {
            PeriodError::NoDrive => {
                Refusal::of_model(message, "a period can be given with {period}")
            }
            PeriodError::StandsStill => {
                Refusal::of_model(message, "choose other values with {set}, or give {period}")
            }
            PeriodError::Incommensurate { .. } => {
                Refusal::of_model(message, "choose rates with a common period with {set}")
            }
            PeriodError::Uneven => {
                Refusal::of_model(message, "ask about a motion that does not need a period")
            }
            PeriodError::NotTheSameAgain { .. } => Refusal::of_question(
                message,
                "leave out {period} and it is found from the equations, or give one after which they repeat",
            ),
            PeriodError::BadFormula { .. } => Refusal::of_question(
                message,
                "a period is a number or a formula of parameters, s, such as 2*pi/omega",
            ),
            PeriodError::NotPositive { .. } => {
                Refusal::of_question(message, "give another formula with {period}")
            }
        }
    }
}
