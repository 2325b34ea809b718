//! Poincaré sections and orbit diagrams against closed forms, other formulations and known doublings.

use catena::analysis::Answer;
use catena::model::{Model, Source};
use catena_tests::ready;
use std::f64::consts::TAU;

fn model(text: &str) -> Model {
    Model::read(Source::new("test", text), &[]).expect("a model")
}

fn ask(question: &str, model: &Model, options: &[(&str, &str)]) -> Answer {
    let answer = catena::ask(question, model, options);
    answer.unwrap_or_else(|refusal| panic!("{refusal} ({:?})", refusal.help))
}

fn refused(question: &str, model: &Model, options: &[(&str, &str)]) -> String {
    let refusal = catena::ask(question, model, options).expect_err("a refusal");
    format!("{refusal}; {}", refusal.help.clone().unwrap_or_default())
}

const FORCED: &str = "[parameters]\nw = 1.7\nc = 0.3\n[coordinates]\nx = \"\"\n[energy]\n\
                      kinetic = \"1/2*x'^2\"\npotential = \"1/2*x^2\"\ndissipation = \"1/2*c*x'^2\"\n\
                      [forces]\nx = \"cos(w*t)\"\n";

/// x = Re[e^{iωt}/(1 − ω² + icω)] is what a damped oscillator settles to: at whole periods one point.
#[test]
fn a_forced_oscillator_is_one_point_at_the_value_of_its_transfer_function() {
    let answer = ask("poincare", &model(FORCED), &[("transient", "60"), ("points", "30")]);
    let (w, c) = (1.7_f64, 0.3);
    let (re, im) = (1.0 - w * w, c * w);
    let size = re * re + im * im;
    let expected = [re / size, w * im / size];
    for (name, expected) in ["x", "x'"].into_iter().zip(expected) {
        let column = answer.table.column(name).expect("a column");
        assert_eq!(column.len(), 30);
        let off = column.iter().map(|value| (value - expected).abs()).fold(0.0, f64::max);
        assert!(off < 1e-8, "{name}: {off:e}");
    }
    assert!(answer.error_estimate.is_some_and(|error| error < 1e-6));
}

/// Two oscillators without coupling: each return to x = 0 turns the other one by the ratio of their frequencies.
#[test]
fn the_section_of_two_oscillators_is_a_rotation() {
    let two = model(
        "[coordinates]\nx = \"\"\ny = \"\"\n[energy]\nkinetic = \"1/2*x'^2 + 1/2*y'^2\"\n\
         potential = \"1/2*x^2 + y^2\"\n[initial]\nx = 1\ny = 0.5\n[run]\nt_end = 20\n",
    );
    let answer =
        ask("poincare", &two, &[("section", "x = 0"), ("direction", "up"), ("points", "40")]);
    let column = |name: &str| answer.table.column(name).expect("a column").to_vec();
    let root = 2.0_f64.sqrt();
    for ((t, y), v) in column("t").into_iter().zip(column("y")).zip(column("y'")) {
        let turns = t / TAU - 0.75;
        assert!((turns - turns.round()).abs() < 1e-9, "{t}");
        assert!((y - 0.5 * (root * t).cos()).abs() < 1e-7, "{t}: {y}");
        assert!((v + 0.5 * root * (root * t).sin()).abs() < 1e-7, "{t}: {v}");
    }
    assert_eq!(column("t").len(), 40);
}

#[test]
fn angles_are_on_the_circle_and_an_angle_with_a_spring_is_not() {
    let rotor = |potential: &str| {
        model(&format!(
            "[coordinates]\nq = {{ text = \"\", angle = true }}\n[energy]\nkinetic = \"1/2*q'^2\"\n\
             potential = \"{potential}\"\n[initial]\nq = 0\n\"q'\" = 5\n"
        ))
    };
    let options = [("period", "1"), ("points", "30"), ("transient", "0")];
    let largest = |model: &Model| {
        let answer = ask("poincare", model, &options);
        let column = answer.table.column("q").expect("a column").to_vec();
        column.into_iter().map(f64::abs).fold(0.0, f64::max)
    };
    assert!(largest(&rotor("0.1*cos(q)")) <= std::f64::consts::PI);
    assert!(largest(&rotor("0.1*cos(q) + 0.01*q^2")) > 6.0, "turns of a spring count");
}

