//! Pictures as they come from the command line: fit for a page in print, and for reading.

mod process;

use process::Folder;
use std::process::{Command, Output};

fn ran(folder: &Folder, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_catena"));
    command.current_dir(folder.path("")).args(line.split(' ').map(|word| word.replace('~', " ")));
    command.output().expect("the program runs")
}

/// What a command prints; it must end well.
fn printed(folder: &Folder, line: &str) -> String {
    let output = ran(folder, line);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// The picture that a command draws.
fn drawn(folder: &Folder, line: &str) -> String {
    printed(folder, &format!("{line} --plot picture.svg"));
    folder.text("picture.svg")
}

/// A text with its box on the sheet: left, top, right, bottom.
struct Label {
    text: String,
    size: f64,
    edges: [f64; 4],
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

/// All texts of a picture, with boxes that are on the narrow side: what overlaps here overlaps in every font.
fn labels(svg: &str) -> Vec<Label> {
    let mut labels = Vec::new();
    for part in svg.split("<text").skip(1) {
        let (element, _) = part.split_once("</text>").expect("a text ends");
        let (tag, inside) = element.split_once('>').expect("a tag ends");
        let number = |name: &str| attribute(tag, name).and_then(|text| text.parse::<f64>().ok());
        let (x, y) = (number("x").expect("x"), number("y").expect("y"));
        let size = number("font-size").unwrap_or(12.0);
        let text: String =
            inside.split('<').map(|it| it.split_once('>').map_or(it, |p| p.1)).collect();
        let text = text.replace("&#39;", "'");
        let letters = text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count() as f64;
        let width = 0.42 * size * letters;
        let start = match attribute(tag, "text-anchor") {
            Some("middle") => -0.5 * width,
            Some("end") => -width,
            _ => 0.0,
        };
        let edges = match tag.contains("rotate(-90") {
            true => [x - 0.7 * size, y - start - width, x, y - start],
            false => [x + start, y - 0.7 * size, x + start + width, y],
        };
        labels.push(Label { text, size, edges });
    }
    labels
}

fn overlap(a: &Label, b: &Label) -> bool {
    let apart = |low: usize, high: usize| {
        a.edges[high] <= b.edges[low] + 0.5 || b.edges[high] <= a.edges[low] + 0.5
    };
    !apart(0, 2) && !apart(1, 3)
}

/// The pictures that commands draw when nothing is said about them.
const DEFAULT_PICTURES: [&str; 17] = [
    "run four-bar",
    "run slider-crank-bodies",
    "run double-wishbone",
    "run desk-lamp",
    "run chain --to 1",
    "run lorenz --to 5",
    "run elastic-pendulum",
    "analyze kinematics four-bar --drive theta2",
    "analyze kinematics slider-crank-bodies --drive crank_angle",
    "analyze inverse slider-crank-bodies --drive crank_angle",
    "analyze modes triple-pendulum",
    "analyze modes chain",
    "analyze modes double-wishbone",
    "analyze spectrum triple-pendulum",
    "analyze phase elastic-pendulum",
    "analyze response triple-pendulum --linear --over f=0.2:1.5:40 --over R=0.1,0.5,1",
    "sweep double-pendulum --over theta1=0.1:3:9 --measure max:theta2 --measure maxabs:theta1' --to 1",
];

#[test]
fn pictures_are_written_in_every_format() {
    let folder = Folder::new("formats");
    for (file, beginning) in [
        ("p.svg", &b"<svg "[..]),
        ("p.png", b"\x89PNG\r\n\x1a\n"),
        ("p.pdf", b"%PDF-"),
        ("p.html", b"<!doctype html>"),
    ] {
        for command in ["run triple-pendulum", "analyze modes triple-pendulum"] {
            let text = printed(&folder, &format!("{command} --plot {file}"));
            assert!(text.contains(&format!("drawn in {file}")), "{text}");
            assert!(folder.read(file).starts_with(beginning), "{command} --plot {file}");
        }
        let map = "sweep double-pendulum --over theta1=0:1:4 --over theta2=0:1:3 --to 0.2";
        printed(&folder, &format!("{map} --plot {file}"));
        assert!(folder.read(file).starts_with(beginning), "{file}");
    }
}

#[test]
fn labels_never_overlap_and_lie_on_the_sheet_even_at_85_mm() {
    let folder = Folder::new("overlap");
    for command in DEFAULT_PICTURES {
        for size in ["", " --size 85mm", " --size 180mmx120mm"] {
            let svg = drawn(&folder, &format!("{command}{size}"));
            let view = attribute(&svg, "viewBox").expect("a view");
            let sides: Vec<f64> =
                view.split(' ').map(|side| side.parse().expect("a number")).collect();
            let labels = labels(&svg);
            assert!(labels.len() > 5, "{command}");
            for (at, one) in labels.iter().enumerate() {
                let [left, top, right, bottom] = one.edges;
                let inside = left >= -1.0
                    && top >= -1.0
                    && right <= sides[2] + 1.0
                    && bottom <= sides[3] + 1.0;
                assert!(inside, "{command}{size}: `{}` lies off the sheet", one.text);
                for other in &labels[..at] {
                    let (a, b) = (&one.text, &other.text);
                    assert!(!overlap(one, other), "{command}{size}: `{a}` lies on `{b}`");
                }
            }
        }
    }
}

#[test]
fn every_axis_says_what_it_measures() {
    let folder = Folder::new("labels");
    for command in DEFAULT_PICTURES {
        let svg = drawn(&folder, command);
        let upright = svg.matches("rotate(-90").count();
        let panels = svg.matches("<g>\n<path").count();
        assert!(panels > 0 && upright >= panels, "{command}: {upright} labels for {panels} panels");
    }
}

#[test]
fn text_is_7_to_9_points_high_in_print() {
    let folder = Folder::new("points");
    for command in ["run four-bar --caption", "analyze modes chain"] {
        let svg = drawn(&folder, &format!("{command} --size 85mm"));
        assert_eq!(attribute(&svg, "width"), Some("85mm"), "{}", &svg[..200]);
        let view = attribute(&svg, "viewBox").expect("a view");
        let width: f64 = view.split(' ').nth(2).and_then(|it| it.parse().ok()).expect("a width");
        let points = 85.0 / 25.4 * 72.0 / width;
        for label in labels(&svg) {
            let height = label.size * points;
            assert!((6.95..=9.05).contains(&height), "`{}` has {height} pt", label.text);
        }
    }
    let both = drawn(&folder, "run four-bar --size 85mmx60mm");
    assert_eq!(
        [attribute(&both, "width"), attribute(&both, "height")],
        [Some("85mm"), Some("60mm")]
    );
}

#[test]
fn units_have_panels_of_their_own_over_one_time_axis() {
    let folder = Folder::new("units");
    let svg = drawn(&folder, "run slider-crank-bodies");
    let texts: Vec<String> = labels(&svg).into_iter().map(|label| label.text).collect();
    let count = |wanted: &str| texts.iter().filter(|text| *text == wanted).count();
    assert_eq!([count("angle, rad"), count("position, m"), count("t, s")], [1, 1, 1], "{texts:?}");
    let degrees = drawn(&folder, "run slider-crank-bodies --degrees");
    assert!(degrees.contains(">angle, °<") && !degrees.contains(", rad<"));
}

#[test]
fn a_range_in_degrees_is_one_on_axes_in_degrees() {
    let folder = Folder::new("a range in degrees");
    let drawn = drawn(&folder, "run double-pendulum --to 1 --degrees --y-range=-90deg:90deg");
    assert!(drawn.contains(">80<") && drawn.contains(">−80<"), "{drawn}");
}

#[test]
fn names_are_mathematics() {
    let folder = Folder::new("names");
    let svg = drawn(&folder, "run triple-pendulum --columns theta1,theta2',theta1'");
    let texts: Vec<String> = labels(&svg).into_iter().map(|label| label.text).collect();
    for name in ["θ1, rad", "θ\u{307}1", "θ\u{307}2"] {
        assert!(texts.iter().any(|text| text == name), "{name} is not in {texts:?}");
    }
    assert!(!svg.contains("theta"), "no name is left as it was typed");
    assert!(svg.contains("<tspan font-style=\"italic\">θ"), "quantities are slanted");
}

#[test]
fn a_figure_takes_the_few_columns_that_matter_and_says_what_it_leaves_out() {
    let folder = Folder::new("few");
    let command = "analyze kinematics four-bar --drive theta2 --plot picture.svg";
    let text = printed(&folder, command);
    assert!(text.contains("not drawn: x2'', y2'' and 7 more; --columns "), "{text}");
    let svg = folder.text("picture.svg");
    assert!(svg.matches("<polyline").count() <= 24, "{}", svg.matches("<polyline").count());
    let all = printed(&folder, &format!("{command} --columns *''"));
    assert!(!all.contains("not drawn"), "{all}");
    assert!(printed(&folder, "run chain --to 1 --show").contains("not drawn: theta2"));
}

#[test]
fn what_is_told_about_a_picture_is_seen_in_it() {
    let folder = Folder::new("style");
    let plain = drawn(&folder, "run double-pendulum");
    assert!(
        plain.contains("<desc>Double pendulum: minimal with dopri5, a tolerance of 1e-6. good: ")
    );
    let written = |svg: &str| {
        labels(svg).iter().any(|label| label.text.starts_with("Double pendulum: minimal"))
    };
    assert!(!written(&plain), "the description is not written unasked");
    let told = drawn(&folder, "run double-pendulum --caption --title Two~bobs --x-range 0:5");
    let texts: Vec<String> = labels(&told).into_iter().map(|label| label.text).collect();
    assert!(texts.iter().any(|text| text == "Two bobs"), "{texts:?}");
    assert!(written(&told), "{texts:?}");
    assert!(!texts.iter().any(|text| text == "10"), "the axis ends at 5: {texts:?}");
    let untitled = labels(&drawn(&folder, "run double-pendulum --title="));
    assert!(!untitled.iter().any(|label| label.text.contains("Double")));
    // an angle that turns over is one curve, and several on the circle
    let pieces = |line: &str| drawn(&folder, line).matches("<polyline").count();
    let turning = "run double-pendulum --columns theta2";
    assert_eq!(pieces(turning), 1);
    assert!(pieces(&format!("{turning} --wrap")) > 3);
    let points = drawn(&folder, "analyze phase double-pendulum --points");
    assert!(!points.contains("<polyline"), "points are not joined");
    let logarithmic = drawn(&folder, "run double-pendulum --columns kinetic --log-y");
    let powers = labels(&logarithmic).iter().filter(|label| label.text.starts_with("10")).count();
    assert!(powers > 1);
}

#[test]
fn paths_have_equal_scales() {
    let folder = Folder::new("paths");
    let drive = "analyze kinematics slider-crank-bodies --drive crank_angle";
    let path = "--against rod_x --columns rod_x,rod_y -o path.csv";
    let svg = drawn(&folder, &format!("{drive} {path}"));
    let table = folder.text("path.csv");
    let rows: Vec<(f64, f64)> = table
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<f64> = line.split(',').map(|it| it.parse().expect("a number")).collect();
            (cells[1], cells[2])
        })
        .collect();
    let (_, rest) = svg.split_once("<polyline points=\"").expect("a curve");
    let points: Vec<(f64, f64)> = rest
        .split('"')
        .next()
        .into_iter()
        .flat_map(|points| points.split(' '))
        .filter_map(|point| point.split_once(','))
        .map(|(x, y)| (x.parse().expect("a number"), y.parse().expect("a number")))
        .collect();
    let shape = |points: &[(f64, f64)]| {
        let extent = |of: fn(&(f64, f64)) -> f64| {
            let values = points.iter().map(of);
            values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
        };
        extent(|point| point.0) / extent(|point| point.1)
    };
    let (drawn, true_shape) = (shape(&points), shape(&rows));
    assert!(true_shape > 1.5, "the path is longer than high: {true_shape}");
    assert!((drawn / true_shape - 1.0).abs() < 0.01, "{drawn} instead of {true_shape}");
}

