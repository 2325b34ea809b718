//! A figure as a vector graphic.
//!
//! Layout goes from the outside in: heights are fixed, so the vertical ticks and the width of their labels are known
//! first. All panels then share their left and right edge, and the horizontal ticks fill what lies between.

mod axes;
mod bar;
mod cells;
mod clouds;
mod curve;
mod dense;
mod layout;
mod legend;
mod map;
mod marks;
mod sheet;
mod text;

use crate::figure::Figure;
use crate::palette::Pen;
use crate::series::Style;
use clouds::Clouds;
use layout::{LINE_DISTANCE, Layout, PanelLayout, TICK_SIZE};
pub(crate) use map::{draw as draw_maps, ends};
use sheet::Sheet;
use std::fmt::Write;
pub use text::escaped;
use text::{Anchor, Text};

/// Fonts that are installed where pages are read, best first.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', \
                     'DejaVu Sans', sans-serif";

/// How many points a panel may hold: at some thirteen bytes each, less than 200 KB with everything else.
const MAX_POINTS_PER_PANEL: usize = 11_000;

pub(crate) fn draw(figure: &Figure) -> String {
    let layout = Layout::of(figure);
    let Layout { sheet, left, .. } = layout;
    let mut svg = sheet.begin(layout.height, figure.heading(), &figure.description, FONTS);
    draw_heading(&mut svg, &sheet, left, &layout.title);
    for panel in &layout.panels {
        draw_panel(&mut svg, panel);
    }
    draw_caption(&mut svg, left, layout.caption_top, &layout.caption);
    svg.push_str("</svg>\n");
    svg
}

/// The title of the whole figure.
fn draw_heading(svg: &mut String, sheet: &Sheet, left: f64, title: &[String]) {
    for (index, line) in title.iter().enumerate() {
        let size = sheet.title_size;
        let baseline = sheet.margin() + size * (1.0 + LINE_DISTANCE * index as f64);
        Text { size, bold: true, ..Text::at(left, baseline, Anchor::Start) }.write(svg, line);
    }
}

/// What is written below everything.
fn draw_caption(svg: &mut String, left: f64, top: f64, caption: &[String]) {
    for (index, line) in caption.iter().enumerate() {
        let baseline = top + TICK_SIZE * (1.0 + LINE_DISTANCE * index as f64);
        let colour = "#555555";
        Text { size: TICK_SIZE, colour, ..Text::at(left, baseline, Anchor::Start) }
            .write(svg, line);
    }
}

fn draw_panel(svg: &mut String, panel: &PanelLayout) {
    svg.push_str("<g>\n");
    draw_title(svg, panel);
    axes::draw(svg, panel);
    draw_series(svg, panel);
    legend::draw(svg, panel);
    if let Some(bar) = &panel.bar {
        bar.draw(svg, &panel.frame, panel.frame.right);
    }
    svg.push_str("</g>\n");
}

fn draw_title(svg: &mut String, panel: &PanelLayout) {
    for (index, line) in panel.title.iter().enumerate() {
        let size = panel.sheet.panel_title_size;
        let baseline = panel.title_top + size * (1.0 + LINE_DISTANCE * index as f64);
        Text { size, bold: true, ..Text::at(panel.frame.left, baseline, Anchor::Start) }
            .write(svg, line);
    }
}

fn draw_series(svg: &mut String, panel: &PanelLayout) {
    if panel.traces.is_empty() {
        let (x, y) = panel.frame.at([0.5, 0.5]);
        Text { colour: "#888888", ..Text::at(x, y, Anchor::Middle) }.write(svg, "no data");
        return;
    }
    let needs: Vec<usize> =
        panel.traces.pieces.iter().map(|pieces| crate::thin::cost(pieces)).collect();
    let shares = crate::thin::shares(&needs, MAX_POINTS_PER_PANEL);
    let clouds = Clouds::of(&panel.frame, &panel.panel.series, &panel.traces.pieces);
    for (index, series) in panel.panel.series.iter().enumerate() {
        let pen = Pen::of(panel.panel, index);
        // The title is what a browser shows under the pointer, and carries names that the legend has to shorten.
        let _ =
            writeln!(svg, "<g><title>{}</title>", escaped(&crate::markup::unicode(&series.name)));
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
        match &clouds {
            _ if series.style == Style::Cells => {
                cells::draw(svg, &panel.frame, pieces, panel.traces.cell_grid(panel.panel), pen);
            }
            Some(clouds) if !series.style.has_line() => {
                clouds.draw(svg, &panel.frame, index, pen);
            }
            _ if series.style.has_marks() => marks::draw(svg, &panel.frame, pieces, pen, share),
            _ => {}
        }
        svg.push_str("</g>\n");
    }
}
