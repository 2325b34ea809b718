//! Where everything lies: sizes of panels and of what surrounds them, in units of the sheet from the upper left corner.

use super::bar::Bar;
use super::legend::Legend;
use super::sheet::{Sheet, TEXT_SIZE};
use super::text::{text_width, wrapped};
use crate::figure::{Figure, Panel};
use crate::palette::Pen;
use crate::ticks::Ticks;
use crate::trace::{Point, Traces, shared_traces};

/// The size of the labels beside ticks.
pub(super) const TICK_SIZE: f64 = 11.0;

/// How much wider bold letters are.
pub(super) const BOLD_WIDTH_FACTOR: f64 = 1.2;

/// Distance between baselines, as a part of the size of letters.
pub(super) const LINE_DISTANCE: f64 = 1.35;

/// Room for the label of an axis, or for the note beside its ticks.
const LABEL_LINE: f64 = 20.0;

/// Room for the numbers below a panel.
const TICK_LABEL_LINE: f64 = 24.0;

/// From a panel whose horizontal axis is shown further below to the next one.
const SHARED_PANEL_DISTANCE: f64 = 10.0;

/// Where the height of the sheet is given, panels are never lower than this.
const MIN_PLOT_HEIGHT: f64 = 40.0;

/// Panels are never narrower than this, even if what stands beside them then lies off the sheet.
const MIN_PLOT_WIDTH: f64 = 40.0;

/// How often the height of panels is corrected so that the whole has the height that is given: legends move as panels
/// change.
const MAX_HEIGHT_CORRECTIONS: usize = 3;

/// Names below an axis that do not fit side by side are turned, and cut where they are longer than this.
pub(super) const MAX_TURNED_NAME: f64 = 84.0;

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

    /// The place on the sheet of a point given in fractions from the lower left corner.
    pub(super) fn at(&self, point: Point) -> (f64, f64) {
        (self.left + point[0] * self.width(), self.bottom - point[1] * self.height())
    }
}

/// One panel with everything that surrounds it.
pub(super) struct PanelLayout<'a> {
    pub(super) panel: &'a Panel,
    pub(super) sheet: Sheet,
    pub(super) traces: Traces,
    pub(super) x: Ticks,
    pub(super) y: Ticks,
    pub(super) frame: Frame,
    pub(super) title: Vec<String>,
    pub(super) title_top: f64,
    pub(super) legend: Legend,
    pub(super) legend_top: f64,
    pub(super) bar: Option<Bar>,
    /// Whether the horizontal axis has numbers and a label here, and not in a panel further below.
    pub(super) shows_x: bool,
    /// Whether its title is its own, not that of the whole figure.
    has_title: bool,
    /// Whether names below the axis are turned.
    pub(super) turned: bool,
}

/// The whole figure.
pub(super) struct Layout<'a> {
    pub(super) sheet: Sheet,
    pub(super) title: Vec<String>,
    pub(super) caption: Vec<String>,
    pub(super) caption_top: f64,
    pub(super) left: f64,
    pub(super) height: f64,
    pub(super) panels: Vec<PanelLayout<'a>>,
}

impl Layout<'_> {
    pub(super) fn of(figure: &Figure) -> Layout<'_> {
        let sheet = Sheet::of(figure.size);
        let count = figure.panels.len();
        let mut plot_height = sheet.plot_height(count);
        let mut layout = Layout::with_plots(figure, sheet, plot_height);
        let Some(wanted) = sheet.height.filter(|_| count > 0) else { return layout };
        for _ in 0..MAX_HEIGHT_CORRECTIONS {
            let missing = wanted - layout.height;
            plot_height = (plot_height + missing / count as f64).max(MIN_PLOT_HEIGHT);
            layout = Layout::with_plots(figure, sheet, plot_height);
        }
        layout.height = wanted;
        layout
    }

    fn with_plots(figure: &Figure, sheet: Sheet, plot_height: f64) -> Layout<'_> {
        let shared = figure.shares_x();
        let last = figure.panels.len().saturating_sub(1);
        let traces = shared_traces(figure);
        let mut panels: Vec<PanelLayout> = figure
            .panels
            .iter()
            .zip(traces)
            .enumerate()
            .map(|(at, (panel, traces))| PanelLayout {
                shows_x: !shared || at == last,
                ..PanelLayout::with_traces(panel, sheet, traces, plot_height)
            })
            .collect();
        if let (true, Some(first)) = (figure.title.is_empty(), panels.first_mut()) {
            // it is the title of the whole
            first.has_title = false;
        }
        for at in 1..panels.len() {
            if shared && is_explained(&panels[0], &panels[at]) {
                panels[at].legend = Legend::None;
            }
        }
        let margin = sheet.margin();
        let left = panels.iter().map(PanelLayout::left_margin).fold(margin, f64::max);
        let beside = panels.iter().map(PanelLayout::right_margin).fold(margin, f64::max);
        let right = (sheet.width - beside).max(left + MIN_PLOT_WIDTH);
        let room = sheet.width - 2.0 * margin;
        let title = wrapped(figure.heading(), BOLD_WIDTH_FACTOR * sheet.title_size, room);
        let mut height = margin + title_height(&sheet, title.len());
        for panel in &mut panels {
            height = panel.placed(left, right, height, plot_height);
        }
        let caption = wrapped(&figure.caption, TICK_SIZE, room);
        let caption_top = height;
        height += LINE_DISTANCE * TICK_SIZE * caption.len() as f64;
        height += if caption.is_empty() { 0.5 * margin } else { margin };
        Layout { sheet, title, caption, caption_top, left: margin, height, panels }
    }
}

