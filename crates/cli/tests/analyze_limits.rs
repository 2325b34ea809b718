//! What spectra, responses and resonances say about their own limits.

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

/// The path of a model written into a folder.
fn written(folder: &Folder, text: &str) -> String {
    folder.write("model.toml", text);
    folder.file("model.toml")
}

/// Tones in outputs of a system that does nothing else.
const TONES: &str = r#"
title = "Tones"
parameters = { f1 = 3, f2 = 3.25 }
coordinates = { x = "" }
energy = { kinetic = "1/2*x'^2", potential = "1/2*x^2" }
[outputs]
two = "cos(2*pi*f1*t) + cos(2*pi*f2*t)"
high = "sin(2*pi*9*t)"
[run]
t_end = 10
every = 0.1
"#;

#[test]
fn a_spectrum_tells_lines_apart_as_it_says_and_names_those_that_rows_are_too_far_apart_for() {
    let folder = Folder::new("tones");
    let model = written(&folder, TONES);
    let ask = |column: &str, setting: &str| {
        let arguments = ["analyze", "spectrum", &model, "--column", column, "--set", setting];
        (printed(&arguments), json(&[arguments.as_slice(), &["--json"]].concat()))
    };
    let (_, answer) = ask("two", "f2=3.25");
    let resolution = answer["result"]["resolution_hz"].as_f64().expect("a number");
    assert!(resolution < 0.25, "{resolution}");
    let found = answer["result"]["peaks"].as_array().expect("a list");
    assert_eq!(found.len(), 2, "{found:?}");
    // 1.5 of the transform's frequencies apart: it says that it does not tell them apart
    let (_, near) = ask("two", "f2=3.15");
    assert!(near["result"]["resolution_hz"].as_f64().expect("a number") > 0.15);

    let (text, answer) = ask("high", "f1=3");
    assert!(text.contains("aliasing: high has a line of about"), "{text}");
    let folded = |name: &str| answer["result"]["folded"][name].as_f64().expect("a number");
    assert!((folded("frequency") - 9.0).abs() < 0.02 && (folded("shows_at") - 1.0).abs() < 0.02);
    let (text, answer) = ask("two", "f2=4.5");
    assert!(!text.contains("aliasing") && answer["result"]["folded"].is_null(), "{text}");
}

#[test]
fn a_spectrum_is_drawn_without_the_bin_of_the_mean() {
    let folder = Folder::new("axis");
    let (model, plot) = (written(&folder, TONES), folder.file("axis.svg"));
    let arguments = ["analyze", "spectrum", &model, "--column", "two", "--window", "none"];
    printed(&[arguments.as_slice(), &["--plot", &plot]].concat());
    let drawn = std::fs::read_to_string(&plot).expect("it is drawn");
    // labels of powers of ten: 10<tspan …>−3</tspan>
    let exponents: Vec<i32> =
        drawn.split('−').skip(1).filter_map(|text| text.split('<').next()?.parse().ok()).collect();
    assert!(!exponents.is_empty(), "the axis has labels");
    assert!(exponents.iter().all(|exponent| *exponent <= 9), "{exponents:?}");
}

/// Its stiffness is driven: near twice its frequency it grows, everywhere else it comes to rest.
const PARAMETRIC: &str = r#"
title = "Driven stiffness"
parameters = { eps = 0.1, c = 0.05, omega = 1 }
coordinates = { x = "" }
energy.kinetic = "1/2*x'^2"
energy.potential = "1/2*(1 + eps*cos(omega*t))*x^2"
energy.dissipation = "1/2*c*x'^2"
initial.x = 0.1
"#;

#[test]
fn what_comes_to_rest_has_no_peaks_and_unsettled_peaks_no_error_bars() {
    let folder = Folder::new("parametric");
    let model = written(&folder, PARAMETRIC);
    let over = ["analyze", "response", &model, "--over", "omega=0.2:1.8:80"];
    let text = printed(&over);
    assert!(text.contains("80 of 80 points settled"), "{text}");
    assert!(text.contains("80 come to rest") && text.contains("no peak between"), "{text}");
    let text = printed(&["analyze", "response", &model, "--over", "omega=1.5:2.5:41"]);
    assert_eq!(text.matches("not settled").count(), 1, "{text}");
    assert!(text.contains("unknown  not settled") && text.contains("around peaks"), "{text}");
    assert!(!text.contains("0.000000  ") && !text.contains("inf"), "{text}");
}

#[test]
fn a_peak_that_grows_is_said_to_grow() {
    let folder = Folder::new("growing");
    let text = r#"
title = "Pushed harder and harder"
parameters = { F = 1, c = 0.2, f = 0.15 }
coordinates = { x = "" }
energy = { kinetic = "1/2*x'^2", potential = "1/2*x^2", dissipation = "1/2*c*x'^2" }
forces = { x = "F*cos(2*pi*f*t)" }
"#;
    let model = written(&folder, text);
    let follow = |over: &str| {
        let frequencies = ["--over", "f=0.12:0.2:9", "--over", over];
        printed(&[["analyze", "resonance", &model].as_slice(), &frequencies].concat())
    };
    let growing = follow("F=0.1,0.2,0.4");
    assert!(growing.contains("it grows as exp(") && !growing.contains("−-"), "{growing}");
    let shrinking = follow("c=0.2,0.3,0.4");
    assert!(shrinking.contains("it shrinks as exp(−"), "{shrinking}");
}
