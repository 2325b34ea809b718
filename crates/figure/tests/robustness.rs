//! Whatever the data: a picture, and never a panic.

mod reading;

use catena_figure::{Axis, Figure, Panel, Scale, Series, Style};
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
    (".{0,12}", prop::bool::ANY).prop_map(|(label, logarithmic)| Axis {
        label,
        scale: if logarithmic { Scale::Logarithmic } else { Scale::Linear },
    })
}

fn series() -> impl Strategy<Value = Series> {
    let style = prop::sample::select(vec![Style::Line, Style::Marks, Style::LineAndMarks]);
    let values = || prop::collection::vec(value(), 0..40);
    (".{0,60}", values(), values(), style).prop_map(|(name, x, y, style)| Series {
        name,
        x,
        y,
        style,
    })
}

fn panel() -> impl Strategy<Value = Panel> {
    (".{0,20}", axis(), axis(), prop::collection::vec(series(), 0..6))
        .prop_map(|(title, x, y, series)| Panel { title, x, y, series })
}

proptest! {
    #[test]
    fn any_data_give_a_picture_with_finite_coordinates(panels in prop::collection::vec(panel(), 0..4), title in ".*") {
        let svg = Figure { title, panels }.to_svg();
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
        prop_assert!(text.lines().all(|line| line.chars().count() <= columns));
    }
}
