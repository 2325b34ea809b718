//! What can be told about every picture: one row each, which a flag, a field of a form and a keyword are made from.

use catena_figure::{Axis, Figure, Maps, PageSize, Panel, Scale, Style};
use catena_model::{AllowedUnit, Kind, OptionRow, OptionValue, Options};

/// Everything that can be told about a picture.
pub static PLOT_OPTIONS: &[&OptionRow] =
    &[&SIZE, &TITLE, &CAPTION, &MARKS, &DEGREES, &WRAP, &LOG_X, &LOG_Y, &X_RANGE, &Y_RANGE];

static SIZE: OptionRow = OptionRow::new(
    "size",
    Kind::Word,
    "Size of the picture in print, with text of 7 to 9 points: 85mm, 85mmx60mm, 3.3in",
)
.value_name("WIDTH[xHEIGHT]");
static TITLE: OptionRow =
    OptionRow::new("title", Kind::Word, "Title of the picture; an empty one removes it")
        .value_name("TEXT")
        .default("that of the model");
static CAPTION: OptionRow = OptionRow::new(
    "caption",
    Kind::Switch,
    "Write model, method, tolerance and verdict below the picture; files say it in any case",
);
/// Drawn as `--points`, too, where that means nothing else.
static MARKS: OptionRow = OptionRow::new("marks", Kind::Switch, "Draw points instead of lines");
static DEGREES: OptionRow =
    OptionRow::new("degrees", Kind::Switch, "Draw angles in degrees instead of radians");
static WRAP: OptionRow = OptionRow::new(
    "wrap",
    Kind::Switch,
    "Draw angles on the circle, from −180° to 180°, with curves broken where they wrap",
);
static LOG_X: OptionRow =
    OptionRow::new("log_x", Kind::Switch, "Logarithmic horizontal axis").flag("log-x");
static LOG_Y: OptionRow =
    OptionRow::new("log_y", Kind::Switch, "Logarithmic vertical axes").flag("log-y");
static X_RANGE: OptionRow = OptionRow::new("x_range", Kind::Word, "Ends of the horizontal axis")
    .flag("x-range")
    .value_name("FROM:TO");
static Y_RANGE: OptionRow = OptionRow::new("y_range", Kind::Word, "Ends of the vertical axes")
    .flag("y-range")
    .value_name("FROM:TO");

const MILLIMETRES_PER_INCH: f64 = 25.4;

/// Units of lengths on paper, in millimetres.
const PAPER_UNITS: [(&str, f64); 4] =
    [("mm", 1.0), ("cm", 10.0), ("in", MILLIMETRES_PER_INCH), ("pt", MILLIMETRES_PER_INCH / 72.0)];

/// Widths and heights between which a picture can be read, mm.
const MIN_SIDE: f64 = 20.0;
const MAX_SIDE: f64 = 2000.0;

/// How pictures are drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotStyle {
    size: Option<PageSize>,
    title: Option<String>,
    caption: bool,
    marks: bool,
    degrees: bool,
    wrap: bool,
    log: [bool; 2],
    /// Ends of the axes, and whether they were written in degrees.
    ranges: [Option<([f64; 2], bool)>; 2],
}

/// Why a picture cannot be drawn as it was asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{flag}` cannot be `{text}`")]
pub struct BadPlotStyle {
    /// The option's name on the command line.
    pub flag: &'static str,
    /// What was given.
    pub text: String,
    /// What it takes.
    pub help: &'static str,
}

