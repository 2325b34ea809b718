//! Maps of kinds: cells of one colour for each name.

use crate::ClassifyRequest;
use crate::classification::state_columns;
use crate::panels::column_axis;
use catena_derivation::{Equations, angles};
use catena_ensemble::Axis as VariedAxis;
use catena_figure::{Axis, Colour, Figure, Panel, Scale, Series};
use catena_model::{Dimensions, Model};
use catena_simulation::Table;

/// Cells by their kind: the name in the legend, the number of its colour, and the cells.
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) colour: usize,
    pub(super) cells: Vec<usize>,
}

/// The exponents over one axis, each in the colour of its kind.
pub(super) fn curve(
    title: &str,
    over: &VariedAxis,
    table: &Table,
    exponents: &[f64],
    kinds: &[Kind],
) -> Figure {
    let x = column_axis(table, &table.columns[0]);
    let mut panel = Panel::new(title, x, Axis::linear("largest exponent, 1/s"));
    let values = over.values.as_slice();
    for kind in kinds.iter().filter(|kind| !kind.cells.is_empty()) {
        let [x, y] = [values, exponents]
            .map(|list| kind.cells.iter().map(|&cell| list[cell]).collect::<Vec<f64>>());
        let series = Series::marks(kind.name.clone(), x, y).coloured(Colour::Number(kind.colour));
        panel = panel.with(series);
    }
    Figure::from(panel)
}

/// A map over two axes, the first one along the horizontal axis.
pub(super) fn figure(title: &str, over: &[VariedAxis], table: &Table, kinds: &[Kind]) -> Figure {
    let columns = over[0].values.len();
    let [x, y] = [0, 1].map(|at| ranged(column_axis(table, &table.columns[at]), &over[at].values));
    let mut panel = Panel::new(title, x, y);
    for kind in kinds.iter().filter(|kind| !kind.cells.is_empty()) {
        let value = |axis: usize, at: usize| over[axis].values[at];
        let x: Vec<f64> = kind.cells.iter().map(|cell| value(0, cell % columns)).collect();
        let y: Vec<f64> = kind.cells.iter().map(|cell| value(1, cell / columns)).collect();
        let series = Series::cells(kind.name.clone(), x, y).coloured(Colour::Number(kind.colour));
        panel = panel.with(series);
    }
    Figure::from(panel)
}

/// The units of what is varied; empty for parameters.
pub(super) fn units(model: &Model, request: &ClassifyRequest) -> Vec<String> {
    let dimensions = dimensions(model, request);
    request.over.iter().map(|axis| dimensions.unit(&axis.name).to_owned()).collect()
}

/// The columns of a state with their units.
pub(super) fn state_units(model: &Model, request: &ClassifyRequest) -> (Vec<String>, Vec<String>) {
    let (columns, dimensions) = (state_columns(model, request), dimensions(model, request));
    let units = columns.iter().map(|name| dimensions.unit(name).to_owned()).collect();
    (columns, units)
}

fn dimensions(model: &Model, request: &ClassifyRequest) -> Dimensions {
    let system = model.system(request.formulation.coordinates);
    let equations = Equations::derive_without_mass_matrix(model, system);
    Dimensions::new(system, &angles(&equations, system))
}

/// An axis that ends where the outer cells do.
pub(super) fn ranged(axis: Axis, values: &[f64]) -> Axis {
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return axis };
    let steps = 2.0 * (values.len().max(2) - 1) as f64;
    let even = values.windows(2).all(|pair| {
        let step = 2.0 * (high - low) / steps;
        (pair[1] - pair[0] - step).abs() <= 1e-6 * step
    });
    match (low < high, even, low > 0.0) {
        (true, true, _) => {
            let half = (high - low) / steps;
            Axis { range: Some([low - half, high + half]), ..axis }
        }
        (true, false, true) => {
            let half = (high / low).powf(1.0 / steps);
            Axis { scale: Scale::Logarithmic, range: Some([low / half, high * half]), ..axis }
        }
        _ => axis,
    }
}
