//! What `catena check` finds in models that can be read: redundant and contradictory constraints, missing mass, starts that
//! cannot be. The snapshots are the findings that people see.

mod carts;
mod process;

use carts::{BASE, changed, findings, potential, with};
use process::Folder;

#[test]
fn what_is_never_used_is_a_warning() {
    let model = with("parameters", "c = 0.1");
    let model = changed(&model, "gap = \"y - x\"", "gap = \"y - x\"\nmiddle = \"(x + y)/2\"");
    insta::assert_snapshot!(findings("unused", 0, &model));
}

/// A point mass in the plane on the given constraints.
fn bead(constraints: &str, initial: &str) -> String {
    format!(
        r#"title = "Bead"
[parameters]
m = 1
l = 1
[coordinates]
x = "to the right"
y = "up"
[energy]
kinetic = "1/2*m*(x'^2 + y'^2)"
potential = "9.81*m*y"
[constraints]
{constraints}
[initial]
{initial}
"#
    )
}

#[test]
fn a_constraint_said_twice_is_redundant_and_named_with_its_pair() {
    let model = bead(
        "circle = \"x^2 + y^2 - l^2\"\ncopy = \"2*(x^2 + y^2) - 2*l^2\"",
        "x = 0.6\n[guess]\ny = -0.8",
    );
    insta::assert_snapshot!(findings("redundant", 0, &model));
}

#[test]
fn a_constraint_that_follows_from_several_is_redundant() {
    let model = bead("wall = \"x - l\"\nfloor = \"y\"\nsum = \"x + y - l\"", "x = 1");
    insta::assert_snapshot!(findings("redundant of several", 0, &model));
}

#[test]
fn a_copy_changed_by_a_constant_is_contradictory() {
    let model = bead(
        "circle = \"x^2 + y^2 - l^2\"\ncopy = \"x^2 + y^2 - 2*l^2\"",
        "x = 0.6\n[guess]\ny = -0.8",
    );
    insta::assert_snapshot!(findings("contradictory", 1, &model));
}

#[test]
fn a_coordinate_without_mass_cannot_run() {
    let model = changed(BASE, "1/2*m*(x'^2 + y'^2)", "1/2*m*x'^2");
    insta::assert_snapshot!(findings("massless", 1, &model));
}

#[test]
fn two_coordinates_that_share_one_mass_cannot_run() {
    let model = changed(BASE, "1/2*m*(x'^2 + y'^2)", "1/2*m*(x' + y')^2");
    insta::assert_snapshot!(findings("shared mass", 1, &model));
}

#[test]
fn a_coordinate_with_negative_mass_cannot_run() {
    let model = changed(BASE, "1/2*m*(x'^2 + y'^2)", "1/2*m*(x'^2 - y'^2)");
    insta::assert_snapshot!(findings("negative mass", 1, &model));
}

/// Each coordinate by itself is heavy enough; moving apart they gain energy by slowing down.
#[test]
fn a_mass_matrix_that_is_not_positive_cannot_run() {
    let model = changed(BASE, "1/2*m*(x'^2 + y'^2)", "1/2*m*(x'^2 + y'^2 + 4*x'*y')");
    let found = findings("indefinite mass", 1, &model);
    assert!(found.contains("error"), "{found}");
}

#[test]
fn a_massless_coordinate_that_constraints_determine_can_run() {
    let model = changed(BASE, "1/2*m*(x'^2 + y'^2)", "1/2*m*x'^2");
    let model = format!("{model}\n[constraints]\nrod = \"gap - 1\"\n");
    insta::assert_snapshot!(findings("saved", 0, &model));
}

#[test]
fn a_start_given_in_full_that_violates_its_constraints_shows_each_residual() {
    let constraints = "circle = \"x^2 + y^2 - l^2\"\nslope = \"y + x\"";
    insta::assert_snapshot!(findings("violated", 1, &bead(constraints, "x = 1\ny = 0.5")));
}

#[test]
fn velocities_given_in_full_that_violate_their_constraints_show_each_residual() {
    let initial = "x = 1\ny = 0\n\"x'\" = 2\n\"y'\" = 1";
    let model = bead("circle = \"x^2 + y^2 - l^2\"", initial);
    insta::assert_snapshot!(findings("violated velocities", 1, &model));
}

#[test]
fn parts_that_cannot_meet_are_told_so() {
    let model = bead("circle = \"x^2 + y^2 - l^2\"\nwall = \"x - 2*l\"", "y = 0.1");
    insta::assert_snapshot!(findings("too short", 1, &model));
}

