//! What signals leave behind: every long command keeps and says what is known, for Ctrl-C and for what schedulers send.
#![cfg(target_os = "linux")]

mod process;

use process::{Answer, Folder};
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

/// The signals with the exit codes that they leave.
const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

/// How long a command may compute before the signal, ms: more and more, until something is known.
const WAITS: [u64; 9] = [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600];

/// A mass on a spring in oil, shaken: every frequency settles at once.
const SHAKEN: &str = r#"title = "Shaken mass"
parameters = { k = 100, f = 1, d = 20 }
coordinates = { x = "mass" }

[energy]
kinetic = "1/2*x'^2"
potential = "1/2*k*x^2"
dissipation = "1/2*d*x'^2"

[forces]
x = "cos(2*pi*f*t)"
"#;

/// Sends a signal to a command that would run for hours, later and later until what it leaves satisfies a condition.
fn interrupted(
    folder: &Folder,
    (signal, code): (&str, i32),
    command: &str,
    is_known: &dyn Fn(&Answer) -> bool,
) -> Answer {
    let arguments: Vec<&str> = command.split_whitespace().collect();
    for wait in WAITS {
        let mut program = folder.start(&arguments);
        program.until_ctrl_c_is_caught();
        std::thread::sleep(Duration::from_millis(wait));
        program.signal(signal);
        let answer = folder.answer(program.wait());
        assert_eq!(answer.code, Some(code), "{command}: {}{}", answer.output, answer.message);
        assert!(answer.output.contains("interrupted"), "{command}: {}", answer.output);
        assert!(folder.parts().is_empty(), "{command}");
        if is_known(&answer) {
            return answer;
        }
    }
    panic!("{command} knew nothing when it was interrupted");
}

fn rows(folder: &Folder, file: &str) -> usize {
    if !folder.path(file).exists() {
        return 0;
    }
    folder.text(file).lines().count().saturating_sub(1)
}

#[test]
fn every_signal_keeps_the_rows_of_a_run() {
    for signal in SIGNALS {
        let folder = Folder::new("rows of a run");
        let run = "run double-pendulum --to 1e9 --every 10 -o x.csv";
        let answer = interrupted(&folder, signal, run, &|_| rows(&folder, "x.csv") > 1);
        let kept = rows(&folder, "x.csv");
        assert!(answer.output.contains(&format!("\n{kept} rows in x.csv")), "{}", answer.output);
        assert!(answer.output.contains("the rows so far are kept"), "{}", answer.output);
    }
}

#[test]
fn a_run_without_a_file_does_not_claim_to_keep_rows() {
    let folder = Folder::new("no file");
    let run = "run double-pendulum --to 1e9 --every 10";
    let answer = interrupted(&folder, SIGNALS[1], run, &|_| true);
    assert!(!answer.output.contains("are kept"), "{}", answer.output);
    assert!(answer.output.contains("rows, which are not kept; -o FILE.csv"), "{}", answer.output);
}

#[test]
fn every_signal_keeps_the_points_of_a_response() {
    for signal in SIGNALS {
        let folder = Folder::new("points of a response");
        folder.write("m.toml", SHAKEN);
        let ask = "analyze response m.toml --over f=0.1:20:60000 --threads 1 -o x.csv";
        let answer = interrupted(&folder, signal, ask, &|_| rows(&folder, "x.csv") > 1);
        let known = rows(&folder, "x.csv");
        let said = format!("interrupted: {known} of 60000 points are known");
        assert!(answer.output.contains(&said), "{}", answer.output);
        assert_eq!(answer.message, "");
        assert!(!answer.output.contains("no peak between these frequencies"), "{}", answer.output);
    }
}

#[test]
fn branches_keep_the_points_they_have_gone_through() {
    let folder = Folder::new("branches");
    folder.write("m.toml", SHAKEN);
    let ask =
        "analyze response m.toml --over f=0.1:20:60000 --branches up,down --threads 1 -o x.csv";
    interrupted(&folder, SIGNALS[1], ask, &|_| rows(&folder, "x.csv") > 1);
}

#[test]
fn a_resonance_follows_peaks_only_where_all_points_are_known() {
    let folder = Folder::new("resonance");
    folder.write("m.toml", SHAKEN.replace("d = 20", "d = 2"));
    let ask = "analyze resonance m.toml --over f=1:2:40 --over d=1:3:2000 --threads 1 -o x.csv";
    let known = |answer: &Answer| answer.output.contains("per unit of d");
    let answer = interrupted(&folder, SIGNALS[1], ask, &known);
    assert!(answer.output.contains("no peak so far"), "{}", answer.output);
    assert_eq!(rows(&folder, "x.csv"), 2000);
}

