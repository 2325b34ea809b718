//! What the program says to bodies and joints that cannot be: what it is, where it is and what to do
//! about it. The snapshots are the messages that people see.

mod process;

use process::Folder;

/// A linkage in which nothing is wrong; every case changes one thing in it.
const LINKAGE: &str = r#"title = "Linkage"

[sizes]
n = 2

[parameters]
L = 0.4

[ground]
points = { O = [0, 0], D = [1, 0] }

[[body]]
name = "crank"
mass = 1
length = "L"

[[body]]
name = "coupler"
mass = 2.25
length = 0.9
points = { P = [0.4, 0.2] }

[[body]]
name = "rocker"
mass = 2
length = 0.8
angle = "92 deg"

[[joint]]
name = "O"
type = "revolute"
between = ["ground.O", "crank.A"]

[[joint]]
name = "B"
type = "revolute"
between = ["crank.B", "coupler.A"]

[[joint]]
name = "C"
type = "revolute"
between = ["coupler.B", "rocker.B"]

[[joint]]
name = "D"
type = "revolute"
between = ["ground.D", "rocker.A"]

[[spring]]
between = ["ground.D", "coupler.P"]
stiffness = 10
length = 0.3

[initial]
crank_angle = "60 deg"
"#;

/// The exit code and all that is said by `catena check` with these arguments.
fn check(name: &str, model: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = Folder::new(name);
    folder.write("model.toml", model);
    let answer = folder.run(&[&["check", "model.toml"], arguments].concat());
    (answer.code, answer.output + &answer.message)
}

/// The messages of models that must be refused, each under its name.
fn refused<const N: usize>(cases: [(&str, String); N]) -> String {
    let each = cases.map(|(name, model)| {
        let (code, message) = check(name, &model, &[]);
        assert_eq!(code, Some(1), "{name}: {message}");
        format!("——— {name}\n{message}")
    });
    each.join("\n")
}

fn changed(from: &str, to: &str) -> String {
    assert_eq!(LINKAGE.matches(from).count(), 1, "`{from}` stands once in the model");
    LINKAGE.replacen(from, to, 1)
}

/// The linkage with one more part.
fn with(part: &str) -> String {
    changed("[initial]\n", &format!("{part}\n\n[initial]\n"))
}

#[test]
fn the_linkage_that_the_cases_change_is_right_itself() {
    let (code, found) = check("right", LINKAGE, &[]);
    assert_eq!(code, Some(0), "{found}");
    insta::assert_snapshot!(found);
}

#[test]
fn a_joint_to_what_does_not_exist_is_answered_with_the_nearest_name() {
    insta::assert_snapshot!(refused([
        ("a body", changed("\"coupler.A\"", "\"copler.A\"")),
        ("a body that is like none", changed("\"coupler.A\"", "\"flywheel.A\"")),
        ("a point", changed("\"coupler.P\"", "\"coupler.Q\"")),
        (
            "a point of the ground",
            changed("[\"ground.O\", \"crank.A\"]", "[\"ground.o1\", \"crank.A\"]")
        ),
        ("a point of nothing", changed("length = \"L\"", "inertia = 1")),
        ("the joint of a motor", with("[[motor]]\nname = \"M\"\njoint = \"OO\"\nangle = \"t\"")),
        ("the body of a torque", with("[[torque]]\non = \"cranc\"\nvalue = 1")),
        (
            "the other body of a torque",
            with("[[torque]]\non = \"crank\"\nfrom = \"world\"\nvalue = 1")
        ),
        ("a parameter", changed("length = \"L\"", "length = \"2*l2\"")),
        ("a coordinate for a constant", changed("stiffness = 10", "stiffness = \"crank_angle\"")),
        ("a name in a force", with("[[force]]\non = \"coupler.P\"\nx = \"3*crank_angel\"")),
        (
            "a carrier",
            with(
                "[[joint]]\nname = \"G\"\ntype = \"gear\"\nbetween = [\"crank\", \"rocker\"]\nratio = 2\ncarrier = \"arm\""
            )
        ),
    ]));
}

