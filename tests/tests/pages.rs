//! Pages: one file that opens without a network, whatever the model is called and however long it moves.

use catena::figure::{Gallery, GalleryEntry};
use catena::model::{Film, PartShape};
use catena::{Animation, FrameTimes, Model, Report, RunSettings, Scene, StillOptions};
use catena_tests::{ready, written};
use serde_json::Value;

fn film(model: &Model, settings: &RunSettings, frames: FrameTimes) -> catena::Run {
    let run = catena::film_run(model, settings, &frames, &mut |_| false);
    run.unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

/// The page of a run, with its plots.
fn page(model: &Model, settings: &RunSettings) -> String {
    let run = film(model, settings, FrameTimes::ToWatch);
    let figure = catena::run_figure(&model.title, &run, &[]);
    let player = Animation::of_run(&model.title, &run, Some(figure)).player();
    player.expect("something moves").to_html()
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"catena-data\">").expect("the page has data");
    let (data, _) = rest.split_once("</script>").expect("data end");
    serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}"))
}

/// Nothing is fetched: no address but the name space of vector graphics, no source, no link.
fn assert_self_contained(page: &str) {
    let text = page.replace("http://www.w3.org/2000/svg", "");
    let text = text.replace("http://www.w3.org/1998/Math/MathML", "");
    for way in ["http://", "https://", "src=", "href=", "@import", "<link", "url(", "fetch("] {
        assert!(!text.contains(way), "the page has `{way}`");
    }
}

/// Every element of a page is closed in its order, and every id is there once.
fn assert_balanced(page: &str) {
    const VOID: [&str; 5] = ["meta", "input", "br", "hr", "!doctype"];
    let mut open: Vec<&str> = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default();
        assert_eq!(tag.matches('"').count() % 2, 0, "an attribute is quoted: {tag}");
        if let Some((_, id)) = tag.split_once(" id=\"") {
            ids.extend(id.split('"').next());
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closed before: {}", &rest[..rest.len().min(80)]);
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
            // what is in them is no markup
            if name == "script" || name == "style" {
                rest = &rest[rest.find(&format!("</{name}>")).expect("it ends")..];
            }
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "ids are unique: {ids:?}");
}

/// The children of the first element of a class.
fn children(page: &str, class: &str) -> usize {
    let start = page.find(&format!("class=\"{class}\">")).expect("it is there");
    let mut rest = &page[start + page[start..].find('>').expect("a tag ends") + 1..];
    let (mut depth, mut count) = (0, 0);
    loop {
        let start = rest.find('<').expect("it is closed");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('/') {
            if depth == 0 {
                return count;
            }
            depth -= 1;
        } else {
            count += usize::from(depth == 0);
            depth += usize::from(!tag.ends_with('/'));
        }
    }
}

#[test]
fn the_pages_of_all_ready_systems_are_whole_and_need_no_network() {
    for system in catena::systems::SYSTEMS {
        let model = ready(system.name, &[]);
        let page = page(&model, &RunSettings::new().t_end(0.5).no_certify());
        assert_self_contained(&page);
        assert_balanced(&page);
        let data = data(&page);
        let film = &data["films"][0];
        let pieces = film["pieces"].as_array().expect("pieces").len();
        assert_eq!(pieces, children(&page, "stage"), "{}: one element a piece", system.name);
        for number in ["speed", "duration"] {
            assert!(data[number].as_f64().is_some_and(|n| n > 0.0), "{}: {number}", system.name);
        }
        assert!(data["plots"].is_object(), "{}", system.name);
    }
}

#[test]
fn ten_seconds_of_a_long_chain_are_less_than_3_mb() {
    let model = ready("chain", &["links=40"]);
    let page = page(&model, &RunSettings::new().t_end(10.0).no_certify());
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    let frames = data(&page)["films"][0]["frames"].as_f64().expect("a number");
    assert!(frames / 10.0 >= 30.0, "{frames} frames in 10 s");
}

