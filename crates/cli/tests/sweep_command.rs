//! `catena sweep` when things go wrong: with what is asked for, with the file, with the disk, and with whatever stops it
//! in the middle. Whatever happens, what is resumed or merged has the bytes of a sweep that nothing disturbed.
#![cfg(unix)]

mod process;

use process::{Answer, Folder};

/// Some seconds of work in 67 blocks.
const LONG: [&str; 12] = [
    "sweep",
    "double-pendulum",
    "--over",
    "theta1=-2:2:40",
    "--over",
    "theta2=-2:2:40",
    "--measure",
    "last:theta1",
    "--measure",
    "amplitude:theta2'",
    "--to",
    "40",
];

/// The same grid, quickly done.
const SHORT: [&str; 12] = {
    let mut short = LONG;
    short[11] = "1";
    short
};

impl Folder {
    fn sweep(&self, sweep: &[&str], more: &str) -> Answer {
        let more = more.split(' ').filter(|word| !word.is_empty());
        self.run(&sweep.iter().copied().chain(more).collect::<Vec<_>>())
    }

    fn done(&self, sweep: &[&str], more: &str) -> Answer {
        let answer = self.sweep(sweep, more);
        assert_eq!(answer.code, Some(0), "{more}: {}{}", answer.output, answer.message);
        answer
    }

    /// The table of a result file.
    fn table(&self, file: &str) -> String {
        self.done(&["sweep", "export", file, "table.csv"], "");
        self.text("table.csv")
    }

    /// What commands say that must fail with this code, each under its command.
    fn refusals(&self, code: i32, commands: &[&[&str]]) -> String {
        let refusal = |command: &&[&str]| {
            let answer = self.run(&[&["sweep"], *command].concat());
            assert_eq!(answer.code, Some(code), "{command:?}: {}{}", answer.output, answer.message);
            assert_eq!(answer.output, "", "{command:?}");
            format!("——— catena sweep {}\n{}", command.join(" "), answer.message)
        };
        commands.iter().map(refusal).collect::<Vec<_>>().join("\n")
    }

    fn has_one_file_only(&self, file: &str) {
        assert!(self.path(file).exists());
        assert!(!self.path(&format!("{file}-journal")).exists());
        assert!(!self.path(&format!("{file}-wal")).exists());
    }
}

#[test]
fn what_cannot_be_varied_or_kept_is_refused() {
    let folder = Folder::new("sweep-refused");
    let messages = folder.refusals(
        2,
        &[
            &["double-pendulum"],
            &["double-pendulum", "--over", "theta=0:1:10"],
            &["double-pendulum", "--over", "speed=0:1:10"],
            &["double-pendulum", "--over", "theta1=0:1:10", "--over", "theta1=0,1"],
            &["double-pendulum", "--over", "theta1=1:0:10"],
            &["double-pendulum", "--over", "theta1=0:1:0"],
            &["double-pendulum", "--over", "theta1=0:1:2.5"],
            &["double-pendulum", "--over", "theta1=0:1:1"],
            &["double-pendulum", "--over", "theta1=1:1:5"],
            &["double-pendulum", "--over", "theta1=0:1"],
            &["double-pendulum", "--over", "theta1=0:1:5:lin"],
            &["double-pendulum", "--over", "theta1=0:1:5:log"],
            &["double-pendulum", "--over", "theta1"],
            &["double-pendulum", "--over", "theta1="],
            &["double-pendulum", "--over", "theta1=1,,2"],
            &["double-pendulum", "--over", "theta1=0:theta2:5"],
            &["double-pendulum", "--over", "theta1=0:1/0:5"],
            &["double-pendulum", "--over", "theta1=0:1:1e12"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "theta1"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "maxi:theta1"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "median:theta1"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "max:"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "max:thet1"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "time:"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "time:turn"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "time:g - 3"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "time:theta1 = "],
            &["double-pendulum", "--over", "theta1=0:1:5", "--measure", "time:theta1 + phi"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--to", "-3"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--to", "3/"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--to", "3/theta1"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--every", "1e-12"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--to", "3", "--after", "5"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--formulation", "minimum"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--chunk", "0/4", "-o", "x.sweep"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--chunk", "5/4", "-o", "x.sweep"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--chunk", "a/b", "-o", "x.sweep"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--chunk", "1/4"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--resume"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--threads", "0"],
            &["double-pendulum", "--over", "theta1=0:1:5", "--export", "x.txt"],
            &["double-pendulum", "--over", "theta1=0:1:1e4", "--over", "theta2=0:1:1e4"],
            &[
                "double-pendulum",
                "--over",
                "theta1=0:1:1e6",
                "--over",
                "theta2=0:1:1e6",
                "-o",
                "x.sweep",
            ],
            &[
                "double-pendulum",
                "--over",
                "m1=1,2",
                "--over",
                "m2=1,2",
                "--over",
                "g=1,2",
                "--plot",
                "x.svg",
            ],
        ],
    );
    insta::assert_snapshot!(messages.replace(", .parquet", ""));
    assert!(!folder.path("x.sweep").exists());
}

