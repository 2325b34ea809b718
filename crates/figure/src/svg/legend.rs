//! The legend: beside the panel while it is short and narrow, else above it; never on the data.

use super::layout::PanelLayout;
use super::marks;
use super::sheet::Sheet;
use super::text::{Anchor, Text, number, shortened, text_width};
use crate::figure::Panel;
use crate::palette::{Mark, Pen};
use crate::series::Style;
use std::fmt::Write;

/// Height of one entry.
const ROW_HEIGHT: f64 = 18.0;

/// Length of the piece of line that shows the pen. Dashes need this much to be recognised.
const SAMPLE_LENGTH: f64 = 26.0;

/// Distance between the sample and the name.
const SAMPLE_TO_NAME: f64 = 7.0;

/// Names wider than this do not go beside the panel, which would become too narrow.
const MAX_SIDE_LEGEND_WIDTH: f64 = 170.0;

/// Distance from the plotted area to a legend beside it.
const PANEL_TO_LEGEND: f64 = 16.0;

/// Where the entries of a panel go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Legend {
    None,
    /// In one column, this wide.
    AtSide(f64),
    /// In rows, with entries this wide.
    Above {
        entries: usize,
        entry_width: f64,
    },
}

impl Legend {
    pub(super) fn of(panel: &Panel, sheet: &Sheet, plot_height: f64) -> Legend {
        let listed = panel.legend_entries();
        let width = |at: &usize| text_width(&panel.series[*at].name, 12.0);
        let widest = listed.iter().map(width).fold(0.0, f64::max);
        let entries = listed.len();
        let fits_beside = sheet.has_side_legends() && panel.colour_bar.is_none();
        if !panel.needs_legend() {
            Legend::None
        } else if fits_beside
            && ROW_HEIGHT * entries as f64 <= plot_height
            && widest <= MAX_SIDE_LEGEND_WIDTH
        {
            Legend::AtSide(SAMPLE_LENGTH + SAMPLE_TO_NAME + widest)
        } else {
            Legend::Above { entries, entry_width: SAMPLE_LENGTH + SAMPLE_TO_NAME + widest + 14.0 }
        }
    }

    /// How much room the legend takes to the right of the panel.
    pub(super) fn side_width(self) -> f64 {
        match self {
            Legend::AtSide(width) => PANEL_TO_LEGEND + width,
            _ => 0.0,
        }
    }

    /// How much room the legend takes above a panel of this width.
    pub(super) fn height_above(self, width: f64) -> f64 {
        match self {
            Legend::Above { entries, entry_width } => {
                ROW_HEIGHT * entries.div_ceil(columns(entry_width, width)) as f64 + 6.0
            }
            _ => 0.0,
        }
    }
}

/// How many entries stand in a row.
fn columns(entry_width: f64, width: f64) -> usize {
    (width / entry_width).max(1.0) as usize
}

pub(super) fn draw(svg: &mut String, panel: &PanelLayout) {
    let frame = panel.frame;
    match panel.legend {
        Legend::None => {}
        Legend::AtSide(_) => {
            let x = frame.right + PANEL_TO_LEGEND;
            let room = panel.sheet.width - panel.sheet.margin() - x;
            for (row, &index) in panel.panel.legend_entries().iter().enumerate() {
                let y = frame.top + ROW_HEIGHT * (row as f64 + 0.5);
                draw_entry(svg, [x, y], panel.panel, index, room);
            }
        }
        Legend::Above { entry_width, .. } => {
            let columns = columns(entry_width, frame.width());
            let entry_width = frame.width() / columns as f64;
            for (at, &index) in panel.panel.legend_entries().iter().enumerate() {
                let x = frame.left + entry_width * (at % columns) as f64;
                let y = panel.legend_top + ROW_HEIGHT * ((at / columns) as f64 + 0.5);
                draw_entry(svg, [x, y], panel.panel, index, entry_width - 10.0);
            }
        }
    }
}

fn draw_entry(svg: &mut String, [x, middle]: [f64; 2], panel: &Panel, index: usize, width: f64) {
    let (series, pen) = (&panel.series[index], Pen::in_legend(panel, index));
    if series.style.has_line() {
        let dashes = if pen.dashes.is_empty() {
            String::new()
        } else {
            format!(" stroke-dasharray=\"{}\"", pen.dashes)
        };
        let _ = writeln!(
            svg,
            "<path d=\"M{} {}h{SAMPLE_LENGTH}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{dashes}/>",
            number(x),
            number(middle),
            pen.colour
        );
    }
    if series.style.has_marks() {
        let middle = [x + 0.5 * SAMPLE_LENGTH, middle];
        match series.style == Style::Cells {
            true => marks::draw_sample(svg, middle, Pen { mark: Mark::Square, ..pen }, 1),
            false => marks::draw_sample(svg, middle, pen, series.x.len()),
        }
    }
    let name = shortened(&series.name, 12.0, width - SAMPLE_LENGTH - SAMPLE_TO_NAME);
    Text::at(x + SAMPLE_LENGTH + SAMPLE_TO_NAME, middle + 4.0, Anchor::Start)
        .write_label(svg, &name);
}
