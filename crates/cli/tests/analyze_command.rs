//! What `catena analyze` answers, keeps and refuses.

mod process;

use process::{Folder, catena};
use serde_json::Value;

/// What is printed on standard output by a command that succeeds.
fn printed(arguments: &[&str]) -> String {
    catena(arguments).printed()
}

fn json(arguments: &[&str]) -> Value {
    let text = printed(arguments);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The exit code and the message, without its frame.
fn refused(arguments: &[&str]) -> (Option<i32>, String) {
    let answer = catena(arguments);
    let lines = answer.message.lines().filter(|line| line.trim() != "|");
    (answer.code, lines.collect::<Vec<_>>().join("\n"))
}

#[track_caller]
fn assert_refused(arguments: &[&str], code: i32, message: &str) {
    assert_eq!(refused(arguments), (Some(code), message.to_owned()));
}

/// A mass that falls for ever.
const FALLING: &str = r#"
title = "Stone"
coordinates = { y = "height" }
[energy]
kinetic = "y'^2"
potential = "19.62*y"
"#;

#[test]
fn every_question_of_the_catalogue_is_a_command() {
    let listed = printed(&["list", "analyses"]);
    for line in listed.lines() {
        let name = line.split_whitespace().next().expect("a name");
        let help = printed(&["analyze", name, "--help"]);
        for flag in ["--output", "--plot", "--show", "--json", "--set"] {
            assert!(help.contains(flag), "{name} has no {flag}");
        }
    }
    assert!(listed.lines().count() >= 7);
}

#[test]
fn modes_are_printed_kept_drawn_and_written_as_json() {
    let folder = Folder::new("modes");
    let (table, plot) = (folder.file("modes.csv"), folder.file("modes.svg"));
    let text =
        printed(&["analyze", "modes", "triple-pendulum", "-o", &table, "--plot", &plot, "--show"]);
    for part in ["0.321428609", "0.321427914", "stable: every mode dies out", "theta3"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let kept = std::fs::read_to_string(&table).expect("the table is kept");
    assert!(
        kept.starts_with(
            "natural_hz,damped_hz,damping_ratio,real,imaginary,relative_error,theta1,"
        )
    );
    assert_eq!(kept.lines().count(), 4);
    assert!(std::fs::read_to_string(&plot).expect("the picture is kept").starts_with("<svg"));

    let answer = json(&["analyze", "modes", "triple-pendulum", "--set", "R=0", "--json"]);
    assert_eq!(answer["question"], "modes");
    let frequency = answer["result"]["modes"][1]["natural_hz"].as_f64().expect("a number");
    assert!((frequency / 0.7550537677515682 - 1.0).abs() < 1e-14);
    assert!(answer["error_estimate"].as_f64().is_some_and(|error| error < 1e-12));
    assert_eq!(answer["result"]["modes"][0]["shape"]["theta3"]["amplitude"], 1.0);
}

#[test]
fn equilibria_of_a_double_pendulum_are_its_four_straight_poses() {
    let answer = json(&["analyze", "equilibrium", "double-pendulum", "--all", "--json"]);
    let list = answer["result"]["equilibria"].as_array().expect("a list");
    assert_eq!(list.len(), 4);
    let stable = list.iter().filter(|one| one["stability"] == "marginal").count();
    assert_eq!(stable, 1);
    for one in list {
        for angle in one["coordinates"].as_object().expect("by name").values() {
            assert!(angle.as_f64().expect("a number").sin().abs() < 1e-9);
        }
    }
    let text = printed(&["analyze", "equilibrium", "double-pendulum-cartesian"]);
    // the upper rod carries both bobs: 2 λ l = 2 m g
    assert!(text.contains("lambda_phi1   1.962000000"), "{text}");
}

#[test]
fn a_linear_model_is_a_file_that_runs() {
    let folder = Folder::new("linearize");
    let (linear, motion) = (folder.file("linear.toml"), folder.file("motion.csv"));
    printed(&["analyze", "linearize", "triple-pendulum", "--set", "theta1=0.1", "-o", &linear]);
    let rows = |arguments: &[&str]| {
        printed(
            &[arguments, &["--rtol", "1e-10", "--columns", "t,theta1,theta3", "-o", &motion]]
                .concat(),
        );
        let text = std::fs::read_to_string(&motion).expect("the motion is kept");
        let numbers = text.lines().skip(1).flat_map(|line| line.split(','));
        numbers.map(|number| number.parse().expect("a number")).collect::<Vec<f64>>()
    };
    let found = rows(&["run", &linear]);
    let expected = rows(&["run", "triple-pendulum", "--set", "theta1=0.1", "--linear"]);
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(&expected) {
        assert!((a - b).abs() < 1e-7, "{a} and {b}");
    }
    let answer = json(&["analyze", "linearize", "triple-pendulum", "--json"]);
    let stiffness = answer["result"]["minimal"]["stiffness"][0][0].as_f64().expect("a number");
    assert!((stiffness - 29.43).abs() < 1e-12);
}

#[test]
fn a_spectrum_shows_the_drive_and_all_three_modes() {
    let arguments = ["analyze", "spectrum", "triple-pendulum", "--linear", "--set", "R=0"];
    let times = ["--to", "200", "--every", "0.05", "--column", "theta1", "--json"];
    let answer = json(&[arguments.as_slice(), &times].concat());
    let peaks = answer["result"]["peaks"].as_array().expect("a list");
    let mut frequencies: Vec<f64> =
        peaks.iter().take(4).map(|peak| peak["frequency"].as_f64().expect("a number")).collect();
    frequencies.sort_by(f64::total_cmp);
    let resolution = answer["result"]["resolution_hz"].as_f64().expect("a number");
    let expected = [0.321427914109, 0.5, 0.755053767752, 1.250195876565];
    assert_eq!(frequencies.len(), 4);
    for (found, expected) in frequencies.iter().zip(expected) {
        assert!((found - expected).abs() < 0.01 * resolution, "{found}, not {expected}");
    }
}

#[test]
fn a_phase_portrait_begins_after_its_transient() {
    let folder = Folder::new("phase");
    let table = folder.file("phase.csv");
    let text = printed(&[
        "analyze",
        "phase",
        "driven-pendulum",
        "--to",
        "20",
        "--every",
        "0.1",
        "--after",
        "5",
        "-o",
        &table,
    ]);
    assert!(text.contains("theta' against theta: 151 rows from 5 s to 20 s"), "{text}");
    let kept = std::fs::read_to_string(&table).expect("the table is kept");
    assert!(kept.starts_with("t,theta,theta'\n5.0000000000000000e0,"));
}

#[test]
fn kinematics_has_json_like_every_other_question() {
    let answer = json(&[
        "analyze",
        "kinematics",
        "four-bar",
        "--drive",
        "theta2",
        "--points",
        "5",
        "--json",
    ]);
    assert_eq!(answer["result"]["columns"]["theta3"].as_array().map(Vec::len), Some(5));
    assert_eq!(answer["result"]["dead_points"].as_array().map(Vec::len), Some(0));
}

/// With the crank stretched along the ground the other three sides are a triangle, whose angle the law of cosines gives.
#[test]
fn a_transmission_angle_that_is_asked_for_is_shown() {
    let asked = "analyze kinematics four-bar --drive theta2 --from 0 --to pi --points 3 --transmission theta3,theta4";
    let asked: Vec<&str> = asked.split(' ').collect();
    for columns in [&[][..], &["--columns", "theta4"]] {
        let text = printed(&[&asked, columns].concat());
        assert!(text.contains("\ntransmission, rad"), "{text}");
        let answer = json(&[&asked, columns, &["--json"]].concat());
        let angles = &answer["result"]["columns"]["transmission"];
        let (ground, crank, coupler, rocker) = (1.0_f64, 0.4, 0.9, 0.8);
        for (at, side) in [(0, ground - crank), (2, ground + crank)] {
            let cosine =
                (coupler * coupler + rocker * rocker - side * side) / (2.0 * coupler * rocker);
            let angle = angles[at].as_f64().expect("an angle");
            assert!((angle - cosine.abs().acos()).abs() < 1e-9, "{angles}");
        }
    }
}

#[test]
fn what_cannot_rest_is_told_with_what_to_try() {
    let folder = Folder::new("falling");
    let model = folder.with("stone.toml", FALLING);
    for question in ["equilibrium", "modes", "linearize"] {
        assert_refused(
            &["analyze", question, &model],
            1,
            "error: there is no equilibrium: the force on `y` cannot be balanced\n = help: -19.62 is left; start elsewhere with --set, or search with `catena analyze equilibrium --all`",
        );
    }
}

#[test]
fn columns_that_do_not_exist_are_told_with_the_nearest_name() {
    let expected = "error: there is no column `theta4`\n = help: did you mean `theta1`?";
    assert_refused(&["analyze", "spectrum", "triple-pendulum", "--column", "theta4"], 2, expected);
    assert_refused(&["analyze", "phase", "triple-pendulum", "--x", "theta4"], 2, expected);
    let columns = ["analyze", "kinematics", "four-bar", "--drive", "theta2", "--columns", "thta3"];
    let expected = "error: there is no column `thta3`\n = help: did you mean `theta3`?";
    assert_refused(&columns, 2, expected);
}

#[test]
fn rows_and_times_that_show_nothing_are_told() {
    assert_refused(
        &["analyze", "spectrum", "triple-pendulum", "--to", "1", "--every", "0.1"],
        1,
        "error: 11 rows are too few for a spectrum: it takes 16\n = help: run longer with --to, or take more rows with --every",
    );
    assert_refused(
        &["analyze", "phase", "triple-pendulum", "--to", "1", "--after", "3"],
        2,
        "error: the run ends at 1 s: nothing is left after 3 s\n = help: run longer with --to, or begin earlier with --after",
    );
    assert_refused(
        &["analyze", "spectrum", "triple-pendulum", "--after", "-3"],
        2,
        "error: `after` cannot be -3\n = help: it takes a number from 0 up",
    );
}

#[test]
fn files_that_name_no_format_are_told_before_the_work() {
    let formats: Vec<String> =
        catena::TABLE_FORMATS.iter().chain(&["toml"]).map(|format| format!(".{format}")).collect();
    let help = format!("name a file that ends in {}", formats.join(", "));
    assert_refused(
        &["analyze", "linearize", "triple-pendulum", "-o", "linear.txt"],
        2,
        &format!("error: `linear.txt` ends in no format that can be written\n = help: {help}"),
    );
    let (code, text) = refused(&["analyze", "modes", "triple-pendulum", "--plot", "modes.txt"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("name a file that ends in .svg, .png, .pdf, .html"), "{text}");
    let (code, text) = refused(&["analyze", "mode", "triple-pendulum"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("'modes'"), "{text}");
    let (code, _) = refused(&["analyze", "equilibrium", "triple-pendulum", "--seed", "4"]);
    assert_eq!(code, Some(2), "a seed is for random starts");
}

/// A spring that stiffens, shaken: two responses between its folds.
const STIFFENING: &str = r#"
title = "Stiffening spring"
parameters = { c = 0.1, beta = 0.3, F = 0.3, omega = 1 }
coordinates = { x = "displacement" }
energy.kinetic = "1/2*x'^2"
energy.potential = "1/2*x^2 + 1/4*beta*x^4"
energy.dissipation = "1/2*c*x'^2"
forces = { x = "F*cos(omega*t)" }
"#;

#[test]
fn a_response_is_printed_kept_drawn_and_written_as_json() {
    let folder = Folder::new("response");
    let model = folder.with("spring.toml", STIFFENING);
    let (table, plot) = (folder.file("response.csv"), folder.file("response.svg"));
    let asked = ["analyze", "response", &model, "--over", "omega=0.8:1.9:23"];
    let both = [&asked[..], &["--branches", "up,down"]].concat();
    let text = printed(&[&both[..], &["-o", &table, "--plot", &plot, "--show"]].concat());
    for part in ["omega, rad/s", "up: ", "down: ", "points settled to", "jumps"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let kept = std::fs::read_to_string(&table).expect("the table is kept");
    assert!(kept.starts_with("branch,omega,x,x_largest,settled,repeats_after,residual,error,time"));
    assert!(kept.lines().count() > 1 + 2 * 23, "points around the peaks are there, too");
    assert!(std::fs::read_to_string(&plot).expect("the picture is kept").contains("peaks"));

    let answer = json(&[&both[..], &["--json", "--threads", "1"]].concat());
    assert_eq!(answer["question"], "response");
    assert_eq!(answer["settings"]["integrator"], "dop853");
    assert!(answer["error_estimate"].as_f64().is_some_and(|error| error < 2e-5));
    let curves = answer["result"]["curves"].as_array().expect("a list");
    let at = |curve: usize, point: usize| {
        let amplitude = &curves[curve]["points"][point]["amplitude"]["x"];
        amplitude.as_f64().expect("a number")
    };
    assert!((0..23).any(|point| at(0, point) > 2.0 * at(1, point)), "the branches differ");
}

#[test]
fn a_resonance_is_followed_and_its_laws_are_told() {
    let folder = Folder::new("resonance");
    let model = folder.with("spring.toml", STIFFENING);
    let asked = ["analyze", "resonance", &model, "--set", "beta=0", "--over", "omega=0.5:1.3:17"];
    let asked = [&asked[..], &["--over", "c=0.3,0.4,0.5"]].concat();
    let text = printed(&asked);
    for part in ["the peak moves by -0.", "it shrinks as exp(", "R² = 0.9"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let answer = json(&[&asked[..], &["--json"]].concat());
    let rows = &answer["result"]["tracks"][0]["rows"];
    for (row, c) in [0.3_f64, 0.4, 0.5].into_iter().enumerate() {
        let frequency = rows[row]["peak"]["frequency"].as_f64().expect("a number");
        assert!((frequency - (1.0 - 0.5 * c * c).sqrt()).abs() < 1e-3);
    }
}

#[test]
fn what_has_no_response_is_told_with_a_cure() {
    let over = |model: &'static str, range: &'static str| {
        vec!["analyze", "response", model, "--over", range]
    };
    let found = |arguments: Vec<&str>, code: i32, message: &str, help: &str| {
        let (status, text) = refused(&arguments);
        assert_eq!(status, Some(code), "{text}");
        assert!(text.contains(message) && text.contains(help), "{text}");
    };
    found(over("double-pendulum", "f=1,2"), 1, "the model has no drive", "a sine or cosine of t");
    found(over("triple-pendulum", "eta=1,2"), 2, "`eta` is not a parameter", "`eta0`?");
    found(over("triple-pendulum", "L1=1,2"), 2, "not the frequency of the drive", "cos(omega*t)");
    found(over("triple-pendulum", "f=2,1"), 2, "in rising order", "--over f=0.1:2:100");
    for range in ["f", "f=", "=1,2", "f=1:2", "f=2:1:5", "f=1:2:1", "f=1,x", "f=1:2:3:4"] {
        found(over("triple-pendulum", range), 2, range, "write ");
    }
    let more = |extra: &[&'static str]| [over("triple-pendulum", "f=1,2"), extra.to_vec()].concat();
    found(more(&["--over", "f=1,2"]), 2, "the frequency of the drive already", "another parameter");
    found(more(&["--over", "RR=1,2"]), 2, "`RR` is neither", "did you mean");
    found(more(&["--columns", "thet1"]), 2, "no column `thet1`", "`theta1`");
    found(more(&["--tolerance", "0"]), 2, "the tolerance of settling", "another number");
    found(more(&["--integrator", "dopri"]), 2, "no integrator `dopri`", "did you mean");
    let one = ["analyze", "resonance", "triple-pendulum", "--over", "f=1,2"];
    found(one.to_vec(), 2, "no parameter is given", "add a second range");
}

/// A spring with a drive that has a name.
const PUSHED: &str = r#"
title = "Pushed spring"
parameters = { k = 4, c = 0.2, F = 0.3, omega = 1 }
coordinates = { x = "displacement" }
definitions = { push = "F*cos(omega*t)" }
energy.kinetic = "1/2*x'^2"
energy.potential = "1/2*k*x^2"
energy.dissipation = "1/2*c*x'^2"
forces = { x = "push" }
"#;

#[test]
fn a_linear_response_is_printed_kept_drawn_and_written_as_json() {
    let folder = Folder::new("linear-response");
    let model = folder.with("pushed.toml", PUSHED);
    let (table, plot) = (folder.file("linear.csv"), folder.file("linear.svg"));
    let asked = ["analyze", "response", &model, "--linear", "--over", "omega=0.5:3:11"];
    let asked = [&asked[..], &["--over", "c=0.2,0.8"]].concat();
    let text = printed(&[&asked[..], &["-o", &table, "--plot", &plot, "--show"]].concat());
    for part in [
        "relative to the amplitude of push",
        "omega, rad/s",
        "c = 0.8",
        "∠",
        "responses accurate to",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let kept = std::fs::read_to_string(&table).expect("the table is kept");
    assert!(kept.starts_with("c,omega,x_real,x_imaginary,x_magnitude,x_phase\n"), "{kept}");
    assert_eq!(kept.lines().count(), 1 + 2 * 11);
    let drawn = std::fs::read_to_string(&plot).expect("the picture is kept");
    assert!(
        ["magnitude, relative to push", "phase, degrees", "peaks"]
            .iter()
            .all(|part| drawn.contains(part))
    );

    let answer = json(&[&asked[..], &["--json", "--input", "push"]].concat());
    assert_eq!(answer["settings"]["input"], "push");
    assert!(answer["error_estimate"].as_f64().is_some_and(|error| error < 1e-12));
    for (curve, c) in [0.2_f64, 0.8].into_iter().enumerate() {
        let x = &answer["result"]["curves"][curve]["outputs"]["x"];
        for at in 0..11 {
            let omega = 0.5 + 0.25 * at as f64;
            // 1/(k − ω² + icω)
            let (real, imaginary) = (4.0 - omega * omega, c * omega);
            let size = real.hypot(imaginary).recip();
            let part = |name: &str| x[name][at].as_f64().expect("a number");
            assert!((part("real") - real * size * size).abs() < 1e-13);
            assert!((part("imaginary") + imaginary * size * size).abs() < 1e-13);
            assert!((part("magnitude") - size).abs() < 1e-13);
            assert!((part("phase") + imaginary.atan2(real).to_degrees()).abs() < 1e-10);
        }
        let peak = |name: &str| x["peaks"][0][name].as_f64().expect("a number");
        assert!((peak("frequency") - (4.0 - 0.5 * c * c).sqrt()).abs() < 1e-10);
        let highest = 1.0 / (c * (4.0 - 0.25 * c * c).sqrt());
        assert!((peak("magnitude") - highest).abs() < 1e-12);
    }
}

#[test]
fn a_resonance_that_nothing_damps_is_found_between_frequencies_and_refused_on_one() {
    let folder = Folder::new("undamped");
    let model = folder.with("pushed.toml", PUSHED);
    let asked = |range: &'static str| {
        vec!["analyze", "response", &model, "--set", "c=0", "--linear", "--over", range]
    };
    let text = printed(&asked("omega=0.55:3.05:11"));
    assert!(text.contains("∞") && text.contains("nothing damps it"), "{text}");
    let answer = json(&[asked("omega=0.55:3.05:11"), vec!["--json"]].concat());
    let peak = &answer["result"]["curves"][0]["outputs"]["x"]["peaks"][0];
    let number = |name: &str| peak[name].as_f64().expect("a number");
    assert!((number("frequency") - 2.0).abs() <= number("frequency_error"));
    assert!(peak["magnitude"].is_null() && peak["bounded"] == false);
    let (status, text) = refused(&asked("omega=0.5:3:11"));
    assert_eq!(status, Some(1), "{text}");
    assert!(
        text.contains("at omega = 2: an undamped resonance") && text.contains("add damping"),
        "{text}"
    );
}

#[test]
fn what_has_no_linear_response_is_told_with_a_cure() {
    let folder = Folder::new("no-linear-response");
    let nameless = folder.with("spring.toml", STIFFENING);
    let two = PUSHED.replace("{ push =", "{ other = \"2*cos(omega*t)\", push =");
    let two = folder.with("two.toml", &two);
    let found = |model: &str, range: &str, extra: &[&str], code: i32, parts: [&str; 2]| {
        let asked = ["analyze", "response", model, "--linear", "--over", range];
        let (status, text) = refused(&[&asked[..], extra].concat());
        assert_eq!(status, Some(code), "{text}");
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    };
    found("double-pendulum", "f=1,2", &[], 1, ["the model has no drive", "a sine or cosine of t"]);
    found(&nameless, "omega=1,2", &[], 2, ["the drive has no name", "as a definition"]);
    found(&two, "omega=1,2", &[], 2, ["other, push", "--input other"]);
    let triple =
        |extra: &[&str], parts: [&str; 2]| found("triple-pendulum", "f=1,2", extra, 2, parts);
    triple(&["--input", "etta"], ["output `etta`", "`eta`?"]);
    triple(&["--input", "theta1"], ["does not move the input `theta1`", "time alone: eta"]);
    triple(&["--columns", "thet1"], ["output `thet1`", "`theta1`?"]);
    triple(&["--over", "RR=1,2"], ["`RR` is not a parameter", "`R`?"]);
    triple(&["--over", "f=1,2"], ["the frequency of the drive already", "another parameter"]);
    triple(&["--branches", "up"], ["a linear response has one branch", "leave out one"]);
    triple(&["--rtol", "1e-3"], ["--linear", "--rtol"]);
    found("triple-pendulum", "eta=1,2", &[], 2, ["`eta` is not a parameter", "`eta0`?"]);
    found("triple-pendulum", "L1=1,2", &[], 2, ["not the frequency of the drive", "cos(omega*t)"]);
    found("triple-pendulum", "f=2,1", &[], 2, ["in rising order", "--over f=0.1:2:100"]);
}