#[test]
fn a_grid_that_no_disk_holds_says_how_much_would_fit() {
    let folder = Folder::new("sweep-room");
    let statistics = ["last", "max", "min", "maxabs", "amplitude", "mean", "rms"];
    let measures: Vec<String> = ["theta1", "theta2", "theta1'", "theta2'"]
        .iter()
        .flat_map(|column| statistics.map(|statistic| format!("--measure={statistic}:{column}")))
        .collect();
    let grid = ["double-pendulum", "--over", "theta1=0:1:3e5", "--over", "theta2=0:1:3e5"];
    let measures = measures.iter().map(String::as_str);
    let command: Vec<&str> = grid.into_iter().chain(measures).chain(["-o", "x.sweep"]).collect();
    let message = folder.refusals(2, &[&command]);
    // 9e10 cells of 28 numbers of 8 bytes
    for part in ["90000000000 cells × 28 measures need 20", " are free here", " cells would fit"] {
        assert!(message.contains(part), "{message}");
    }
    assert!(!folder.path("x.sweep").exists());
}

#[test]
fn a_file_of_another_sweep_says_in_what_it_is_another_one() {
    let folder = Folder::new("sweep-another");
    let command = ["double-pendulum", "--over", "theta1=0:1:20", "--to", "1", "-o", "x.sweep"];
    folder.done(&[&["sweep"], command.as_slice()].concat(), "");
    let before = folder.read("x.sweep");
    let with = |more: &[&'static str]| [command.as_slice(), more].concat();
    let changed = |from: &str, to: &'static str| -> Vec<&str> {
        command.iter().map(|word| if *word == from { to } else { *word }).collect()
    };
    let commands = [
        with(&[]),
        with(&["--rtol", "1e-8", "--resume"]),
        with(&["--set", "m1=3", "--resume"]),
        with(&["--integrator", "rk4", "--step", "0.01", "--resume"]),
        with(&["--measure", "max:theta1", "--resume"]),
        with(&["--after", "0.5", "--resume"]),
        with(&["--chunk", "1/2", "--resume"]),
        changed("theta1=0:1:20", "theta2=0:1:20"),
        changed("double-pendulum", "triple-pendulum"),
        changed("1", "2"),
    ];
    let commands: Vec<&[&str]> = commands.iter().map(Vec::as_slice).collect();
    insta::assert_snapshot!(folder.refusals(2, &commands));
    assert!(before == folder.read("x.sweep"), "the file was changed");
    // the same numbers in other words are the same sweep
    let same = changed("theta1=0:1:20", "theta1=cos(90 deg)*0:2/2:2e1");
    folder.done(&[&["sweep"], same.as_slice()].concat(), "--rtol 0.000001 --threads 1 --resume");
}

#[test]
fn files_that_hold_no_sweep_are_left_alone() {
    let folder = Folder::new("sweep-foreign");
    folder.done(&SHORT, "-o sound.sweep");
    let sound = folder.read("sound.sweep");
    // the application's number stands at byte 68 of a SQLite file, its version at 60
    let patched = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 7;
        bytes
    };
    folder.write("text.sweep", "theta1,theta2\n1,2\n".repeat(300));
    folder.write("other.sweep", patched(71));
    folder.write("newer.sweep", patched(63));
    let mut older = sound.clone();
    older[63] = 1;
    folder.write("older.sweep", older);
    folder.write("stub.sweep", &sound[..700]);
    // the first page is where the tables are listed
    let listed = [&sound[..1000], &[0xa5; 3000], &sound[4000..]].concat();
    folder.write("unlisted.sweep", listed);
    std::fs::create_dir(folder.path("folder.sweep")).expect("a folder can be made");
    let files = ["text", "other", "newer", "older", "stub", "unlisted", "folder", "missing"];
    let mut messages = Vec::new();
    for file in files.map(|name| format!("{name}.sweep")) {
        messages.push(folder.refusals(1, &[&["export", &file]]));
        let before = std::fs::read(folder.path(&file)).ok();
        if before.is_some() {
            let answer = folder.sweep(&SHORT, &format!("-o {file} --resume"));
            assert_eq!(answer.code, Some(1), "{file}: {}", answer.message);
            assert!(before == std::fs::read(folder.path(&file)).ok(), "{file} was changed");
        }
    }
    messages.push(folder.refusals(1, &[&["export", "missing.sweep", "x.csv"]]));
    insta::assert_snapshot!(messages.join("\n"));
    // an empty file holds nothing that could be lost
    folder.write("empty.sweep", "");
    folder.done(&SHORT, "-o empty.sweep");
}

