//! Why a family of motions cannot be followed.

use crate::{PeriodError, RestError};
use catena_model::plain_to;
use catena_simulation::{FlowError, RunError};

/// Why a family of motions cannot be followed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContinuationError {
    /// A name that is no parameter.
    #[error("`{name}` is not a parameter of this model")]
    UnknownParameter {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        meant: Option<String>,
        /// All parameters.
        known: Vec<String>,
    },
    /// A period is asked of a model that nothing drives.
    #[error("{what} is about the period of a drive, and the model has no drive")]
    NoDrive {
        /// What was asked for, ready to begin a sentence.
        what: &'static str,
    },
    /// The drive has no period, or none with these values.
    #[error(transparent)]
    Period(#[from] PeriodError),
    /// No state of rest to begin with.
    #[error(transparent)]
    Rest(#[from] RestError),
    /// The model cannot be prepared.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The motion at the start of the range is not periodic.
    #[error(
        "the motion {place} is not periodic: after {periods} periods of {} s the state still differs by {residual:.1e} \
         from one period to the next{}",
        plain_to(*period, 6),
        repeats.map_or_else(String::new, |n| format!(", and by {:.1e} after {} periods", n.1, n.0))
    )]
    NotPeriodic {
        /// Where it was looked for, in words: "at drive = 1".
        place: String,
        /// The period that was tried, s.
        period: f64,
        /// How many of them were waited for.
        periods: usize,
        /// The distance of states one period apart, relative to the size of the motion.
        residual: f64,
        /// A number of periods after which the distance is smaller, and that distance.
        repeats: Option<(u32, f64)>,
    },
    /// A motion without a drive that does not come back.
    #[error(
        "the motion {place} does not come back to where it was: in {} s it stays {residual:.1e} away, relative to its \
         size",
        plain_to(*duration, 6)
    )]
    NoReturn {
        /// Where it was looked for, in words: "at drive = 1".
        place: String,
        /// How long it was waited for, s.
        duration: f64,
        /// The nearest it came, relative to its size.
        residual: f64,
    },
    /// The motion without a drive ends at rest.
    #[error("the motion {place} comes to rest: there is no periodic motion to follow")]
    ComesToRest {
        /// Where it was looked for, in words: "at drive = 1".
        place: String,
    },
    /// Newton's method does not lead to a periodic motion.
    #[error(
        "no periodic motion was found {place}: Newton's method ends with a residual of {residual:.1e}, relative to the \
         size of the motion"
    )]
    NoSolution {
        /// Where it was looked for, in words: "at drive = 1".
        place: String,
        /// The last residual, relative to the size of the motion.
        residual: f64,
    },
    /// A direction in which a system at rest can stay anywhere.
    #[error("the system can rest anywhere along `{coordinate}`: its equilibria are no curve")]
    NotIsolated {
        /// The coordinate that moves most.
        coordinate: String,
    },
    /// Periodic motions are to begin at a Hopf point, and there is none.
    #[error("the equilibria have no Hopf point between these values")]
    NoHopf,
    /// Motions of a driven model are to be followed over themselves.
    #[error(
        "the motions of a driven model have the period of their drive: `{over}` says nothing new"
    )]
    Driven {
        /// What was to be followed.
        over: String,
    },
    /// Motions of a damped model are to be followed over themselves.
    #[error(
        "only motions of a conservative model come in families over `{over}`, and this one is damped or driven"
    )]
    Damped {
        /// What was to be followed.
        over: String,
    },
    /// The motion from the start of a conservative model is none of those asked for.
    #[error(
        "the motion from the start of the model has {what} {}, which is not between {} and {}",
        plain_to(*value, 6), plain_to(range[0], 6), plain_to(range[1], 6)
    )]
    OutsideRange {
        /// Its period or amplitude, in words.
        what: String,
        /// Its value.
        value: f64,
        /// The ends of the range, rising.
        range: [f64; 2],
    },
    /// Periodic motions of a conservative model are to be followed over a parameter.
    #[error(
        "the model conserves an energy: at every value of a parameter it has a family of periodic motions, and no single one to \
         follow"
    )]
    Conservative,
    /// A motion could not be continued.
    #[error(transparent)]
    Flow(#[from] FlowError),
}
