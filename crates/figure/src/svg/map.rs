//! Maps as a vector graphic: coloured cells, and beside them the scale of the colours.

use super::axes;
use super::layout::{
    FIGURE_WIDTH, Frame, OUTER_MARGIN, PanelLayout, TICK_SIZE, TITLE_LINE, widest_label,
};
use super::text::{Anchor, Text, number, wrapped};
use crate::axis::Scale;
use crate::colour_scale::{COLOUR_COUNT, MISSING_COLOUR, colour, level};
use crate::figure::Panel;
use crate::map::{Map, Maps};
use crate::range::Range;
use crate::ticks::Ticks;
use crate::trace::Traces;
use std::fmt::Write;

/// From the map to the bar that shows the colours.
const MAP_TO_BAR: f64 = 16.0;
/// The width of the bar.
const BAR_WIDTH: f64 = 14.0;
/// From the bar to its numbers.
const BAR_TO_LABELS: f64 = 8.0;

/// A map with everything that surrounds it.
struct Placed<'a> {
    map: &'a Map,
    /// What the colours run through; absent if there are no numbers.
    values: Option<Range>,
    ticks: Ticks,
}

pub(crate) fn draw(maps: &Maps) -> String {
    let height = match maps.maps.len() {
        0 | 1 => 400.0,
        2 => 300.0,
        _ => 240.0,
    };
    let placed: Vec<Placed> = maps.maps.iter().map(|map| Placed::new(map, height)).collect();
    let panels: Vec<Panel> = maps
        .maps
        .iter()
        .map(|map| Panel::new(map.title.as_str(), map.x.clone(), map.y.clone()))
        .collect();
    let mut layouts: Vec<PanelLayout> = panels
        .iter()
        .zip(&maps.maps)
        .map(|(panel, map)| {
            let x = ends(panel.x.scale, &map.x_edges);
            let y = ends(panel.y.scale, &map.y_edges);
            PanelLayout::with_traces(panel, Traces { x, y, pieces: Vec::new() }, height)
        })
        .collect();
    let left = layouts.iter().map(PanelLayout::left_margin).fold(OUTER_MARGIN, f64::max);
    let label_width = placed.iter().map(|map| widest_label(&map.ticks)).fold(0.0, f64::max);
    let right = FIGURE_WIDTH - OUTER_MARGIN - MAP_TO_BAR - BAR_WIDTH - BAR_TO_LABELS - label_width;
    let title = wrapped(&maps.title, 1.2 * 16.0, FIGURE_WIDTH - OUTER_MARGIN - left);
    let mut bottom = OUTER_MARGIN + TITLE_LINE * title.len() as f64;
    let remark = bottom + 14.0;
    bottom += if maps.remark.is_empty() { 12.0 } else { 32.0 };
    for layout in &mut layouts {
        bottom = layout.placed(left, right, bottom, height);
    }
    let mut svg = super::begun(&maps.title, &title, left, bottom + 0.5 * OUTER_MARGIN);
    if !maps.remark.is_empty() {
        Text { colour: "#666666", ..Text::at(left, remark, Anchor::Start) }
            .write(&mut svg, &maps.remark);
    }
    for (layout, placed) in layouts.iter().zip(&placed) {
        svg.push_str("<g>\n");
        super::draw_title(&mut svg, layout);
        axes::draw(&mut svg, layout);
        placed.draw_cells(&mut svg, layout);
        placed.draw_scale(&mut svg, &layout.frame);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// The part of an axis that the cells take, without a margin.
pub(crate) fn ends(scale: Scale, edges: &[f64]) -> Range {
    let places: Vec<f64> = edges.iter().filter_map(|edge| scale.place(*edge)).collect();
    match (places.first(), places.last()) {
        (Some(&low), Some(&high)) if low < high => Range { low, high },
        _ => Range::around(scale, 0.0, places.into_iter()),
    }
}

impl<'a> Placed<'a> {
    fn new(map: &'a Map, height: f64) -> Placed<'a> {
        let numbers = || map.values.iter().filter_map(|value| map.scale.place(*value));
        let around = Range::around(map.scale, 0.0, numbers());
        let low = numbers().fold(f64::INFINITY, f64::min);
        let high = numbers().fold(f64::NEG_INFINITY, f64::max);
        // the colours end where the numbers do; numbers that hardly differ lie in the middle
        let values = match (low <= high, around.fraction(high) - around.fraction(low) > 0.5) {
            (false, _) => None,
            (true, true) => Some(Range { low, high }),
            (true, false) => Some(around),
        };
        let most = (height / 45.0) as usize;
        let ticks = values.map(|range| Ticks::choose(map.scale, range, most));
        Placed { map, values, ticks: ticks.unwrap_or_default() }
    }

    /// One path for each colour; cells side by side in a row are one rectangle.
    fn draw_cells(&self, svg: &mut String, layout: &PanelLayout) {
        let Frame { left, top, .. } = layout.frame;
        let (width, height) = (layout.frame.width(), layout.frame.height());
        let _ = writeln!(
            svg,
            "<g shape-rendering=\"crispEdges\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{MISSING_COLOUR}\"/>",
            number(left),
            number(top),
            number(width),
            number(height)
        );
        let Some(range) = self.values else {
            let (x, y) = layout.frame.at([0.5, 0.5]);
            Text { colour: "#666666", ..Text::at(x, y, Anchor::Middle) }.write(svg, "no data");
            svg.push_str("</g>\n");
            return;
        };
        let pixel = |edges: &[f64], scale: Scale, across: bool| -> Vec<f64> {
            let traces = &layout.traces;
            let part = |edge: &f64| {
                let range = if across { traces.x } else { traces.y };
                scale.place(*edge).map_or(0.0, |place| range.fraction(place))
            };
            let at = |part: f64| layout.frame.at([part, part]);
            edges
                .iter()
                .map(|edge| if across { at(part(edge)).0 } else { at(part(edge)).1 })
                .collect()
        };
        let xs = pixel(&self.map.x_edges, self.map.x.scale, true);
        let ys = pixel(&self.map.y_edges, self.map.y.scale, false);
        let mut outlines = vec![String::new(); COLOUR_COUNT];
        let columns = xs.len().saturating_sub(1).max(1);
        for (row, ys) in self.map.values.chunks_exact(columns).zip(ys.windows(2)) {
            let level_of = |value: &f64| {
                self.map.scale.place(*value).map(|place| level(range.fraction(place)))
            };
            let mut column = 0;
            for run in row.chunk_by(|a, b| level_of(a) == level_of(b)) {
                let next = column + run.len();
                if let (Some(level), Some(&from), Some(&to)) =
                    (level_of(&run[0]), xs.get(column), xs.get(next))
                {
                    let (bottom, top) = (number(ys[0]), number(ys[1]));
                    let _ = write!(
                        outlines[level],
                        "M{} {bottom}H{}V{top}H{}z",
                        number(from),
                        number(to),
                        number(from)
                    );
                }
                column = next;
            }
        }
        for (level, outline) in outlines.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            let _ = writeln!(svg, "<path d=\"{outline}\" fill=\"{}\"/>", colour(level));
        }
        svg.push_str("</g>\n");
    }

    fn draw_scale(&self, svg: &mut String, frame: &Frame) {
        let Some(range) = self.values else { return };
        let left = frame.right + MAP_TO_BAR;
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
                colour(level)
            );
        }
        svg.push_str("</g>\n");
        let label = |y: f64| Text {
            size: TICK_SIZE,
            colour: "#444444",
            ..Text::at(left + BAR_WIDTH + BAR_TO_LABELS, y, Anchor::Start)
        };
        for tick in &self.ticks.major {
            let y = frame.at([0.0, range.fraction(tick.place)]).1;
            let _ = writeln!(
                svg,
                "<path d=\"M{} {}h4\" stroke=\"#555555\"/>",
                number(left + BAR_WIDTH),
                number(y)
            );
            label(y + 4.0).write_number(svg, &tick.label);
        }
        if !self.ticks.note.is_empty() {
            Text { anchor: Anchor::End, x: FIGURE_WIDTH - OUTER_MARGIN, ..label(frame.top - 8.0) }
                .write_number(svg, &self.ticks.note);
        }
    }
}