#[test]
fn a_cell_is_what_a_run_of_its_own_gives() {
    let folder = Folder::new("sweep-cell");
    let sweep =
        ["sweep", "double-pendulum", "--over", "theta1=1.25,0.5,-1", "--measure", "last:theta2"];
    folder.done(&sweep, "--to 3 --export table.csv");
    let table = folder.text("table.csv");
    assert_eq!(table.lines().next(), Some("theta1,last:theta2"));
    for (line, value) in table.lines().skip(1).zip(["1.25", "0.5", "-1"]) {
        let setting = format!("theta1={value}");
        let run = ["run", "double-pendulum", "--set", &setting, "--to", "3", "--columns", "theta2"];
        folder.done(&run, "-o run.csv");
        let run = folder.text("run.csv");
        assert_eq!(run.lines().next(), Some("t,theta2"));
        let last = run.lines().next_back().and_then(|line| line.split(',').next_back());
        assert_eq!(line.split(',').next_back(), last, "{setting}");
    }
}

#[test]
fn threads_and_chunks_change_no_byte() {
    let folder = Folder::new("sweep-chunks");
    folder.done(&SHORT, "-o one.sweep --threads 1");
    folder.done(&SHORT, "-o two.sweep --threads 2");
    let whole = folder.table("one.sweep");
    assert_eq!(whole.lines().count(), 1601);
    assert!(whole == folder.table("two.sweep"), "two threads differ from one");
    for i in 1..=4 {
        folder.done(&SHORT, &format!("-o part{i}.sweep --chunk {i}/4"));
    }
    let merge = ["sweep", "merge"];
    folder.done(&merge, "all.sweep part3.sweep part1.sweep part4.sweep part2.sweep");
    assert!(whole == folder.table("all.sweep"), "the parts differ from the whole");
    folder.has_one_file_only("all.sweep");

    let answer = folder.sweep(&merge, "some.sweep part1.sweep part2.sweep part4.sweep");
    assert_eq!(answer.code, Some(1));
    // every fourth block from the third on is missing
    assert!(answer.output.contains("incomplete: 50 of 67 blocks are there"), "{}", answer.output);
    // what is missing can be computed like what was interrupted
    folder.done(&SHORT, "-o some.sweep --resume");
    assert!(whole == folder.table("some.sweep"), "the mended parts differ from the whole");

    folder.done(&LONG[..8], "--to 1 -o other.sweep --chunk 2/4");
    insta::assert_snapshot!(folder.refusals(
        2,
        &[
            &["merge", "x.sweep", "part1.sweep", "other.sweep"],
            &["merge", "all.sweep", "part1.sweep"],
            &["merge", "x.sweep"],
        ]
    ));
    assert!(!folder.path("x.sweep").exists());
}