#[test]
fn colour_means_parameter_and_dash_means_branch() {
    let folder = Folder::new("family");
    let over =
        "analyze response triple-pendulum --linear --columns theta1,theta2 --over f=0.2:1.5:40";
    let few = drawn(&folder, &format!("{over} --over R=0.1,0.5,1"));
    let texts: Vec<String> = labels(&few).into_iter().map(|label| label.text).collect();
    for entry in ["R = 0.1", "R = 0.5", "R = 1", "θ1", "θ2"] {
        assert_eq!(texts.iter().filter(|text| *text == entry).count(), 1, "{entry}: {texts:?}");
    }
    let many = drawn(&folder, &format!("{over} --over R=0.1:1:9"));
    let texts: Vec<String> = labels(&many).into_iter().map(|label| label.text).collect();
    for limit in ["0.1", "1", "R"] {
        assert!(texts.iter().any(|text| text == limit), "{limit} is not at the bar: {texts:?}");
    }
}

#[test]
fn what_no_picture_can_be_is_refused_before_the_work() {
    let folder = Folder::new("refused");
    for (flag, help) in [
        ("--size 3", "write a width from 20 mm to 2 m"),
        ("--size 85", "85mm"),
        ("--x-range 5:1", "the smaller one first"),
        ("--y-range 5", "as in 0:2.5"),
    ] {
        let output = ran(&folder, &format!("run triple-pendulum --plot p.svg {flag}"));
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flag}: {text}");
        assert!(text.contains(help) && text.contains(&flag[..6]), "{flag}: {text}");
    }
}

#[test]
fn the_terminal_shows_a_panel_for_each_unit() {
    let folder = Folder::new("terminal");
    let text = printed(&folder, "run slider-crank-bodies --show");
    assert!(text.contains("angle, rad") && text.contains("position, m"), "{text}");
}
