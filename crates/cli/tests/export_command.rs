//! `catena export`: what it writes where, and what it says to wrong requests.

mod process;

use process::Folder;

/// A model that nothing moves.
const MASSLESS: &str = r#"
coordinates = { x = "", y = "" }
[energy]
kinetic = "1/2*x'^2"
potential = "x^2 + y^2"
"#;

/// Two rods that lie on each other at the start, where either may turn.
const SINGULAR: &str = r#"
coordinates = { x = "", y = "" }
[energy]
kinetic = "1/2*x'^2 + 1/2*y'^2"
[constraints]
cross = "x^2 - y^2"
[initial]
x = 0
y = 0
"#;

#[test]
fn every_language_goes_to_standard_output_or_to_a_file_with_its_ending() {
    let folder = Folder::new("export languages");
    for (language, file, beginning) in [
        ("c", "swing.c", "// Double pendulum"),
        ("python", "swing.py", "# Double pendulum"),
        ("octave", "swing.m", "function varargout = swing(what)"),
        ("latex", "swing.tex", "\\documentclass"),
        ("json", "swing.json", "{"),
    ] {
        let printed = folder.run(&["export", "double-pendulum", "--as", language]).printed();
        let said = folder.run(&["export", "double-pendulum", "-o", file]).printed();
        assert_eq!(said, format!("the equations of Double pendulum are in {file}\n"));
        let written = folder.text(file);
        assert!(written.starts_with(beginning), "{written}");
        // programs and functions are called as the file is
        let renamed =
            printed.replace("double-pendulum", "swing").replace("double_pendulum", "swing");
        assert_eq!(renamed.len(), written.len(), "{language}");
    }
}

#[test]
fn an_unknown_language_is_answered_with_the_nearest_one() {
    let folder = Folder::new("export unknown");
    let said = folder.run(&["export", "four-bar", "--as", "pyton"]).refused(2);
    assert!(said.contains("a similar value exists: 'python'"), "{said}");
    let said = folder.run(&["export", "four-bar", "--as", "fortran"]).refused(2);
    assert!(said.contains("[possible values: c, python, octave, latex, json]"), "{said}");
    let said = folder.run(&["export", "four-bar"]).refused(2);
    assert!(said.contains("the language is missing") && said.contains("-o model.c"), "{said}");
}

#[test]
fn a_file_that_does_not_fit_is_refused_before_the_work() {
    let folder = Folder::new("export endings");
    let said = folder.run(&["export", "four-bar", "-o", "four.txt"]).refused(2);
    assert!(said.contains("four.txt") && said.contains(".py"), "{said}");
    let said = folder.run(&["export", "four-bar", "--as", "c", "-o", "four.py"]).refused(2);
    assert!(said.contains("four.py") && said.contains(".c"), "{said}");
    let said = folder.run(&["export", "four-bar", "--as", "octave", "-o", "four-bar.m"]).refused(2);
    assert!(said.contains("a file `four-bar.m` cannot be called"), "{said}");
    assert!(said.contains("call it `four_bar.m`"), "{said}");
    for taken in ["simulate", "mass_matrix", "sin", "ode45", "if"] {
        let file = format!("{taken}.m");
        let said = folder.run(&["export", "four-bar", "-o", &file]).refused(2);
        assert!(said.contains(&format!("call it `{taken}_model.m`")), "{said}");
    }
    folder.write("own.c", MASSLESS);
    folder.run(&["export", "own.c", "-o", "own.c"]).refused(2);
    assert_eq!(folder.text("own.c"), MASSLESS);
}

#[test]
fn a_model_that_cannot_be_exported_is_refused_with_the_reason() {
    let folder = Folder::new("export models");
    folder.write("massless.toml", MASSLESS);
    let said = folder.run(&["export", "massless.toml", "--as", "c"]).refused(1);
    assert!(said.contains("this model cannot move: "), "{said}");
    assert!(said.contains("`y`") && said.contains("help: "), "{said}");
    folder.write("singular.toml", SINGULAR);
    let said = folder.run(&["export", "singular.toml", "--as", "c"]).refused(1);
    assert!(said.contains("the model starts in a singular pose"), "{said}");
    let said = folder.run(&["export", "chain", "--set", "links=1000", "--as", "c"]).refused(1);
    assert!(said.contains("1000 coordinates are too many to be written out as source"), "{said}");
    assert!(said.contains("take fewer links"), "{said}");
    let said =
        folder.run(&["export", "four-bar", "--as", "c", "--coordinates", "joint"]).refused(1);
    assert!(said.contains("this model has no joint coordinates"), "{said}");
}

#[test]
fn settings_and_coordinates_reach_the_source() {
    let folder = Folder::new("export settings");
    let printed = folder.run(&["export", "four-bar", "--as", "c", "--set", "L2=0.35"]).printed();
    assert!(printed.contains("p.L2 = 0.35;"));
    let arguments =
        ["export", "chain", "--set", "links=3", "--as", "c", "--coordinates", "absolute"];
    let printed = folder.run(&arguments).printed();
    assert!(printed.contains("COORDINATES = 9") && printed.contains("CONSTRAINTS = 6"));
}
