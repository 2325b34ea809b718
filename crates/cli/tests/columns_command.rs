//! What the command line says about columns, events, tolerances and early ends, and the page that `derive` writes.
#![cfg(unix)]

mod process;

use process::Folder;

/// A pendulum with two events, and a definition that no column shows by itself.
const SWING: &str = r#"title = "Swing"
[parameters]
g = 9.81
[coordinates]
theta = "angle"
[definitions]
tip_x = "0.15*sin(theta)"
[energy]
kinetic = "0.15*theta'^2"
potential = "-0.3*g*cos(theta)"
[initial]
theta = 1
[events]
bottom = "theta"
turn = { when = "theta'", direction = -1 }
[run]
t_end = 10
"#;

fn header(text: &str) -> Vec<&str> {
    text.lines().next().unwrap_or_default().split(',').collect()
}

#[test]
fn everything_with_a_name_can_be_asked_for() {
    let folder = Folder::new("everything with a name");
    let model = folder.with("swing.toml", SWING);
    let asked = "tip_x,tip_x',tip_x'',theta'',t";
    let answer = folder.run(&["run", &model, "--columns", asked, "-o", "rows.csv"]);
    assert_eq!(answer.code, Some(0), "{}", answer.message);
    assert_eq!(header(&folder.text("rows.csv")), ["t", "tip_x", "tip_x'", "tip_x''", "theta''"]);
    let answer = folder.run(&["run", "four-bar-bodies", "--columns", "B_*", "-o", "rows.csv"]);
    assert_eq!(answer.code, Some(0), "{}", answer.message);
    assert_eq!(header(&folder.text("rows.csv")), ["t", "B_fx", "B_fy"]);
    for command in [
        &["analyze", "spectrum", &model, "--column", "tip_x'"][..],
        &["analyze", "phase", &model, "--x", "tip_x", "--y", "tip_x'"],
        &["sweep", &model, "--over", "theta=1:2:2", "--measure", "max:tip_x''"],
        &["analyze", "kinematics", "four-bar-bodies", "--drive", "crank_angle", "--columns", "B_f"],
    ] {
        let answer = folder.run(command);
        assert_eq!(answer.code, Some(0), "{command:?}: {}", answer.message);
    }
}

#[test]
fn a_pattern_without_a_match_names_what_is_near() {
    let folder = Folder::new("patterns");
    for command in [
        &["run", "four-bar-bodies", "--columns", "Q_*"][..],
        &["analyze", "inverse", "four-bar-bodies", "--drive", "crank_angle", "--columns", "Q_*"],
    ] {
        let answer = folder.run(command);
        assert_eq!(answer.code, Some(2), "{}", answer.output);
        assert!(answer.message.contains("no column matches `Q_*`"), "{}", answer.message);
    }
    let answer = folder.run(&["run", "four-bar-bodies", "--columns", "CRANK_angel*"]);
    assert!(answer.message.contains("crank_angle"), "{}", answer.message);
}

