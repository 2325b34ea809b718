//! What `catena run` does when things go wrong: with what is asked for, with the model on its way, with
//! the disk, and with the people who interrupt it. The snapshots are the messages that people see.
#![cfg(unix)]

mod process;

use process::{Answer, Folder};
use std::time::Duration;

/// A mass on a spring in a damper that is far too strong for explicit methods.
const STIFF: &str = r#"title = "Mass in honey"

[parameters]
m = 1
k = 100
c = 1e5

[coordinates]
x = "mass"

[energy]
kinetic = "1/2*m*x'^2"
potential = "1/2*k*x^2"

[forces]
x = "-c*x'"

[initial]
x = 1

[run]
t_end = 1
"#;

/// A bead that falls into a pole of its potential.
const POLE: &str = r#"title = "Fall into a pole"
coordinates = { x = "bead" }
initial = { x = 1 }

[energy]
kinetic = "1/2*x'^2"
potential = "-1/x"
"#;

/// A force that has no value beyond x = 1.
const EDGE: &str = r#"title = "Over the edge"
coordinates = { x = "bead" }
initial = { "x'" = 1 }

[energy]
kinetic = "1/2*x'^2"

[forces]
x = "sqrt(1 - x) + 1"
"#;

/// A motion that grows beyond all numbers by itself.
const RUNAWAY: &str = r#"title = "Down a hill without end"
coordinates = { x = "bead" }
initial = { x = 1, "x'" = 1 }

[energy]
kinetic = "1/2*x'^2"
potential = "-1/2*x^2"

[run]
t_end = 1000
every = 10
"#;

/// A mass that vanishes at x = 0, after half a second.
const MASSLESS: &str = r#"title = "Mass that vanishes"
coordinates = { x = "bead", y = "beside it" }
initial = { x = 1, "x'" = -1, "y'" = 1 }

[energy]
kinetic = "1/2*x^2*x'^2 + 1/2*y'^2"
"#;

/// A bead where a circle and a rising line meet: after half a second they no longer do.
const TANGENT: &str = r#"title = "Line that leaves a circle"
coordinates = { x = "bead", y = "bead" }

[energy]
kinetic = "1/2*(x'^2 + y'^2)"

[constraints]
circle = "x^2 + y^2 - 1"
line = "y - 1/2 - t"

[guess]
x = 1
"#;

/// A folder with the models above.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("run-{test}"));
    let models = [
        ("stiff", STIFF),
        ("pole", POLE),
        ("edge", EDGE),
        ("runaway", RUNAWAY),
        ("massless", MASSLESS),
        ("tangent", TANGENT),
    ];
    for (name, text) in models {
        folder.write(&format!("{name}.toml"), text);
    }
    folder
}

/// What is asked of many commands.
trait Commands {
    fn refusals(&self, commands: &[&str]) -> String;
    fn stops(&self, commands: &[&str]) -> String;
}

impl Commands for Folder {
    /// The answers of commands that must fail with 2, each under its command.
    fn refusals(&self, commands: &[&str]) -> String {
        let refusal = |command: &&str| {
            let arguments: Vec<&str> = command.split(' ').collect();
            let answer = self.run(&[&["run"], arguments.as_slice()].concat());
            assert_eq!(answer.code, Some(2), "{command}: {}{}", answer.output, answer.message);
            assert_eq!(answer.output, "", "{command}");
            format!("——— catena run {command}\n{}", answer.message)
        };
        commands.iter().map(refusal).collect::<Vec<_>>().join("\n")
    }

    /// What commands say that begin and then fail with 1, less what differs from time to time.
    fn stops(&self, commands: &[&str]) -> String {
        let stop = |command: &&str| {
            let arguments: Vec<&str> = command.split(' ').collect();
            let answer = self.run(&[&["run"], arguments.as_slice()].concat());
            assert_eq!(answer.code, Some(1), "{command}: {}{}", answer.output, answer.message);
            assert_eq!(answer.message, "", "{command}");
            format!("——— catena run {command}\n{}", essence(&answer))
        };
        commands.iter().map(stop).collect::<Vec<_>>().join("\n")
    }
}

