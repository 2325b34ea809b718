//! Films made by hand: what pictures of them have in them, to the pixel.

mod reading;

use catena_figure::{Filmed, GifClock, Pace, Player, Scene, StillOptions, gif};
use catena_model::{Anchor, Carrier, Film, Part, PartShape, Sketch, Track};
use reading::{assert_well_formed, attributes, numbers};

/// A sketch of parts, and tracks with their values in every frame.
fn film(parts: Vec<(&str, PartShape)>, tracks: Vec<Vec<f64>>) -> Film {
    let parts = parts.into_iter().map(|(name, shape)| Part { name: name.to_owned(), shape });
    let frames = tracks.first().map_or(1, Vec::len);
    Film {
        sketch: Sketch {
            tracks: tracks.iter().map(|_| Track::Output("by hand".to_owned())).collect(),
            parts: parts.collect(),
        },
        times: (0..frames).map(|frame| 0.1 * frame as f64).collect(),
        tracks,
        ..Film::default()
    }
}

/// A bar of 1 m that turns about its middle by a quarter in ten frames.
fn turning_bar() -> Film {
    let carrier = Carrier::Body([0, 1, 2]);
    let angle = (0..=10).map(|frame| std::f64::consts::FRAC_PI_2 * f64::from(frame) / 10.0);
    film(
        vec![
            ("bar", PartShape::Link { carrier, points: vec![[-0.5, 0.0], [0.5, 0.0]] }),
            ("tip", PartShape::Trail(Anchor { carrier, at: [0.5, 0.0] })),
        ],
        vec![vec![0.0; 11], vec![0.0; 11], angle.collect()],
    )
}

fn still(film: Film, options: &StillOptions) -> String {
    let svg = Scene::new("", film).expect("there is something").still(options);
    // the style sheet is no XML
    assert_well_formed(&without_style(&svg));
    svg
}

fn without_style(svg: &str) -> String {
    let (before, rest) = svg.split_once("<style>").expect("a style sheet");
    let (_, after) = rest.split_once("</style>").expect("its end");
    before.to_owned() + after
}

fn at(frame: usize) -> StillOptions {
    StillOptions { frames: vec![frame], ..StillOptions::default() }
}

#[test]
fn what_has_no_parts_or_no_frames_has_no_scene() {
    assert!(Scene::new("", Film::default()).is_none());
    assert!(Scene::new("", film(Vec::new(), vec![vec![0.0]])).is_none());
    let mut empty = turning_bar();
    empty.times.clear();
    empty.tracks.iter_mut().for_each(Vec::clear);
    assert!(Scene::new("", empty).is_none());
}

#[test]
fn a_body_is_turned_as_its_track_says() {
    for (frame, degrees) in [(0, 0.0), (5, 315.0), (10, 270.0)] {
        let svg = still(turning_bar(), &at(frame));
        let transform = attributes(&svg, "<g", "transform")
            .into_iter()
            .find(|transform| transform.contains("rotate"))
            .expect("a body");
        let turned = numbers(&transform)[2];
        assert!((turned - degrees).abs() < 0.01, "{transform} in frame {frame}");
    }
}

#[test]
fn earlier_poses_are_paler_than_the_last() {
    let options = StillOptions { frames: vec![0, 5, 10], ..StillOptions::default() };
    let svg = still(turning_bar(), &options);
    let opacities: Vec<f64> = attributes(&svg, "<g", "opacity")
        .iter()
        .map(|text| text.parse().expect("a number"))
        .collect();
    assert_eq!(opacities.len(), 3);
    assert!(opacities.is_sorted() && opacities[0] > 0.0 && opacities[1] < 0.8);
    assert_eq!(opacities[2], 1.0);
}

#[test]
fn the_picture_holds_every_pose() {
    for frame in 0..=10 {
        let svg = still(turning_bar(), &at(frame));
        let [_, _, width, height] = numbers(&attributes(&svg, "<svg", "viewBox")[0])[..] else {
            panic!("{svg}");
        };
        let angle = std::f64::consts::FRAC_PI_2 * frame as f64 / 10.0;
        let (x, y) = (0.5 * width, 0.5 * height);
        // the scale is that of the bar in its first pose
        let d = &attributes(&svg, "<path class=\"link", "d")[0];
        let half = numbers(d)[2];
        assert!(x + half * angle.cos() < width && y - half * angle.sin() > 0.0);
    }
}

#[test]
fn names_and_centres_are_there_when_they_are_asked_for() {
    let carrier = Carrier::Body([0, 1, 2]);
    let mut film = turning_bar();
    film.sketch.parts.push(Part {
        name: "bar".to_owned(),
        shape: PartShape::CentreOfMass(Anchor { carrier, at: [0.0, 0.0] }),
    });
    let bare = still(film.clone(), &at(0));
    assert!(!bare.contains(">bar</text>") && !bare.contains("class=\"centre\""));
    let options = StillOptions { names: true, centres: true, trails: true, ..at(10) };
    let full = still(film, &options);
    assert!(full.contains(">bar</text>") && full.contains("class=\"centre\""));
    // the whole way of the tip: 11 points
    let trail = &attributes(&full, "<path class=\"trail", "d")[0];
    assert_eq!(numbers(trail).len(), 22, "{trail}");
}

