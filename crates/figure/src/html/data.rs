//! What the script draws, as JSON.
//!
//! ```text
//! { title, caption, grids: [[x, …], …], panels: [{
//!     title, spoken, function, equal, showsX,
//!     x: { label, symbol, log, range, names }, y: the same,
//!     series: [{ name, grid, y: [y or null, …], line, marks, cell: [width, height] or null, colour, dark, dash }],
//!     bar: { label, low, high, colours } or null, map: { xEdges, yEdges, values, low, high, log, colours } or null
//! }] }
//! ```
//! Labels and names are HTML. Ranges are in places: decimal logarithms where `log` is true. `showsX` says whether the horizontal axis is
//! written here and not in a panel further below, and `function` whether all
//! series are functions of x, so that there is one value of each at a cursor.

use super::json::{list, number, numbers, text};
use crate::axis::{Axis, Scale};
use crate::colour_scale::{LINE_COLOURS, level, shared};
use crate::figure::{ColourBar, Figure, Panel};
use crate::map::{Map, Maps};
use crate::markup::{html, unicode};
use crate::palette::Pen;
use crate::range::Range;
use crate::series::{Series, Style};
use crate::thin;
use crate::trace::{Point, Traces, shared_traces};

/// Series with more points than this are thinned to what a large screen shows.
const MAX_POINTS: usize = 3000;

/// The large screen: pixels of a panel.
const FINE_WIDTH: f64 = 2400.0;
const FINE_HEIGHT: f64 = 1200.0;

/// Points that are written of a series that is not thinned to fewer.
const MAX_THINNED_POINTS: usize = 12_000;

/// Points that are written of all clouds of a panel together.
const MAX_CLOUD_POINTS: usize = 60_000;

/// The data of a figure.
pub(crate) fn figure_data(figure: &Figure) -> String {
    let mut grids = Grids::default();
    let traces = shared_traces(figure);
    let (shared, traces_count) = (figure.shares_x(), traces.len());
    let panels: Vec<String> = figure
        .panels
        .iter()
        .zip(&traces)
        .enumerate()
        .map(|(at, (panel, traces))| {
            let shows_x = !shared || at + 1 == traces_count;
            panel_data(panel, traces, &mut grids, shows_x)
        })
        .collect();
    format!(
        "{{\"title\":{},\"caption\":{},\"grids\":{},\"panels\":{}}}",
        text(&figure.title),
        text(&figure.caption),
        list(grids.0.iter().map(|grid| numbers(grid))),
        list(panels)
    )
}

/// The data of maps.
pub(crate) fn maps_data(maps: &Maps) -> String {
    format!(
        "{{\"title\":{},\"caption\":{},\"grids\":[],\"panels\":{}}}",
        text(&maps.title),
        text([&maps.remark, &maps.caption].map(|part| part.as_str()).join(" ").trim()),
        list(maps.maps.iter().map(map_data))
    )
}

/// Horizontal positions that series have in common are written once.
#[derive(Default)]
struct Grids(Vec<Vec<f64>>);

impl Grids {
    fn index_of(&mut self, x: Vec<f64>) -> usize {
        let same = |grid: &Vec<f64>| {
            grid.len() == x.len() && grid.iter().zip(&x).all(|(a, b)| a.to_bits() == b.to_bits())
        };
        self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(x);
            self.0.len() - 1
        })
    }
}

fn panel_data(panel: &Panel, traces: &Traces, grids: &mut Grids, shows_x: bool) -> String {
    let shares = cloud_shares(panel);
    let [across, up] = traces.cell_grid(panel).size;
    let cell = [across * (traces.x.high - traces.x.low), up * (traces.y.high - traces.y.low)];
    let series = panel.series.iter().enumerate().map(|(index, series)| {
        let (x, y) = points(panel, series, traces, (index, shares[index]));
        let cell = match series.style == Style::Cells {
            true => numbers(&cell),
            false => "null".to_owned(),
        };
        let pen = Pen::of(panel, index);
        let dash = list(pen.dashes.split(' ').filter(|part| !part.is_empty()).map(str::to_owned));
        format!(
            "{{\"name\":{},\"grid\":{},\"y\":{},\"line\":{},\"marks\":{},\"cell\":{cell},\"colour\":{},\"dark\":{},\"dash\":{dash}}}",
            text(&html(&series.name)),
            grids.index_of(x),
            numbers(&y),
            series.style.has_line(),
            series.style.has_marks(),
            text(pen.colour),
            text(pen.colour_on_dark)
        )
    });
    let series = list(series.collect::<Vec<_>>());
    let bar = panel.colour_bar.as_ref();
    let bar = bar.map_or("null".to_owned(), |bar| bar_data(bar, LINE_COLOURS));
    format!(
        "{{{},\"showsX\":{shows_x},\"series\":{series},\"bar\":{bar},\"map\":null}}",
        head(&panel.title, (&panel.x, traces.x), (panel.vertical_axis(), traces.y), panel)
    )
}

fn head(title: &str, x: (&Axis, Range), y: (Axis, Range), panel: &Panel) -> String {
    let names: Vec<String> = panel.series.iter().map(|series| unicode(&series.name)).collect();
    let spoken = format!("{}: {} over {}", title, names.join(", "), unicode(&x.0.label));
    format!(
        "\"title\":{},\"spoken\":{},\"function\":{},\"equal\":{},\"x\":{},\"y\":{}",
        text(title),
        text(&spoken),
        !panel.series.is_empty()
            && panel.x.names.is_empty()
            && panel.series.iter().all(is_function),
        panel.has_equal_scales(),
        axis_data(x.0, x.1),
        axis_data(&y.0, y.1)
    )
}

