//! Wheels and racks as they are drawn: pitch circles that touch, teeth in the ratio of the radii, teeth in gaps.

use catena::{FrameTimes, Model, RunSettings, Scene, StillOptions};
use catena_tests::written;
use std::f64::consts::{PI, TAU};

/// A toothed wheel of a picture, px, y up.
struct Wheel {
    centre: [f64; 2],
    radius: f64,
    /// The angles of the middles of its teeth, rad.
    teeth: Vec<f64>,
}

fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| !(c.is_ascii_digit() || ".-".contains(c)));
    parts.filter_map(|part| part.parse().ok()).collect()
}

fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
    let (_, rest) = tag.split_once(&format!(" {name}=\"")).expect("the attribute is there");
    rest.split('"').next().expect("it ends")
}

/// The toothed wheels of a picture in the order in which they are drawn.
fn wheels(svg: &str) -> Vec<Wheel> {
    let mut found = Vec::new();
    for (start, _) in svg.match_indices("<path class=\"gear") {
        let before = &svg[..start];
        let group = &before[before.rfind("<g transform").expect("wheels are in groups")..];
        let [x, y, degrees] = numbers(attribute(group, "transform"))[..] else { panic!("{group}") };
        let rest = &svg[start..];
        let rest = &rest[..rest.find("</g>").expect("the group ends")];
        let Some(circle) = rest.find("<circle class=\"pitch\"") else { continue };
        let circle = &rest[circle..];
        let own = ["cx", "cy", "r"].map(|name| numbers(attribute(circle, name))[0]);
        let d = attribute(rest, "d").split(['Z', 'A']).next().expect("an outline");
        let points: Vec<[f64; 2]> =
            numbers(d).chunks_exact(2).map(|pair| [pair[0] - own[0], own[1] - pair[1]]).collect();
        let turned = -degrees.to_radians();
        // four corners a tooth, the middle two of which are its tip
        let teeth = points.chunks_exact(4).map(|corner| {
            let tip = [corner[1][0] + corner[2][0], corner[1][1] + corner[2][1]];
            tip[1].atan2(tip[0]) + turned
        });
        let (s, c) = turned.sin_cos();
        let centre = [x + own[0] * c + own[1] * s, -y + own[0] * s - own[1] * c];
        found.push(Wheel { centre, radius: own[2], teeth: teeth.collect() });
    }
    found
}

/// How a wheel's teeth stand to a direction, as a part of their pitch: 0 is a tooth, ½ a gap.
fn phase(wheel: &Wheel, direction: f64) -> f64 {
    let pitch = TAU / wheel.teeth.len() as f64;
    ((wheel.teeth[0] - direction) / pitch).rem_euclid(1.0)
}

fn pictures(model: &Model) -> Vec<String> {
    let settings = RunSettings::new().t_end(2.0).no_certify();
    let run = catena::film_run(model, &settings, &FrameTimes::Evenly(5), &mut |_| false);
    let film = run.expect("it runs").film.expect("a film");
    let scene = Scene::new("", film).expect("wheels");
    let still = |frame| StillOptions { frames: vec![frame], ..StillOptions::default() };
    (0..5).map(|frame| scene.still(&still(frame))).collect()
}

/// Two wheels with axles 0.3 m apart.
fn pair(ratio: f64) -> Model {
    written(&format!(
        r#"
        [[body]]
        name = "one"
        mass = 1
        inertia = 0.01
        [[body]]
        name = "other"
        mass = 1
        inertia = 0.02
        angle = 0.3
        [[joint]]
        name = "A"
        type = "revolute"
        between = [[0, 0], "one"]
        [[joint]]
        name = "B"
        type = "revolute"
        between = [[0.24, 0.18], "other"]
        [[joint]]
        name = "mesh"
        type = "gear"
        between = ["one", "other"]
        ratio = {ratio}
        offset = 0.3
        [initial]
        other_angle = 0.3
        [[torque]]
        on = "one"
        value = 0.1
        "#
    ))
}

#[test]
fn pitch_circles_touch_and_teeth_are_in_the_ratio_of_the_gear() {
    for ratio in [-0.25, -1.0, -3.0, -0.4, 0.25, 4.0, 0.6] {
        for (frame, svg) in pictures(&pair(ratio)).iter().enumerate() {
            let [one, other] = &wheels(svg)[..] else { panic!("two wheels at {ratio}: {svg}") };
            // rings are drawn first, behind the others
            let (one, other) = if ratio > 1.0 {
                (one, other)
            } else if ratio > 0.0 {
                (other, one)
            } else {
                (one, other)
            };
            let apart = (one.centre[0] - other.centre[0]).hypot(one.centre[1] - other.centre[1]);
            let expected = if ratio < 0.0 {
                one.radius + other.radius
            } else {
                (one.radius - other.radius).abs()
            };
            assert!((apart - expected).abs() < 0.05, "{ratio}: {apart} px and {expected} px");
            let radii = one.radius / other.radius;
            assert!((radii - ratio.abs()).abs() < 1e-3 * ratio.abs(), "{ratio}: {radii}");
            let teeth = one.teeth.len() as f64 / other.teeth.len() as f64;
            assert!((teeth - ratio.abs()).abs() < 1e-12, "{ratio}: {teeth}");
            // from one to the other: where they touch
            let [dx, dy] = [0, 1].map(|axis| other.centre[axis] - one.centre[axis]);
            let towards = dy.atan2(dx);
            let (first, second) = match (ratio < 0.0, ratio > 1.0) {
                (true, _) => (towards, towards + PI),
                // the point of contact lies beyond the smaller wheel, seen from the ring's centre
                (false, true) => (towards, towards),
                (false, false) => (towards + PI, towards + PI),
            };
            let (a, b) = (phase(one, first), phase(other, second));
            // along the circles one runs the other way round outside, the same way inside
            let met = if ratio < 0.0 { a + b } else { a - b };
            let off = (met - 0.5).rem_euclid(1.0);
            let off = off.min(1.0 - off);
            assert!(
                off < 0.08,
                "{ratio}, frame {frame}: teeth stand {off} of a pitch off the gaps"
            );
        }
    }
}

