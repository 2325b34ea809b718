//! Series, as plain data.

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
    /// Every point is the middle of a cell of the grid that all such series of a panel make up: for maps of kinds.
    Cells,
}

impl Style {
    pub(crate) fn has_line(self) -> bool {
        matches!(self, Style::Line | Style::LineAndMarks)
    }

    pub(crate) fn has_marks(self) -> bool {
        self != Style::Line
    }
}

/// What the colour of a series means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Colour {
    /// Which series it is: each has the colour of its position in the panel.
    #[default]
    Position,
    /// Something that series have in common: equal numbers, equal colours.
    Number(usize),
    /// A value on the colour bar of the panel.
    Value(f64),
}

/// How a line is broken, and what that means is up to the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    Solid,
    /// Into dashes.
    Dashed,
    /// Into dots.
    Dotted,
    /// Into dashes and dots.
    DashDotted,
}

/// One curve or one cloud of points.
///
/// A point with a coordinate that is not finite (or not positive on a logarithmic axis) is left out and breaks the
/// line. If `x` and `y` differ in length, the surplus is left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend, which lists equal names once. Between dollar signs stands mathematics.
    pub name: String,
    /// Where each point lies along the horizontal axis, in the axis' unit.
    pub x: Vec<f64>,
    /// Where each point lies along the vertical axis, in the axis' unit.
    pub y: Vec<f64>,
    /// How the points are shown.
    pub style: Style,
    /// What its colour means.
    pub colour: Colour,
    /// How its line is broken; `None` where that means nothing, and only many series take dashes to be told apart.
    pub dash: Option<Dash>,
}

impl Series {
    /// A curve through the points, in their order.
    pub fn line(name: impl Into<String>, x: impl Into<Vec<f64>>, y: impl Into<Vec<f64>>) -> Series {
        Series {
            name: name.into(),
            x: x.into(),
            y: y.into(),
            style: Style::Line,
            colour: Colour::default(),
            dash: None,
        }
    }

    /// The points alone.
    pub fn marks(
        name: impl Into<String>,
        x: impl Into<Vec<f64>>,
        y: impl Into<Vec<f64>>,
    ) -> Series {
        Series { style: Style::Marks, ..Series::line(name, x, y) }
    }

    /// Cells of a grid around the points.
    pub fn cells(
        name: impl Into<String>,
        x: impl Into<Vec<f64>>,
        y: impl Into<Vec<f64>>,
    ) -> Series {
        Series { style: Style::Cells, ..Series::line(name, x, y) }
    }

    /// The points, joined in their order.
    pub fn line_and_marks(
        name: impl Into<String>,
        x: impl Into<Vec<f64>>,
        y: impl Into<Vec<f64>>,
    ) -> Series {
        Series { style: Style::LineAndMarks, ..Series::line(name, x, y) }
    }

    /// The series with a colour that means something.
    #[must_use]
    pub fn coloured(mut self, colour: Colour) -> Series {
        self.colour = colour;
        self
    }

    /// The series with a line that is broken in this way.
    #[must_use]
    pub fn dashed(mut self, dash: Dash) -> Series {
        self.dash = Some(dash);
        self
    }
}
