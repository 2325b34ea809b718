//! Maps: a number for each cell of a plane, shown by its colour.

use crate::axis::{Axis, Scale};
use crate::figure::PageSize;

/// A number for each cell between two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// What the colours mean; stands above the map.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Where columns begin, and where the last one ends, ascending.
    pub x_edges: Vec<f64>,
    /// Where rows begin, and where the last one ends, ascending.
    pub y_edges: Vec<f64>,
    /// Row by row from below, each from the left; what is not a number is grey.
    pub values: Vec<f64>,
    /// Whether colours tell differences or ratios; on a logarithmic scale what is not positive is grey too.
    pub scale: Scale,
}

/// Maps, stacked from top to bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// The heading above all of them; may be empty.
    pub title: String,
    /// A line below the heading; may be empty.
    pub remark: String,
    /// From top to bottom.
    pub maps: Vec<Map>,
    /// What is written below all of them; may be empty.
    pub caption: String,
    /// What the file says about itself without showing it.
    pub description: String,
    /// How large the picture is in print; `None` for one on a screen.
    pub size: Option<PageSize>,
}

impl Maps {
    /// The maps as a complete SVG document. Cells of one colour that lie side by side are one shape; a map of a hundred
    /// thousand cells without any order takes about 2 MB, and one with some order far less.
    pub fn to_svg(&self) -> String {
        crate::svg::draw_maps(self)
    }

    /// The maps as a page of their own, in which one can zoom and read values; it needs no network.
    pub fn to_html(&self) -> String {
        crate::html::page(&self.title, &crate::html::maps_data(self))
    }
}
