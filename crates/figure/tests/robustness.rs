//! Whatever the data: a picture, and never a panic.

mod reading;

use catena_figure::{Axis, Colour, ColourBar, Dash, Figure, PageSize, Panel, Scale, Series, Style};
use proptest::prelude::*;
use reading::{assert_well_formed, stripped};

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0,
        4 => any::<f64>(),
        2 => prop::sample::select(vec![
            f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 5e-324, -1e-310, 1e-300, 1e300, -1e300, f64::MAX,
            f64::MIN, 1.0, 1.0 + f64::EPSILON, 1e16,
        ]),
    ]
}

fn axis() -> impl Strategy<Value = Axis> {
    let range = prop::option::of([value(), value()]);
    let names = prop::collection::vec(".{0,9}", 0..3);
    (".{0,12}", prop::bool::ANY, range, value(), names).prop_map(
        |(label, logarithmic, range, magnitude, names)| Axis {
            label,
            scale: if logarithmic { Scale::Logarithmic } else { Scale::Linear },
            range,
            magnitude,
            names,
        },
    )
}

fn series() -> impl Strategy<Value = Series> {
    let styles = vec![Style::Line, Style::Marks, Style::LineAndMarks, Style::Cells];
    let style = prop::sample::select(styles);
    let values = || prop::collection::vec(value(), 0..40);
    let colour = prop_oneof![
        Just(Colour::Position),
        (0usize..99).prop_map(Colour::Number),
        value().prop_map(Colour::Value)
    ];
    let dash = prop::option::of(prop::sample::select(vec![Dash::Solid, Dash::Dotted]));
    (".{0,60}", values(), values(), style, colour, dash)
        .prop_map(|(name, x, y, style, colour, dash)| Series { name, x, y, style, colour, dash })
}

fn panel() -> impl Strategy<Value = Panel> {
    let bar = (".{0,9}", [value(), value()]).prop_map(|(label, range)| ColourBar {
        label,
        range,
        scale: Scale::Linear,
    });
    let series = prop::collection::vec(series(), 0..6);
    (".{0,20}", axis(), axis(), series, prop::bool::ANY, prop::option::of(bar)).prop_map(
        |(title, x, y, series, equal_scales, colour_bar)| Panel {
            title,
            x,
            y,
            series,
            equal_scales,
            colour_bar,
        },
    )
}

/// The cells that a line takes: marks on the letter before take none.
fn cells(line: &str) -> usize {
    line.chars().filter(|character| !('\u{300}'..='\u{36f}').contains(character)).count()
}

proptest! {
    #[test]
    fn any_data_give_a_picture_with_finite_coordinates(
        panels in prop::collection::vec(panel(), 0..4),
        title in ".*",
        size in prop::option::of((20.0..900.0, prop::option::of(20.0..900.0))),
    ) {
        let size = size.map(|(width, height)| PageSize { width, height });
        let figure = Figure { title: title.clone(), panels, size, caption: title.clone(), description: title, left_out: vec![] };
        assert!(!figure.data().contains("NaN"));
        let svg = figure.to_svg();
        assert_well_formed(&svg);
        let coordinates = svg.split(" points=\"").skip(1).filter_map(|part| part.split('"').next());
        for coordinate in coordinates.flat_map(|points| points.split([' ', ','])) {
            let coordinate: f64 = coordinate.parse().expect("a coordinate is a number");
            prop_assert!((0.0..10_000.0).contains(&coordinate));
        }
    }

    #[test]
    fn any_data_fit_on_a_terminal(panel in panel(), columns in 0usize..130, rows in 0usize..50) {
        let text = stripped(&panel.to_terminal(columns, rows));
        prop_assert!(text.lines().count() <= rows);
        prop_assert!(text.lines().all(|line| cells(line) <= columns));
    }
}
