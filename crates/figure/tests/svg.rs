//! The vector graphic: well formed, complete, true to the data, and small.

mod reading;

use catena_figure::{Axis, Figure, Panel, Series};
use reading::assert_well_formed;

fn panel() -> Panel {
    Panel::new("", Axis::linear("x"), Axis::linear("y"))
}

/// The points of every polyline, in pixels.
fn polylines(svg: &str) -> Vec<Vec<[f64; 2]>> {
    let number = |text: &str| text.parse::<f64>().expect("a coordinate is a number");
    svg.split("<polyline points=\"")
        .skip(1)
        .map(|part| {
            let points = part.split('"').next().expect("an attribute ends");
            points
                .split(' ')
                .map(|point| {
                    let (x, y) = point.split_once(',').expect("a point has two coordinates");
                    [number(x), number(y)]
                })
                .collect()
        })
        .collect()
}

/// The plotted area as left, top, bottom and right, read off the path of the axes.
fn frame(svg: &str) -> [f64; 4] {
    let axes = svg
        .split("<path d=\"")
        .filter_map(|part| part.split_once('"'))
        .find(|(_, attributes)| attributes.contains("#555555"))
        .expect("there are axes")
        .0;
    let numbers: Vec<f64> = axes
        .split(|character: char| !(character.is_ascii_digit() || character == '.'))
        .filter(|part| !part.is_empty())
        .take(4)
        .map(|part| part.parse().expect("a coordinate is a number"))
        .collect();
    [numbers[0], numbers[1], numbers[2], numbers[3]]
}

fn assert_near(actual: [f64; 2], expected: [f64; 2]) {
    let distance = (actual[0] - expected[0]).hypot(actual[1] - expected[1]);
    assert!(distance < 0.02, "{actual:?} is not {expected:?}");
}

#[test]
fn the_ends_of_a_diagonal_lie_in_the_corners_but_for_the_margin() {
    let svg = Figure::from(panel().with(Series::line("", [-3.0, 5.0], [10.0, 30.0]))).to_svg();
    let [left, top, bottom, right] = frame(&svg);
    let lines = polylines(&svg);
    // Four per cent of the data on either side.
    let (across, down) = ((right - left) * 0.04 / 1.08, (bottom - top) * 0.04 / 1.08);
    assert_near(lines[0][0], [left + across, bottom - down]);
    assert_near(lines[0][1], [right - across, top + down]);
}

#[test]
fn the_geometric_mean_lies_in_the_middle_of_a_logarithmic_axis() {
    let axes = Panel::new("", Axis::logarithmic("h, s"), Axis::logarithmic("error"));
    let svg =
        Figure::from(axes.with(Series::line("", [1e-3, 1e-2, 1e-1], [1e-12, 1e-8, 1e-4]))).to_svg();
    let [left, top, bottom, right] = frame(&svg);
    assert_near(polylines(&svg)[0][1], [0.5 * (left + right), 0.5 * (top + bottom)]);
}

