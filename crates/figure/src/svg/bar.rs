//! The bar that says which colour means which number.

use super::layout::{Frame, TICK_SIZE, widest_label};
use super::text::{Anchor, Text, number, shortened};
use crate::axis::Scale;
use crate::colour_scale::{self, COLOUR_COUNT, shared};
use crate::figure::ColourBar;
use crate::label::rounded;
use crate::range::Range;
use crate::ticks::{Tick, Ticks};
use std::fmt::Write;

/// From the panel to the bar.
const PANEL_TO_BAR: f64 = 16.0;
const BAR_WIDTH: f64 = 14.0;
/// From the bar to its numbers.
const BAR_TO_NUMBERS: f64 = 8.0;
/// The numbers at both ends keep others this far away.
const NUMBER_DISTANCE: f64 = 14.0;
/// Room for the label, beyond the numbers.
const LABEL_LINE: f64 = 20.0;

/// A bar beside a panel.
pub(super) struct Bar {
    pub(super) range: Range,
    ticks: Ticks,
    label: String,
    /// How much of the scale of colours is used.
    used: f64,
}

impl Bar {
    /// The bar of a panel of this height.
    pub(super) fn of(bar: &ColourBar, height: f64) -> Bar {
        let around = || {
            let places = bar.range.into_iter().filter_map(|end| bar.scale.place(end));
            Range::around(bar.scale, 0.0, places)
        };
        let range = Range::between(bar.scale, bar.range).unwrap_or_else(around);
        let used = colour_scale::LINE_COLOURS;
        Bar { used, ..Bar::over(range, bar.scale, &bar.label, height) }
    }

    /// The bar over a range of places.
    pub(super) fn over(range: Range, scale: Scale, label: &str, height: f64) -> Bar {
        let mut ticks = Ticks::choose(scale, range, (height / 40.0).max(2.0) as usize);
        if ticks.note.is_empty() {
            // both limits are written, in the place of numbers that are too near
            let gap = NUMBER_DISTANCE / height.max(1.0);
            ticks.major.retain(|tick| (gap..=1.0 - gap).contains(&range.fraction(tick.place)));
            let limit = |place: f64| {
                let value = if scale == Scale::Logarithmic { 10_f64.powf(place) } else { place };
                Tick { place, label: rounded(value) }
            };
            ticks.major.insert(0, limit(range.low));
            ticks.major.push(limit(range.high));
        }
        Bar { range, ticks, label: label.to_owned(), used: 1.0 }
    }

    /// What it takes beside the panel, with its numbers and its label.
    pub(super) fn width(&self) -> f64 {
        let label = if self.label.is_empty() { 0.0 } else { LABEL_LINE };
        PANEL_TO_BAR + BAR_WIDTH + BAR_TO_NUMBERS + widest_label(&self.ticks) + label
    }

    /// Draws it to the right of `beside`, along the panel.
    pub(super) fn draw(&self, svg: &mut String, frame: &Frame, beside: f64) {
        let left = beside + PANEL_TO_BAR;
        svg.push_str("<g shape-rendering=\"crispEdges\">\n");
        for level in 0..COLOUR_COUNT {
            let [from, to] = [level, level + 1].map(|at| at as f64 / COLOUR_COUNT as f64);
            let (bottom, top) = (frame.at([0.0, from]).1, frame.at([0.0, to]).1);
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{BAR_WIDTH}\" height=\"{}\" fill=\"{}\"/>",
                number(left),
                number(top),
                number(bottom - top),
                shared(colour_scale::level(self.used * from))
            );
        }
        svg.push_str("</g>\n");
        let text = |y: f64| Text {
            size: TICK_SIZE,
            colour: "#444444",
            ..Text::at(left + BAR_WIDTH + BAR_TO_NUMBERS, y, Anchor::Start)
        };
        for tick in &self.ticks.major {
            let y = frame.at([0.0, self.range.fraction(tick.place)]).1;
            let _ = writeln!(
                svg,
                "<path d=\"M{} {}h4\" stroke=\"#555555\"/>",
                number(left + BAR_WIDTH),
                number(y)
            );
            text(y + 4.0).write_label(svg, &tick.label);
        }
        if !self.ticks.note.is_empty() {
            let above = text(frame.top - 8.0);
            Text { x: left, ..above }.write_label(svg, &self.ticks.note);
        }
        if !self.label.is_empty() {
            let x = beside + self.width() - 6.0;
            let middle = 0.5 * (frame.top + frame.bottom);
            let label = shortened(&self.label, 12.0, frame.height() + 20.0);
            Text { upright: true, ..Text::at(x, middle, Anchor::Middle) }.write_label(svg, &label);
        }
    }
}
