//! An output never replaces a file that is read, whatever its path looks like; links stay and lead to what was written.
#![cfg(unix)]

mod process;

use process::Folder;
use std::os::unix::fs::symlink;

/// A driven pendulum, short enough to run at once in every way.
const PENDULUM: &str = r#"title = "Driven pendulum"
parameters = { g = 9.81, l = 1, f = 0.2, a = 0.1, c = 0.5 }
coordinates = { theta = "angle" }
initial = { theta = 0.1 }
run = { t_end = 2 }

[energy]
kinetic = "1/2*l^2*theta'^2"
potential = "-g*l*cos(theta)"
dissipation = "1/2*c*theta'^2"

[forces]
theta = "a*sin(2*pi*f*t)"

[events]
top = { when = "theta'" }
"#;

/// Runs a command that would replace a file, and finds it refused with nothing done.
fn keeps(folder: &Folder, input: &str, command: &str) {
    let before = folder.read(input);
    let arguments: Vec<&str> = command.split_whitespace().collect();
    let message = folder.run(&arguments).refused(2);
    assert!(message.contains("would replace"), "{command}: {message}");
    assert!(message.contains(input), "{command}: {message}");
    assert!(message.contains("name another file"), "{command}: {message}");
    assert_eq!(folder.read(input), before, "{command}");
    assert!(folder.parts().is_empty(), "{command}");
}

#[test]
fn no_command_replaces_its_model() {
    let folder = Folder::new("no command replaces its model");
    for (input, command) in [
        ("m.csv", "run m.csv -o m.csv"),
        ("m.json", "run m.json -o m.json"),
        ("m.npz", "run m.npz -o ./m.npz"),
        ("m.svg", "run m.svg --plot m.svg"),
        ("m.toml", "analyze linearize m.toml -o m.toml"),
        ("m.csv", "analyze modes m.csv -o m.csv"),
        ("m.svg", "analyze phase m.svg --plot m.svg"),
        ("m.csv", "analyze response m.csv --over f=0.2,0.3 -o m.csv"),
        ("m.csv", "analyze spectrum m.csv -o m.csv"),
        ("m.csv", "compare m.csv -o m.csv"),
        ("m.svg", "compare m.svg --plot m.svg"),
        ("m.csv", "sweep m.csv --over l=1,2 --export m.csv"),
        ("m.svg", "sweep m.svg --over l=1,2 --plot m.svg"),
        ("m.toml", "sweep m.toml --over l=1,2 -o m.toml"),
        // the events of a run have a file of their own, and a store has a journal
        ("m.events.csv", "run m.events.csv -o m.csv"),
        ("m.sweep-journal", "sweep m.sweep-journal --over l=1,2 -o m.sweep"),
    ] {
        folder.write(input, PENDULUM);
        let _ = std::fs::remove_file(folder.path("m.sweep"));
        keeps(&folder, input, command);
    }
}

#[test]
fn no_spelling_of_a_path_hides_an_input() {
    let folder = Folder::new("no spelling hides an input");
    folder.write("own.json", PENDULUM);
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    symlink("own.json", folder.path("link.json")).expect("a link");
    symlink("../own.json", folder.path("sub/link.json")).expect("a link");
    symlink("link.json", folder.path("second.json")).expect("a link");
    symlink(".", folder.path("here")).expect("a link");
    std::fs::hard_link(folder.path("own.json"), folder.path("hard.json")).expect("a hard link");
    let absolute = folder.file("own.json");
    for output in [
        "./own.json",
        "sub/../own.json",
        "link.json",
        "sub/link.json",
        "second.json",
        "here/own.json",
        "hard.json",
        &absolute,
    ] {
        keeps(&folder, "own.json", &format!("run own.json -o {output}"));
    }
    // the model may be the one that is named by a link
    keeps(&folder, "own.json", "run link.json -o own.json");
}

