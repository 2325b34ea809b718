//! Pictures and films from the command line: what is drawn, what is said when nothing can be, and what is refused.

mod process;

use process::Folder;

const OPEN_LOOP: &str = include_str!("../../../tests/browser/models/open-loop.toml");

/// An oscillator that does not say what it looks like.
const UNSEEN: &str = r#"title = "Oscillator"
coordinates = { x = "mass" }
initial = { x = 1 }
run = { t_end = 1 }
[energy]
kinetic = "1/2*x'^2"
potential = "1/2*x^2"
"#;

/// A mass that cannot go beyond x = 1, where the force ends.
const ENDS_EARLY: &str = r#"title = "Ends early"
coordinates = { x = "mass" }
initial = { x = 0, "x'" = 1 }
run = { t_end = 4 }
[energy]
kinetic = "1/2*x'^2"
[forces]
x = "sqrt(1 - x)"
[draw]
mass = { as = "disc", points = [["x", "0"]] }
"#;

#[test]
fn the_start_is_drawn_in_every_format_under_its_own_name() {
    let folder = Folder::new("the start is drawn");
    let said = folder.run(&["draw", "double-wishbone"]).printed();
    assert_eq!(said, "drawn in double-wishbone.svg\n");
    assert!(folder.text("double-wishbone.svg").starts_with("<svg"));
    for (ending, begins) in
        [("png", &b"\x89PNG"[..]), ("pdf", b"%PDF-"), ("html", b"<!doctype html>")]
    {
        let file = format!("it.{ending}");
        folder.run(&["draw", "double-wishbone", "-o", &file]).printed();
        assert!(folder.read(&file).starts_with(begins), "{file}");
    }
}

#[test]
fn several_poses_are_drawn_pale_and_the_last_one_full() {
    let folder = Folder::new("several poses");
    folder.run(&["draw", "single-pendulum", "--poses", "4", "-o", "p.svg"]).printed();
    let svg = folder.text("p.svg");
    assert_eq!(svg.matches("<g opacity=").count(), 4);
    assert!(svg.contains("4 poses"), "{svg}");
    folder.run(&["draw", "single-pendulum", "--at", "250 ms,1 s", "-o", "p.svg"]).printed();
    assert_eq!(folder.text("p.svg").matches("<g opacity=").count(), 2);
}

#[test]
fn marks_are_drawn_when_they_are_asked_for() {
    let folder = Folder::new("marks");
    let system = "four-bar-bodies";
    folder.run(&["draw", system, "-o", "bare.svg"]).printed();
    let bare = folder.text("bare.svg");
    for (flag, sign) in [
        ("--names", "class=\"name\""),
        ("--centres", "class=\"centre\""),
        ("--forces", "class=\"arrow\""),
        ("--trails", "class=\"trail"),
    ] {
        folder.run(&["draw", system, flag, "-o", "marked.svg"]).printed();
        let marked = folder.text("marked.svg");
        assert!(marked.contains(sign) && !bare.contains(sign), "{flag}");
    }
}

#[test]
fn a_loop_that_does_not_close_is_drawn_with_its_gaps_in_red() {
    let folder = Folder::new("an open loop");
    folder.write("open.toml", OPEN_LOOP);
    let checked = folder.run(&["check", "open.toml", "--draw", "gap.svg"]);
    assert_eq!(checked.code, Some(1));
    assert!(checked.output.contains("drawn in gap.svg"), "{}", checked.output);
    let svg = folder.text("gap.svg");
    assert!(svg.contains("class=\"gap\"") && svg.contains("class=\"open\""));
    assert!(svg.contains(".still .gap{stroke:#d0021b"), "gaps are red");
    // the sentence of the diagnosis, and the picture is there
    let message = folder.run(&["draw", "open.toml", "-o", "own.svg"]).refused(1);
    assert!(message.contains("cannot be closed") && message.contains("`C` stays"), "{message}");
    assert!(message.contains("own.svg shows the pose nearest to it"), "{message}");
    assert!(folder.text("own.svg").contains("class=\"gap\""));
    // a mechanism that closes has none
    folder.run(&["check", "four-bar-bodies", "--draw", "closed.svg"]).printed();
    assert!(!folder.text("closed.svg").contains("class=\"gap\""));
}