#[test]
fn a_name_belongs_to_one_part() {
    insta::assert_snapshot!(refused([
        ("two bodies", changed("name = \"rocker\"", "name = \"coupler\"")),
        ("two joints", changed("name = \"D\"", "name = \"C\"")),
        ("a joint and a motor", with("[[motor]]\nname = \"B\"\njoint = \"O\"\nangle = \"t\"")),
        ("a body called ground", changed("name = \"rocker\"", "name = \"ground\"")),
        ("a body with a gap", changed("name = \"rocker\"", "name = \"the rocker\"")),
        ("a joint with a sign", changed("name = \"D\"", "name = \"D-1\"")),
        ("a point with a gap", changed("{ P =", "{ \"P 1\" =")),
        ("a coordinate and a parameter", changed("L = 0.4", "L = 0.4\nrocker_angle = 1")),
        ("a constraint of its own", with("[constraints]\nB_x = \"crank_x\"")),
        ("an output of its own", with("[outputs]\nB_fx = \"crank_x\"")),
    ]));
}

#[test]
fn a_tree_that_floats_must_be_meant() {
    let flying = changed(
        "[[joint]]\nname = \"O\"\ntype = \"revolute\"\nbetween = [\"ground.O\", \"crank.A\"]\n",
        "",
    )
    .replace("[\"ground.D\", \"rocker.A\"]", "[\"crank.A\", \"rocker.A\"]");
    insta::assert_snapshot!(refused([
        ("all of it", flying.clone()),
        ("one body", with("[[body]]\nname = \"moon\"\nmass = 1\ninertia = 1")),
        (
            "a gear holds nothing",
            with(
                "[[body]]\nname = \"wheel\"\nmass = 1\ninertia = 1\n[[joint]]\nname = \"G\"\ntype = \
                 \"gear\"\nbetween = [\"crank\", \"wheel\"]\nratio = 2"
            )
        ),
    ]));
    let free = flying.replace("name = \"crank\"\n", "name = \"crank\"\nfree = true\n");
    let (code, found) = check("free", &free, &[]);
    assert_eq!(code, Some(0), "{found}");
}

#[test]
fn parts_that_cannot_meet_say_how_far_their_joints_stay_open() {
    insta::assert_snapshot!(refused([
        ("a coupler that is too short", changed("length = 0.9", "length = 0.05")),
        (
            "two welds that turn against each other",
            format!(
                "{}\n{}\n{}",
                "[[body]]\nname = \"plate\"\nmass = 1\nlength = 1",
                "[[joint]]\nname = \"V\"\ntype = \"weld\"\nbetween = [[0, 0], \"plate.A\"]",
                "[[joint]]\nname = \"W\"\ntype = \"weld\"\nbetween = [[1, 0.01], \"plate.B\"]\nangle = \"3 deg\"",
            )
        ),
    ]));
}

#[test]
fn a_motor_needs_a_freedom() {
    let motor = |joint: &str, motion: &str| {
        with(&format!("[[motor]]\nname = \"M\"\njoint = \"{joint}\"\n{motion}"))
    };
    let weld = motor("D", "angle = \"t\"")
        .replace("name = \"D\"\ntype = \"revolute\"", "name = \"D\"\ntype = \"weld\"");
    insta::assert_snapshot!(refused([
        ("a weld", weld),
        ("a position where it turns", motor("O", "position = \"t\"")),
        ("no motion", motor("O", "")),
        ("a motion that follows a velocity", motor("O", "angle = \"rocker_angle'\"")),
        ("no joint", with("[[motor]]\nname = \"M\"\nangle = \"t\"")),
    ]));
}