/// A four-bar linkage of two equal pairs of links: flat, it may fold either way.
#[test]
fn a_flat_parallelogram_starts_in_a_singular_pose() {
    let model = r#"title = "Parallelogram"
[parameters]
m = 1
l = 1
[coordinates]
a = "left crank, angle from +x"
b = "coupler, angle from +x"
c = "right crank, angle from +x"
[energy]
kinetic = "1/6*m*l^2*(a'^2 + b'^2 + c'^2)"
[constraints]
loop_x = "l*cos(a) + 2*l*cos(b) - l*cos(c) - 2*l"
loop_y = "l*sin(a) + 2*l*sin(b) - l*sin(c)"
[initial]
a = 0
b = 0
c = 0
"#;
    insta::assert_snapshot!(findings("singular", 0, model));
}

#[test]
fn a_function_that_is_not_finite_at_the_start_is_named() {
    let cases = [
        ("force", with("forces", "x = \"1/gap\"")),
        ("potential", potential("k*sqrt(gap)")),
        ("mass", changed(BASE, "1/2*m*(x'^2", "1/2*m/x*(x'^2")),
        ("rate", changed(BASE, "\"k*gap'^2\"", "\"log(gap)\"")),
        ("constraint", with("constraints", "rod = \"1/gap - 1\"")),
        ("derivative of a constraint", with("constraints", "rod = \"sqrt(gap)\"")),
    ];
    let each = cases.map(|(name, model)| {
        format!("——— {name}\n{}", findings(&format!("not finite {name}"), 1, &model))
    });
    insta::assert_snapshot!(each.join("\n"));
}

/// Whatever the message says: a model that begins with infinity or NaN cannot run.
#[test]
fn nothing_that_is_not_finite_at_the_start_can_run() {
    let cases = [
        ("value of a coordinate", changed(BASE, "x = 0\n", "x = \"1/0\"\n")),
        ("value of a velocity", changed(BASE, "x = 0\n", "\"x'\" = \"sqrt(-1)\"\n")),
        ("value of a state", changed(BASE, "x = 0\n", "heat = \"log(0)\"\n")),
        ("energy that exerts no force", potential("k*log(m - 2)")),
        ("rate of a constraint", with("constraints", "rod = \"gap - sqrt(t)\"")),
        ("acceleration of a constraint", with("constraints", "rod = \"gap - t^(3/2)\"")),
        ("nothing divided by nothing", changed(BASE, "k = 8", "k = \"0/0\"")),
        ("nothing times infinity", changed(BASE, "k = 8", "k = \"8 + 0*log(0)\"")),
    ];
    let can_run = cases.into_iter().filter(|(name, model)| {
        let folder = Folder::new(name);
        folder.write("model.toml", model);
        folder.run(&["check", "model.toml"]).code != Some(1)
    });
    let can_run: Vec<&str> = can_run.map(|(name, _)| name).collect();
    assert!(can_run.is_empty(), "these can run: {can_run:?}");
}

/// The circle and the line meet, but where the start is they happen to have the same direction.
#[test]
fn constraints_that_are_parallel_at_one_pose_do_not_contradict_each_other() {
    let constraints = "circle = \"x^2 + y^2 - l^2\"\nline = \"y + x\"";
    let found = findings("parallel", 1, &bead(constraints, "x = 1\ny = 1"));
    assert!(!found.contains("contradictory"), "{found}");
    assert!(found.contains("circle = 1") && found.contains("line = 2"), "{found}");
}

#[test]
fn the_start_is_shown_with_units_and_degrees() {
    let folder = Folder::new("start table");
    insta::assert_snapshot!(folder.run(&["check", "slider-crank-bodies"]).printed());
}

#[test]
fn a_check_is_one_json_object_for_programs() {
    let folder = Folder::new("check json");
    let text = folder.run(&["check", "slider-crank-bodies", "--json"]).printed();
    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(found["can_run"], true);
    let values = found["start"]["values"].as_array().expect("the values of the start");
    let value = |name: &str| values.iter().find(|value| value["name"] == name).expect("a value");
    let crank = value("crank_angle");
    assert_eq!((crank["unit"].as_str(), crank["degrees"].as_f64()), (Some("rad"), Some(45.0)));
    assert_eq!((crank["rate"].as_f64(), crank["rate_unit"].as_str()), (Some(10.0), Some("rad/s")));
    // r cos 45° + √(l² − r² sin² 45°)
    let (across, rod) = (0.1 * 0.5_f64.sqrt(), 0.3_f64);
    let expected = across + (rod * rod - across * across).sqrt();
    let slider = value("slider_x");
    assert_eq!(slider["unit"], "m");
    assert!((slider["value"].as_f64().expect("a number") - expected).abs() < 1e-12);
}