/// The same points of one mechanism with and without constraints, by formulations that run in lanes and one by one.
#[test]
fn constrained_models_have_the_sections_of_minimal_ones() {
    let common = [("points", "8"), ("t_end", "12")];
    let with = |own: &[(&'static str, &'static str)]| [own, &common].concat();
    let minimal = ask(
        "poincare",
        &ready("double-pendulum", &[]),
        &with(&[("section", "x1 = 0"), ("columns", "tip_x,tip_y")]),
    );
    let cartesian = ask(
        "poincare",
        &ready("double-pendulum-cartesian", &[]),
        &with(&[("section", "x1 = 0"), ("columns", "x2,y2"), ("formulation", "projection")]),
    );
    for (a, b) in [("tip_x", "x2"), ("tip_y", "y2")] {
        let (a, b) = (minimal.table.column(a).unwrap(), cartesian.table.column(b).unwrap());
        assert!(a.len() >= 6 && a.len() == b.len());
        let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-4, "{off:e}: {a:?} {b:?}");
    }
}

#[test]
fn several_starts_are_one_table_and_one_picture() {
    let over = [("over", "theta2=0.1,0.2,0.3"), ("points", "5"), ("t_end", "30")];
    let answer = ask("poincare", &ready("double-pendulum", &["theta1=0.1"]), &over);
    assert_eq!(answer.figure.panels[0].series.len(), 3);
    assert_eq!(answer.table.len(), 15);
    let starts = answer.table.column("theta2_start").expect("what is varied has a column");
    assert_eq!([starts[0], starts[5], starts[14]], [0.1, 0.2, 0.3]);
    assert_eq!(answer.to_json()["result"]["motions"].as_array().map(Vec::len), Some(3));
}

#[test]
fn what_was_seen_before_an_interruption_is_kept_and_said() {
    let options = [("transient", "0"), ("points", "100000")];
    let stop = |part: f64| part > 0.01;
    let driven = ready("driven-pendulum", &[]);
    let answer = catena::ask_watched("poincare", &driven, &options, 1, &stop).expect("an answer");
    assert!(answer.shortfall.is_some_and(|text| text.starts_with("interrupted")));
    assert!((1000..5000).contains(&answer.table.len()), "{}", answer.table.len());
}

#[test]
fn what_has_no_section_or_period_says_what_to_write() {
    let pendulum = ready("double-pendulum", &["theta1=0.1", "theta2=0"]);
    let told = refused("poincare", &pendulum, &[("section", "theta1 = 3"), ("t_end", "20")]);
    assert!(
        told.starts_with(
            "`theta1 = 3` is not crossed from 0 s to 20 s: the angle comes no nearer to it than 2.9"
        ),
        "{told}"
    );
    assert!(told.ends_with("take another {section}, or run longer with {t_end}"), "{told}");
    let told = refused(
        "poincare",
        &ready("elastic-pendulum", &[]),
        &[("section", "x = 5"), ("t_end", "20")],
    );
    assert!(
        told.contains("what is zero there stays between -5.")
            && told.contains("nearest to 0 with -4."),
        "{told}"
    );
    let falling = model(
        "[coordinates]\ny = \"\"\n[energy]\nkinetic = \"1/2*y'^2\"\npotential = \"y\"\n\
         [initial]\ny = 1\n[run]\nt_end = 3\n",
    );
    let told =
        refused("poincare", &falling, &[("section", "y = 0"), ("direction", "up"), ("t_end", "3")]);
    assert_eq!(
        told,
        "`y = 0` is not crossed upwards from 0 s to 3 s: it is in the other direction only; \
         take another {direction}, or both"
    );
    let told = refused("poincare", &falling, &[]);
    assert_eq!(
        told,
        "nothing says when to look at the motion: the model has no drive whose period could, and no section is \
         named; write a formula, as {section} \"theta1 = 0\"; or a time with {period}"
    );
    let driven = ready("driven-pendulum", &[]);
    let told = refused("poincare", &driven, &[("period", "1")]);
    assert!(told.starts_with("the equations are not the same again after 1 s; "), "{told}");
    let told = refused("bifurcation", &driven, &[("over", "Omega=0,1")]);
    assert!(told.starts_with("the drive stands still with these values: its rate is 0"), "{told}");
    for (options, message) in [
        (
            &[("direction", "up")][..],
            "a direction is that of crossings, and no section is looked at",
        ),
        (
            &[("section", "strobe"), ("period", "3")],
            "a motion is looked at by its period or on a section, not both",
        ),
        (&[("section", "strob")], "`strob` is no section: no event has this name"),
        (&[("columns", "theta")], "one column makes no picture of points"),
        (&[("columns", "theta,thet")], "there is no column `thet`"),
        (&[("t_end", "10")], "the motion ends before point 101: a period is 3.009"),
        (&[("over", "theta=1,2"), ("over", "theta=3,4")], "`theta` is varied twice"),
    ] {
        let told = refused("poincare", &driven, options);
        assert!(told.starts_with(message), "{told}");
    }
    for (options, message) in [
        (&[][..], "no parameter is varied"),
        (&[("over", "drive=1:2:3"), ("over", "g=9,10")], "an orbit diagram has one parameter"),
        (
            &[("over", "driv=1:2:3")],
            "`driv` is not a parameter of this model; did you mean `drive`?",
        ),
        (&[("over", "theta=1:2:3")], "`theta` is not a parameter of this model"),
        (&[("over", "drive=1")], "one value makes no diagram"),
        (&[("over", "drive=1,2"), ("branches", "sideways")], "there is no branch `sideways`"),
        (&[("over", "drive=1,2"), ("column", "thet")], "there is no column `thet`"),
    ] {
        let told = refused("bifurcation", &driven, options);
        assert!(told.starts_with(message), "{told}");
    }
}

