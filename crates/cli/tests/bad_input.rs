//! What the program says to wrong input: what it is, where it is and what to do about it, with an
//! exit code that a script can use. The snapshots are the messages that people see.

mod carts;
mod process;

use carts::{BASE, changed, findings, potential, with};
use process::Folder;

/// A chain in which nothing is wrong.
const CHAIN: &str = r#"title = "Chain"

[chain]
links = 3
mass = [1, 2, 3]
length = 0.5
shape = "bob"
start = "hanging"
"#;

/// What is said about a model that must be refused.
fn message(name: &str, model: &str) -> String {
    let folder = Folder::new(name);
    folder.write("model.toml", model);
    folder.run(&["check", "model.toml"]).refused(1)
}

/// The messages of a table of models, each under its name.
fn messages<const N: usize>(cases: [(&str, String); N]) -> String {
    let each = cases.map(|(name, model)| format!("——— {name}\n{}", message(name, &model)));
    each.join("\n")
}

/// The answers of commands next to a file that holds the model, each of which must fail with 2.
fn refusals<const N: usize>(name: &str, model: &str, commands: [&[&str]; N]) -> String {
    let folder = Folder::new(name);
    folder.write("model.toml", model);
    let each = commands.map(|arguments| {
        format!("——— catena {}\n{}", arguments.join(" "), folder.run(arguments).refused(2))
    });
    each.join("\n")
}

/// The chain with a line in place of another one.
fn chain(from: &str, to: &str) -> String {
    changed(CHAIN, from, to)
}

