//! Maps: every cell lies where its edges are, has the colour of its value, and is told from what is no number.

mod reading;

use catena_figure::{Axis, Map, Maps, Scale};
use reading::assert_well_formed;

fn drawn(map: Map) -> String {
    let svg = Maps { title: "Title".into(), maps: vec![map], ..Maps::default() }.to_svg();
    assert_well_formed(&svg);
    svg
}

/// Left, right, top and bottom of every cell with its colour, in pixels.
fn cells(svg: &str) -> Vec<([f64; 4], String)> {
    let mut cells = Vec::new();
    for part in svg.split("<path d=\"").skip(1) {
        let (outline, rest) = part.split_once('"').expect("an attribute ends");
        let Some(colour) = rest.strip_prefix(" fill=\"#") else { continue };
        for cell in outline.split('z').filter(|cell| !cell.is_empty()) {
            let numbers: Vec<f64> = cell
                .split(['M', ' ', 'H', 'V'])
                .filter(|text| !text.is_empty())
                .map(|text| text.parse().expect("a coordinate is a number"))
                .collect();
            let [left, bottom, right, top, _] = numbers[..] else { panic!("{cell}") };
            cells.push(([left, right, top, bottom], colour[..6].to_owned()));
        }
    }
    cells
}

/// The grey ground, which is as large as the map.
fn ground(svg: &str) -> [f64; 4] {
    let rect =
        svg.split("<rect ").find(|rect| rect.contains("#c9c9c9")).expect("there is a ground");
    let number = |name: &str| -> f64 {
        let (_, rest) = rect.split_once(&format!("{name}=\"")).expect("an attribute");
        rest.split('"').next().and_then(|text| text.parse().ok()).expect("a number")
    };
    let (x, y) = (number("x"), number("y"));
    [x, x + number("width"), y, y + number("height")]
}

fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let value = u8::from_str_radix(&colour[at..at + 2], 16).expect("hexadecimal");
        (f64::from(value) / 255.0).powf(2.2)
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

#[test]
fn cells_lie_between_their_edges_and_lighter_is_more() {
    let svg = drawn(Map {
        x_edges: vec![0.0, 1.0, 4.0],
        y_edges: vec![0.0, 1.0, 2.0],
        values: vec![0.0, 1.0, f64::NAN, 3.0],
        ..Map::default()
    });
    let [left, right, top, bottom] = ground(&svg);
    let cells = cells(&svg);
    let (x, y) = (left + 0.25 * (right - left), 0.5 * (top + bottom));
    let expected = [[left, x, y, bottom], [x, right, y, bottom], [x, right, top, y]];
    assert_eq!(cells.len(), 3, "what is no number has no cell: {cells:?}");
    for ((cell, _), expected) in cells.iter().zip(expected) {
        for (found, expected) in cell.iter().zip(expected) {
            assert!((found - expected).abs() < 0.02, "{cell:?} is not {expected:?}");
        }
    }
    let light: Vec<f64> = cells.iter().map(|(_, colour)| luminance(colour)).collect();
    assert!(light.is_sorted_by(|one, next| one < next), "{light:?}");
}

#[test]
fn decades_are_equally_wide_on_a_logarithmic_axis() {
    let svg = drawn(Map {
        x: Axis::logarithmic("f"),
        x_edges: vec![0.1, 1.0, 10.0],
        y_edges: vec![0.0, 1.0],
        values: vec![1.0, 2.0],
        ..Map::default()
    });
    let widths: Vec<f64> = cells(&svg).iter().map(|(cell, _)| cell[1] - cell[0]).collect();
    assert!((widths[0] - widths[1]).abs() < 0.02, "{widths:?}");
}

#[test]
fn neighbours_of_one_colour_are_one_shape() {
    let map = Map {
        x_edges: (0..=300).map(f64::from).collect(),
        y_edges: (0..=200).map(f64::from).collect(),
        values: vec![7.0; 300 * 200],
        ..Map::default()
    };
    assert_eq!(cells(&drawn(map)).len(), 200);
}

#[test]
fn a_map_without_order_stays_below_three_megabytes() {
    let noise = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 8);
    let map = Map {
        x_edges: (0..=320).map(|i| f64::from(i) * 0.37).collect(),
        y_edges: (0..=240).map(|i| f64::from(i) * 0.37).collect(),
        values: (0..320 * 240).map(noise).collect(),
        ..Map::default()
    };
    let size = drawn(map).len();
    assert!(size < 3_000_000, "{size}");
}

#[test]
fn what_cannot_be_drawn_is_no_error() {
    for (x_edges, y_edges, values) in [
        (vec![], vec![], vec![]),
        (vec![0.0, 1.0], vec![0.0, 1.0], vec![f64::NAN]),
        (vec![0.0, 1.0], vec![0.0, 1.0], vec![f64::INFINITY]),
        (vec![1.0, 1.0], vec![2.0, 2.0], vec![5.0]),
        (vec![-1.0, 0.0, f64::NAN], vec![0.0, 1.0], vec![1.0, 2.0]),
        (vec![0.0, 1.0], vec![0.0, 1.0, 2.0], vec![1.0]),
        (vec![0.0, 1.0], vec![0.0, 1.0], vec![1.0, 2.0, 3.0]),
    ] {
        let x = Axis::logarithmic("x");
        for x in [x, Axis::linear("x <&>")] {
            let (x_edges, y_edges, values) = (x_edges.clone(), y_edges.clone(), values.clone());
            drawn(Map { x, x_edges, y_edges, values, ..Map::default() });
        }
    }
    assert_well_formed(&Maps::default().to_svg());
}

#[test]
fn equal_ratios_have_equal_steps_of_colour_on_a_logarithmic_scale() {
    let map = |scale| Map {
        x_edges: vec![0.0, 1.0, 2.0, 3.0],
        y_edges: vec![0.0, 1.0],
        values: vec![1e-4, 1.0, 1e4],
        scale,
        ..Map::default()
    };
    // on a linear scale the first two cannot be told apart
    assert_eq!(cells(&drawn(map(Scale::Linear))).len(), 2);
    let cells = cells(&drawn(map(Scale::Logarithmic)));
    assert_eq!(cells.len(), 3);
    let light: Vec<f64> = cells.iter().map(|(_, colour)| luminance(colour)).collect();
    assert!(light.is_sorted_by(|one, next| one < next), "{light:?}");
}