#[test]
fn an_export_replaces_no_sweep() {
    let folder = Folder::new("an export replaces no sweep");
    folder.write("m.toml", PENDULUM);
    let sweep = "sweep m.toml --over l=1,2 -o map.csv";
    let twice: Vec<&str> = sweep.split(' ').chain(["--export", "./map.csv"]).collect();
    let message = folder.run(&twice).refused(2);
    assert!(message.contains("`./map.csv` and `map.csv` are one file"), "{message}");
    assert!(!folder.path("map.csv").exists());
    folder.run(&sweep.split(' ').collect::<Vec<_>>()).printed();
    keeps(&folder, "map.csv", "sweep export map.csv map.csv");
    keeps(&folder, "map.csv", "sweep merge map.csv map.csv");
}

#[test]
fn a_link_stays_and_leads_to_what_was_written() {
    let folder = Folder::new("a link stays");
    folder.write("m.toml", PENDULUM);
    std::fs::create_dir(folder.path("disk")).expect("a folder");
    folder.write("disk/old.csv", "old");
    for (link, target) in [
        ("old.csv", "disk/old.csv"),
        ("new.csv", "disk/new.csv"),
        ("new.svg", "disk/new.svg"),
        ("map.sweep", "disk/map.sweep"),
        ("map.csv", "disk/map.csv"),
    ] {
        symlink(target, folder.path(link)).expect("a link");
    }
    for command in [
        "run m.toml -o old.csv",
        "run m.toml -o new.csv --plot new.svg",
        "sweep m.toml --over l=1,2 -o map.sweep --export map.csv",
    ] {
        folder.run(&command.split(' ').collect::<Vec<_>>()).printed();
    }
    for link in ["old.csv", "new.csv", "new.svg", "map.sweep", "map.csv"] {
        let kind = folder.path(link).symlink_metadata().expect("the link is there").file_type();
        assert!(kind.is_symlink(), "{link} is no link any more");
        assert!(folder.read(&format!("disk/{link}")).len() > 10, "{link} leads to nothing");
    }
    assert_eq!(folder.read("old.csv"), folder.read("new.csv"));
    assert!(folder.parts().is_empty());
}

#[test]
fn a_damaged_sweep_behind_a_link_is_mended_where_it_is() {
    let folder = Folder::new("a damaged sweep behind a link");
    folder.write("m.toml", PENDULUM);
    std::fs::create_dir(folder.path("disk")).expect("a folder");
    symlink("disk/map.sweep", folder.path("map.sweep")).expect("a link");
    let command: Vec<&str> =
        "sweep m.toml --over l=1:2:40 -o map.sweep --resume".split(' ').collect();
    folder.run(&command).printed();
    let whole = folder.read("map.sweep");
    folder.write("disk/map.sweep", &whole[..whole.len() - 4096]);
    let mended = folder.run(&command).printed();
    assert!(mended.contains("mended: "), "{mended}");
    let kind = folder.path("map.sweep").symlink_metadata().expect("the link is there").file_type();
    assert!(kind.is_symlink());
    folder.run(&["sweep", "export", "disk/map.sweep"]).printed();
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    let folder = Folder::new("a device is written to");
    folder.write("m.toml", PENDULUM);
    symlink("/dev/null", folder.path("nothing.csv")).expect("a link");
    folder.run(&["run", "m.toml", "-o", "nothing.csv"]).printed();
    let kind = std::fs::metadata("/dev/null").expect("it is there").file_type();
    assert!(!kind.is_file());
}

#[test]
fn a_ready_system_is_found_whatever_lies_in_the_folder() {
    let folder = Folder::new("system names");
    folder.write("lorenz", [0x7f, b'E', b'L', b'F', 0xff]);
    std::fs::create_dir(folder.path("four-bar")).expect("a folder can be made");
    for system in ["lorenz", "four-bar"] {
        let answer = folder.run(&["check", system]);
        assert_eq!(answer.code, Some(0), "{}", answer.message);
    }
    let answer = folder.run(&["check", "./lorenz"]);
    assert!(answer.message.contains("not valid UTF-8"), "{}", answer.message);
}