/// What does not differ from run to run.
fn essence(answer: &Answer) -> String {
    let passing = |line: &str| {
        line.ends_with(" ms") || line.starts_with("energy ") || line.starts_with("constraints kept")
    };
    answer.output.lines().filter(|line| !passing(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    let folder = folder("numbers");
    insta::assert_snapshot!(folder.refusals(&[
        "double-pendulum --rtol -1e-6",
        "double-pendulum --rtol 0",
        "double-pendulum --atol -1",
        "double-pendulum --step 0",
        "double-pendulum --step -0.1",
        "double-pendulum --to -3",
        "double-pendulum --to nan",
        "double-pendulum --every 0",
        "double-pendulum --every 1e-12",
        "double-pendulum --max-steps 0",
        "double-pendulum --rtol small",
    ]));
}

#[test]
fn methods_and_options_that_do_not_exist_are_answered_with_the_nearest_ones() {
    let folder = folder("methods");
    insta::assert_snapshot!(folder.refusals(&[
        "double-pendulum --integrator dopri6",
        "double-pendulum --integrator something-else",
        "double-pendulum --formulation minimum",
        "double-pendulum --with atoll=1",
        "double-pendulum --with stiffness=1",
        "double-pendulum --with rtol",
        "double-pendulum --with rtol=-1",
        "double-pendulum --with norm=big",
        "double-pendulum --with max_steps=0.5",
        "four-bar --formulation baumgarte --with omega=-1",
        "double-pendulum --integrator radau5 --with newton=paper",
        "double-pendulum --integrator radau5 --with newton=fool",
        "double-pendulum --columns t,theta,energy",
        "double-pendulum --columns thet2 --certify",
        "double-pendulum --colums theta1",
    ]));
}

#[test]
fn pairs_that_do_not_fit_say_why_and_what_does() {
    let folder = folder("pairs");
    insta::assert_snapshot!(folder.refusals(&[
        "double-pendulum --integrator leapfrog",
        "double-pendulum --formulation multipliers",
        "four-bar --formulation minimal",
        "four-bar --formulation recursive",
        "lorenz --integrator symplectic-euler",
    ]));
}

#[test]
fn destinations_are_checked_before_the_run() {
    let folder = folder("destinations");
    std::fs::create_dir(folder.path("folder.csv")).expect("a folder can be made");
    // a run that would never end: what is refused at once does not begin it
    let refused = ["--plot x.bmp", "-o x.txt", "-o x"];
    let commands = refused.map(|last| format!("double-pendulum --to 1e9 --every 1e6 {last}"));
    let usage = folder.refusals(&commands.each_ref().map(String::as_str));
    let impossible = ["-o nowhere/x.csv", "-o folder.csv", "--plot nowhere/x.svg"].map(|last| {
        let run = ["run", "double-pendulum", "--to", "1e9", "--every", "1e6"];
        let arguments: Vec<&str> = run.into_iter().chain(last.split(' ')).collect();
        let answer = folder.run(&arguments);
        assert_eq!(answer.code, Some(1), "{last}");
        format!("——— {last}\n{}", answer.message)
    });
    assert!(folder.parts().is_empty());
    let messages = [usage, impossible.join("\n")].join("\n");
    insta::assert_snapshot!(messages.replace(", .parquet", ""));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_offered_where_it_was_built_in() {
    let folder = folder("parquet");
    let message = folder.refusals(&["double-pendulum -o x.parquet"]);
    assert!(message.contains("built without Parquet"), "{message}");
    assert!(message.contains("--features parquet"), "{message}");
}

/// Whether the contents of a file are what its ending says.
fn is(ending: &str, contents: &[u8]) -> bool {
    match ending {
        "csv" => !contents.starts_with(b"{") && contents.contains(&b','),
        "npz" => contents.starts_with(b"PK\x03\x04"),
        "json" => serde_json::from_slice::<serde_json::Value>(contents).is_ok(),
        "parquet" => contents.starts_with(b"PAR1") && contents.ends_with(b"PAR1"),
        _ => panic!("say here how a .{ending} file is recognised"),
    }
}

#[test]
fn runs_analyses_comparisons_and_sweeps_are_written_in_every_format() {
    let folder = folder("formats");
    let commands = [
        "run double-pendulum --to 1 -o",
        "analyze modes double-pendulum -o",
        "compare double-pendulum --to 1 --formulations minimal -o",
        "bench --links 2 --formulations recursive --tolerances 1e-4 --to 1 -o",
        "sweep double-pendulum --over theta1=0,1 --over theta2=0,1 --to 1 --export",
    ];
    for ending in catena::TABLE_FORMATS {
        for command in commands {
            let file = format!("x.{ending}");
            let arguments: Vec<&str> = command.split(' ').chain([file.as_str()]).collect();
            let answer = folder.run(&arguments);
            assert_eq!(answer.code, Some(0), "{command} {file}: {}", answer.message);
            assert!(is(ending, &folder.read(&file)), "{command} {file}");
            std::fs::remove_file(folder.path(&file)).expect("it was written");
        }
    }
}

#[test]
fn events_are_written_by_name() {
    let folder = folder("events");
    let run = ["run", "double-pendulum-cartesian", "--to", "4", "--columns", "x1"];
    for file in ["x.csv", "x.json", "x.npz"] {
        let answer = folder.run(&[run.as_slice(), &["-o", file]].concat());
        assert_eq!(answer.code, Some(0), "{}", answer.message);
    }
    let events = folder.text("x.events.csv");
    let mut lines = events.lines();
    assert_eq!(lines.next(), Some("event,t,x1"));
    let first = lines.next().expect("there are events");
    let json: serde_json::Value = serde_json::from_str(&folder.text("x.json")).expect("JSON");
    let (name, time) = (&json["events"]["event"][0], &json["events"]["t"][0]);
    let name = name.as_str().expect("events have names");
    assert_eq!(first.split(',').next(), Some(format!("\"{name}\"").as_str()));
    assert_eq!(first.split(',').nth(1).and_then(|t| t.parse().ok()), time.as_f64());
    assert_eq!(json["units"]["t"], "s");
    let archive = folder.read("x.npz");
    let has = |name: &[u8]| archive.windows(name.len()).any(|window| window == name);
    assert!(has(b"events.event.npy") && has(b"x1.npy"));
}

#[test]
fn what_stops_on_the_way_says_when_what_and_why() {
    let folder = folder("stops");
    insta::assert_snapshot!(folder.stops(&[
        "pole.toml",
        "edge.toml",
        "edge.toml --integrator rk4 --step 0.01",
        "runaway.toml",
        "runaway.toml --integrator rk4 --step 0.01",
        "runaway.toml --integrator radau5",
        "massless.toml",
        "tangent.toml",
        "tangent.toml --formulation projection",
        "tangent.toml --integrator implicit-midpoint --step 0.01",
        "double-pendulum --max-steps 100",
    ]));
}

#[test]
fn explicit_methods_say_that_a_system_is_stiff() {
    let folder = folder("stiff");
    insta::assert_snapshot!(folder.stops(&[
        "stiff.toml --max-steps 2000 --integrator dopri5",
        "stiff.toml --max-steps 2000 --integrator dop853",
        "stiff.toml --max-steps 2000 --integrator bs23",
        "stiff.toml --integrator rk4 --step 0.01",
        "stiff.toml --integrator euler",
    ]));
    let slow = folder.run(&["run", "stiff.toml", "--integrator", "dopri5"]);
    assert_eq!(slow.code, Some(0));
    assert!(
        slow.output.contains("note: stiff: stability, not accuracy, limited"),
        "{}",
        slow.output
    );
    assert!(slow.output.contains("`radau5` takes longer ones"), "{}", slow.output);
    let fast = folder.run(&["run", "stiff.toml", "--integrator", "radau5"]);
    assert_eq!(fast.code, Some(0));
    assert!(!fast.output.contains("stiff"), "{}", fast.output);
}

#[test]
fn a_stiff_run_that_names_no_integrator_goes_on_with_an_implicit_one_and_says_so() {
    let folder = folder("automatic");
    let answer = folder.run(&["run", "stiff.toml", "--max-steps", "2000"]);
    assert_eq!(answer.code, Some(0), "{}", answer.message);
    let change = "then radau5: stability, not accuracy, limited the steps";
    assert!(answer.output.contains(change), "{}", answer.output);
    assert!(answer.output.contains("minimal: 1 coordinate without constraints"));
    let json = folder.run(&["run", "stiff.toml", "--integrator", "auto", "--json"]).output;
    assert!(json.contains(change), "{json}");
    let named =
        folder.run(&["run", "stiff.toml", "--integrator", "radau5", "--formulation", "minimal"]);
    assert!(!named.output.contains("minimal:"), "{}", named.output);
}

#[test]
fn the_rows_of_a_run_that_stops_are_kept() {
    let folder = folder("kept");
    let arguments = ["run", "pole.toml", "--every", "0.1", "-o", "x.csv", "--json"];
    let answer = folder.run(&arguments);
    assert_eq!(answer.code, Some(1));
    assert!(answer.output.contains("\"stop\": \"failed\""), "{}", answer.output);
    assert!(answer.output.contains("\"reason\": \"the step shrank to"), "{}", answer.output);
    // the fall takes 1.11 s: a header, the rows from 0 to 1.1 s, and one where it stopped
    assert_eq!(folder.text("x.csv").lines().count(), 14);
    assert!(!folder.text("x.csv").contains("NaN"));
}

#[test]
fn a_picture_in_a_pipe_is_eighty_columns_wide() {
    let folder = folder("picture");
    for system in ["double-pendulum", "lorenz", "chain", "four-bar"] {
        let answer = folder.run(&["run", system, "--to", "0.5", "--show"]);
        assert_eq!(answer.code, Some(0), "{}", answer.message);
        for line in answer.output.lines() {
            assert!(line.chars().count() <= 80, "{system}: {line}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder("reader");
    let run = "\"$CATENA\" run double-pendulum --json";
    let answer = folder.shell(&format!("{{ {run}; echo $? > code; }} | head -n 1"));
    assert_eq!(answer.output, "{\n");
    assert_eq!(answer.message, "");
    assert_eq!(folder.text("code"), "0\n");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let folder = folder("full");
    for json in ["", "--json"] {
        let line = format!("\"$CATENA\" run double-pendulum {json} > /dev/full");
        let answer = folder.shell(&line);
        assert_eq!(answer.code, Some(1));
        assert!(answer.message.contains("cannot write the output"), "{}", answer.message);
    }
    // nobody can be told, but the exit code is right
    assert_eq!(folder.shell("\"$CATENA\" run nonesuch 2> /dev/full").code, Some(2));
}

#[test]
fn a_full_disk_keeps_the_old_file() {
    let folder = folder("disk");
    // files may have 8 blocks of 512 or 1024 bytes, and writing more is an error instead of a signal
    let run = "\"$CATENA\" run double-pendulum";
    let limited = |last: &str| {
        let answer = folder.shell(&format!("trap '' XFSZ; ulimit -f 8; exec {run} {last}"));
        assert_eq!(answer.code, Some(1), "{}{}", answer.output, answer.message);
        assert!(answer.message.contains("error: cannot write `big."), "{}", answer.message);
        assert!(folder.parts().is_empty(), "{:?}", folder.parts());
    };
    for ending in ["csv", "npz", "json"] {
        let file = format!("big.{ending}");
        limited(&format!("-o {file}"));
        assert!(!folder.path(&file).exists());
        folder.write(&file, "old");
        limited(&format!("-o {file}"));
        assert_eq!(folder.text(&file), "old");
    }
    folder.write("big.svg", "old");
    limited("--plot big.svg");
    assert_eq!(folder.text("big.svg"), "old");
}

/// Whenever a run is killed, the file is the old one or the whole new one.
#[test]
fn a_killed_run_leaves_the_old_file_or_the_whole_new_one() {
    let folder = folder("killed");
    let arguments = [
        ["run", "double-pendulum"].as_slice(),
        &["--to", "4", "--every", "1e-5", "--columns", "t,theta1,theta2", "-o", "big.csv"],
    ]
    .concat();
    assert_eq!(folder.run(&arguments).code, Some(0));
    let whole = folder.read("big.csv");
    assert!(whole.len() > 10_000_000, "writing takes a while");
    let delays = [0, 20, 60, 150, 300, 600].map(|delay| Some(Duration::from_millis(delay)));
    // and three times while the file is being written
    for delay in delays.into_iter().chain([None; 3]) {
        for old in [None, Some(b"old".as_slice())] {
            let _ = std::fs::remove_file(folder.path("big.csv"));
            if let Some(old) = old {
                folder.write("big.csv", old);
            }
            let mut program = folder.start(&arguments);
            match delay {
                Some(delay) => std::thread::sleep(delay),
                None => {
                    let sizes = || folder.parts().into_iter().filter_map(|p| p.metadata().ok());
                    let begun = || sizes().any(|part| part.len() > 0).then_some(());
                    program.until("the file is begun", |_| begun());
                }
            }
            program.signal("KILL");
            program.wait();
            let left = std::fs::read(folder.path("big.csv")).ok();
            assert!(
                left.as_deref() == old || left.as_ref() == Some(&whole),
                "{delay:?}: {:?} bytes are neither old nor whole",
                left.map(|left| left.len())
            );
            // what was begun stays behind: nobody is left to remove it
            folder.parts().iter().for_each(|part| std::fs::remove_file(part).expect("it is there"));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_keeps_its_rows() {
    let folder = folder("interrupted");
    // days of work, a row in ten seconds of motion
    let long = ["run", "double-pendulum", "--to", "1e9", "--every", "10", "-o", "x.csv"];
    for json in [false, true] {
        let arguments = if json { [long.as_slice(), &["--json"]].concat() } else { long.to_vec() };
        let mut program = folder.start(&arguments);
        program.until_ctrl_c_is_caught();
        std::thread::sleep(Duration::from_millis(300));
        program.signal("INT");
        let answer = folder.answer(program.wait());
        assert_eq!(answer.code, Some(130), "{}", answer.message);
        assert_eq!(answer.message, "");
        match json {
            true => assert!(answer.output.contains("\"stop\": \"cancelled\""), "{}", answer.output),
            false => {
                assert!(answer.output.contains("interrupted at "), "{}", answer.output);
                assert!(answer.output.contains("the rows so far are kept"), "{}", answer.output);
                assert!(answer.output.contains(" rows in x.csv"), "{}", answer.output);
            }
        }
        let table = folder.text("x.csv");
        assert!(table.lines().count() >= 2 && table.ends_with('\n'), "{table}");
        let columns = |line: &str| line.split(',').count();
        assert!(table.lines().all(|line| columns(line) == columns(table.lines().next().unwrap())));
        assert!(folder.parts().is_empty());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_is_not_run_a_second_time_to_estimate_its_error() {
    let folder = folder("estimate");
    // days of work before the second run begins
    let run = ["run", "double-pendulum", "--to", "1e9", "--every", "1e3", "--certify"];
    let mut program = folder.start(&run);
    program.until_ctrl_c_is_caught();
    program.signal("INT");
    let answer = folder.answer(program.wait());
    assert_eq!(answer.code, Some(130));
    assert!(answer.output.contains("interrupted at "), "{}", answer.output);
    assert!(!answer.output.contains("more exact run"), "{}", answer.output);
}
