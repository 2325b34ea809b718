//! Where everything lies: sizes of panels and of what surrounds them, in pixels from the upper left corner.

use super::legend::Legend;
use super::text::{text_width, wrapped};
use crate::figure::{Figure, Panel};
use crate::ticks::Ticks;
use crate::trace::{Point, Traces};

/// The width of every figure.
pub(super) const FIGURE_WIDTH: f64 = 800.0;

/// What stays free around everything.
pub(super) const OUTER_MARGIN: f64 = 16.0;

/// Distance between baselines of the figure's title.
pub(super) const TITLE_LINE: f64 = 21.0;

/// Distance between baselines of a panel's title.
pub(super) const PANEL_TITLE_LINE: f64 = 18.0;

/// The size of the labels beside ticks.
pub(super) const TICK_SIZE: f64 = 11.0;

/// How much wider bold letters are.
const BOLD_WIDTH_FACTOR: f64 = 1.2;

/// Room for the label of an axis, or for the note beside its ticks.
const LABEL_LINE: f64 = 20.0;

/// The plotted area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Frame {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The pixel of a point given in fractions from the lower left corner.
    pub(super) fn at(&self, point: Point) -> (f64, f64) {
        (self.left + point[0] * self.width(), self.bottom - point[1] * self.height())
    }
}

/// One panel with everything that surrounds it.
pub(super) struct PanelLayout<'a> {
    pub(super) panel: &'a Panel,
    pub(super) traces: Traces,
    pub(super) x: Ticks,
    pub(super) y: Ticks,
    pub(super) frame: Frame,
    pub(super) title: Vec<String>,
    pub(super) title_top: f64,
    pub(super) legend: Legend,
    pub(super) legend_top: f64,
}

/// The whole figure.
pub(super) struct Layout<'a> {
    pub(super) title: Vec<String>,
    pub(super) left: f64,
    pub(super) height: f64,
    pub(super) panels: Vec<PanelLayout<'a>>,
}

impl Layout<'_> {
    pub(super) fn of(figure: &Figure) -> Layout<'_> {
        let plot_height = match figure.panels.len() {
            0 | 1 => 400.0,
            2 => 250.0,
            _ => 190.0,
        };
        let mut panels: Vec<PanelLayout> =
            figure.panels.iter().map(|panel| PanelLayout::begun(panel, plot_height)).collect();
        let left = panels.iter().map(PanelLayout::left_margin).fold(OUTER_MARGIN, f64::max);
        let right = FIGURE_WIDTH
            - panels.iter().map(PanelLayout::right_margin).fold(OUTER_MARGIN, f64::max);
        let title =
            wrapped(&figure.title, BOLD_WIDTH_FACTOR * 16.0, FIGURE_WIDTH - OUTER_MARGIN - left);
        let mut height = OUTER_MARGIN
            + TITLE_LINE * title.len() as f64
            + if title.is_empty() { 0.0 } else { 12.0 };
        for panel in &mut panels {
            height = panel.placed(left, right, height, plot_height);
        }
        Layout { title, left, height: height + 0.5 * OUTER_MARGIN, panels }
    }
}

impl<'a> PanelLayout<'a> {
    /// What follows from the height of the plotted area alone.
    fn begun(panel: &'a Panel, height: f64) -> PanelLayout<'a> {
        PanelLayout::with_traces(panel, Traces::of(panel), height)
    }

    /// The same for ranges that are given.
    pub(super) fn with_traces(panel: &'a Panel, traces: Traces, height: f64) -> PanelLayout<'a> {
        let y = Ticks::choose(panel.y.scale, traces.y, (height / 45.0) as usize);
        PanelLayout {
            panel,
            traces,
            x: Ticks::default(),
            y,
            frame: Frame { left: 0.0, right: 0.0, top: 0.0, bottom: 0.0 },
            title: Vec::new(),
            title_top: 0.0,
            legend: Legend::of(panel, height),
            legend_top: 0.0,
        }
    }

    /// Places the panel between two horizontal positions and below a vertical one; gives where it ends.
    pub(super) fn placed(&mut self, left: f64, right: f64, top: f64, height: f64) -> f64 {
        self.title = wrapped(&self.panel.title, BOLD_WIDTH_FACTOR * 13.0, right - left);
        self.title_top = top;
        self.legend_top = top + PANEL_TITLE_LINE * self.title.len() as f64 + 4.0;
        let note = if self.y.note.is_empty() { 0.0 } else { LABEL_LINE };
        let plot_top = self.legend_top + self.legend.height_above(right - left) + note + 4.0;
        self.frame = Frame { left, right, top: plot_top, bottom: plot_top + height };
        self.x = self.horizontal_ticks();
        let below =
            if self.panel.x.label.is_empty() && self.x.note.is_empty() { 0.0 } else { LABEL_LINE };
        self.frame.bottom + 24.0 + below + 12.0
    }

    /// As many ticks as there is room for their labels.
    fn horizontal_ticks(&self) -> Ticks {
        let width = self.frame.width();
        Ticks::choose_fitting(self.panel.x.scale, self.traces.x, (width / 65.0) as usize, |ticks| {
            widest_label(ticks) + 14.0 <= width * ticks.smallest_gap(self.traces.x)
        })
    }

    pub(super) fn left_margin(&self) -> f64 {
        let label = if self.panel.vertical_label().is_empty() { 0.0 } else { LABEL_LINE };
        OUTER_MARGIN + label + widest_label(&self.y) + 12.0
    }

    fn right_margin(&self) -> f64 {
        OUTER_MARGIN + self.legend.side_width().max(10.0)
    }
}

pub(super) fn widest_label(ticks: &Ticks) -> f64 {
    ticks.major.iter().map(|tick| text_width(&tick.label, TICK_SIZE)).fold(0.0, f64::max)
}