#[test]
fn a_value_that_is_not_a_number_gives_two_polylines() {
    let series = Series::line("", [0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, f64::NAN, 1.0, 0.0]);
    let lines = polylines(&Figure::from(panel().with(series)).to_svg());
    assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn every_name_appears_escaped() {
    let mut figure = Figure::new("R&D <title>");
    let mut crowded = panel();
    for index in 0..30 {
        crowded = crowded.with(Series::line_and_marks(
            format!("θ{index} < \"π\" & 'so on'"),
            [0.0, 1.0],
            [0.0, 1.0],
        ));
    }
    figure.panels = vec![crowded, panel().with(Series::marks("|ω|² > 0", [1.0], [2.0]))];
    let svg = figure.to_svg();
    assert_well_formed(&svg);
    assert!(svg.contains("R&amp;D &lt;title&gt;"));
    assert!(svg.contains("|ω|² &gt; 0"));
    for index in 0..30 {
        let name = format!("θ{index} &lt; &quot;π&quot; &amp; &#39;so on&#39;");
        assert!(svg.matches(&name).count() >= 2, "{name} belongs to the curve and to the legend");
    }
}

#[test]
fn a_single_series_names_the_axis_that_has_no_label() {
    let unlabelled = Panel::new("", Axis::linear("t, s"), Axis::linear("")).with(Series::line(
        "energy",
        [0.0],
        [1.0],
    ));
    assert!(Figure::from(unlabelled).to_svg().contains(">energy</text>"));
    let labelled = panel().with(Series::line("energy", [0.0], [1.0]));
    assert!(!Figure::from(labelled).to_svg().contains(">energy</text>"));
}

#[test]
fn figures_without_data_are_pictures_too() {
    let empty = Series::line("none", [], []);
    let point = Series::line("one", [3.0], [1e-5]);
    let constant = Series::line("constant", [1.0, 2.0], [7.0, 7.0]);
    for panels in [vec![], vec![panel()], vec![panel().with(empty.clone())]] {
        let svg = Figure { title: "nothing".to_owned(), panels, ..Figure::default() }.to_svg();
        assert_well_formed(&svg);
    }
    let svg = Figure::from(panel().with(empty).with(point).with(constant)).to_svg();
    assert_well_formed(&svg);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

/// Numbers without a pattern, the same in every run.
fn noise(count: usize) -> Vec<f64> {
    let mut state = 1u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| next()).collect()
}

const MILLION: usize = 1_000_000;

#[test]
fn a_million_points_stay_small_and_keep_their_extremes() {
    let x: Vec<f64> = (0..MILLION).map(|index| index as f64).collect();
    let mut y = noise(MILLION);
    (y[123_456], y[654_321]) = (5.0, -3.0);
    let svg = Figure::from(panel().with(Series::line("noise", x, y))).to_svg();
    assert!(svg.len() < 200_000, "{} bytes", svg.len());
    let [_, top, bottom, _] = frame(&svg);
    let heights = || polylines(&svg).into_iter().flatten().map(|point| point[1]);
    let margin = (bottom - top) * 0.04 / 1.08;
    assert!((heights().fold(f64::INFINITY, f64::min) - (top + margin)).abs() < 0.1);
    assert!((heights().fold(0.0, f64::max) - (bottom - margin)).abs() < 0.1);
}

#[test]
fn tangles_clouds_gaps_and_crowds_stay_small() {
    let line = |count| Series::line("tangle", noise(2 * count)[count..].to_vec(), noise(count));
    let cloud = Series::marks("cloud", noise(2 * MILLION)[MILLION..].to_vec(), noise(MILLION));
    let both = Series { style: catena_figure::Style::LineAndMarks, ..line(100_000) };
    let x: Vec<f64> = (0..MILLION).map(|index| index as f64).collect();
    let gaps =
        x.iter().map(|x| if x % 2.0 == 0.0 { x.sin() } else { f64::NAN }).collect::<Vec<_>>();
    let mut crowd = panel();
    for index in 0..24 {
        let y: Vec<f64> = noise(50_000).iter().map(|noise| noise + f64::from(index)).collect();
        crowd = crowd.with(Series::line(format!("noise {index}"), &x[..50_000], y));
    }
    let panels = [line(100_000), cloud, both, Series::line("gaps", x, gaps)]
        .map(|series| panel().with(series));
    for panel in panels.into_iter().chain([crowd]) {
        let svg = Figure::from(panel).to_svg();
        assert_well_formed(&svg);
        assert!(
            svg.len() < 200_000,
            "{} bytes for {}",
            svg.len(),
            &svg[svg.find("<title>").unwrap_or(0)..][..40]
        );
    }
}

/// A hundred motions on one section: as fine as one of them, and still small, as a picture and as a page.
#[test]
fn a_hundred_clouds_of_ten_thousand_points_stay_small_and_fine() {
    let mut clouds = panel();
    for index in 0..100 {
        let (x, y) = (noise(20_000 + index)[10_000 + index..].to_vec(), noise(10_000));
        clouds = clouds.with(Series::marks(format!("motion {index}"), x, y));
    }
    let figure = Figure::from(clouds);
    let svg = figure.to_svg();
    assert_well_formed(&svg);
    assert!(svg.len() < 700_000, "{} bytes", svg.len());
    assert!(svg.len() > 100_000, "{} bytes: coarse", svg.len());
    let page = figure.to_html();
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}

#[test]
fn coordinates_have_two_decimals_at_most() {
    let svg =
        Figure::from(panel().with(Series::line("", [0.0, 1.0 / 3.0, 1.0], [0.0, 1.0 / 7.0, 1.0])))
            .to_svg();
    for line in polylines(&svg).into_iter().flatten().flatten() {
        assert!((100.0 * line - (100.0 * line).round()).abs() < 1e-6);
    }
}

#[test]
fn names_in_a_legend_that_has_room_are_written_in_full() {
    let names = ["peaks", "rest", "up", "theta1", "R = 0.5, down", "Ünü", "m", "a longer name"];
    for name in names {
        for label in ["y", "", "amplitude"] {
            for scale in 0..12 {
                // labels of ticks set where the legend begins, and with it how its width is rounded
                let y = vec![0.0, 1.37 * 10f64.powi(scale)];
                let axes = (Axis::linear("x"), Axis::linear(label));
                let panel = Panel::new("", axes.0, axes.1)
                    .with(Series::line("a", vec![0.0, 1.0], y.clone()))
                    .with(Series::marks(name, vec![0.0, 1.0], y));
                let svg = Figure::new("").with(panel).to_svg();
                assert!(svg.contains(&format!(">{name}</text>")), "{name} is cut");
            }
        }
    }
}
