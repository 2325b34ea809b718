//! What a figure is made of: panels, axes and series, as plain data.

/// How values are laid out along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    #[default]
    Linear,
    /// Equal ratios have equal lengths; values that are not positive have no place and are left out.
    Logarithmic,
}

/// One axis of a panel. Its range follows from the data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// What is measured and in which unit, as in `t, s`; may be empty.
    pub label: String,
    /// How values are laid out.
    pub scale: Scale,
}

impl Axis {
    /// An axis on which equal differences have equal lengths.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear }
    }

    /// An axis on which equal ratios have equal lengths: for errors, costs and everything that spans decades.
    pub fn logarithmic(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Logarithmic }
    }
}

/// How the points of a series are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Neighbours are joined: for functions of time and for curves.
    #[default]
    Line,
    /// Every point stands alone: for sections and measurements.
    Marks,
    /// Both: for a few measurements in a meaningful order, as in a work–precision diagram.
    LineAndMarks,
}

impl Style {
    pub(crate) fn has_line(self) -> bool {
        self != Style::Marks
    }

    pub(crate) fn has_marks(self) -> bool {
        self != Style::Line
    }
}

/// One curve or one cloud of points.
///
/// A point with a coordinate that is not finite (or not positive on a logarithmic axis) is left out and breaks the
/// line. If `x` and `y` differ in length, the surplus is left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// Where each point lies along the horizontal axis, in the axis' unit.
    pub x: Vec<f64>,
    /// Where each point lies along the vertical axis, in the axis' unit.
    pub y: Vec<f64>,
    /// How the points are shown.
    pub style: Style,
}

impl Series {
    /// A curve through the points, in their order.
    pub fn line(name: impl Into<String>, x: impl Into<Vec<f64>>, y: impl Into<Vec<f64>>) -> Series {
        Series { name: name.into(), x: x.into(), y: y.into(), style: Style::Line }
    }

    /// The points alone.
    pub fn marks(
        name: impl Into<String>,
        x: impl Into<Vec<f64>>,
        y: impl Into<Vec<f64>>,
    ) -> Series {
        Series { style: Style::Marks, ..Series::line(name, x, y) }
    }

    /// The points, joined in their order.
    pub fn line_and_marks(
        name: impl Into<String>,
        x: impl Into<Vec<f64>>,
        y: impl Into<Vec<f64>>,
    ) -> Series {
        Series { style: Style::LineAndMarks, ..Series::line(name, x, y) }
    }
}

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
}

impl Panel {
    /// A panel without series.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
        Panel { title: title.into(), x, y, series: Vec::new() }
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

    /// What stands along the vertical axis: a single series needs no legend, so its name may stand there.
    pub(crate) fn vertical_label(&self) -> &str {
        match self.series.as_slice() {
            [only] if self.y.label.is_empty() => &only.name,
            _ => &self.y.label,
        }
    }

    /// Whether series have to be told apart.
    pub(crate) fn needs_legend(&self) -> bool {
        self.series.len() > 1
    }
}

/// Panels, stacked from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The heading above all panels; may be empty.
    pub title: String,
    /// The panels, from top to bottom.
    pub panels: Vec<Panel>,
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: impl Into<String>) -> Figure {
        Figure { title: title.into(), panels: Vec::new() }
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
    /// are, a panel takes less than 200 KB: what is thinner than a pixel is merged.
    pub fn to_svg(&self) -> String {
        crate::svg::draw(self)
    }
}

/// A figure of one panel, whose title is title enough.
impl From<Panel> for Figure {
    fn from(panel: Panel) -> Figure {
        Figure { title: String::new(), panels: vec![panel] }
    }
}