#[test]
fn the_models_that_the_cases_change_are_right_themselves() {
    let base = findings("base", 0, BASE);
    let chain = findings("base chain", 0, CHAIN);
    insta::assert_snapshot!([base, chain].join("\n———\n"));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_one() {
    insta::assert_snapshot!(messages([
        ("a letter left out", potential("1/2*k*(gp - 1)^2")),
        ("the wrong case", potential("1/2*K*(gap - 1)^2")),
        ("nothing is near", potential("1/2*stiffness*(gap - 1)^2")),
        ("an unknown velocity", with("forces", r#"x = "-z'""#)),
        ("an unknown function", potential("1/2*k*sqr(gap - 1)")),
        ("a name called as a function", potential("1/2*k(gap - 1)^2")),
    ]));
}

#[test]
fn a_formula_that_cannot_be_read_shows_where_it_breaks() {
    insta::assert_snapshot!(messages([
        ("missing operator", potential("1/2 k*(gap - 1)^2")),
        ("missing operand", potential("1/2*k*(gap - )^2")),
        ("unfinished", potential("1/2*k*")),
        ("never closed", potential("1/2*k*(gap - 1^2")),
        ("never opened", potential("1/2*k*gap - 1)^2")),
        ("the power of another language", potential("1/2*k*(gap - 1)**2")),
        ("decimal comma", potential("0,5*k*(gap - 1)^2")),
        ("square brackets", potential("1/2*k*[gap - 1]^2")),
        ("an equation", potential("V = 1/2*k*gap^2")),
        ("empty", potential("")),
        ("a function without its argument", potential("sin gap")),
        ("too many arguments", potential("sin(gap, x)")),
        ("a prime behind a parenthesis", potential("(gap - 1)'")),
        ("degrees of a name", potential("cos(gap deg)")),
        ("a number beyond all bounds", potential("1e999*gap")),
        ("a letter that is none", potential("1/2*k*(gap − 1)² + 3€")),
    ]));
}

#[test]
fn formulas_are_found_in_strings_of_every_kind() {
    let lines = |formula: &str| changed(BASE, r#""1/2*k*(gap - 1)^2""#, formula);
    insta::assert_snapshot!(messages([
        ("literal string", lines("'1/2*k*(gp - 1)^2'")),
        ("several lines", lines("\"\"\"\n1/2*k*\n(gp - 1)^2\n\"\"\"")),
        ("escapes", lines(r#""1/2*k*(g\u0070 - 1)^2""#)),
        ("a formula that looks like its quotes", lines(r#""""""#)),
    ]));
}

#[test]
fn only_what_moves_has_a_velocity() {
    insta::assert_snapshot!(messages([
        ("of a parameter", with("forces", r#"x = "-m'*x'""#)),
        ("of a state", with("forces", r#"x = "-heat'""#)),
        ("of the time", with("forces", r#"x = "t'""#)),
        ("of a definition that uses states", with("definitions", "q = \"heat\"\np = \"q'\"")),
        ("of a velocity, in a force", with("forces", r#"x = "x''""#)),
    ]));
}

#[test]
fn parameters_and_definitions_use_what_stands_above_them() {
    insta::assert_snapshot!(messages([
        ("a parameter and a later one", changed(BASE, "m = 2\n", "m = \"k/4\"\n")),
        ("a parameter and itself", changed(BASE, "m = 2\n", "m = \"2*m\"\n")),
        ("a parameter and a coordinate", changed(BASE, "m = 2\n", "m = \"2*x\"\n")),
        ("a parameter and the time", changed(BASE, "m = 2\n", "m = \"2*t\"\n")),
        ("a definition and a later one", with("definitions", r#"half = "gap/2""#)),
        ("a definition and itself", changed(BASE, "\"y - x\"", "\"y - gap\"")),
    ]));
}

#[test]
fn a_name_stands_for_one_thing() {
    insta::assert_snapshot!(messages([
        ("parameter and coordinate", with("parameters", "x = 1")),
        ("coordinate and definition", with("definitions", "x = \"2*y\"")),
        ("parameter and state", with("states", "m = 0")),
        ("the same key twice", changed(BASE, "m = 2\n", "m = 2\nm = 3\n")),
        ("the same section twice", format!("{BASE}\n[parameters]\nc = 1\n")),
        ("the time", with("coordinates", "t = \"a coordinate\"")),
        ("an energy", with("definitions", "kinetic = 1")),
        ("a multiplier", with("parameters", "lambda_x = 1")),
        ("a constant", with("parameters", "pi = 3")),
        ("a function", with("parameters", "sin = 1")),
        ("a number in front", with("parameters", "2x = 1")),
        ("a word with a gap", with("parameters", "\"spring constant\" = 1")),
        ("no letters at all", with("coordinates", "\"\" = \"nothing\"")),
        ("a prime", with("parameters", "\"x'\" = 1")),
        ("a constraint", with("constraints", "\"rod-1\" = \"gap\"")),
    ]));
}

#[test]
fn a_file_that_is_not_toml_is_shown_where_it_breaks() {
    insta::assert_snapshot!(messages([
        ("no quotes", changed(BASE, "\"y - x\"", "y - x")),
        ("no value", changed(BASE, "m = 2", "m =")),
        ("no equal sign", changed(BASE, "m = 2", "m 2")),
        ("no bracket", changed(BASE, "[parameters]", "[parameters")),
        ("no closing quote", changed(BASE, "\"y - x\"", "\"y - x")),
        ("a prime without quotes", with("initial", "x' = 0")),
        ("leading zero", changed(BASE, "m = 2", "m = 02")),
    ]));
}

#[test]
fn a_value_of_the_wrong_type_is_answered_with_the_right_one() {
    insta::assert_snapshot!(messages([
        ("a number for a section", format!("parameters = 3\n{}", &CHAIN)),
        ("a list for a formula", changed(BASE, "m = 2", "m = [2]")),
        ("a table for a formula", changed(BASE, "m = 2", "m = { value = 2 }")),
        ("true for a formula", changed(BASE, "m = 2", "m = true")),
        ("infinity", changed(BASE, "m = 2", "m = inf")),
        ("a date", changed(BASE, "m = 2", "m = 2024-02-29")),
        ("a number for a title", changed(BASE, "\"Two carts\"", "2")),
        ("a number for a coordinate", changed(BASE, "\"first cart\"", "1")),
        ("a number for an angle", changed(BASE, "\"first cart\"", "{ angle = 1 }")),
        ("a text for terminal", changed(BASE, "terminal = true", "terminal = \"yes\"")),
        ("an unknown direction", changed(BASE, "terminal = true", "direction = 5")),
        ("an event without a formula", changed(BASE, "when = \"gap\", ", "")),
        ("a point without y", changed(BASE, "[\"x\", \"0\"]", "[\"x\"]")),
        ("a point that is a formula", changed(BASE, "[\"x\", \"0\"]", "\"x\"")),
        ("a drawing that is a formula", changed(BASE, "[[\"x\", \"0\"], [\"y\", \"0\"]]", "\"x\"")),
        ("a number for a method", with("run", "integrator = 4")),
    ]));
}

#[test]
fn an_unknown_section_or_key_is_answered_with_the_nearest_one() {
    insta::assert_snapshot!(messages([
        ("a section", changed(BASE, "[parameters]", "[parameter]")),
        ("a section that is like none", changed(BASE, "[parameters]", "[numbers]")),
        ("a key outside of all sections", format!("name = \"carts\"\n{BASE}")),
        ("an energy", changed(BASE, "potential =", "potentials =")),
        ("a key of an event", changed(BASE, "terminal = true", "terminate = true")),
        ("a key of a coordinate", changed(BASE, "\"first cart\"", "{ txt = \"first cart\" }")),
        ("a key of a run", changed(BASE, "t_end = 10", "tend = 10")),
        ("a key of a chain", chain("links = 3", "link = 3")),
        ("an axis of the pivot", format!("{CHAIN}\n[chain.pivot]\nz = \"0\"\n")),
    ]));
}

#[test]
fn a_model_without_contents_is_refused() {
    insta::assert_snapshot!(messages([
        ("an empty file", String::new()),
        ("a title alone", "title = \"Nothing\"\n".into()),
        ("empty sections", "[parameters]\nm = 1\n[coordinates]\n[energy]\n".into()),
        ("no kinetic energy", changed(BASE, "kinetic = \"1/2*m*(x'^2 + y'^2)\"\n", "")),
        ("a constraint of constants", with("constraints", "rod = \"m - 2\"")),
        ("a constraint of time", with("constraints", "rod = \"sin(t)\"")),
    ]));
}

#[test]
fn a_value_that_is_not_finite_is_refused() {
    insta::assert_snapshot!(messages([
        ("division by zero", changed(BASE, "m = 2\n", "m = \"1/0\"\n")),
        ("root of a negative number", changed(BASE, "m = 2\n", "m = \"sqrt(-2)\"\n")),
        ("too large", changed(BASE, "m = 2\n", "m = \"exp(1000)\"\n")),
    ]));
}

#[test]
fn every_formula_uses_only_what_it_may() {
    insta::assert_snapshot!(messages([
        ("velocity in the potential energy", potential("1/2*k*gap'^2")),
        ("state in the kinetic energy", changed(BASE, "1/2*m*(", "1/2*m*heat*(")),
        (
            "multiplier in a force",
            with("forces", "x = \"lambda_rod\"\n[constraints]\nrod = \"gap\"")
        ),
        ("velocity in a constraint", with("constraints", "rolling = \"x' - y'\"")),
        ("velocity in a drawing", changed(BASE, "[\"x\", \"0\"]", "[\"x'\", \"0\"]")),
        ("acceleration in an event", changed(BASE, "\"gap\"", "\"gap''\"")),
        ("third derivative in an output", with("outputs", "jerk = \"x'''\"")),
        ("coordinate at the start", changed(BASE, "x = 0\n", "x = \"y\"\n")),
        ("definition at the start", changed(BASE, "x = 0\n", "x = \"gap\"\n")),
    ]));
}

const GAP: &str = "gap = \"y - x\"\n";
const SPEED: &str = "gap = \"y - x\"\nspeed = \"gap'\"\n";

#[test]
fn forces_and_values_at_the_start_belong_to_coordinates() {
    insta::assert_snapshot!(messages([
        ("force on a parameter", with("forces", "m = 1")),
        ("force on a definition of velocities", changed(&with("forces", "speed = 1"), GAP, SPEED)),
        ("force on a state", with("forces", "heat = 1")),
        ("force on a velocity", with("forces", "\"x'\" = 1")),
        ("force on nothing known", with("forces", "xx = 1")),
        ("start of a parameter", with("initial", "k = 1")),
        ("start of a definition", with("initial", "gap = 1")),
        ("start of an acceleration", with("initial", "\"x''\" = 1")),
        ("start of the rate of a state", with("initial", "\"heat'\" = 1")),
        ("start of nothing known", with("initial", "z = 1")),
        ("guess of a parameter", with("guess", "k = 1")),
    ]));
}

#[test]
fn a_chain_says_what_it_needs() {
    insta::assert_snapshot!(messages([
        ("too few masses", chain("[1, 2, 3]", "[1, 2]")),
        ("too many lengths", chain("length = 0.5", "length = [1, 2, 3, 4]")),
        ("too few angles", chain("\"hanging\"", "[\"90 deg\"]")),
        ("no links", chain("links = 3", "links = 0")),
        ("half a link", chain("links = 3", "links = 2.5")),
        ("fewer than no links", chain("links = 3", "links = -3")),
        ("too many links", chain("links = 3", "links = 1e9")),
        ("links by formula", chain("links = 3", "links = \"n\"")),
        ("links left out", chain("links = 3\n", "")),
        ("unknown shape", chain("\"bob\"", "\"ball\"")),
        ("unknown start", chain("\"hanging\"", "\"upright\"")),
        ("a number for the start", chain("\"hanging\"", "90")),
        ("with coordinates", format!("{CHAIN}\n[coordinates]\nx = \"cart\"\n")),
        ("with energy", format!("{CHAIN}\n[energy]\npotential = \"0\"\n")),
        ("a parameter of its own", format!("{CHAIN}\n[parameters]\nL = 1\n")),
        ("parameters of its own", format!("{CHAIN}\n[parameters]\nm2 = 1\n")),
        ("a name of its own", format!("{CHAIN}\n[definitions]\ntip_x = \"theta1\"\n")),
        ("mass by an unknown name", chain("[1, 2, 3]", "\"mass\"")),
        ("pivot that follows a link", format!("{CHAIN}\n[chain.pivot]\nx = \"theta\"\n")),
    ]));
}

#[test]
fn a_user_parameter_m_beside_a_chain_says_how_to_use_it() {
    let model = format!("{}\n[parameters]\nm = 1\n", chain("mass = [1, 2, 3]", "mass = 1"));
    insta::assert_snapshot!(message("chain parameter m", &model));
}

#[test]
fn several_mistakes_are_shown_together_and_counted_when_there_are_many() {
    let names: Vec<String> = (0..25).map(|i| format!("a{i}")).collect();
    insta::assert_snapshot!(messages([
        ("two", changed(&potential("1/2*q*gap^2"), "1/2*m*(", "1/2*n*(")),
        ("twenty-five", potential(&names.join(" + "))),
    ]));
}

#[test]
fn run_values_that_are_not_positive_are_refused() {
    insta::assert_snapshot!(messages([
        ("zero", changed(BASE, "t_end = 10", "t_end = 0")),
        ("negative", with("run", "step = \"-k\"")),
        ("infinite", with("run", "every = \"1/0\"")),
        ("an unknown name", with("run", "every = \"kk/100\"")),
        ("a coordinate", with("run", "every = \"x\"")),
    ]));
}

#[test]
fn a_huge_file_is_refused_without_being_read() {
    let folder = Folder::new("huge");
    folder.write("huge.toml", format!("{BASE}# {}\n", "x".repeat(10_000_000)));
    insta::assert_snapshot!(folder.run(&["check", "huge.toml"]).refused(1));
}

#[test]
fn formulas_beyond_all_measure_are_refused() {
    let parentheses = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    let signs = format!("{}x", "-".repeat(100_000));
    let powers = format!("{}x", "x^".repeat(100_000));
    let calls = format!("{}x{}", "sin(".repeat(100_000), ")".repeat(100_000));
    let sum = format!("x{}", "+x".repeat(2_000_000));
    let lists = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    insta::assert_snapshot!(messages([
        ("nested parentheses", potential(&parentheses)),
        ("signs", potential(&signs)),
        ("towers of powers", potential(&powers)),
        ("nested functions", potential(&calls)),
        ("two million operations", potential(&sum)),
        ("an unknown name in a long line", potential(&format!("x{} + z", "+x".repeat(100_000)))),
        ("nested lists", changed(BASE, "m = 2", &format!("m = {lists}"))),
        ("nested tables", format!("{BASE}\n[{}]\n", vec!["a"; 100_000].join("."))),
    ]));
}

#[test]
fn bytes_that_are_no_text_are_shown_where_they_are() {
    let folder = Folder::new("not text");
    folder.write("latin1.toml", [BASE.as_bytes(), b"# Stra\xdfe\n"].concat());
    folder.write("binary.toml", (0..=255).collect::<Vec<u8>>());
    folder.write("control.toml", changed(BASE, "first cart", "first\u{0}cart"));
    folder.write("marked.toml", "\u{feff}m = 2 2\n");
    let each = ["latin1.toml", "binary.toml", "control.toml", "marked.toml"]
        .map(|file| format!("——— {file}\n{}", folder.run(&["check", file]).refused(1)));
    insta::assert_snapshot!(each.join("\n"));
}

#[test]
fn a_folder_is_not_a_model() {
    let folder = Folder::new("folder");
    std::fs::create_dir(folder.path("models")).expect("a folder can be made");
    insta::assert_snapshot!(folder.run(&["check", "models"]).refused(1));
}

#[test]
fn what_does_not_exist_is_answered_with_the_nearest_ready_system() {
    insta::assert_snapshot!(refusals(
        "nothing there",
        BASE,
        [
            &["check", "four-baar"],
            &["derive", "double-pendulm"],
            &["check", "modell.toml"],
            &["check", ""],
        ]
    ));
}

#[test]
fn settings_that_cannot_be_applied_are_mistakes_of_the_command_line() {
    insta::assert_snapshot!(refusals(
        "settings",
        BASE,
        [
            &["check", "model.toml", "--set", "mm=3"],
            &["check", "model.toml", "--set", "stiffness=3"],
            &["check", "model.toml", "--set", "m"],
            &["check", "model.toml", "--set", ""],
            &["check", "model.toml", "--set", "m="],
            &["check", "model.toml", "--set", "m=2*(3"],
            &["check", "model.toml", "--set", "m=2*n"],
            &["check", "model.toml", "--set", "m=1/0"],
            &["check", "model.toml", "--set", "m'=1"],
            &["check", "model.toml", "--set", "x''=1"],
            &["check", "model.toml", "--set", "heat'=1"],
            &["check", "model.toml", "--set", "x=y"],
            &["check", "model.toml", "--set", "gap=1"],
            &["check", "model.toml", "--set", "guess.xx=1"],
            &["check", "model.toml", "--set", "guess.heat=1"],
            &["check", "model.toml", "--set", "m=2 lb"],
            &["check", "chain", "--set", "links=0"],
            &["check", "chain", "--set", "links=many"],
            &["check", "chain", "--set", "link=3"],
            &["check", "chain", "--set", "theta99=3"],
            &["check", "chain", "--set", "links'=3"],
        ]
    ));
}

#[test]
fn a_setting_and_a_file_that_are_both_wrong_are_shown_together() {
    let folder = Folder::new("both wrong");
    folder.write("model.toml", potential("1/2*k*"));
    insta::assert_snapshot!(folder.run(&["check", "model.toml", "--set", "m=("]).refused(1));
}

#[test]
fn commands_that_do_not_exist_are_mistakes_of_the_command_line() {
    insta::assert_snapshot!(refusals(
        "commands",
        BASE,
        [
            &["dervie", "model.toml"],
            &["derive", "model.toml", "--format", "pdf"],
            &["derive", "model.toml", "--coordinates", "cartesian"],
            &["derive"],
            &["check", "model.toml", "--set"],
            &["check", "model.toml", "m=3"],
            &["new", "other.toml", "--from", "four-ber"],
            &["new", "other.toml", "--from", "rocket"],
        ]
    ));
}

#[test]
fn a_new_model_is_never_written_over_a_file() {
    let folder = Folder::new("new");
    folder.write("model.toml", BASE);
    let message = folder.run(&["new", "model.toml"]).refused(1);
    let kept = folder.text("model.toml");
    assert_eq!(kept, BASE);
    let nowhere = folder.run(&["new", "missing/model.toml"]).refused(1);
    insta::assert_snapshot!([message, nowhere].join("\n"));
}

#[test]
fn only_chains_have_absolute_coordinates() {
    let folder = Folder::new("absolute");
    folder.write("model.toml", BASE);
    let arguments = ["derive", "model.toml", "--coordinates", "absolute"];
    insta::assert_snapshot!(folder.run(&arguments).refused(1));
}

#[test]
fn a_derivation_that_cannot_be_checked_is_not_shown() {
    let folder = Folder::new("unchecked");
    folder.write("nowhere.toml", potential("k*sqrt(-1 - gap^2)"));
    insta::assert_snapshot!(folder.run(&["derive", "nowhere.toml"]).refused(1));
}

#[test]
fn thousands_of_mistakes_are_answered_in_time() {
    let names = |count: usize| (0..count).map(|i| format!("a{i}")).collect::<Vec<_>>();
    let shown = message("unknown names", &potential(&names(100_000).join(" + ")));
    assert!(shown.contains("unknown name `a0`"), "{shown}");
    let unused: String = names(20_000).iter().map(|name| format!("{name} = 1\n")).collect();
    let found = findings("unused parameters", 0, &with("parameters", &unused));
    assert!(found.contains("the parameter `a0` is never used"), "{found}");
    assert!(found.len() < 10_000, "nobody reads {} bytes of warnings", found.len());
}

/// Sharing keeps these models small; written out or multiplied out they would never end.
#[test]
fn formulas_that_would_be_endless_when_written_out_are_derived_in_time() {
    let nested = |step: &str, count: usize| {
        let lines = (1..=count)
            .map(|i| format!("d{i} = \"{}\"\n", step.replace('d', &format!("d{}", i - 1))));
        let lines = lines.collect::<String>();
        let model =
            changed(BASE, "gap = \"y - x\"\n", &format!("gap = \"y - x\"\nd0 = \"gap\"\n{lines}"));
        changed(&model, "1/2*k*(gap - 1)^2", &format!("k*d{count}"))
    };
    let sums: Vec<String> = (1..=24).map(|i| format!("(x + sin({i}*y))")).collect();
    let cases = [
        ("product of sums", with("forces", &format!("x = \"{}\"", sums.join("*")))),
        ("nested products", nested("d*cos(d)", 40)),
        ("nested sums", nested("d + cos(d)", 40)),
        ("nested functions", nested("cos(d)", 1000)),
    ];
    for (name, model) in cases {
        let folder = Folder::new(name);
        folder.write("model.toml", model);
        let answer = folder.run(&["derive", "model.toml"]);
        // tiny slopes may be refused by the check of the derivation; what counts is an answer
        assert!(matches!(answer.code, Some(0 | 1)), "{name}: {}", answer.message);
    }
}
