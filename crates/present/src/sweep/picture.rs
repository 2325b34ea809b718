//! A sweep as a picture: curves over one axis, maps over two.

use super::Findings;
use catena_analysis::{PlotStyle, figure_label};
use catena_ensemble::{Description, Spacing, SweepResult, SweptAxis};
use catena_figure::{Axis, Drawing, Figure, Map, Maps, Panel, Scale, Series};

/// Curves have one axis, maps two.
pub const MAX_DRAWN_AXES: usize = 2;

/// Columns and rows of a map: finer ones could not be seen.
const MAX_MAP_COLUMNS: usize = 320;
const MAX_MAP_ROWS: usize = 240;
/// Values whose largest is this many times the smallest are coloured by their logarithms.
const LOGARITHMIC_RATIO: f64 = 1e3;
/// The same for times at which something happens first: most cells have early ones, and their differences matter.
const LOGARITHMIC_RATIO_OF_TIMES: f64 = 10.0;

/// The picture of what is there; `None` with more than [`MAX_DRAWN_AXES`] axes.
pub fn sweep_picture(result: &dyn SweepResult, style: &PlotStyle) -> Option<Box<dyn Drawing>> {
    let said = description(result.description());
    match result.description().axes.as_slice() {
        [axis] => Some(Box::new(style.applied(curves(result, axis), &said))),
        [rows, columns] => {
            Some(Box::new(style.applied_to_maps(maps(result, rows, columns), &said)))
        }
        _ => None,
    }
}

/// Where the picture comes from.
fn description(description: &Description) -> String {
    let settings = description.settings.iter().map(|(name, value)| format!("{name} {value}"));
    format!("{}: sweep; {}", description.title, settings.collect::<Vec<_>>().join(", "))
}

fn drawn_axis(axis: &SweptAxis) -> Axis {
    let scale = match axis.spacing {
        Spacing::Linear => Scale::Linear,
        Spacing::Logarithmic => Scale::Logarithmic,
    };
    Axis { label: figure_label(&axis.name), scale, ..Axis::default() }
}

/// A measure as it stands along an axis: `max:theta1` is the maximum of θ₁.
fn measure_label(measure: &str) -> String {
    match measure.split_once(':') {
        Some(("time", event)) => format!("first time of {event}, s"),
        Some((statistic, column)) => format!("{statistic} of {}", figure_label(column)),
        None => figure_label(measure),
    }
}

/// A panel for each column, with all that is measured of it: two columns may have two units.
fn curves(result: &dyn SweepResult, axis: &SweptAxis) -> Figure {
    let Description { title, measures, .. } = result.description();
    let count = measures.len();
    // cells that are not there break the curve, as those do that failed
    let mut columns = vec![vec![f64::NAN; axis.values.len()]; count];
    Findings::while_reading(result, &mut |block| {
        for (cell, values) in block.cells.clone().zip(block.values.chunks_exact(count)) {
            for (column, value) in columns.iter_mut().zip(values) {
                column[cell as usize] = *value;
            }
        }
    });
    let order = order(axis);
    let sorted = |values: &[f64]| order.iter().map(|&at| values[at]).collect::<Vec<f64>>();
    let column_of = |measure: &str| measure.split_once(':').map_or(measure, |it| it.1).to_owned();
    let mut panels: Vec<(String, Panel)> = Vec::new();
    for (measure, values) in measures.iter().zip(&columns) {
        let column = column_of(measure);
        if !panels.iter().any(|(known, _)| *known == column) {
            let same = measures.iter().filter(|other| column_of(other) == column).count();
            // one curve has its name along the axis
            let label = if same > 1 { figure_label(&column) } else { String::new() };
            panels.push((column.clone(), Panel::new("", drawn_axis(axis), Axis::linear(label))));
        }
        let series = Series::line(measure_label(measure), sorted(&axis.values), sorted(values));
        if let Some((_, panel)) = panels.iter_mut().find(|(known, _)| *known == column) {
            panel.series.push(series);
        }
    }
    let panels = panels.into_iter().map(|(_, panel)| panel).collect();
    Figure { panels, ..Figure::new(title.as_str()) }
}

