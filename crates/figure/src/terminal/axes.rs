//! The axes: labels to the left and below, joined to lines.

use super::text::{cut, width};
use crate::figure::Panel;
use crate::markup::unicode;
use crate::ticks::Ticks;
use crate::trace::Traces;

/// The vertical axis, at a number of rows.
pub(super) struct VerticalAxis {
    /// For each row the label of its tick, if it has one.
    labels: Vec<Option<String>>,
    pub(super) note: String,
}

impl VerticalAxis {
    pub(super) fn of(panel: &Panel, traces: &Traces, rows: usize) -> VerticalAxis {
        let ticks = match panel.y.names.is_empty() {
            true => Ticks::choose(panel.y.scale, traces.y, (rows / 3).clamp(2, 8)),
            false => plain_names(&panel.y.names),
        };
        let mut labels = vec![None; rows];
        for tick in ticks.major {
            let row = ((1.0 - traces.y.fraction(tick.place)) * rows as f64) as usize;
            // Of two ticks in one row the lower is kept; with three rows to a tick this does not happen.
            if let Some(label) = labels.get_mut(row.min(rows.saturating_sub(1))) {
                label.get_or_insert(tick.label);
            }
        }
        VerticalAxis { labels, note: ticks.note }
    }

    /// How many cells the axis takes, with its line.
    pub(super) fn width(&self) -> usize {
        self.labels.iter().flatten().map(|label| width(label)).max().unwrap_or(0) + 2
    }

    /// What stands to the left of a row of the plotted area.
    pub(super) fn line(&self, row: usize) -> String {
        let room = self.width() - 2;
        match &self.labels[row] {
            Some(label) => format!("{}{label} ┤", " ".repeat(room - width(label))),
            None => format!("{} │", " ".repeat(room)),
        }
    }
}

/// Names along an axis are cut after this many cells.
const MAX_NAME_CELLS: usize = 12;

/// Names at 1, 2, 3 …, as a terminal shows them.
fn plain_names(names: &[String]) -> Ticks {
    let names = names.iter().map(|name| cut(&unicode(name), MAX_NAME_CELLS));
    Ticks::named(&names.collect::<Vec<_>>())
}

/// The horizontal axis, at a number of columns.
pub(super) struct HorizontalAxis {
    pub(super) axis: String,
    pub(super) labels: String,
    pub(super) note: String,
}

impl HorizontalAxis {
    pub(super) fn of(panel: &Panel, traces: &Traces, columns: usize) -> HorizontalAxis {
        let fitting = || {
            Ticks::choose_fitting(panel.x.scale, traces.x, (columns / 8).clamp(1, 12), |ticks| {
                let widest = ticks.major.iter().map(|tick| width(&tick.label)).max().unwrap_or(0);
                (widest + 2) as f64 <= columns as f64 * ticks.smallest_gap(traces.x)
            })
        };
        let ticks = match panel.x.names.is_empty() {
            true => fitting(),
            false => plain_names(&panel.x.names),
        };
        let mut axis = vec!['─'; columns];
        // a label stands in its first cell and leaves those that it covers empty
        let mut labels = vec![" "; columns];
        for tick in &ticks.major {
            let column = (traces.x.fraction(tick.place) * columns as f64) as usize;
            let column = column.min(columns.saturating_sub(1));
            let length = width(&tick.label);
            // At the ends a label moves inwards rather than out of the picture.
            let start = column.saturating_sub(length / 2).min(columns.saturating_sub(length));
            let is_free = labels
                .iter()
                .skip(start.saturating_sub(1))
                .take(length + 2)
                .all(|cell| *cell == " ");
            if columns > 0 && length <= columns && is_free {
                axis[column] = '┬';
                labels[start..start + length].fill("");
                if let Some(first) = labels.get_mut(start) {
                    *first = &tick.label;
                }
            }
        }
        HorizontalAxis {
            axis: axis.into_iter().collect(),
            labels: labels.into_iter().collect(),
            note: ticks.note,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Axis;
    use crate::series::Series;

    fn line_from_zero_to_ten() -> Panel {
        Panel::new("", Axis::linear(""), Axis::linear("")).with(Series::line(
            "",
            [0.0, 10.0],
            [0.0, 10.0],
        ))
    }

    #[test]
    fn ticks_stand_above_their_labels() {
        let panel = line_from_zero_to_ten();
        let horizontal = HorizontalAxis::of(&panel, &Traces::of(&panel), 26);
        assert_eq!(horizontal.axis, "┬────────────┬───────────┬");
        assert_eq!(horizontal.labels, "0            5          10");
    }

    #[test]
    fn the_lowest_label_is_at_the_bottom() {
        let panel = line_from_zero_to_ten();
        let vertical = VerticalAxis::of(&panel, &Traces::of(&panel), 9);
        assert_eq!(vertical.line(8), " 0 ┤");
        assert_eq!(vertical.line(4), " 5 ┤");
        assert_eq!(vertical.line(0), "10 ┤");
        assert_eq!(vertical.line(1), "   │");
    }
}
