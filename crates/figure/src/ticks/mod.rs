//! Where an axis is marked, and what is written there.

mod linear;
mod logarithmic;

use crate::axis::Scale;
use crate::range::Range;

/// A marked place with its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) place: f64,
    pub(crate) label: String,
}

/// The marks of one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticks {
    /// Marks with labels, from low to high.
    pub(crate) major: Vec<Tick>,
    /// Places of marks without labels.
    pub(crate) minor: Vec<f64>,
    /// What applies to all labels, as `×10⁻⁶` or `+ 9.80665`; often empty.
    pub(crate) note: String,
}

impl Ticks {
    /// At most `most` labelled ticks inside the range.
    pub(crate) fn choose(scale: Scale, range: Range, most: usize) -> Ticks {
        match scale {
            Scale::Linear => linear::choose(range, most.max(1)),
            Scale::Logarithmic => logarithmic::choose(range, most.max(1)),
        }
    }

    /// Names at 1, 2, 3 …
    pub(crate) fn named(names: &[String]) -> Ticks {
        let tick =
            |(at, name): (usize, &String)| Tick { place: (at + 1) as f64, label: name.clone() };
        Ticks { major: names.iter().enumerate().map(tick).collect(), ..Ticks::default() }
    }

    /// As many ticks as possible, `most` at most, whose labels satisfy `fits`.
    pub(crate) fn choose_fitting(
        scale: Scale,
        range: Range,
        most: usize,
        fits: impl Fn(&Ticks) -> bool,
    ) -> Ticks {
        (1..=most.max(1))
            .rev()
            .map(|most| Ticks::choose(scale, range, most))
            .find(fits)
            .unwrap_or_else(|| Ticks::choose(scale, range, 1))
    }

    /// The smallest distance between neighbouring labelled ticks, as a part of the range.
    pub(crate) fn smallest_gap(&self, range: Range) -> f64 {
        self.major
            .windows(2)
            .map(|pair| range.fraction(pair[1].place) - range.fraction(pair[0].place))
            .fold(1.0, f64::min)
    }
}

#[cfg(test)]
pub(crate) fn labels(ticks: &Ticks) -> Vec<&str> {
    ticks.major.iter().map(|tick| tick.label.as_str()).collect()
}
