//! Two carts: a model in which nothing is wrong, what is changed in it, and what `catena check` finds then.
// every file of tests uses some of this
#![allow(dead_code)]

use super::process::Folder;

/// A model in which nothing is wrong; every case changes one thing in it.
pub(crate) const BASE: &str = r#"title = "Two carts"

[parameters]
m = 2
k = 8

[coordinates]
x = "first cart"
y = "second cart"

[definitions]
gap = "y - x"

[energy]
kinetic = "1/2*m*(x'^2 + y'^2)"
potential = "1/2*k*(gap - 1)^2"

[states]
heat = "k*gap'^2"

[initial]
x = 0

[events]
touch = { when = "gap", terminal = true }

[draw]
spring = [["x", "0"], ["y", "0"]]

[run]
t_end = 10
"#;

pub(crate) fn changed(model: &str, from: &str, to: &str) -> String {
    assert_eq!(model.matches(from).count(), 1, "`{from}` stands once in the model");
    model.replacen(from, to, 1)
}

/// The base model with another potential energy.
pub(crate) fn potential(formula: &str) -> String {
    changed(BASE, "1/2*k*(gap - 1)^2", formula)
}

/// The base model with lines added to a section.
pub(crate) fn with(section: &str, lines: &str) -> String {
    let heading = format!("[{section}]\n");
    match BASE.contains(&heading) {
        true => changed(BASE, &heading, &format!("{heading}{lines}\n")),
        false => format!("{BASE}\n{heading}{lines}\n"),
    }
}

/// What `check` finds in a model that can be read.
pub(crate) fn findings(name: &str, code: i32, model: &str) -> String {
    let folder = Folder::new(name);
    folder.write("model.toml", model);
    folder.run(&["check", "model.toml"]).found(code)
}
