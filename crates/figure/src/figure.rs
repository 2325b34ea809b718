//! What a figure is made of, as plain data.

use crate::axis::{Axis, Scale};
use crate::series::Series;

/// Two axes and the series drawn between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The heading above the panel; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, from the back to the front.
    pub series: Vec<Series>,
    /// Whether a unit has the same length on both axes, as for paths in a plane.
    pub equal_scales: bool,
    /// What the colours of series with [`Colour::Value`](crate::Colour::Value) mean.
    pub colour_bar: Option<ColourBar>,
}

/// Colours as numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColourBar {
    /// What the colours mean and in which unit.
    pub label: String,
    /// The values at both ends, the smaller one first.
    pub range: [f64; 2],
    /// Whether colours tell differences or ratios.
    pub scale: Scale,
}

impl Panel {
    /// A panel without series.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
        Panel { title: title.into(), x, y, ..Panel::default() }
    }

    /// The panel with one more series, drawn in front of the others.
    #[must_use]
    pub fn with(mut self, series: Series) -> Panel {
        self.series.push(series);
        self
    }

    /// The panel as text of at most `columns` × `rows` characters: Braille dots, axes and a legend.
    ///
    /// Series are told apart by ANSI escape codes, which the caller strips where they are not wanted. Lines are
    /// separated by `\n`, with none at the end. What does not fit is left out, decoration before data.
    pub fn to_terminal(&self, columns: usize, rows: usize) -> String {
        crate::terminal::draw(self, columns, rows)
    }

    /// The vertical axis with the label that stands along it.
    pub(crate) fn vertical_axis(&self) -> Axis {
        Axis { label: self.vertical_label().to_owned(), ..self.y.clone() }
    }

    /// What stands along the vertical axis: a single series needs no legend, so its name may stand there.
    pub(crate) fn vertical_label(&self) -> &str {
        match self.series.as_slice() {
            [only] if self.y.label.is_empty() => &only.name,
            _ => &self.y.label,
        }
    }

    /// Whether a unit has the same length on both axes: logarithms have no unit.
    pub(crate) fn has_equal_scales(&self) -> bool {
        self.equal_scales && [&self.x, &self.y].iter().all(|axis| axis.scale == Scale::Linear)
    }

    /// Which series the legend lists: equal names once.
    pub(crate) fn legend_entries(&self) -> Vec<usize> {
        let is_first = |at: &usize| {
            let name = &self.series[*at].name;
            self.series[..*at].iter().all(|other| other.name != *name)
        };
        (0..self.series.len()).filter(is_first).collect()
    }

    /// Whether series have to be told apart.
    pub(crate) fn needs_legend(&self) -> bool {
        self.legend_entries().len() > 1
    }
}

/// Panels, stacked from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The heading above all panels; may be empty.
    pub title: String,
    /// The panels, from top to bottom.
    pub panels: Vec<Panel>,
    /// What is written below all panels; may be empty.
    pub caption: String,
    /// What the file says about itself without showing it: model, method, tolerance, verdict.
    pub description: String,
    /// How large the figure is in print; `None` for one on a screen.
    pub size: Option<PageSize>,
    /// What could have been drawn and was left out, by name, so that the rest can be read.
    pub left_out: Vec<String>,
}

/// The size of a figure in print. Text keeps its size of 7 to 9 points, whatever the size of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageSize {
    /// Millimetres.
    pub width: f64,
    /// Millimetres; `None` where it follows from what is drawn.
    pub height: Option<f64>,
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: impl Into<String>) -> Figure {
        Figure { title: title.into(), ..Figure::default() }
    }

    /// The figure with one more panel below the others.
    #[must_use]
    pub fn with(mut self, panel: Panel) -> Figure {
        self.panels.push(panel);
        self
    }

    /// The figure as a complete SVG document, to be written to a file or placed inside a page.
    ///
    /// It has a white ground and uses no identifiers, so that several may stand in one page. However long the series
    /// are, a panel takes less than 200 KB, or 500 KB with several clouds of points: what is thinner than a pixel is merged.
    pub fn to_svg(&self) -> String {
        crate::svg::draw(self)
    }

    /// All panels as text, one below the other, each of at most `columns` × `rows` characters.
    ///
    /// Lines are separated by `\n`, with none at the end.
    pub fn to_terminal(&self, columns: usize, rows: usize) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (at, panel) in self.panels.iter().enumerate() {
            let title = if at == 0 { self.heading() } else { &panel.title };
            let panel = Panel { title: title.to_owned(), ..panel.clone() };
            parts.push(panel.to_terminal(columns, rows));
        }
        parts.join("\n\n")
    }

    /// The figure as a page of its own, in which one can zoom and read values; it needs no network.
    pub fn to_html(&self) -> String {
        crate::html::page(self.heading(), &self.data())
    }

    /// The figure as JSON for [`plot_script`](crate::plot_script): numbers with seven digits, long series thinned to what
    /// a large screen shows.
    pub fn data(&self) -> String {
        crate::html::figure_data(self)
    }

    /// What the whole figure is called: its title, or that of its first panel.
    pub(crate) fn heading(&self) -> &str {
        match self.panels.first() {
            Some(panel) if self.title.is_empty() => &panel.title,
            _ => &self.title,
        }
    }

    /// Whether panels stand above each other over one horizontal axis, which the lowest shows for all.
    pub(crate) fn shares_x(&self) -> bool {
        let same = |pair: &[Panel]| {
            pair[0].x == pair[1].x && !pair[0].equal_scales && !pair[1].equal_scales
        };
        self.panels.len() > 1
            && !self.panels[0].x.label.is_empty()
            && self.panels.windows(2).all(same)
    }
}

/// A figure of one panel, whose title is title enough.
impl From<Panel> for Figure {
    fn from(panel: Panel) -> Figure {
        Figure { panels: vec![panel], ..Figure::default() }
    }
}