#[test]
fn every_signal_keeps_the_methods_that_are_compared() {
    for signal in SIGNALS {
        let folder = Folder::new("methods");
        // springs in the place of constraints make the last ways slow ones
        let ask = "compare single-pendulum --to 400 --every 10 --formulations null-space,penalty \
                   --integrators dopri5 --tolerances 1e-11,1e-12,1e-13 -o x.csv";
        let answer = interrupted(&folder, signal, ask, &|_| rows(&folder, "x.csv") > 0);
        let kept = rows(&folder, "x.csv");
        let said = format!("interrupted: {kept} of 6 ways are compared, without ");
        assert!(answer.output.contains(&said), "{}", answer.output);
        assert!(answer.output.contains("take `null-space`"), "{}", answer.output);
        assert!(!answer.output.contains("none of them follows"), "{}", answer.output);
    }
}

#[test]
fn other_questions_say_what_they_know() {
    let folder = Folder::new("other questions");
    folder.write("m.toml", SHAKEN);
    for command in [
        "analyze spectrum double-pendulum --to 1e7 --every 1",
        "analyze phase double-pendulum --to 1e7 --every 1",
        "analyze kinematics four-bar --drive theta2 --points 100000000",
        "analyze equilibrium double-pendulum --all --starts 100000000",
        "bench --links 2,40,80 --to 50",
    ] {
        interrupted(&folder, SIGNALS[1], command, &|_| true);
    }
}

#[test]
fn a_map_of_penalties_proposes_nothing_from_half_of_it() {
    let folder = Folder::new("penalties");
    let check = "check chain --penalty --set links=60 --integrator radau5";
    let answer = interrupted(&folder, SIGNALS[1], check, &|_| true);
    assert!(answer.output.contains(" of 36 pairs were tried"), "{}", answer.output);
    assert!(!answer.output.contains("proposed:"), "{}", answer.output);
    assert!(!answer.output.contains("no pair keeps"), "{}", answer.output);
}

#[test]
fn every_signal_keeps_the_blocks_of_a_sweep() {
    for signal in SIGNALS {
        let folder = Folder::new("blocks");
        let sweep = "sweep double-pendulum --over theta1=0:3:3000 --to 2000 --resume -o x.sweep";
        let answer = interrupted(&folder, signal, sweep, &|answer| {
            !answer.output.contains("\n0 of 3000 cells")
        });
        assert!(answer.output.contains("--resume continues x.sweep"), "{}", answer.output);
    }
}

#[test]
fn nohup_is_respected() {
    let folder = Folder::new("nohup");
    // the signal comes while it runs, and it comes to its end all the same
    let line = "trap '' HUP; $CATENA run double-pendulum --to 3000 --every 10 -o x.csv & p=$!; sleep 0.3; \
                kill -HUP $p; wait $p";
    let answer = folder.shell(line);
    assert!(!answer.output.contains("interrupted"), "{}", answer.output);
    assert_eq!(rows(&folder, "x.csv"), 301);
}

#[test]
fn before_the_first_step_a_signal_ends_at_once() {
    let folder = Folder::new("derivation");
    // long before the first step there is much to derive, and nothing to keep
    let run = ["run", "chain", "--set", "links=900", "--formulation", "minimal", "-o", "x.csv"];
    let program = folder.start(&run);
    std::thread::sleep(Duration::from_millis(200));
    program.signal("TERM");
    let status = program.wait();
    assert_eq!(status.signal(), Some(15));
    assert!(!folder.path("x.csv").exists());
}

#[test]
fn the_second_ctrl_c_ends_at_once() {
    let folder = Folder::new("twice");
    // a pipe that nobody reads: the run ends, and its table waits for a reader
    folder.shell("mkfifo x.csv");
    let run = ["run", "double-pendulum", "--to", "1e9", "--every", "10", "-o", "x.csv"];
    let mut program = folder.start(&run);
    program.until_ctrl_c_is_caught();
    program.signal("INT");
    std::thread::sleep(Duration::from_millis(300));
    program.signal("INT");
    let answer = folder.answer(program.wait());
    assert_eq!(answer.code, Some(130), "{}{}", answer.output, answer.message);
    assert_eq!(answer.output, "");
}