#[test]
fn a_rack_touches_its_pinion_and_has_its_pitch() {
    for radius in [0.1, -0.1] {
        let model = written(&format!(
            r#"
            [[body]]
            name = "pinion"
            mass = 1
            inertia = 0.01
            [[body]]
            name = "rack"
            mass = 1
            inertia = 0.01
            [[joint]]
            name = "A"
            type = "revolute"
            between = [[0, 0], "pinion"]
            [[joint]]
            name = "guide"
            type = "prismatic"
            between = [[0, "-{radius}"], "rack"]
            axis = [1, 0]
            [[joint]]
            name = "teeth"
            type = "rack"
            between = ["pinion", "rack"]
            axis = [1, 0]
            radius = {radius}
            [[torque]]
            on = "pinion"
            value = 0.3
            "#
        ));
        for svg in pictures(&model) {
            let wheels = wheels(&svg);
            let [pinion] = &wheels[..] else { panic!("one wheel: {}", wheels.len()) };
            let pitch = TAU * pinion.radius / pinion.teeth.len() as f64;
            // the rack's own outline: its teeth are four corners each, between two corners at either end
            let rack = svg.match_indices("<path class=\"gear").map(|(at, _)| &svg[at..]);
            let rack = rack.last().expect("a rack");
            let line = &rack[rack.find("class=\"pitch\"").expect("a pitch line") - 6..];
            let group = &svg[..svg.len() - rack.len()];
            let group = &group[group.rfind("<g transform").expect("a group")..];
            let [_, y, _] = numbers(attribute(group, "transform"))[..] else { panic!("{group}") };
            let ends = numbers(attribute(line, "d"));
            let distance = -(y + ends[1]) - pinion.centre[1];
            assert!((distance.abs() - pinion.radius).abs() < 0.05, "{distance} px");
            assert_eq!(distance < 0.0, radius > 0.0, "the side says the sign of the radius");
            let points = numbers(attribute(rack, "d"));
            let tip = points.iter().skip(1).step_by(2).copied();
            let tip = if radius > 0.0 {
                tip.fold(f64::MAX, f64::min)
            } else {
                tip.fold(f64::MIN, f64::max)
            };
            let tips: Vec<f64> = points
                .chunks_exact(2)
                .filter(|p| (p[1] - tip).abs() < 0.02)
                .map(|p| p[0])
                .collect();
            let middles: Vec<f64> =
                tips.chunks_exact(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
            for pair in middles.windows(2) {
                let found = (pair[1] - pair[0]).abs();
                assert!((found - pitch).abs() < 0.05, "{found} px and {pitch} px");
            }
        }
    }
}

/// The smaller of two wheels on one axle drives the rack: that one is drawn, too, and says how large the teeth are.
#[test]
fn a_rack_has_the_teeth_of_its_own_pinion() {
    let model = written(include_str!("../browser/models/geared.toml"));
    for svg in pictures(&model) {
        let mut wheels = wheels(&svg);
        wheels.sort_by(|one, other| one.radius.total_cmp(&other.radius));
        let [small, pinion, large] = &wheels[..] else { panic!("three wheels: {}", wheels.len()) };
        // r1, r3 and r2
        assert!((pinion.radius / small.radius - 1.2).abs() < 1e-3);
        assert!((large.radius / small.radius - 3.0).abs() < 1e-3);
        assert_eq!(pinion.centre, large.centre);
        let rack = svg.match_indices("<path class=\"gear").map(|(at, _)| &svg[at..]);
        let rack = rack.last().expect("a rack");
        let points = numbers(attribute(rack, "d"));
        let top = points.iter().skip(1).step_by(2).copied().fold(f64::MAX, f64::min);
        let tips: Vec<f64> =
            points.chunks_exact(2).filter(|p| (p[1] - top).abs() < 0.02).map(|p| p[0]).collect();
        let pitch = TAU * pinion.radius / pinion.teeth.len() as f64;
        let found = tips[2] - tips[0];
        assert!((found.abs() - pitch).abs() < 0.05, "{found} px and {pitch} px");
    }
}

/// All constraints of this train are straight, so that γ is 0 and nothing but rounding is left to compare it with.
#[test]
fn a_train_of_gears_has_equations() {
    let model = written(include_str!("../browser/models/geared.toml"));
    let derivation = catena::derive(&model, catena::CoordinateSet::Own);
    let derivation = derivation.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(derivation.mass_matrix.len(), 9);
}