#[test]
fn no_body_has_such_a_mass() {
    insta::assert_snapshot!(refused([
        ("negative mass", changed("mass = 2.25", "mass = -2.25")),
        ("negative inertia", changed("length = 0.9\n", "inertia = \"-L\"\nlength = 0.9\n")),
        (
            "inertia without mass",
            changed("mass = 2.25\nlength = 0.9", "mass = 0\nlength = 0.9\ninertia = 0.1")
        ),
        ("no length", changed("length = 0.9\n", "length = 0\n")),
    ]));
    let (code, found) = check("set", LINKAGE, &["--set", "crank_mass=-1"]);
    assert_eq!(code, Some(1), "{found}");
    assert!(found.contains("the mass of `crank` is -1"), "{found}");
}

#[test]
fn a_spring_needs_a_direction() {
    let spring = |length: &str| {
        with(&format!(
            "[[spring]]\nname = \"s\"\nbetween = [\"crank.B\", \"coupler.A\"]\nstiffness = 1\n{length}"
        ))
    };
    insta::assert_snapshot!(refused([("ends in one pin", spring("length = 0.1"))]));
    let (code, found) = check("no free length", &spring(""), &[]);
    assert_eq!(code, Some(0), "{found}");
}

#[test]
fn every_part_says_what_it_needs() {
    insta::assert_snapshot!(refused([
        ("a body without a name", changed("name = \"rocker\"\n", "")),
        ("a body without mass", changed("mass = 2.25\n", "")),
        ("a body without inertia", changed("length = 0.8\n", "")),
        ("a joint without a type", changed("name = \"D\"\ntype = \"revolute\"", "name = \"D\"")),
        ("a joint without ends", changed("between = [\"ground.D\", \"rocker.A\"]\n", "")),
        ("a joint with one end", changed("[\"ground.D\", \"rocker.A\"]", "[\"rocker.A\"]")),
        ("an end that is a number", changed("[\"ground.D\", \"rocker.A\"]", "[1, \"rocker.A\"]")),
        (
            "a prismatic joint without axis",
            changed("name = \"D\"\ntype = \"revolute\"", "name = \"D\"\ntype = \"prismatic\"")
        ),
        (
            "an axis without direction",
            changed(
                "name = \"D\"\ntype = \"revolute\"",
                "name = \"D\"\ntype = \"prismatic\"\naxis = [0, 0]"
            )
        ),
        (
            "a distance without length",
            changed("name = \"D\"\ntype = \"revolute\"", "name = \"D\"\ntype = \"distance\"")
        ),
        (
            "a distance of nothing",
            changed(
                "name = \"D\"\ntype = \"revolute\"",
                "name = \"D\"\ntype = \"distance\"\nlength = 0"
            )
        ),
        (
            "a gear without ratio",
            changed("name = \"D\"\ntype = \"revolute\"", "name = \"D\"\ntype = \"gear\"")
        ),
        ("a key of another joint", changed("name = \"D\"\n", "name = \"D\"\naxis = [1, 0]\n")),
        (
            "an unknown type",
            changed("name = \"D\"\ntype = \"revolute\"", "name = \"D\"\ntype = \"revolut\"")
        ),
        (
            "a type that is like none",
            changed("name = \"D\"\ntype = \"revolute\"", "name = \"D\"\ntype = \"ball\"")
        ),
        ("an unknown key", changed("mass = 2.25\n", "mas = 2.25\n")),
        (
            "a joint from a body to itself",
            changed("\"coupler.B\", \"rocker.B\"", "\"coupler.B\", \"coupler.P\"")
        ),
        ("a joint in the ground", changed("\"ground.D\", \"rocker.A\"", "\"ground.D\", [1, 0]")),
        ("a spring without stiffness", changed("stiffness = 10\n", "")),
        ("a force without components", with("[[force]]\non = \"coupler.P\"")),
        ("a force on nothing", with("[[force]]\nx = 1")),
        ("a force on the ground", with("[[force]]\non = \"ground.D\"\nx = 1")),
        ("a torque without value", with("[[torque]]\non = \"crank\"")),
        ("one bracket", changed("[[spring]]", "[spring]")),
        ("a point with one number", changed("[0.4, 0.2]", "[0.4]")),
        ("a long constant", changed("[0.4, 0.2]", &format!("[\"0.4{}\", 0.2]", " + 0".repeat(50)))),
        ("with coordinates", with("[coordinates]\nx = \"cart\"")),
        ("with energy", with("[energy]\npotential = \"0\"")),
        ("with a chain", with("[chain]\nlinks = 3")),
        (
            "joints alone",
            "[[joint]]\nname = \"O\"\ntype = \"revolute\"\nbetween = [[0, 0], \"crank.A\"]\n"
                .into()
        ),
        ("ground alone", "[ground]\npoints = { O = [0, 0] }\n".into()),
    ]));
}