#[test]
fn names_and_titles_are_text_and_never_markup() {
    let mut film = turning_bar();
    let evil = "</script></title><b onload=\"x\">&'";
    film.sketch.parts[0].name = evil.to_owned();
    let scene = Scene::new(evil, film).expect("a bar");
    let options = StillOptions { names: true, caption: evil.to_owned(), ..at(0) };
    let svg = scene.still(&options);
    assert_well_formed(&without_style(&svg));
    assert!(
        !svg.contains("<b ") && svg.matches("&lt;b onload=&quot;x&quot;&gt;&amp;").count() >= 3
    );
}

#[test]
fn a_pin_whose_ends_are_apart_is_open_and_red() {
    let carrier = Carrier::Point([0, 1]);
    let ends = [Anchor::ground([0.0, 0.0]), Anchor { carrier, at: [0.0, 0.0] }];
    let pin = |x: f64| {
        let pin = PartShape::Pin { ends, force: None, welded: false };
        let bar = PartShape::Bar([Anchor::ground([0.0, 0.0]), Anchor::ground([1.0, 0.0])]);
        still(film(vec![("bar", bar), ("O", pin)], vec![vec![x], vec![0.0]]), &at(0))
    };
    assert!(!pin(1e-9).contains("class=\"gap\""));
    let open = pin(0.25);
    let gap = numbers(&attributes(&open, "<path class=\"gap\"", "d")[0]);
    let bar = numbers(&attributes(&open, "<path class=\"disc", "d")[0]);
    // the bar of 1 m says how long 0.25 m is
    let (length, metre) = (gap[2] - gap[0], bar[2] - bar[0]);
    assert!((length / metre - 0.25).abs() < 0.01, "{length} px of {metre} px");
    assert_eq!(open.matches("class=\"open\"").count(), 2);
}

#[test]
fn arrows_are_to_one_scale_and_have_the_sign_of_their_components() {
    let force = |components| PartShape::Force { at: Anchor::ground([0.0, 0.0]), components };
    let bar = PartShape::Bar([Anchor::ground([-1.0, 0.0]), Anchor::ground([1.0, 0.0])]);
    let parts = vec![("bar", bar), ("push", force([0, 1])), ("pull", force([2, 3]))];
    let svg = still(film(parts, vec![vec![30.0], vec![40.0], vec![-10.0], vec![0.0]]), &at(0));
    let arrows: Vec<Vec<f64>> =
        attributes(&svg, "<path class=\"arrow applied\"", "d").iter().map(|d| numbers(d)).collect();
    let [push, pull] = &arrows[..] else { panic!("{arrows:?}") };
    let vector = |d: &[f64]| [d[2] - d[0], d[3] - d[1]];
    let ([px, py], [qx, qy]) = (vector(push), vector(pull));
    assert!(px > 0.0 && py < 0.0 && qx < 0.0 && qy == 0.0, "y is up: {arrows:?}");
    let ratio = px.hypot(py) / qx.hypot(qy);
    assert!((ratio - 5.0).abs() < 0.05, "50 N and 10 N: {ratio}");
    assert!((py / px + 4.0 / 3.0).abs() < 0.01);
}

#[test]
fn what_is_not_a_number_is_not_drawn() {
    let carrier = Carrier::Body([0, 1, 2]);
    let ends = [Anchor::ground([0.0, 0.0]), Anchor { carrier, at: [0.0, 0.0] }];
    let nan = f64::NAN;
    let parts = || {
        vec![
            ("bar", PartShape::Link { carrier, points: vec![[0.0, 0.0], [1.0, 0.0]] }),
            ("O", PartShape::Pin { ends, force: Some([3, 4]), welded: false }),
            ("tip", PartShape::Trail(Anchor { carrier, at: [1.0, 0.0] })),
        ]
    };
    let everything = StillOptions {
        frames: vec![0, 1, 2],
        names: true,
        centres: true,
        forces: true,
        trails: true,
        caption: String::new(),
    };
    for broken in 0..5 {
        let mut tracks = vec![vec![0.0, 0.1, 0.2]; 5];
        tracks[broken][1] = nan;
        tracks[broken][2] = f64::INFINITY;
        let film = film(parts(), tracks);
        let svg = still(film.clone(), &everything);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "track {broken}: {svg}");
        let scene = Scene::new("", film).expect("parts");
        let filmed = Filmed { scene, label: String::new(), verdict: None };
        let page = Player {
            title: String::new(),
            about: String::new(),
            films: vec![filmed],
            figure: None,
            clock: None,
            duration: None,
            speed: None,
        };
        let page = page.to_html();
        let (_, data) = page.split_once("id=\"catena-data\">").expect("data");
        let (data, _) = data.split_once("</script>").expect("its end");
        assert!(!data.contains("NaN") && !data.contains("inf"), "track {broken}: {data}");
    }
}