impl PlotStyle {
    /// From the values of [`PLOT_OPTIONS`].
    pub fn new(options: &Options) -> Result<PlotStyle, BadPlotStyle> {
        let read = |row: &OptionRow, help, read: fn(&str) -> Option<_>| match options.word(row) {
            None => Ok(None),
            Some(text) => read(text).map(Some).ok_or_else(|| BadPlotStyle {
                flag: row.flag,
                text: text.to_owned(),
                help,
            }),
        };
        let ends = "write two numbers, the smaller one first, as in 0:2.5";
        let size = options.word(&SIZE).map(|text| {
            page_size(text).ok_or_else(|| BadPlotStyle {
                flag: SIZE.flag,
                text: text.to_owned(),
                help: "write a width from 20 mm to 2 m, and a height if you like: 85mm, 85mmx60mm, 3.3in",
            })
        });
        Ok(PlotStyle {
            size: size.transpose()?,
            title: options.word(&TITLE).map(str::to_owned),
            caption: options.is_on(&CAPTION),
            marks: options.is_on(&MARKS),
            degrees: options.is_on(&DEGREES),
            wrap: options.is_on(&WRAP),
            log: [options.is_on(&LOG_X), options.is_on(&LOG_Y)],
            ranges: [read(&X_RANGE, ends, range)?, read(&Y_RANGE, ends, range)?],
        })
    }

    /// The figure in this style. `description` says where it comes from: model, method, tolerance, verdict.
    #[must_use]
    pub fn applied(&self, mut figure: Figure, description: &str) -> Figure {
        for panel in &mut figure.panels {
            self.apply_to_panel(panel);
        }
        if let Some(title) = &self.title {
            if let Some(first) = figure.panels.first_mut().filter(|_| figure.title.is_empty()) {
                first.title.clone_from(title);
            } else {
                figure.title.clone_from(title);
            }
        }
        figure.size = self.size;
        figure.description = description.to_owned();
        figure.caption = if self.caption { description.to_owned() } else { String::new() };
        figure
    }

    /// Maps in this style; what concerns curves does not concern them.
    #[must_use]
    pub fn applied_to_maps(&self, mut maps: Maps, description: &str) -> Maps {
        for map in &mut maps.maps {
            self.apply_to_axes(&mut map.x, &mut map.y);
        }
        if let Some(title) = &self.title {
            maps.title.clone_from(title);
        }
        maps.size = self.size;
        maps.description = description.to_owned();
        maps.caption = if self.caption { description.to_owned() } else { String::new() };
        maps
    }

    fn apply_to_panel(&self, panel: &mut Panel) {
        let angles = [&panel.x, &panel.y].map(is_angle);
        for series in &mut panel.series {
            if self.marks && series.style == Style::Line {
                series.style = Style::Marks;
            }
            if self.wrap && angles[0] {
                wrap(&mut series.x, &mut series.y);
            }
            if self.wrap && angles[1] {
                wrap(&mut series.y, &mut series.x);
            }
        }
        if self.degrees {
            for (axis, across) in [(&mut panel.x, true), (&mut panel.y, false)] {
                let Some(label) = in_degrees(&axis.label) else { continue };
                axis.label = label;
                axis.magnitude = axis.magnitude.to_degrees();
                for series in &mut panel.series {
                    let values = if across { &mut series.x } else { &mut series.y };
                    values.iter_mut().for_each(|value| *value = value.to_degrees());
                }
            }
        }
        self.apply_to_axes(&mut panel.x, &mut panel.y);
    }

    fn apply_to_axes(&self, x: &mut Axis, y: &mut Axis) {
        for (at, axis) in [x, y].into_iter().enumerate() {
            if self.log[at] {
                axis.scale = Scale::Logarithmic;
            }
            let range = self.ranges[at].map(|(ends, in_degrees)| {
                match in_degrees && axis.label.contains('°') {
                    true => ends.map(f64::to_degrees),
                    false => ends,
                }
            });
            axis.range = range.or(axis.range);
        }
    }
}

fn is_angle(axis: &Axis) -> bool {
    axis.label.ends_with(", rad")
}

/// The label of an axis of angles, or of their rates, in degrees.
fn in_degrees(label: &str) -> Option<String> {
    let (name, unit) = label.rsplit_once(", rad")?;
    let rate = ["", "/s", "/s²"].contains(&unit);
    rate.then(|| format!("{name}, °{unit}"))
}