#[test]
fn whatever_a_model_is_called_its_page_stays_a_page() {
    let evil = r#"</script><b class='x'>\" & <!-- "#;
    let model = written(&format!(
        r#"
        title = "{evil}"
        [[body]]
        name = "arm"
        mass = 1
        length = 1
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "arm.A"]
        "#
    ));
    let settings = RunSettings::new().t_end(0.2).no_certify();
    let page = page(&model, &settings);
    let run = film(&model, &settings, FrameTimes::ToWatch);
    let diagnosis = catena::diagnose(&model);
    let figure = catena::run_figure(&model.title, &run, &[]);
    let commands = vec![evil.to_owned()];
    let (model, diagnosis, run) = (&model, &diagnosis, &run);
    let report = Report { model, diagnosis, derivation: None, run, figure, commands };
    let scene = Scene::new(evil, run.film.clone().expect("a film")).expect("an arm");
    let entry = || GalleryEntry {
        scene: Scene::new(evil, run.film.clone().unwrap_or_default()).expect("an arm"),
        text: evil.to_owned(),
        command: evil.to_owned(),
    };
    let gallery =
        Gallery { title: evil.to_owned(), about: evil.to_owned(), entries: vec![entry()] };
    for page in [page, report.to_html(), gallery.to_html()] {
        assert_balanced(&page);
        assert_self_contained(&page);
        data(&page);
        assert!(!page.contains("<b class"), "the title became markup");
    }
    let still = scene.still(&StillOptions { names: true, ..StillOptions::default() });
    assert!(!still.contains("<b class"));
}

#[test]
fn runs_that_are_not_numbers_still_make_pages_that_can_be_read() {
    let model = ready("double-pendulum", &[]);
    let settings = RunSettings::new().t_end(1.0).no_certify();
    let mut run = film(&model, &settings, FrameTimes::Evenly(30));
    let film: &mut Film = run.film.as_mut().expect("a film");
    for (at, track) in film.tracks.iter_mut().enumerate() {
        track[20 + at % 5..].fill(if at % 2 == 0 { f64::NAN } else { f64::INFINITY });
    }
    film.energy_error[20..].fill(f64::INFINITY);
    let player = Animation::of_run("", &run, None).player().expect("something moves");
    let page = player.to_html();
    data(&page);
    assert_balanced(&page);
    let (elements, _) = page.split_once("<script").expect("a script");
    assert!(!elements.contains("NaN") && !elements.contains("inf"), "elements have numbers");
}

#[test]
fn a_comparison_has_a_film_for_each_and_one_clock() {
    let model = ready("four-bar-bodies", &[]);
    let settings = RunSettings::new().t_end(0.5).no_certify();
    let one = film(&model, &settings.clone().formulation("projection"), FrameTimes::Evenly(40));
    let other = film(&model, &settings.formulation("multipliers"), FrameTimes::Evenly(30));
    let mut animation = Animation::of_run("Two", &one, None);
    animation.films.extend(Animation::of_run("Two", &other, None).films);
    for (film, label) in animation.films.iter_mut().zip(["first", "second"]) {
        film.label = label.to_owned();
    }
    let page = animation.player().expect("something moves").to_html();
    let data = data(&page);
    let films = data["films"].as_array().expect("films");
    assert_eq!(films.len(), 2);
    assert_eq!(films[0]["frames"], films[1]["frames"]);
    assert!(page.contains("<strong>first</strong>") && page.contains("<strong>second</strong>"));
    assert_balanced(&page);
}

#[test]
fn a_report_has_every_section() {
    let model = ready("four-bar-bodies", &[]);
    let run = film(&model, &RunSettings::new().t_end(0.5), FrameTimes::ToWatch);
    let diagnosis = catena::diagnose(&model);
    let derivation = catena::derive(&model, catena::CoordinateSet::Own).expect("equations");
    let report = Report {
        model: &model,
        diagnosis: &diagnosis,
        derivation: Some(&derivation),
        run: &run,
        figure: catena::run_figure("", &run, &[]),
        commands: ["catena report four-bar-bodies", "catena run a"].map(str::to_owned).to_vec(),
    };
    let page = report.to_html();
    assert_balanced(&page);
    assert_self_contained(&page);
    for heading in [
        "The model",
        "Motion from 0 s to 0.5 s",
        "Forces in joints",
        "Energy",
        "How good it is",
        "Coordinates and parameters",
        "Equations of motion",
        "Made by",
    ] {
        assert!(page.contains(&format!("<h2>{heading}</h2>")), "`{heading}` is missing");
    }
    assert!(
        page.contains("catena report four-bar-bodies\ncatena run a"),
        "a line for each command"
    );
    // the equations are folded, the verdict is on top, every joint has its largest force
    assert!(page.contains("<details><summary>") && !page.contains("<details open"));
    assert!(page.contains(&format!("class=\"verdict {}\"", run.certificate.verdict.grade)));
    for part in &run.film.as_ref().expect("a film").sketch.parts {
        if let PartShape::Pin { force: Some(_), .. } = part.shape {
            assert!(page.contains(&format!("<tr><td>{}</td>", part.name)), "{}", part.name);
        }
    }
}