#[test]
fn a_model_that_does_not_say_what_it_looks_like_is_told_how_to() {
    let folder = Folder::new("nothing to draw");
    folder.write("m.toml", UNSEEN);
    for command in [
        "draw m.toml -o p.svg",
        "draw m.toml --poses 3 -o p.svg",
        "check m.toml --draw p.svg",
        "run m.toml -o t.csv --animate p.html",
        "run m.toml --animate p.gif",
        "analyze modes m.toml --animate p.html",
    ] {
        let message = folder.run(&command.split(' ').collect::<Vec<_>>()).refused(1);
        assert!(message.contains("`Oscillator` has nothing to draw"), "{command}: {message}");
        assert!(message.contains("[draw]"), "{command}: {message}");
        assert!(!folder.path("p.svg").exists() && !folder.path("t.csv").exists(), "{command}");
    }
    // a report needs no picture
    folder.run(&["report", "m.toml", "-o", "r.html"]).printed();
    assert!(folder.text("r.html").contains("<h2>Energy</h2>"));
}

#[test]
fn moments_that_are_no_part_of_the_motion_are_refused_by_their_own_name() {
    let folder = Folder::new("wrong moments");
    for (command, said) in [
        ("draw single-pendulum --at -1", "--at -1 s is before the start at 0 s"),
        ("draw single-pendulum --start 2 --at 1,3", "--at 1 s is before the start at 2 s"),
        ("draw single-pendulum --to 2 --at 1,3", "--at 3 s is after the end at 2 s"),
        ("draw single-pendulum --at x", "--at"),
        ("draw single-pendulum --poses 0", "--poses"),
        ("draw single-pendulum --poses -3", "--poses"),
        ("draw single-pendulum --poses 2 --at 1", "cannot be used with"),
    ] {
        let arguments: Vec<&str> = command.split(' ').chain(["-o", "p.svg"]).collect();
        let message = folder.run(&arguments).refused(2);
        assert!(message.contains(said), "{command}: {message}");
        assert!(!folder.path("p.svg").exists(), "{command}");
    }
}

#[test]
fn the_start_is_a_moment_too_and_moments_may_lie_beyond_the_end_of_the_file() {
    let folder = Folder::new("the start is a moment");
    folder.run(&["draw", "single-pendulum", "--at", "0", "-o", "start.svg"]).printed();
    folder.run(&["draw", "single-pendulum", "-o", "plain.svg"]).printed();
    assert_eq!(folder.text("start.svg"), folder.text("plain.svg"));
    folder.run(&["draw", "single-pendulum", "--at", "0,0,1", "-o", "two.svg"]).printed();
    assert_eq!(folder.text("two.svg").matches("<g opacity=").count(), 2);
    folder.run(&["draw", "single-pendulum", "--at", "1000", "-o", "late.svg"]).printed();
    assert!(folder.text("late.svg").contains("t = 1000 s"));
}

#[test]
fn files_of_other_kinds_and_the_model_itself_are_not_written() {
    let folder = Folder::new("wrong files");
    folder.write("m.svg", ENDS_EARLY);
    folder.write("m.html", ENDS_EARLY);
    for (command, said) in [
        ("draw m.svg -o p.jpeg", ".svg, .png, .pdf, .html"),
        ("run m.svg --animate p.svg", ".html, .gif"),
        ("run m.svg --animate p", ".html, .gif"),
        ("report m.svg -o p.pdf", ".html"),
        ("gallery -o p.svg", ".html"),
        ("draw m.svg", "would replace"),
        ("draw m.svg -o ./m.svg", "would replace"),
        ("check m.svg --draw m.svg", "would replace"),
        ("run m.html --animate m.html", "would replace"),
        ("report m.html", "would replace"),
        ("run m.html --plot p.html --animate p.html", "are one file"),
    ] {
        let message = folder.run(&command.split(' ').collect::<Vec<_>>()).refused(2);
        assert!(message.contains(said), "{command}: {message}");
    }
    assert_eq!(folder.text("m.svg"), ENDS_EARLY);
    assert_eq!(folder.text("m.html"), ENDS_EARLY);
}

