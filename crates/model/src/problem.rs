//! What can be wrong with a model, in words, with the place and the cure.

use crate::decimal::{plain, plain_to};
use crate::elsewhere::{key_meant, name_help};
use crate::{MechanismProblem, Place, Source};
use catena_symbolic::{ParseErrorKind, nearest};

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct Problem {
    /// The message, and [`ProblemKind::help`].
    pub kind: ProblemKind,
    /// The text to underline, in one of [`Problems::sources`].
    pub place: Place,
}

/// All that is wrong with a model, with the texts that the places point into.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", .problems.first().map_or(String::new(), |problem| problem.to_string()))]
pub struct Problems {
    /// The file first, then the settings in their order.
    pub sources: Vec<Source>,
    /// In the order in which they were found; never empty.
    pub problems: Vec<Problem>,
}

/// What can be wrong with a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ProblemKind {
    #[error("the model file has {size} bytes; at most {limit} are read")]
    FileTooLarge { size: usize, limit: usize },
    #[error("the model file is not valid UTF-8 text")]
    NotUtf8,
    #[error("not valid TOML: {0}")]
    Toml(String),
    #[error("unknown section or key `{name}`")]
    UnknownKey { name: String, known: Vec<String> },
    #[error("`{name}` must be {expected}, not {found}")]
    WrongType { name: String, expected: &'static str, found: &'static str },
    #[error("the model is empty: it has no coordinates, no states, no bodies and no chain")]
    EmptyModel,
    #[error("the model has coordinates but no kinetic energy")]
    NoKineticEnergy,
    #[error("`{0}` is not a name")]
    NotAName(String),
    #[error("the name `{0}` is reserved")]
    ReservedName(String),
    #[error("the name `{0}` is that of a function")]
    FunctionName(String),
    #[error("the name `{name}` is already used by a {by}")]
    DuplicateName { name: String, by: &'static str },
    #[error("{0}")]
    Formula(ParseErrorKind),
    #[error("unknown name `{name}`")]
    UnknownName { name: String, known: Vec<String> },
    #[error("`{name}` uses itself")]
    UsesItself { name: String },
    #[error("`{name}` uses `{later}`, which is defined after it")]
    UsesLater { name: String, later: String },
    #[error("`{name}` is {what}; {context} cannot use it")]
    NotAllowed { name: String, what: &'static str, context: &'static str, help: &'static str },
    #[error("`{name}` is {what} and has no time derivative")]
    NoDerivative { name: String, what: &'static str },
    #[error("the constraint `{0}` contains no coordinate")]
    ConstraintWithoutCoordinates(String),
    #[error("the value of `{name}` is {}", plain(*.value))]
    NotFinite { name: String, value: f64 },
    #[error("`{name}` must be greater than 0, not {}", plain(*.value))]
    NotPositive { name: String, value: f64 },
    #[error("the end at {} s is not after the start at {} s", plain(*.t_end), plain(*.t_start))]
    EndBeforeStart { t_start: f64, t_end: f64 },
    #[error("a chain needs a whole number of links from 1 to {limit}, not {found}")]
    BadLinks { found: String, limit: usize },
    #[error("`{name}` is a list of {found}, and the chain has {links} links")]
    WrongListLength { name: String, found: usize, links: usize },
    #[error("a chain cannot be `{found}`")]
    BadChoice { name: &'static str, found: String, known: &'static [&'static str] },
    #[error("nothing is drawn as `{found}`")]
    UnknownStyle { found: String, known: &'static [&'static str] },
    #[error("`{name}` has {found} of the points it takes to draw it")]
    TooFewPoints { name: String, found: usize, least: usize },
    #[error("a chain has its own [{0}]")]
    ChainHasItsOwn(String),
    #[error("the chain names its own parameter `{name}`, and [parameters] has one too")]
    ChainParameter { name: String, key: &'static str },
    #[error("`{name}` is {what}, not {expected}")]
    NotACoordinate { name: String, what: &'static str, expected: &'static str },
    #[error("nothing in this model is called `{name}`, so it cannot be set")]
    UnknownSetting { name: String, known: Vec<String> },
    #[error("no coordinate of this model is called `{name}`, so it cannot be guessed")]
    UnknownGuess { name: String, known: Vec<String> },
    #[error("a setting is written NAME=VALUE")]
    BadSetting,
    #[error("{0}")]
    Mechanism(MechanismProblem),
    #[error("{what} `{name}` is never used")]
    Unused { what: &'static str, name: String },
    #[error("{} rad is {} turns", plain(*.value), plain_to(.value/std::f64::consts::TAU, 3))]
    ManyTurns { value: f64 },
}

impl ProblemKind {
    /// What the user can do about it.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Self::FileTooLarge { .. } => "is this a model file? the largest model in the zoo has \
                 five thousand; long chains are written with [chain]"
                .into(),
            Self::NotUtf8 => "save the file as UTF-8".into(),
            Self::Toml(message) => toml_help(message).into(),
            Self::UnknownKey { name, known } => match key_meant(name, known) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => did_you_mean(name, known, "keys"),
            },
            Self::WrongType { expected, .. } => match *expected {
                "a formula" => "write a number, or a formula in quotes".into(),
                "a table" => "start the section with its name in brackets".into(),
                _ => format!("write {expected}"),
            },
            Self::EmptyModel => {
                "name at least one coordinate under [coordinates]; `catena new FILE` writes a \
                 model to start from"
                    .into()
            }
            Self::NoKineticEnergy => {
                "write it under [energy], for instance kinetic = \"1/2*m*x'^2\"".into()
            }
            Self::NotAName(_) => {
                "names are letters, digits and underscores, and begin with a letter".into()
            }
            Self::ReservedName(_) => {
                "reserved: t, pi, deg, kinetic, potential, energy and names that start with \
                 lambda_; choose another name"
                    .into()
            }
            Self::FunctionName(name) => format!("choose another name, for instance `{name}_1`"),
            Self::DuplicateName { .. } => "give one of the two another name".into(),
            Self::Formula(kind) => kind.help(),
            Self::UnknownName { name, known }
            | Self::UnknownSetting { name, known }
            | Self::UnknownGuess { name, known } => {
                name_help(name, known).unwrap_or_else(|| did_you_mean(name, known, "names"))
            }
            Self::UsesItself { .. } => "a name can only use those above it".into(),
            Self::UsesLater { later, .. } => format!("move `{later}` above it"),
            Self::NotAllowed { help, .. } => (*help).into(),
            Self::NoDerivative { .. } => {
                "a prime may follow the name of a coordinate or a definition".into()
            }
            Self::ConstraintWithoutCoordinates(_) => {
                "a constraint is a formula of the coordinates that stays 0".into()
            }
            Self::NotFinite { .. } => {
                "look for a division by zero, a root or a logarithm of a negative number".into()
            }
            Self::NotPositive { .. } => "write a positive number".into(),
            Self::EndBeforeStart { .. } => "take a later t_end, or an earlier t_start".into(),
            Self::BadLinks { .. } => "write links = 20, or --set links=20".into(),
            Self::WrongListLength { name, links, .. } if name == "start" => {
                format!("write \"horizontal\", \"hanging\" or a list of {links} angles")
            }
            Self::WrongListLength { links, .. } => {
                format!("write one number for all links, or a list of {links}")
            }
            Self::BadChoice { name, known, .. } => {
                format!("{name} can be {}", known.join(", "))
            }
            Self::UnknownStyle { known, .. } => format!("`as` can be {}", known.join(", ")),
            Self::TooFewPoints { least: 1, .. } => {
                "give it points, for instance points = [[\"0\", \"0\"], [\"x\", \"y\"]]".into()
            }
            Self::TooFewPoints { .. } => {
                "give it two points or more; a single one can be a disc, a pin or a trail".into()
            }
            Self::ChainHasItsOwn(section) => {
                format!("remove [{section}], or write the model without [chain]")
            }
            Self::ChainParameter { name, key } => {
                format!("to use yours for every link write {key} = \"{name}\"")
            }
            Self::NotACoordinate { expected, .. } => format!("name {expected} of this model"),
            Self::BadSetting => "for instance --set L2=0.8 or --set \"theta2'=12\"".into(),
            Self::Mechanism(problem) => problem.help(),
            Self::Unused { .. } => "use it in a formula, or remove it".into(),
            Self::ManyTurns { value } => format!("did you mean `{} deg`?", plain(*value)),
        })
    }
}

impl ProblemKind {
    /// Whether a warning is about the results themselves, so that everyone who runs the model should see it.
    pub fn is_about_results(&self) -> bool {
        matches!(self, Self::ManyTurns { .. })
    }
}

/// More known names than this are not listed.
const MAX_LISTED_NAMES: usize = 30;

/// The known name nearest to the one that was written, or all known names.
fn did_you_mean(name: &str, known: &[String], otherwise: &str) -> String {
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => format!("no {otherwise} can be used here"),
        None if known.len() <= MAX_LISTED_NAMES => {
            format!("known {otherwise}: {}", known.join(", "))
        }
        None => format!("known {otherwise}: {}, …", known[..MAX_LISTED_NAMES].join(", ")),
    }
}

/// What the user can do about an error of the TOML parser.
fn toml_help(message: &str) -> &'static str {
    if message.contains("duplicate key") {
        "give one of the two another name, or remove it"
    } else if message.contains("newline") || message.contains("key") {
        "each line is `name = value`; a formula stands in quotes, and so does a name with a \
         prime: \"x'\" = 0"
    } else {
        "each line is `name = value`; a formula stands in quotes; see `catena new`"
    }
}