#[test]
fn a_sweep_that_was_killed_ends_as_if_nothing_had_happened() {
    let folder = Folder::new("sweep-killed");
    folder.done(&LONG, "-o whole.sweep");
    let whole = folder.table("whole.sweep");
    let arguments = [LONG.as_slice(), &["-o", "killed.sweep", "--resume"]].concat();
    let size = || folder.path("killed.sweep").metadata().map_or(0, |file| file.len());
    let mut kills = 0;
    loop {
        let before = size();
        let mut program = folder.start(&arguments);
        let grown =
            program.until("blocks are written", |_| (size() >= before + 10_000).then_some(()));
        program.signal("KILL");
        let status = program.wait();
        if status.success() {
            break;
        }
        kills += usize::from(grown.is_some());
        assert!(kills < 100);
    }
    assert!(kills >= 2, "it was done before it could be killed");
    folder.has_one_file_only("killed.sweep");
    assert!(whole == folder.table("killed.sweep"), "the resumed sweep differs");
    let answer = folder.done(&arguments, "");
    assert!(answer.output.contains("nothing was left to compute"), "{}", answer.output);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_sweep_says_how_to_go_on() {
    let folder = Folder::new("sweep-interrupted");
    folder.done(&LONG, "-o whole.sweep");
    let mut program = folder.start(&[LONG.as_slice(), &["-o", "x.sweep"]].concat());
    program.until_ctrl_c_is_caught();
    // the first 20 kB say what is computed
    let size = || folder.path("x.sweep").metadata().map_or(0, |file| file.len());
    program.until("blocks are written", |_| (size() > 28_000).then_some(()));
    program.signal("INT");
    let answer = folder.answer(program.wait());
    assert_eq!(answer.code, Some(130), "{}{}", answer.output, answer.message);
    assert_eq!(answer.message, "");
    assert!(answer.output.contains(" of 1600 cells"), "{}", answer.output);
    assert!(answer.output.contains("interrupted: --resume continues x.sweep"), "{}", answer.output);
    folder.has_one_file_only("x.sweep");
    let partial = folder.done(&["sweep", "export", "x.sweep", "part.csv"], "");
    assert!(partial.output.contains(" of 67 blocks are there"), "{}", partial.output);
    let rows = folder.text("part.csv").lines().count();
    assert!((2..1601).contains(&rows), "{rows}");
    folder.done(&LONG, "-o x.sweep --resume");
    assert!(folder.table("whole.sweep") == folder.table("x.sweep"), "the resumed sweep differs");
}

#[test]
fn damage_is_found_and_mended() {
    let folder = Folder::new("sweep-damaged");
    folder.done(&SHORT, "-o sound.sweep");
    let (whole, sound) = (folder.table("sound.sweep"), folder.read("sound.sweep"));
    // a number of the table, where it stands in the file
    let line = whole.lines().nth(1000).expect("there are 1600 rows");
    let number: f64 = line.split(',').nth(2).expect("a measure").parse().expect("a number");
    let stands = |at: &usize| sound[*at..*at + 8] == number.to_le_bytes();
    let places: Vec<usize> = (0..sound.len() - 8).filter(stands).collect();
    assert!(!places.is_empty(), "numbers stand in the file as they are");
    // pages that are in use no more may have it, too
    let mut flipped = sound.clone();
    places.iter().for_each(|at| flipped[at + 3] ^= 1);
    let middle = sound.len() / 2 / 4096 * 4096;
    let garbage = [&sound[..middle], &[0xa5; 4096], &sound[middle + 4096..]].concat();
    let zeros = [&sound[..middle], &[0; 8192], &sound[middle + 8192..]].concat();
    let cases = [
        ("flipped", flipped),
        ("garbage", garbage),
        ("zeros", zeros),
        ("cut", sound[..sound.len() * 2 / 3].to_vec()),
        ("ragged", sound[..sound.len() * 3 / 4 + 123].to_vec()),
    ];
    for (name, bytes) in cases {
        let file = format!("{name}.sweep");
        folder.write(&file, bytes);
        let answer = folder.sweep(&["sweep", "export", &file, "table.csv"], "");
        assert_eq!(answer.code, Some(1), "{name}: {}{}", answer.output, answer.message);
        assert!(answer.output.contains("incomplete: "), "{name}: {}", answer.output);
        assert!(answer.output.contains(" left out"), "{name}: {}", answer.output);
        let kept = folder.text("table.csv");
        assert!(kept.lines().count() > 400, "{name}: {}", answer.output);
        let known: std::collections::HashSet<&str> = whole.lines().collect();
        assert!(kept.lines().all(|line| known.contains(line)), "{name}: wrong rows were kept");
        let answer = folder.done(&SHORT, &format!("-o {file} --resume"));
        assert!(answer.output.contains("mended: "), "{name}: {}", answer.output);
        let computed = answer.output.lines().find(|line| line.starts_with("computed "));
        assert!(
            computed.is_some_and(|line| !line.starts_with("computed 1600 ")),
            "{}",
            answer.output
        );
        assert!(whole == folder.table(&file), "{name}: the mended sweep differs");
        folder.has_one_file_only(&file);
    }
}

#[test]
fn a_full_disk_loses_nothing_that_was_committed() {
    let folder = Folder::new("sweep-disk");
    folder.done(&SHORT, "-o whole.sweep");
    // files may have 48 blocks of 512 or 1024 bytes, and writing more is an error instead of a signal
    let arguments = SHORT.map(|word| format!("\"{word}\"")).join(" ");
    let limited = format!("trap '' XFSZ; ulimit -f 48; exec \"$CATENA\" {arguments} -o full.sweep");
    let answer = folder.shell(&limited);
    assert_eq!(answer.code, Some(1), "{}{}", answer.output, answer.message);
    assert!(answer.message.contains("error: cannot write `full.sweep`"), "{}", answer.message);
    assert!(answer.message.contains("--resume continues"), "{}", answer.message);
    let partial = folder.done(&["sweep", "export", "full.sweep"], "");
    assert!(partial.output.contains("blocks are there"), "{}", partial.output);
    folder.done(&SHORT, "-o full.sweep --resume");
    assert!(folder.table("whole.sweep") == folder.table("full.sweep"), "the resumed sweep differs");
    let nowhere = ["double-pendulum", "--over", "theta1=0:1:9", "-o", "nowhere/x.sweep"];
    let message = folder.refusals(1, &[&nowhere]);
    assert!(message.contains("cannot write `nowhere/x.sweep`"), "{message}");
}

#[test]
fn results_come_as_tables_pictures_and_json() {
    let folder = Folder::new("sweep-results");
    let curve = ["sweep", "double-pendulum", "--over", "theta1=0:2:30", "--to", "1"];
    let answer = folder.done(&curve, "--plot curve.svg --export curve.npz");
    assert!(
        answer.output.contains("no --measure was given: amplitude:theta1"),
        "{}",
        answer.output
    );
    assert!(folder.text("curve.svg").contains("<polyline"));
    assert!(folder.read("curve.npz").starts_with(b"PK"));
    let answer = folder.done(&SHORT, "--plot map.svg --json");
    assert!(answer.output.contains("\"cells_done\": 1600"), "{}", answer.output);
    assert!(answer.output.contains("\"interrupted\": false"), "{}", answer.output);
    let map = folder.text("map.svg");
    let theta = "<tspan font-style=\"italic\">θ</tspan>";
    assert!(map.contains(&format!(">last of {theta}")), "{map}");
    assert!(map.contains(">amplitude of <tspan font-style=\"italic\">θ\u{307}</tspan>"), "{map}");
}

/// Starts at 0.1 and 1 rad have too little energy: that is no failure, and has no number.
#[test]
fn what_never_happens_is_counted_and_drawn_grey() {
    let folder = Folder::new("sweep-time");
    let map = ["sweep", "double-pendulum", "--over", "theta1=0.1,1,2.5,3", "--over", "m1=1,1.1"];
    let start = ["--set", "theta2=0.1", "--to", "20", "--measure", "time:turnover"];
    let measured = [&map[..], &start].concat();
    let answer = folder.done(&measured, "--plot map.svg --export map.csv");
    assert!(answer.output.contains("time:turnover: never in 4 cells"), "{}", answer.output);
    assert!(!answer.output.contains("failed"), "{}", answer.output);
    assert_eq!(folder.text("map.csv").matches("NaN").count(), 4);
    let picture = folder.text("map.svg");
    assert!(picture.contains(">first time of turnover, s<"), "{picture}");
}

/// A stone that stops where it falls.
const DROP: &str = r#"title = "Drop"
coordinates = { y = "height" }
initial = { y = 1 }

[energy]
kinetic = "1/2*y'^2"
potential = "9.81*y"

[events]
floor = { when = "y", direction = -1, terminal = true }
"#;

#[test]
fn a_motion_that_an_event_ends_does_not_run_on() {
    let folder = Folder::new("sweep-events");
    folder.write("drop.toml", DROP);
    let sweep = ["drop.toml", "--over", "y=1,2", "--measure", "last:t"];
    let sweep = [&["sweep"], sweep.as_slice()].concat();
    folder.done(&sweep, "--rtol 1e-10 --export x.csv");
    for line in folder.text("x.csv").lines().skip(1) {
        let (height, time) = line.split_once(',').expect("two columns");
        let (height, time): (f64, f64) = (height.parse().unwrap(), time.parse().unwrap());
        // free fall: y = g t²/2
        assert!((time - (2.0 * height / 9.81).sqrt()).abs() < 1e-8, "{line}");
    }
}

#[test]
fn cells_that_fail_are_told_and_the_others_stay() {
    let folder = Folder::new("sweep-failed");
    let sweep =
        ["sweep", "triple-pendulum", "--over", "m3=1,1e308,2,0", "--measure", "last:theta1"];
    let answer = folder.done(&sweep, "--to 1 -o x.sweep --export x.csv");
    assert!(answer.output.contains("failed in 2 cells:"), "{}", answer.output);
    let nan: Vec<bool> =
        folder.text("x.csv").lines().skip(1).map(|line| line.contains("NaN")).collect();
    assert_eq!(nan, [false, true, false, true]);
    let sweep = ["sweep", "triple-pendulum", "--over", "m3=0", "--measure", "last:theta1"];
    assert_eq!(folder.sweep(&sweep, "").code, Some(1));
}
