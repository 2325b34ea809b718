//! What a sweep says about what it was asked and where its numbers went.

mod process;

use process::{Folder, catena};

#[test]
fn what_is_varied_cannot_be_set_to_one_value_as_well() {
    for command in [
        "sweep double-pendulum --over m1=1,2 --set m1=3 --to 0.1",
        "sweep double-pendulum --over theta1'=1,2 --set theta1'=3 --to 0.1",
        "analyze response triple-pendulum --over f=0.5,1 --set f=3",
        "analyze response triple-pendulum --linear --over f=0.5,1 --set f=3",
        "analyze response triple-pendulum --over f=0.5,1 --over R=1,2 --set R=3",
        "analyze resonance triple-pendulum --over f=0.5,1 --over R=1,2 --set R=3",
        "bench --links 2,3 --set links=3",
    ] {
        let message = catena(&command.split(' ').collect::<Vec<_>>()).refused(2);
        assert!(message.contains("` is varied, and `"), "{command}: {message}");
        assert!(message.contains("=3` gives it one value"), "{command}: {message}");
        assert!(message.contains("leave out --set "), "{command}: {message}");
    }
    // the rate of what is varied is something else
    let other = "sweep double-pendulum --over theta1=1,2 --set theta1'=3 --to 0.1";
    catena(&other.split(' ').collect::<Vec<_>>()).printed();
}

#[test]
fn one_tolerance_and_several_of_them_cannot_both_be_meant() {
    let command = "compare double-pendulum --tolerances 1e-3,1e-6 --rtol 1e-4 --to 0.1";
    let message = catena(&command.split(' ').collect::<Vec<_>>()).refused(2);
    assert!(message.contains("`rtol` gives one value for all"), "{message}");
    assert!(message.contains("leave out --rtol, or --tolerances"), "{message}");
}

#[test]
fn a_sweep_says_where_its_numbers_went() {
    let folder = Folder::new("where numbers went");
    let sweep = |more: &str| {
        let command = format!("sweep double-pendulum --over m1=1,2 --to 0.1 {more}");
        folder.run(&command.split_whitespace().collect::<Vec<_>>()).printed()
    };
    let exported = sweep("--export x.csv");
    assert!(exported.contains("\n2 rows in x.csv\n"), "{exported}");
    assert!(!exported.contains("nothing is kept"), "{exported}");
    assert_eq!(folder.text("x.csv").lines().count(), 3);
    let both = sweep("--export y.csv -o y.sweep");
    assert!(both.contains("\n2 rows in y.csv\nkept in y.sweep\n"), "{both}");
    assert!(sweep("").contains("\nnothing is kept; -o FILE would\n"));
}

#[test]
fn why_the_processor_computes_is_said_once_and_first() {
    let folder = Folder::new("why the processor computes");
    let sweep = |more: &str| {
        // no GPU runs this integrator
        let command =
            format!("sweep double-pendulum --over m1=1,2 --to 0.1 --integrator ode45 {more}");
        folder.run(&command.split_whitespace().collect::<Vec<_>>())
    };
    let (words, on_gpu) = ("the processor computes", "--device gpu -o x.sweep");
    let computed = sweep(on_gpu);
    assert_eq!(computed.code, Some(0), "{}", computed.message);
    assert!(computed.message.starts_with("warning: "), "{}", computed.message);
    assert!(computed.message.contains(words) && !computed.output.contains(words));
    // what follows from it stands below it
    let refused = sweep(on_gpu);
    assert_eq!(refused.code, Some(2));
    assert!(refused.message.find(words) < refused.message.find("error: "), "{}", refused.message);
    assert!(refused.message.contains(words), "{}", refused.message);
    let json = sweep("--device gpu --json").output;
    assert_eq!(json.matches(words).count(), 1, "{json}");
    assert_eq!(sweep("").message, "");
}

#[test]
fn single_precision_asks_for_a_gpu() {
    let command = "sweep double-pendulum --over m1=1,2 --precision f32";
    let message = catena(&command.split(' ').collect::<Vec<_>>()).refused(2);
    assert!(message.contains("add --device gpu, or leave --precision out"), "{message}");
}
