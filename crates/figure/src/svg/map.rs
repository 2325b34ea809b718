//! Maps as a vector graphic: coloured cells, and beside them the scale of the colours.

use super::axes;
use super::bar::Bar;
use super::layout::{
    BOLD_WIDTH_FACTOR, Frame, LINE_DISTANCE, PanelLayout, TICK_SIZE, title_height,
};
use super::sheet::Sheet;
use super::text::{Anchor, Text, number, wrapped};
use crate::axis::Scale;
use crate::colour_scale::{COLOUR_COUNT, MISSING_COLOUR, level, shared};
use crate::figure::Panel;
use crate::map::{Map, Maps};
use crate::range::Range;
use crate::trace::Traces;
use std::fmt::Write;

/// A map with the bar that explains its colours; without one if there are no numbers.
struct Placed<'a> {
    map: &'a Map,
    bar: Option<Bar>,
}

pub(crate) fn draw(maps: &Maps) -> String {
    let sheet = Sheet::of(maps.size);
    let margin = sheet.margin();
    let height = match (sheet.height, maps.maps.len()) {
        (Some(height), count) => (height - 60.0) / count.max(1) as f64 - 60.0,
        (None, 0 | 1) => 0.5 * sheet.width,
        (None, 2) => 0.375 * sheet.width,
        (None, _) => 0.3 * sheet.width,
    };
    let height = height.max(60.0);
    let placed: Vec<Placed> = maps.maps.iter().map(|map| Placed::new(map, height)).collect();
    // what the colours mean stands beside them
    let panels: Vec<Panel> =
        maps.maps.iter().map(|map| Panel::new("", map.x.clone(), map.y.clone())).collect();
    let mut layouts: Vec<PanelLayout> = panels
        .iter()
        .zip(&maps.maps)
        .map(|(panel, map)| {
            let x = ends(panel.x.scale, &map.x_edges);
            let y = ends(panel.y.scale, &map.y_edges);
            PanelLayout::with_traces(panel, sheet, Traces { x, y, pieces: Vec::new() }, height)
        })
        .collect();
    let left = layouts.iter().map(PanelLayout::left_margin).fold(margin, f64::max);
    let bars = placed.iter().filter_map(|map| map.bar.as_ref()).map(Bar::width);
    let right = sheet.width - margin - bars.fold(0.0, f64::max);
    let room = sheet.width - 2.0 * margin;
    let title = wrapped(&maps.title, BOLD_WIDTH_FACTOR * sheet.title_size, room);
    let mut bottom = margin + title_height(&sheet, title.len());
    let remark = wrapped(&maps.remark, TICK_SIZE, room);
    let remark_top = bottom;
    bottom += LINE_DISTANCE * TICK_SIZE * remark.len() as f64;
    for layout in &mut layouts {
        bottom = layout.placed(left, right, bottom, height);
    }
    let caption = wrapped(&maps.caption, TICK_SIZE, room);
    let caption_top = bottom;
    bottom += LINE_DISTANCE * TICK_SIZE * caption.len() as f64 + 0.5 * margin;
    let mut svg =
        sheet.begin(sheet.height.unwrap_or(bottom), &maps.title, &maps.description, super::FONTS);
    super::draw_heading(&mut svg, &sheet, margin, &title);
    super::draw_caption(&mut svg, margin, remark_top, &remark);
    for (layout, placed) in layouts.iter().zip(&placed) {
        svg.push_str("<g>\n");
        axes::draw(&mut svg, layout);
        placed.draw_cells(&mut svg, layout);
        if let Some(bar) = &placed.bar {
            bar.draw(&mut svg, &layout.frame, right);
        }
        svg.push_str("</g>\n");
    }
    super::draw_caption(&mut svg, margin, caption_top, &caption);
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
        Placed { map, bar: values.map(|range| Bar::over(range, map.scale, &map.title, height)) }
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
        let Some(range) = self.bar.as_ref().map(|bar| bar.range) else {
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
            let _ = writeln!(svg, "<path d=\"{outline}\" fill=\"{}\"/>", shared(level));
        }
        svg.push_str("</g>\n");
    }
}