fn maps(result: &dyn SweepResult, first: &SweptAxis, second: &SweptAxis) -> Maps {
    let Description { title, measures, .. } = result.description();
    let count = measures.len();
    let (down, across) = (Bins::new(first, MAX_MAP_ROWS), Bins::new(second, MAX_MAP_COLUMNS));
    let mut values = vec![vec![f64::NAN; down.count * across.count]; count];
    Findings::while_reading(result, &mut |block| {
        for (cell, row) in block.cells.clone().zip(block.values.chunks_exact(count)) {
            let places = result.description().places(cell);
            let bin = down.of[places[0]] * across.count + across.of[places[1]];
            for (values, value) in values.iter_mut().zip(row) {
                // the maximum of what falls together; what is no number does not count
                values[bin] = values[bin].max(*value);
            }
        }
    });
    let cells = first.values.len() * second.values.len();
    let drawn = down.count * across.count;
    let remark = match drawn < cells {
        true => format!(
            "{cells} cells drawn as {} × {}: the largest value of those that fall together",
            across.count, down.count
        ),
        false => String::new(),
    };
    let maps = measures.iter().zip(values).map(|(name, values)| Map {
        title: measure_label(name),
        x: drawn_axis(second),
        y: drawn_axis(first),
        x_edges: across.edges.clone(),
        y_edges: down.edges.clone(),
        scale: colours(name, &values),
        values,
    });
    Maps { title: title.clone(), remark, maps: maps.collect(), ..Maps::default() }
}

/// Logarithmic where all numbers are positive and span so much that a linear scale would hide most of them.
fn colours(measure: &str, values: &[f64]) -> Scale {
    let ratio = match measure.starts_with("time:") {
        true => LOGARITHMIC_RATIO_OF_TIMES,
        false => LOGARITHMIC_RATIO,
    };
    let numbers = || values.iter().copied().filter(|value| value.is_finite());
    let (low, high) =
        (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    match low > 0.0 && high / low >= ratio {
        true => Scale::Logarithmic,
        false => Scale::Linear,
    }
}

/// Values in ascending order: a list may have any.
fn order(axis: &SweptAxis) -> Vec<usize> {
    let mut order: Vec<usize> = (0..axis.values.len()).collect();
    order.sort_by(|&a, &b| axis.values[a].total_cmp(&axis.values[b]));
    order
}

/// Neighbouring values of an axis that are drawn as one.
struct Bins {
    count: usize,
    /// The bin of every value.
    of: Vec<usize>,
    /// Where bins begin, and where the last one ends.
    edges: Vec<f64>,
}

impl Bins {
    fn new(axis: &SweptAxis, most: usize) -> Bins {
        let order = order(axis);
        let len = order.len();
        let count = len.min(most).max(1);
        let mut of = vec![0; len];
        let mut begins = Vec::with_capacity(count + 1);
        for (at, &value) in order.iter().enumerate() {
            of[value] = at * count / len;
            if begins.len() == of[value] {
                begins.push(at);
            }
        }
        begins.push(len);
        let place = |value: f64| match axis.spacing {
            Spacing::Linear => value,
            Spacing::Logarithmic => value.ln(),
        };
        let value = |place: f64| match axis.spacing {
            Spacing::Linear => place,
            Spacing::Logarithmic => place.exp(),
        };
        let places: Vec<f64> = order.iter().map(|&at| place(axis.values[at])).collect();
        let edges = begins.into_iter().map(|at| value(edge(&places, at))).collect();
        Bins { count, of, edges }
    }
}

/// Half way between neighbours; as far beyond the outermost ones.
fn edge(places: &[f64], at: usize) -> f64 {
    match places {
        [] => 0.0,
        [only] => only + (at as f64 - 0.5) * only.abs().max(1.0) * 0.1,
        [first, second, ..] if at == 0 => first - 0.5 * (second - first),
        [.., before, last] if at == places.len() => last + 0.5 * (last - before),
        _ => 0.5 * (places[at - 1] + places[at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: Vec<f64>, spacing: Spacing) -> SweptAxis {
        SweptAxis { name: "a".into(), spacing, values }
    }

    #[test]
    fn edges_lie_half_way_between_values_in_any_order() {
        let bins = Bins::new(&axis(vec![3.0, 1.0, 2.0], Spacing::Linear), 10);
        assert_eq!(bins.edges, [0.5, 1.5, 2.5, 3.5]);
        assert_eq!(bins.of, [2, 0, 1]);
        let bins = Bins::new(&axis(vec![1.0, 100.0], Spacing::Logarithmic), 10);
        for (edge, expected) in bins.edges.iter().zip([0.1, 10.0, 1000.0]) {
            assert!((edge / expected - 1.0).abs() < 1e-12, "{edge}");
        }
    }

    #[test]
    fn many_values_share_few_bins_evenly() {
        let bins = Bins::new(&axis((0..1000).map(f64::from).collect(), Spacing::Linear), 240);
        assert_eq!((bins.count, bins.edges.len()), (240, 241));
        assert!(bins.edges.windows(2).all(|pair| (4.0..=5.0).contains(&(pair[1] - pair[0]))));
    }
}