/// Pixels of a film in which a pin runs along a slot.
fn slot(turns: bool) -> (String, f64) {
    let guide = Anchor::ground([0.0, 0.0]);
    let block = Anchor { carrier: Carrier::Body([0, 1, 2]), at: [0.0, 0.0] };
    let parts = vec![
        ("slot", PartShape::Slide { guide, axis: [1.0, 0.0], block, turns }),
        ("bar", PartShape::Bar([Anchor::ground([0.0, -1.0]), Anchor::ground([1.0, -1.0])])),
    ];
    let x = vec![0.2, 1.4, 0.7];
    let svg = still(film(parts, vec![x, vec![0.0; 3], vec![0.0; 3]]), &at(0));
    let bar = numbers(&attributes(&svg, "<path class=\"disc", "d")[0]);
    (svg.clone(), bar[2] - bar[0])
}

#[test]
fn slots_and_rails_reach_as_far_as_what_runs_in_them() {
    for (turns, class) in [(true, "<path class=\"hole\""), (false, "<path class=\"rail\"")] {
        let (svg, metre) = slot(turns);
        let d = numbers(&attributes(&svg, class, "d")[0]);
        let (from, to) = (d[0].min(d[2]) / metre, d[0].max(d[2]) / metre);
        assert!(from < 0.2 && to > 1.4, "from {from} m to {to} m");
        assert!(from > -0.4 && to < 2.0, "and not much farther: from {from} m to {to} m");
    }
}

#[test]
fn a_page_says_that_it_can_be_played_and_has_unique_ids() {
    let scene = Scene::new("Bar", turning_bar()).expect("a bar");
    let player = Player {
        title: "Bar".to_owned(),
        about: "by hand".to_owned(),
        films: vec![Filmed { scene, label: String::new(), verdict: None }],
        figure: None,
        clock: Some([String::new(), "s".to_owned()]),
        duration: None,
        speed: None,
    };
    let page = player.to_html();
    let mut ids = attributes(&page, "<", "id");
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "{ids:?}");
    assert!(ids.iter().any(|id| id == "play") && ids.iter().any(|id| id == "scrub"));
    // without forces, names and open joints there are no boxes for them
    assert!(!page.contains("id=\"forces\"") && !page.contains("id=\"gaps\""));
}

/// A GIF that takes 20 s.
fn in_seconds() -> GifClock {
    let clock = Some([String::new(), "s".to_owned()]);
    GifClock { clock, duration: 20.0, speed: Some(1.0) }
}

#[test]
fn a_gif_shows_all_films() {
    let scene = Scene::new("Bar", turning_bar()).expect("a bar");
    let size = |scenes: &[&Scene]| {
        let bytes = gif(scenes, &in_seconds(), &mut |_| false).expect("nobody stopped it");
        [6, 8].map(|at| u16::from_le_bytes([bytes[at], bytes[at + 1]]))
    };
    let ([one_width, one_height], [two_width, two_height]) =
        (size(&[&scene]), size(&[&scene, &scene]));
    assert_eq!(one_width, two_width);
    assert!(one_height.abs_diff(2 * two_height) <= 2, "two in a row are half as high");
}

#[test]
fn a_slow_gif_has_more_frames_of_the_same_film() {
    let scene = Scene::new("Bar", turning_bar()).expect("a bar");
    let frames = |duration: f64| {
        let mut told = 0;
        let clock = GifClock { duration, ..in_seconds() };
        gif(&[&scene], &clock, &mut |_| {
            told += 1;
            false
        })
        .expect("nobody stopped it");
        told
    };
    assert_eq!(frames(0.2), 6);
    assert_eq!(frames(0.4), 11);
}

#[test]
fn a_gif_repeats_and_has_its_frames() {
    let scene = Scene::new("Bar", turning_bar()).expect("a bar");
    let mut told = Vec::new();
    let bytes = gif(&[&scene], &in_seconds(), &mut |part| {
        told.push(part);
        false
    });
    let bytes = bytes.expect("nobody stopped it");
    assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(&[0x3b]));
    assert_eq!(u16::from_le_bytes([bytes[6], bytes[7]]), 640);
    assert!(bytes.windows(11).any(|window| window == b"NETSCAPE2.0"));
    // a graphic control extension stands before every frame
    let frames = bytes.windows(3).filter(|window| *window == [0x21, 0xf9, 0x04]).count();
    assert_eq!(frames, 11);
    assert_eq!(told.len(), 11);
    assert!(told.is_sorted() && told.iter().all(|part| (0.0..=1.0).contains(part)));
}

#[test]
fn a_gif_is_given_up_when_its_reader_says_so() {
    let scene = Scene::new("Bar", turning_bar()).expect("a bar");
    assert!(gif(&[&scene], &in_seconds(), &mut |part| part > 0.3).is_none());
}

#[test]
fn a_film_is_as_fast_as_the_eye_follows() {
    let bar = turning_bar();
    // a second can be followed, but is over too soon; a thousandth cannot
    assert_eq!(Pace::of(&bar).speed, 0.5);
    let mut fast = bar;
    fast.times.iter_mut().for_each(|time| *time *= 1e-3);
    assert_eq!(Pace::of(&fast).speed, 5e-4);
}