/// Whether the legend of the first panel says everything about another one, too.
fn is_explained(first: &PanelLayout, other: &PanelLayout) -> bool {
    let entries = |layout: &PanelLayout| -> Vec<(String, Pen)> {
        let panel = layout.panel;
        let entry = |at: usize| (panel.series[at].name.clone(), Pen::in_legend(panel, at));
        panel.legend_entries().into_iter().map(entry).collect()
    };
    let known = entries(first);
    first.panel.needs_legend() && entries(other).iter().all(|entry| known.contains(entry))
}

/// The room of a title of so many lines.
pub(super) fn title_height(sheet: &Sheet, lines: usize) -> f64 {
    let line = LINE_DISTANCE * sheet.title_size;
    if lines == 0 { 0.0 } else { line * lines as f64 + 0.5 * line }
}

impl<'a> PanelLayout<'a> {
    /// What follows from the height of the plotted area alone.
    pub(super) fn with_traces(
        panel: &'a Panel,
        sheet: Sheet,
        traces: Traces,
        height: f64,
    ) -> PanelLayout<'a> {
        let y = vertical_ticks(panel, &traces, height);
        PanelLayout {
            panel,
            sheet,
            traces,
            x: Ticks::default(),
            y,
            frame: Frame { left: 0.0, right: 0.0, top: 0.0, bottom: 0.0 },
            title: Vec::new(),
            title_top: 0.0,
            legend: Legend::of(panel, &sheet, height),
            legend_top: 0.0,
            bar: panel.colour_bar.as_ref().map(|bar| Bar::of(bar, height)),
            shows_x: true,
            has_title: true,
            turned: false,
        }
    }

    /// Places the panel between two horizontal positions and below a vertical one; gives where it ends.
    pub(super) fn placed(&mut self, left: f64, right: f64, top: f64, height: f64) -> f64 {
        let size = self.sheet.panel_title_size;
        let title = if self.has_title { self.panel.title.as_str() } else { "" };
        self.title = wrapped(title, BOLD_WIDTH_FACTOR * size, right - left);
        self.title_top = top;
        self.legend_top = top + LINE_DISTANCE * size * self.title.len() as f64 + 4.0;
        let note = if self.y.note.is_empty() { 0.0 } else { LABEL_LINE };
        let plot_top = self.legend_top + self.legend.height_above(right - left) + note + 4.0;
        let height = self.height_of_plot(right - left, height);
        self.frame = Frame { left, right, top: plot_top, bottom: plot_top + height };
        if self.panel.has_equal_scales() {
            self.traces.equalise((right - left) / height);
            self.y = vertical_ticks(self.panel, &self.traces, height);
        }
        self.x = self.horizontal_ticks();
        if !self.shows_x {
            return self.frame.bottom + SHARED_PANEL_DISTANCE;
        }
        let has_label = !self.panel.x.label.is_empty() || !self.x.note.is_empty();
        self.frame.bottom
            + self.tick_label_room()
            + if has_label { LABEL_LINE } else { 0.0 }
            + 0.75 * self.sheet.margin()
    }

    /// Paths take the height that their shape asks for, unless that of the whole sheet is given.
    fn height_of_plot(&self, width: f64, height: f64) -> f64 {
        let (x, y) = (self.traces.x, self.traces.y);
        match self.panel.has_equal_scales() && self.sheet.height.is_none() {
            true => (width * (y.high - y.low) / (x.high - x.low)).clamp(0.35 * width, 1.05 * width),
            false => height,
        }
    }

    /// As many ticks as there is room for their labels; names are turned where there is none.
    fn horizontal_ticks(&mut self) -> Ticks {
        let width = self.frame.width();
        let (axis, range) = (&self.panel.x, self.traces.x);
        let fits = |ticks: &Ticks| widest_label(ticks) + 12.0 <= width * ticks.smallest_gap(range);
        if !axis.names.is_empty() {
            let ticks = Ticks::named(&axis.names);
            self.turned = !fits(&ticks);
            return ticks;
        }
        Ticks::choose_fitting(axis.scale, range, (width / 45.0).max(2.0) as usize, fits)
    }

    /// From the panel to what stands below its numbers or names.
    pub(super) fn tick_label_room(&self) -> f64 {
        match self.turned {
            true => widest_label(&self.x).min(MAX_TURNED_NAME) + 14.0,
            false => TICK_LABEL_LINE,
        }
    }

    pub(super) fn left_margin(&self) -> f64 {
        let label = if self.panel.vertical_label().is_empty() { 0.0 } else { LABEL_LINE };
        self.sheet.margin() + label + widest_label(&self.y) + 12.0
    }

    fn right_margin(&self) -> f64 {
        let bar = self.bar.as_ref().map_or(0.0, Bar::width);
        self.sheet.margin() + (self.legend.side_width() + bar).max(TEXT_SIZE)
    }
}

fn vertical_ticks(panel: &Panel, traces: &Traces, height: f64) -> Ticks {
    match panel.y.names.is_empty() {
        false => Ticks::named(&panel.y.names),
        true => {
            let most = (height / 34.0).max(2.0) as usize;
            let ticks = Ticks::choose(panel.y.scale, traces.y, most);
            // one tick alone does not show the scale
            match ticks.major.len() {
                0 | 1 => Ticks::choose(panel.y.scale, traces.y, most + 2),
                _ => ticks,
            }
        }
    }
}

pub(super) fn widest_label(ticks: &Ticks) -> f64 {
    ticks.major.iter().map(|tick| text_width(&tick.label, TICK_SIZE)).fold(0.0, f64::max)
}