/// Brings angles to (−π, π] and breaks the curve between two points where they jump.
fn wrap(angles: &mut Vec<f64>, others: &mut Vec<f64>) {
    use std::f64::consts::{PI, TAU};
    let (mut wrapped, mut along) = (Vec::new(), Vec::new());
    for (angle, other) in angles.iter().zip(others.iter()) {
        let turned = PI - (PI - angle).rem_euclid(TAU);
        if wrapped.last().is_some_and(|last: &f64| (turned - last).abs() > PI) {
            wrapped.push(f64::NAN);
            along.push(*other);
        }
        wrapped.push(turned);
        along.push(*other);
    }
    (*angles, *others) = (wrapped, along);
}

/// `0:2*pi`, and whether degrees were written, which have become radians.
fn range(text: &str) -> Option<([f64; 2], bool)> {
    let (low, high) = text.split_once(':')?;
    let number = |text: &str| match Kind::Number.read(text, AllowedUnit::Any).ok()? {
        OptionValue::Number(number) => Some(number),
        _ => None,
    };
    let ends = [number(low)?, number(high)?];
    (ends[0] < ends[1]).then_some((ends, text.contains("deg")))
}

/// `85mm`, `85 mm x 60 mm`, `3.3in`
fn page_size(text: &str) -> Option<PageSize> {
    let lengths = text.split(['x', '×']).map(millimetres);
    match lengths.collect::<Option<Vec<f64>>>()?[..] {
        [width] => Some(PageSize { width, height: None }),
        [width, height] => Some(PageSize { width, height: Some(height) }),
        _ => None,
    }
}

fn millimetres(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, unit) =
        PAPER_UNITS.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    let length = number.trim().parse::<f64>().ok()? * unit;
    (MIN_SIDE..=MAX_SIDE).contains(&length).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catena_figure::Series;

    #[test]
    fn sizes_are_lengths_on_paper() {
        assert_eq!(page_size("85mm"), Some(PageSize { width: 85.0, height: None }));
        let both = PageSize { width: 85.0, height: Some(60.0) };
        assert_eq!([page_size("85mmx60mm"), page_size("8.5 cm × 6 cm")], [Some(both); 2]);
        assert!((page_size("3in").expect("a size").width - 76.2).abs() < 1e-12);
        assert_eq!(["85", "", "1mm", "85mmx", "9km"].map(page_size), [None; 5]);
    }

    #[test]
    fn ranges_are_two_numbers_in_order() {
        assert_eq!(range("0:2*pi"), Some(([0.0, std::f64::consts::TAU], false)));
        assert_eq!(range("-1:1"), Some(([-1.0, 1.0], false)));
        assert_eq!(["1:0", "1", "a:b", "0:0"].map(range), [None; 4]);
    }

    #[test]
    fn a_curve_is_broken_where_its_angle_wraps() {
        let (mut angles, mut times) = (vec![3.0, 3.2, 3.4], vec![0.0, 1.0, 2.0]);
        wrap(&mut angles, &mut times);
        assert!(angles[1].is_nan() && angles.len() == 4);
        assert!((angles[2] - (3.2 - std::f64::consts::TAU)).abs() < 1e-12);
        assert_eq!(times, [0.0, 1.0, 1.0, 2.0]);
        let (mut half, mut time) = (vec![std::f64::consts::PI], vec![0.0]);
        wrap(&mut half, &mut time);
        assert_eq!(half, [std::f64::consts::PI], "half a turn is not minus half a turn");
    }

    #[test]
    fn degrees_change_numbers_and_labels_of_angles_alone() {
        let panel = Panel::new("", Axis::linear("$t$, s"), Axis::linear("angle, rad"))
            .with(Series::line("", [1.0], [std::f64::consts::PI]));
        let style = PlotStyle { degrees: true, ..PlotStyle::default() };
        let figure = style.applied(Figure::from(panel), "");
        assert_eq!(figure.panels[0].y.label, "angle, °");
        assert_eq!(
            (figure.panels[0].series[0].x[0], figure.panels[0].series[0].y[0]),
            (1.0, 180.0)
        );
        assert_eq!(in_degrees("$θ̇$, rad/s²").as_deref(), Some("$θ̇$, °/s²"));
        assert_eq!(in_degrees("stiffness, N m/rad"), None);
    }
}
