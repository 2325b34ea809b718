//! A figure as a vector graphic.
//!
//! Layout goes from the outside in: heights are fixed, so the vertical ticks and the width of their labels are known
//! first. All panels then share their left and right edge, and the horizontal ticks fill what lies between.

mod axes;
mod curve;
mod dense;
mod layout;
mod legend;
mod map;
mod marks;
mod text;

use crate::figure::Figure;
use crate::palette::Pen;
use layout::Layout;
pub(crate) use map::{draw as draw_maps, ends};
use std::fmt::Write;
pub(crate) use text::escaped;
use text::{Anchor, Text, number};

/// Fonts that are installed where pages are read, best first.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', \
                     'DejaVu Sans', sans-serif";

/// How many points a panel may hold: at some thirteen bytes each, less than 200 KB with everything else.
const MAX_POINTS_PER_PANEL: usize = 11_000;

pub(crate) fn draw(figure: &Figure) -> String {
    let layout = Layout::of(figure);
    let mut svg = begun(&figure.title, &layout.title, layout.left, layout.height);
    for panel in &layout.panels {
        draw_panel(&mut svg, panel);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The document up to and with its title.
fn begun(name: &str, title: &[String], left: f64, height: f64) -> String {
    let (width, height) = (number(layout::FIGURE_WIDTH), number(height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" font-size=\"12\" role=\"img\" \
         aria-label=\"{}\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escaped(name)
    );
    for (index, line) in title.iter().enumerate() {
        let baseline = layout::OUTER_MARGIN + 16.0 + layout::TITLE_LINE * index as f64;
        Text { size: 16.0, bold: true, ..Text::at(left, baseline, Anchor::Start) }
            .write(&mut svg, line);
    }
    svg
}

fn draw_panel(svg: &mut String, panel: &layout::PanelLayout) {
    svg.push_str("<g>\n");
    draw_title(svg, panel);
    axes::draw(svg, panel);
    draw_series(svg, panel);
    legend::draw(svg, panel);
    svg.push_str("</g>\n");
}

fn draw_title(svg: &mut String, panel: &layout::PanelLayout) {
    for (index, line) in panel.title.iter().enumerate() {
        let baseline = panel.title_top + 13.0 + layout::PANEL_TITLE_LINE * index as f64;
        Text { size: 13.0, bold: true, ..Text::at(panel.frame.left, baseline, Anchor::Start) }
            .write(svg, line);
    }
}

fn draw_series(svg: &mut String, panel: &layout::PanelLayout) {
    if panel.traces.is_empty() {
        let (x, y) = panel.frame.at([0.5, 0.5]);
        Text { colour: "#888888", ..Text::at(x, y, Anchor::Middle) }.write(svg, "no data");
        return;
    }
    let needs: Vec<usize> =
        panel.traces.pieces.iter().map(|pieces| crate::thin::cost(pieces)).collect();
    let shares = crate::thin::shares(&needs, MAX_POINTS_PER_PANEL);
    for (index, series) in panel.panel.series.iter().enumerate() {
        let pen = Pen::of(panel.panel, index);
        // The title is what a browser shows under the pointer, and carries names that the legend has to shorten.
        let _ = writeln!(svg, "<g><title>{}</title>", escaped(&series.name));
        let pieces = &panel.traces.pieces[index];
        // A series with both styles pays for both.
        let share = if series.style.has_line() && series.style.has_marks() {
            shares[index] / 2
        } else {
            shares[index]
        };
        if series.style.has_line() {
            curve::draw(svg, &panel.frame, pieces, pen, share);
        }
        if series.style.has_marks() {
            marks::draw(svg, &panel.frame, pieces, pen, share);
        }
        svg.push_str("</g>\n");
    }
}
