//! `catena reproduce`: a folder with a page, figures, tables and films; and what it refuses.

mod process;

use process::Folder;
use serde_json::Value;

const QUICK: &[&str] = &["reproduce", "penalty", "--quick", "-o", "out"];

#[test]
fn a_study_becomes_a_page_that_holds_everything_and_files_beside_it() {
    let folder = Folder::new("reproduce");
    let answer = folder.run(QUICK);
    assert_eq!((answer.code, answer.message.as_str()), (Some(0), ""));
    assert!(answer.output.contains("P1   velocities become unstable"), "{}", answer.output);
    assert!(answer.output.contains("the page: out/penalty/index.html"), "{}", answer.output);
    let page = folder.text("out/penalty/index.html");
    for part in ["<table class=\"claims\">", "<iframe class=\"film\"", "<svg", "<math", "Misprints"]
    {
        assert!(page.contains(part), "{part}");
    }
    let is_fetched = ["src=\"http", "href=\"http", "url(http", "@import"];
    assert!(is_fetched.iter().all(|text| !page.contains(text)));
    // films bring programs along, which know the word
    let own = page.split("<iframe").map(|part| part.rsplit("</iframe>").next().unwrap_or(""));
    assert!(own.into_iter().all(|part| !part.contains("NaN")), "all figures are numbers");
    assert!(folder.text("out/penalty/energy.svg").starts_with("<svg"));
    assert!(folder.text("out/penalty/steps.csv").starts_with("κ,α,h"));
    assert!(folder.text("out/penalty/springs-and-rods.html").contains("class=\"scene\""));
    let claims: Value =
        serde_json::from_str(&folder.text("out/penalty/claims.json")).expect("JSON");
    assert_eq!(claims["claims"].as_array().map(Vec::len), Some(10));
}

#[test]
fn a_setting_that_differs_is_named_on_the_page_and_in_the_object() {
    let folder = Folder::new("reproduce-settings");
    let answer = folder.run(&[QUICK, &["--set", "step=0.005", "--json"]].concat());
    let object: Value = serde_json::from_str(&answer.output).expect("JSON alone");
    assert_eq!(object["settings"][0], "step = 0.005");
    let claims = object["claims"].as_array().expect("claims");
    assert_eq!(claims[0]["verdict"], "does not hold");
    let page = folder.text("out/penalty/index.html");
    assert!(page.contains("With other settings than the study: step = 0.005."));
}

#[test]
fn what_cannot_be_done_is_said_before_anything_is_run() {
    let folder = Folder::new("reproduce-refused");
    folder.write("file", "");
    for (arguments, code, words) in [
        (&["penalti"][..], 2, "a similar value exists: 'penalty'"),
        (&["penalty", "--set", "stp=1"], 2, "did you mean `step`?"),
        (&["penalty", "--set", "step=-1"], 2, "it takes a number greater than 0"),
        (&["penalty", "--set", "step=0.01 kg"], 2, "`step` cannot be `0.01 kg`"),
        (&["penalty", "--set", "step"], 2, "write NAME=VALUE"),
        (&["all", "--set", "step=1"], 2, "settings belong to one study"),
        (&["penalty", "-o", "file"], 1, "cannot make the folder `file`"),
    ] {
        let answer = folder.run(&[&["reproduce"], arguments].concat());
        assert_eq!(answer.code, Some(code), "{arguments:?}: {}", answer.message);
        assert!(answer.message.contains(words), "{arguments:?}: {}", answer.message);
    }
}