#[test]
fn tables_for_people_show_units() {
    let folder = Folder::new("units");
    let drive = ["four-bar-bodies", "--drive", "crank_angle"];
    let answer = folder.run(&[&["analyze", "inverse"][..], &drive].concat());
    for heading in ["drive_torque, N m", "B_fx, N", "at crank_angle, rad"] {
        assert!(answer.output.contains(heading), "{heading}: {}", answer.output);
    }
    let json = folder.run(&[&["analyze", "kinematics"][..], &drive, &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json.output).expect("one JSON object");
    assert_eq!(json["units"]["crank_angle'"], "rad/s");
    let sweep = ["sweep", "four-bar-bodies", "--over", "crank_angle=1:2:2", "--measure", "max:B_f"];
    let answer = folder.run(&sweep);
    assert!(answer.output.contains("max:B_f, N"), "{}", answer.output);
}

#[test]
fn events_are_counted_by_name_and_say_where_they_are() {
    let folder = Folder::new("events");
    let model = folder.with("swing.toml", SWING);
    let answer = folder.run(&["run", &model, "-o", "rows.csv"]);
    let events = folder.text("rows.events.csv");
    for name in ["bottom", "turn"] {
        let times: Vec<f64> = events
            .lines()
            .filter(|line| line.starts_with(&format!("\"{name}\",")))
            .map(|line| line.split(',').nth(1).expect("a time").parse().expect("a number"))
            .collect();
        assert!(times.len() > 2);
        let line = format!("{name} {} times, first at {:.2}", times.len(), times[0]);
        // the line may have more digits
        let line = line.trim_end_matches(|c: char| c.is_ascii_digit());
        assert!(answer.output.contains(line), "{line}: {}", answer.output);
    }
    let count = events.lines().count() - 1;
    assert!(
        answer.output.contains(&format!("{count} events in rows.events.csv")),
        "{}",
        answer.output
    );
    let answer = folder.run(&["run", &model, "--to", "0.6"]);
    assert!(answer.output.contains("bottom once, at 0."), "{}", answer.output);
}

#[test]
fn energy_is_that_at_the_start_and_states_have_none() {
    let folder = Folder::new("energy");
    let answer = folder.run(&["run", "double-pendulum", "--to", "0.1"]);
    assert!(answer.output.contains(" J at the start, balance kept to"), "{}", answer.output);
    let answer = folder.run(&["run", "lorenz", "--to", "0.1"]);
    assert!(!answer.output.contains("energy"), "{}", answer.output);
}

#[test]
fn a_small_rtol_alone_is_told_that_atol_counts() {
    let folder = Folder::new("tolerance");
    let answer = folder.run(&["run", "double-pendulum", "--to", "0.1", "--rtol", "1e-15"]);
    let said = "atol is 1e-9, which counts more than rtol, 1e-15";
    assert!(answer.output.contains(said), "{}", answer.output);
}

#[test]
fn formulations_that_do_not_fit_are_left_out_in_one_line() {
    let folder = Folder::new("left out");
    let answer = folder.run(&["compare", "double-pendulum", "--to", "0.1"]);
    let lines: Vec<&str> =
        answer.output.lines().filter(|line| line.starts_with("left out")).collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let reason = "the model has no constraints";
    assert_eq!(lines[0].matches(reason).count(), 1, "{}", lines[0]);
    assert!(lines[0].contains("multipliers") && lines[0].contains("ggl"), "{}", lines[0]);
}

/// The last row is where the motion stopped, and the rows before it are those of the grid.
#[test]
fn a_run_that_stops_early_has_a_row_where_it_stopped() {
    let folder = Folder::new("early");
    let model = folder.with(
        "edge.toml",
        "coordinates = { x = \"bead\" }\ninitial = { \"x'\" = 1 }\n[energy]\nkinetic = \"1/2*x'^2\"\n\
         [forces]\nx = \"sqrt(1 - x) + 1\"\n",
    );
    let answer = folder.run(&["run", &model, "--to", "10", "--every", "0.2", "-o", "rows.json"]);
    assert_eq!(answer.code, Some(1), "{}", answer.output);
    let run: serde_json::Value =
        serde_json::from_str(&folder.text("rows.json")).expect("one JSON object");
    let times: Vec<f64> = run["columns"]["t"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|time| time.as_f64().expect("a number"))
        .collect();
    let (last, grid) = times.split_last().expect("rows");
    assert_eq!(run["certificate"]["time"].as_f64(), Some(*last));
    for (row, time) in grid.iter().enumerate() {
        assert_eq!(*time, row as f64 * 0.2);
    }
    assert!(last - grid.last().expect("the start") < 0.2 && *last > 0.5, "{times:?}");
}

#[test]
fn a_range_without_a_natural_end_says_where_it_ends() {
    let folder = Folder::new("range");
    let slide = ["analyze", "kinematics", "slider-crank-bodies", "--drive", "slider_x"];
    let answer = folder.run(&slide);
    assert!(answer.output.contains("no end is named: slider_x, m"), "{}", answer.output);
    let turn = ["analyze", "kinematics", "slider-crank-bodies", "--drive", "crank_angle"];
    assert!(!folder.run(&turn).output.contains("no end is named"));
}

#[test]
fn the_page_of_a_derivation_lists_its_letters_and_keeps_decimals() {
    let folder = Folder::new("page");
    let model = folder.with("swing.toml", SWING.replace("theta", "swing_angle"));
    let page = folder.run(&["derive", &model, "--format", "html"]).output;
    for part in [
        "<caption>Coordinates</caption>",
        "<caption>Parameters</caption>",
        "<td class=\"number\">9.81</td>",
        "<td>rad</td>",
        "'STIX Two Math'",
        "prefers-color-scheme: dark",
        "@media print",
        "<mn>0.15</mn>",
        "mtable.matrix",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<mn>3</mn><mn>20</mn>"), "0.15 became a fraction");
    assert!(page.contains('″') && !page.contains("<mi>swing</mi><mo stretchy"), "dots over words");
    for outside in ["http://", "https://", "<script", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
}