#[test]
fn a_cam_is_a_curve_of_its_own_angle() {
    let cam = |keys: &str| {
        with(&format!(
            "[[joint]]\nname = \"cam\"\ntype = \"cam-follower\"\n\
             between = [\"crank.A\", \"rocker.B\"]\n{keys}"
        ))
    };
    insta::assert_snapshot!(refused([
        ("no curve", cam("radius = 0.1")),
        ("another angle", cam("profile = \"L + L/5*cos(crank_angle)\"")),
        ("its rate", cam("profile = \"L + L/5*phi'\"")),
        ("an axis", cam("profile = \"L\"\naxis = [1, 0]")),
        ("a runaway formula", cam(&format!("profile = \"{}phi\"", "phi^".repeat(99)))),
    ]));
}

#[test]
fn copies_are_counted_in_whole_numbers() {
    let copies = |repeat: &str| {
        with(&format!(
            "[[body]]\nname = \"ball{{i}}\"\nrepeat = {repeat}\nmass = 1\ninertia = 1\nfree = true"
        ))
    };
    insta::assert_snapshot!(refused([
        ("half a copy", copies("2.5")),
        ("fewer than none", copies("\"n-3\"")),
        ("too many", copies("1001")),
        ("an unknown size", copies("\"m\"")),
        ("a parameter", copies("\"L\"")),
        ("true", copies("true")),
        (
            "a number of a copy in a single one",
            changed("name = \"rocker\"", "name = \"rocker{i}\"")
        ),
        ("an unknown size in a name", changed("\"rocker.B\"]", "\"rocker{k}.B\"]")),
        (
            "a neighbour that is not there",
            with(
                "[[joint]]\nname = \"J{i}\"\nrepeat = \"n\"\ntype = \"revolute\"\nbetween = [\"crank.B\", \"rocker{i-1}.A\"]"
            )
        ),
        ("a size that is no number", changed("n = 2", "n = \"two\"")),
        ("a size called i", changed("n = 2", "i = 2")),
        ("a size that is not whole", changed("n = 2", "n = 2.5")),
    ]));
    assert_eq!(check("copies", &copies("\"2*n + 1\""), &[]).0, Some(0));
    assert_eq!(check("no copies", &copies("\"n - 2\""), &[]).0, Some(0));
}

#[test]
fn a_size_is_set_to_a_whole_number() {
    let model =
        with("[[body]]\nname = \"ball{i}\"\nrepeat = \"n\"\nmass = 1\ninertia = 1\nfree = true");
    let (code, found) = check("set size", &model, &["--set", "n=3"]);
    assert!(code == Some(0) && found.contains("18 coordinates"), "{found}");
    let each = [["--set", "n=1.5"], ["--set", "nn=3"], ["--set", "n=2000"]].map(|arguments| {
        let (code, message) = check(arguments[1], &model, &arguments);
        assert_ne!(code, Some(0), "{message}");
        format!("——— {}, exit code {code:?}\n{message}", arguments[1])
    });
    insta::assert_snapshot!(each.join("\n"));
}