fn axis_data(axis: &Axis, range: Range) -> String {
    // the quantity without its unit
    let symbol = axis.label.rsplit_once(", ").map_or(axis.label.as_str(), |(symbol, _)| symbol);
    format!(
        "{{\"label\":{},\"symbol\":{},\"log\":{},\"range\":{},\"names\":{}}}",
        text(&html(&axis.label)),
        text(&html(symbol)),
        axis.scale == Scale::Logarithmic,
        numbers(&[range.low, range.high]),
        list(axis.names.iter().map(|name| text(&unicode(name))))
    )
}

fn bar_data(bar: &ColourBar, used: f64) -> String {
    format!(
        "{{\"label\":{},\"low\":{},\"high\":{},\"colours\":{}}}",
        text(&html(&bar.label)),
        number(bar.range[0]),
        number(bar.range[1]),
        colours(used)
    )
}

/// The colours of this part of the scale.
fn colours(used: f64) -> String {
    list((0..=level(used)).map(|at| text(shared(at))))
}

fn map_data(map: &Map) -> String {
    let panel = Panel::new(map.title.as_str(), map.x.clone(), map.y.clone());
    let x = crate::svg::ends(map.x.scale, &map.x_edges);
    let y = crate::svg::ends(map.y.scale, &map.y_edges);
    let known = || map.values.iter().copied().filter(|value| map.scale.place(*value).is_some());
    let low = known().fold(f64::INFINITY, f64::min);
    let high = known().fold(f64::NEG_INFINITY, f64::max);
    let bar = ColourBar { label: map.title.clone(), range: [low, high], scale: map.scale };
    format!(
        "{{{},\"showsX\":true,\"series\":[],\"bar\":{},\"map\":{{\"xEdges\":{},\"yEdges\":{},\"values\":{},\"low\":{},\"high\":{},\"log\":{},\"colours\":{}}}}}",
        head("", (&map.x, x), (map.y.clone(), y), &panel),
        bar_data(&bar, 1.0),
        numbers(&map.x_edges),
        numbers(&map.y_edges),
        numbers(&map.values),
        number(low),
        number(high),
        map.scale == Scale::Logarithmic,
        colours(1.0)
    )
}

/// Whether x never turns back, so that there is one y for each.
fn is_function(series: &Series) -> bool {
    series.style.has_line()
        && (series.x.is_sorted() || series.x.is_sorted_by(|one, next| one >= next))
}

/// How many points may be written of each series, if it is a cloud.
fn cloud_shares(panel: &Panel) -> Vec<usize> {
    let count = |series: &Series| match series.style == Style::Marks {
        true => series.x.len().min(series.y.len()),
        false => 0,
    };
    let needs: Vec<usize> = panel.series.iter().map(count).collect();
    thin::shares(&needs, MAX_CLOUD_POINTS)
}

/// Points in fractions, one for each cell of a screen that they fall into; cells grow until there are few enough.
fn one_for_each_cell(points: impl Iterator<Item = Point> + Clone, most: usize) -> Vec<Point> {
    let mut side = 1.0;
    loop {
        let cell = |point: &Point| ((point[0] / side) as i64, (point[1] / side) as i64);
        let mut kept: Vec<Point> = points.clone().collect();
        kept.sort_by_key(cell);
        kept.dedup_by_key(|point| cell(point));
        if kept.len() <= most.max(1) || side > FINE_WIDTH {
            return kept;
        }
        side *= 1.25;
    }
}

/// The points of a series: all of them, or those that a large screen can tell apart, and no more than its share if it is a
/// cloud.
fn points(
    panel: &Panel,
    series: &Series,
    traces: &Traces,
    (index, share): (usize, usize),
) -> (Vec<f64>, Vec<f64>) {
    let count = series.x.len().min(series.y.len());
    // a map has all its cells, or one for each pixel
    let most = if series.style == Style::Marks { share } else { usize::MAX };
    if count <= MAX_POINTS && count <= most {
        return (series.x[..count].to_vec(), series.y[..count].to_vec());
    }
    let pieces = &traces.pieces[index];
    let fine = |point: &Point| [point[0] * FINE_WIDTH, point[1] * FINE_HEIGHT];
    let kept: Vec<Vec<Point>> = if series.style.has_line() {
        let pixels: Vec<Vec<Point>> =
            pieces.iter().map(|piece| piece.iter().map(fine).collect()).collect();
        thin::thinned(&pixels, MAX_THINNED_POINTS).unwrap_or(pixels)
    } else {
        vec![one_for_each_cell(pieces.iter().flatten().map(fine), most)]
    };
    let value = |scale: Scale, place: f64| match scale {
        Scale::Linear => place,
        Scale::Logarithmic => 10_f64.powf(place),
    };
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for piece in kept {
        if let Some(&last) = x.last() {
            // the line is broken here; a position keeps the grid in order
            x.push(last);
            y.push(f64::NAN);
        }
        for [across, up] in piece {
            x.push(value(panel.x.scale, traces.x.at(across / FINE_WIDTH)));
            y.push(value(panel.y.scale, traces.y.at(up / FINE_HEIGHT)));
        }
    }
    (x, y)
}
