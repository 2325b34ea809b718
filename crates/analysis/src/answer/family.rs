//! Families of curves: colour tells the value of a parameter, dashes tell the branch or the output.

use crate::words::plain;
use catena_figure::{Colour, ColourBar, Dash, Panel, Scale, Series, Style};
use catena_symbolic::figure_label;

/// More values than this are not listed one by one: a bar tells their colours.
const MAX_LISTED_VALUES: usize = 6;

/// Dashes, in the order in which kinds of curves take them.
const DASHES: [Dash; 4] = [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDotted];

/// What tells the curves of a figure apart.
pub(crate) struct Family {
    /// The parameter with its values, each once, in rising order.
    varied: Option<(String, Vec<f64>)>,
    /// What dashes mean, as it stands in the legend; a label may be mathematics.
    kinds: Vec<String>,
}

impl Family {
    /// A family over the values of a parameter, if there is one, and over some kinds.
    pub(crate) fn new(
        parameter: Option<&str>,
        values: impl Iterator<Item = f64>,
        kinds: Vec<String>,
    ) -> Family {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        Family { varied: parameter.map(|name| (name.to_owned(), values)), kinds }
    }

    /// A curve of this value and this kind.
    pub(crate) fn curve(
        &self,
        value: Option<f64>,
        kind: usize,
        x: Vec<f64>,
        y: Vec<f64>,
    ) -> Series {
        let dash = DASHES[kind % DASHES.len()];
        let (name, colour) = self.look(value, kind);
        Series { style: Style::Line, ..Series::line(name, x, y).coloured(colour).dashed(dash) }
    }

    /// Points that belong to such a curve, under a name of their own.
    pub(crate) fn marks(
        &self,
        name: &str,
        value: Option<f64>,
        kind: usize,
        x: Vec<f64>,
        y: Vec<f64>,
    ) -> Series {
        Series::marks(name, x, y).coloured(self.look(value, kind).1)
    }

    fn look(&self, value: Option<f64>, kind: usize) -> (String, Colour) {
        let of_kind = || self.kinds.get(kind).cloned().unwrap_or_default();
        match (&self.varied, value) {
            (Some((_, values)), Some(value)) if values.len() > MAX_LISTED_VALUES => {
                (of_kind(), Colour::Value(value))
            }
            (Some((name, values)), Some(value)) => {
                let number = values.iter().position(|known| *known == value).unwrap_or(0);
                (format!("{} = {}", figure_label(name), plain(value)), Colour::Number(number))
            }
            _ => (of_kind(), Colour::Number(kind)),
        }
    }

    /// The panel with what explains colours and dashes: a bar, and an entry of the legend for each kind.
    pub(crate) fn explained(&self, mut panel: Panel) -> Panel {
        let Some((name, values)) = &self.varied else { return panel };
        if let (true, Some(first), Some(last)) =
            (values.len() > MAX_LISTED_VALUES, values.first(), values.last())
        {
            let (label, range) = (figure_label(name), [*first, *last]);
            panel.colour_bar = Some(ColourBar { label, range, scale: Scale::Linear });
        } else if self.kinds.len() > 1 {
            for (at, kind) in self.kinds.iter().enumerate() {
                let dash = DASHES[at % DASHES.len()];
                // a line without points, in no colour of the family
                let entry = Series::line(kind.as_str(), [], []).coloured(Colour::Value(0.0));
                panel = panel.with(entry.dashed(dash));
            }
        }
        panel
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_figure::Axis;

    fn family(count: usize) -> Family {
        Family::new(Some("R"), (0..count).map(|at| at as f64), vec!["up".into(), "down".into()])
    }

    #[test]
    fn a_few_values_are_listed_and_equal_values_have_equal_colours() {
        let family = family(3);
        let [up, down] = [0, 1].map(|kind| family.curve(Some(2.0), kind, vec![], vec![]));
        assert_eq!((up.name.as_str(), up.colour), ("$R$ = 2", Colour::Number(2)));
        assert_eq!((&up.name, up.colour), (&down.name, down.colour));
        assert_ne!(up.dash, down.dash);
        let panel = family.explained(Panel::new("", Axis::linear(""), Axis::linear("")));
        assert!(panel.colour_bar.is_none() && panel.series.len() == 2);
    }

    #[test]
    fn many_values_have_a_bar() {
        let family = family(20);
        let curve = family.curve(Some(5.0), 0, vec![], vec![]);
        assert_eq!((curve.name.as_str(), curve.colour), ("up", Colour::Value(5.0)));
        let panel = family.explained(Panel::default());
        assert_eq!(panel.colour_bar.expect("a bar").range, [0.0, 19.0]);
    }
}