/// Taylor's cascade of the driven pendulum, found by Floquet multipliers with another code.
#[test]
fn the_driven_pendulum_doubles_its_period_where_its_multiplier_is_minus_one() {
    let near = ["theta=-0.2215", "theta'=6.138"];
    for (range, from, expected) in [
        ("drive=1.06:1.0725:6", 1, 1.066_372_862_5),
        ("drive=1.0775:1.0805:5", 2, 1.079_313_905_9),
        ("drive=1.0816:1.0824:5", 4, 1.082_084_384_3),
    ] {
        let options = [("over", range), ("branches", "up"), ("transient", "150"), ("keep", "32")];
        let answer = ask("bifurcation", &ready("driven-pendulum", &near), &options);
        let doublings = &answer.to_json()["result"]["doublings"];
        let doubling = &doublings[0];
        assert_eq!(doubling["from"], from, "{doublings}");
        let number = |name: &str| doubling[name].as_f64().expect("a number");
        let off = (number("value") - expected).abs();
        assert!(off < 1e-6, "{range}: {doubling}");
        assert!(off < 3.0 * number("error") + 1e-9, "{range}: {doubling}");
    }
}

/// A hardening spring bends its resonance: between the folds two orbits coexist, and each branch leaves its own by a jump.
#[test]
fn a_hardening_spring_jumps_at_two_frequencies_and_its_branches_coexist_between() {
    let duffing = model(
        "[parameters]\nw = 1\n[coordinates]\nx = \"\"\n[energy]\nkinetic = \"1/2*x'^2\"\n\
         potential = \"1/2*x^2 + 1/4*x^4\"\ndissipation = \"0.07*x'^2\"\n[forces]\nx = \"0.3*cos(w*t)\"\n",
    );
    let options = [
        ("over", "w=1:1.8:33"),
        ("column", "x"),
        ("transient", "60"),
        ("keep", "8"),
        ("rtol", "1e-7"),
    ];
    let answer = ask("bifurcation", &duffing, &options);
    let result = &answer.to_json()["result"];
    let list = |branch: usize, name: &str| -> Vec<f64> {
        let values = result["branches"][branch][name].as_array().expect("a list");
        values.iter().filter_map(serde_json::Value::as_f64).collect()
    };
    assert_eq!([0, 1].map(|branch| list(branch, "jumps").len()), [1, 1], "{result}");
    let [up, down] = [0, 1].map(|branch| list(branch, "jumps")[0]);
    assert!(down < up, "{down} {up}");
    let coexisting = list(0, "coexisting");
    assert!(coexisting.iter().all(|w| (down - 0.03..up).contains(w)), "{coexisting:?}");
    assert!(coexisting.len() > 3, "{coexisting:?}");
    assert!(answer.words.to_text().contains("orbits coexist"));
}

#[test]
fn from_rest_and_carried_along_agree_where_there_is_one_orbit() {
    let options =
        [("over", "w=1:2:5"), ("branches", "rest,up,down"), ("column", "x"), ("keep", "4")];
    let answer = ask("bifurcation", &model(FORCED), &options);
    let (names, x) = (answer.table.find("branch").unwrap(), answer.table.column("x").unwrap());
    assert_eq!((names.len(), x.len()), (60, 60));
    for at in 0..20 {
        assert!((x[at] - x[20 + at]).abs() < 1e-8 && (x[at] - x[40 + at]).abs() < 1e-8);
    }
    let multiples = answer.table.column("multiple").unwrap();
    assert!(multiples.iter().all(|multiple| *multiple == 1.0));
}