#[test]
fn a_run_that_fails_half_way_is_shown_up_to_there() {
    let folder = Folder::new("fails half way");
    folder.write("m.toml", ENDS_EARLY);
    let run = folder.run(&["run", "m.toml", "--animate", "m.html"]);
    assert_eq!(run.code, Some(1));
    assert!(folder.text("m.html").contains("catena-data"));
    let message = folder.run(&["draw", "m.toml", "--poses", "3", "-o", "m.svg"]).refused(1);
    assert!(message.contains("the picture shows how far it came"), "{message}");
    assert!(folder.text("m.svg").contains("class=\"disc"));
}

#[test]
fn a_film_is_a_page_or_a_picture_that_moves() {
    let folder = Folder::new("films");
    let run = ["run", "double-pendulum", "--to", "1", "--no-certify", "--animate"];
    let said = folder.run(&[&run[..], &["p.html"]].concat()).printed();
    assert!(said.contains("moving in p.html"), "{said}");
    assert!(folder.text("p.html").contains("id=\"scrub\""));
    folder.run(&[&run[..], &["p.gif"]].concat()).printed();
    let gif = folder.read("p.gif");
    assert!(gif.starts_with(b"GIF89a") && gif.ends_with(&[0x3b]));
    for command in [
        "analyze kinematics quick-return --animate a.html",
        "analyze modes triple-pendulum --animate a.html",
        "analyze inverse slider-crank --drive theta --animate a.html",
        "compare single-pendulum --to 0.5 --animate a.html",
    ] {
        folder.run(&command.split(' ').collect::<Vec<_>>()).printed();
        let page = folder.text("a.html");
        assert!(page.contains("class=\"stage\"") && page.contains("id=\"play\""), "{command}");
        std::fs::remove_file(folder.path("a.html")).expect("it is there");
    }
}

#[test]
fn the_gallery_has_every_system_with_the_command_for_it() {
    let folder = Folder::new("gallery");
    folder.run(&["gallery", "-o", "g.html"]).printed();
    let page = folder.text("g.html");
    for system in catena::systems::SYSTEMS {
        let command = format!("catena run {0} --animate {0}.html", system.name);
        assert!(page.contains(&command), "{}", system.name);
    }
    assert_eq!(page.matches("class=\"stage\"").count(), catena::systems::SYSTEMS.len());
}

#[test]
fn a_report_says_how_it_was_made() {
    let folder = Folder::new("report");
    let said = folder.run(&["report", "four-bar-bodies", "--to", "0.5"]).printed();
    assert!(said.contains("report in four-bar-bodies.html"), "{said}");
    let page = folder.text("four-bar-bodies.html");
    assert!(page.contains("catena report four-bar-bodies --to 0.5"));
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_film_keeps_what_was_seen() {
    let folder = Folder::new("interrupted film");
    let run = "run double-pendulum --to 1e7 --every 10 --no-certify --animate p.html";
    let mut running = folder.start(&run.split(' ').collect::<Vec<_>>());
    running.until_ctrl_c_is_caught();
    std::thread::sleep(std::time::Duration::from_millis(500));
    running.signal("INT");
    let answer = folder.answer(running.wait());
    assert_eq!(answer.code, Some(130), "{}{}", answer.output, answer.message);
    assert!(folder.text("p.html").contains("id=\"scrub\""));
    assert!(folder.parts().is_empty());
}

#[test]
fn a_film_is_as_slow_as_one_asks_and_says_how_fast_it_is() {
    let folder = Folder::new("slow motion");
    let run = |more: &[&str]| {
        folder.run(&[&["run", "double-pendulum", "--to", "0.4", "--no-certify"], more].concat())
    };
    let slow = run(&["--animate", "x.gif", "--speed", "1/4"]).printed();
    assert!(slow.contains("moving in x.gif, at 0.25 times the true speed"), "{slow}");
    run(&["--animate", "x.html", "--speed", "0.25"]).printed();
    assert!(folder.text("x.html").contains("\"speed\":0.25,"));
    for refused in [&["--animate", "x.html", "--speed", "0"][..], &["--speed", "2"]] {
        assert_eq!(run(refused).code, Some(2), "{refused:?}");
    }
}
