//! `catena sweep --on`: what is asked of Python, and what is said where Python or its package is missing. Real clusters are
//! tried by `tests/python/dask`.
#![cfg(unix)]

mod process;

use process::{Answer, Folder};
use std::os::unix::fs::PermissionsExt;

const SWEEP: &str =
    "sweep double-pendulum --set l1=0.8 --over m1=1,2 --to 0.1 --rtol 1e-8 -o map.sweep";

/// Runs a sweep on a cluster with a script in place of Python.
fn on_cluster(folder: &Folder, python: &str) -> Answer {
    let path = folder.with("python", format!("#!/bin/sh\n{python}\n"));
    let allowed = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, allowed).expect("the script is ours");
    folder.shell(&format!("CATENA_PYTHON=./python $CATENA {SWEEP} --on dask://host:8786"))
}

fn version() -> String {
    format!("if [ \"$1\" = -c ]; then echo {}; exit; fi", env!("CARGO_PKG_VERSION"))
}

#[test]
fn python_that_is_not_there_is_told() {
    let folder = Folder::new("no python");
    let line = format!("CATENA_PYTHON=./nowhere $CATENA {SWEEP} --on dask://host:8786");
    let message = folder.shell(&line).refused(1);
    assert!(message.contains("`./nowhere` cannot be started: "), "{message}");
    assert!(message.contains("CATENA_PYTHON names one that is called otherwise"), "{message}");
}

#[test]
fn python_without_the_package_is_told() {
    let message = on_cluster(&Folder::new("no package"), "exit 1").refused(1);
    assert!(message.contains("`./python` has no package `catena`"), "{message}");
    assert!(message.contains("pip install ./python distributed"), "{message}");
}

#[test]
fn a_package_of_another_version_is_refused_with_both() {
    let message = on_cluster(&Folder::new("another version"), "echo 0.0.1").refused(1);
    let own = env!("CARGO_PKG_VERSION");
    let said =
        format!("the package of `./python` is Catena 0.0.1, and this program is Catena {own}");
    assert!(message.contains(&said), "{message}");
}

#[test]
fn what_python_refuses_is_said_in_its_words() {
    let folder = Folder::new("refused");
    let script = r#"echo '{"error": {"message": "no Dask scheduler answers", "help": "start one", "usage": false}}'"#;
    let message = on_cluster(&folder, &format!("{}\n{script}", version())).refused(1);
    assert!(message.contains("error: no Dask scheduler answers"), "{message}");
    assert!(message.contains("start one"), "{message}");
    let message = on_cluster(&folder, &version()).refused(1);
    assert!(message.contains("`./python` ended without an answer"), "{message}");
}

#[test]
fn what_a_cluster_has_computed_is_shown() {
    let folder = Folder::new("computed");
    // the program itself is the cluster
    let script = format!(
        "{}\ncat > request.json\n$CATENA {SWEEP} > /dev/null\n\
         echo '{{\"blocks\": 1, \"seconds\": 0.5, \"workers\": 2, \"tasks\": 1}}'",
        version()
    );
    let printed = on_cluster(&folder, &script).printed();
    assert!(printed.contains("\n2 cells: 2 m1\n"), "{printed}");
    let said =
        "computed 1 block in 500.00 ms on dask://host:8786: 1 task, 2 workers\nkept in map.sweep\n";
    assert!(printed.ends_with(said), "{printed}");
    let request = folder.text("request.json");
    for part in [
        r#""on":"dask://host:8786""#,
        r#""settings":[["l1","0.8"]]"#,
        r#""over":["m1=1,2"]"#,
        r#""times":[["t_end","0.1"]]"#,
        r#""options":[["rtol","1e-8"]]"#,
        r#""store":"map.sweep""#,
        r#""resume":false"#,
    ] {
        assert!(request.contains(part), "{part}: {request}");
    }
}

#[test]
fn a_cluster_needs_a_file_and_takes_no_chunk() {
    let folder = Folder::new("flags");
    let sweep = "sweep double-pendulum --over m1=1,2 --to 0.1 --on dask://host:8786";
    let run = |more: &str| {
        let line = format!("{sweep} {more}");
        folder.run(&line.split_whitespace().collect::<Vec<_>>()).refused(2)
    };
    assert!(run("").contains("--output"));
    assert!(run("-o map.sweep --chunk 1/2").contains("--chunk"));
}
