//! Axes, as plain data.

/// How values are laid out along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    #[default]
    Linear,
    /// Equal ratios have equal lengths; values that are not positive have no place and are left out.
    Logarithmic,
}

/// One axis of a panel. Its range follows from the data unless it is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured and in which unit, as in `$t$, s`; may be empty. Between dollar signs stands mathematics.
    pub label: String,
    /// How values are laid out.
    pub scale: Scale,
    /// The values at both ends, instead of those that show all data.
    pub range: Option<[f64; 2]>,
    /// How large what is measured is, in the same figure or elsewhere; 0 where the data themselves say it. Data that
    /// differ by rounding errors of this size count as constant and do not fill the axis.
    pub magnitude: f64,
    /// What stands at 1, 2, 3 … instead of numbers, where the axis lists things.
    pub names: Vec<String>,
}

impl Axis {
    /// An axis on which equal differences have equal lengths.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// An axis on which equal ratios have equal lengths: for errors, costs and everything that spans decades.
    pub fn logarithmic(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Logarithmic, ..Axis::default() }
    }

    /// Whether data may lie beyond its ends.
    pub(crate) fn leaves_out(&self) -> bool {
        self.range.is_some() || !self.names.is_empty()
    }

    /// An axis that lists things: the first stands at 1.
    pub fn named(label: impl Into<String>, names: impl IntoIterator<Item = String>) -> Axis {
        Axis { label: label.into(), names: names.into_iter().collect(), ..Axis::default() }
    }
}
