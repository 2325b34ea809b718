//! Every question of the catalogue keeps the promises that the edges rely on: what an answer holds, how options are named
//! and refused, and that it is documented.

use catena::analysis::{ANALYSES, Analysis, Answer};
use catena::model::OptionRow;
use catena_tests::ready;
use std::collections::HashSet;

/// A model and options, by key.
type Asked = (&'static str, &'static [(&'static str, &'static str)]);

/// What a question is asked with. A row stands here only if it needs options, or a model that not every question needs.
fn asked(question: &str) -> Asked {
    match question {
        "kinematics" | "inverse" => ("four-bar", &[("drive", "theta2"), ("points", "19")]),
        "response" => ("triple-pendulum", &[("over", "f=0.2:0.5:7"), ("over", "R=0.5,1")]),
        "resonance" => ("triple-pendulum", &[("over", "f=0.25:0.4:6"), ("over", "R=0.5,1")]),
        "poincare" => ("double-pendulum", &[("points", "40")]),
        "bifurcation" => {
            ("driven-pendulum", &[("over", "drive=1:1.05:4"), ("transient", "20"), ("keep", "8")])
        }
        "continuation" => ("driven-pendulum", &[("over", "drive=0.9:0.95"), ("depth", "0")]),
        "classify" => ("driven-pendulum", &[("periods", "256")]),
        "basins" => ("driven-pendulum", &[("over", "theta=-1:1:4"), ("over", "theta'=-1:1:4")]),
        "compare" => ("four-bar", &[("t_end", "0.5"), ("formulations", "multipliers,projection")]),
        "bench" => ("chain", &[("links", "2,3"), ("t_end", "0.1"), ("tolerances", "1e-3")]),
        "lyapunov" => ("double-pendulum", &[("t_end", "100"), ("copies", "1")]),
        "penalty" => ("double-pendulum-cartesian", &[("t_end", "0.5")]),
        _ => ("double-pendulum", &[]),
    }
}

fn answer(question: &Analysis) -> Answer {
    let (model, options) = asked(question.name);
    let answer = catena::ask(question.name, &ready(model, &[]), options);
    answer.unwrap_or_else(|refusal| panic!("{}: {refusal} ({:?})", question.name, refusal.help))
}

/// The options of a question, with those of the runs it makes.
fn rows(question: &Analysis) -> impl Iterator<Item = &'static OptionRow> {
    let own = question.options.iter().copied();
    own.chain(question.run_options.iter().map(|option| &option.row))
}

#[test]
fn every_answer_has_facts_a_table_a_picture_and_words() {
    for question in ANALYSES {
        let (name, answer) = (question.name, answer(question));
        assert_eq!(answer.question, name);
        assert!(!answer.title.is_empty(), "{name}");

        let json = answer.to_json();
        assert_eq!(json["question"], name);
        for part in ["settings", "result"] {
            let facts = json[part].as_object().unwrap_or_else(|| panic!("{name} has no {part}"));
            assert!(!facts.is_empty(), "{name} has nothing in its {part}");
        }
        let error = json.get("error_estimate").unwrap_or_else(|| panic!("{name}"));
        assert!(error.is_null() || error.as_f64().is_some_and(|error| error >= 0.0), "{name}");

        let table = &answer.table;
        assert!(!table.columns.is_empty() && !table.is_empty(), "the table of {name} is empty");
        let ragged = table.columns.iter().find(|column| column.len() != table.len());
        assert!(ragged.is_none(), "{name}: {ragged:?}");
        let names: HashSet<&str> = table.names().collect();
        assert_eq!(names.len(), table.columns.len(), "{name} has two columns of one name");

        let panel = answer.figure.panels.first();
        let panel = panel.unwrap_or_else(|| panic!("{name} has no picture"));
        assert!(!panel.series.is_empty(), "the picture of {name} is empty");
        assert!(!answer.words.to_text().trim().is_empty(), "{name} says nothing");
    }
}

#[test]
fn options_that_do_not_exist_are_refused_with_the_nearest_one() {
    for question in ANALYSES {
        let model = ready(asked(question.name).0, &[]);
        let refused = |key: &str| {
            let refusal = catena::ask(question.name, &model, &[(key, "1")]);
            let refusal = refusal.err().unwrap_or_else(|| panic!("{} takes {key}", question.name));
            assert!(refusal.is_usage && refusal.message.contains(key), "{refusal}");
            refusal.help.unwrap_or_else(|| panic!("{}: {} has no help", question.name, key))
        };
        let misspelt = "no_such_option";
        let help = refused(misspelt);
        assert!(question.options.is_empty() || help.contains(question.options[0].key), "{help}");
        for row in question.options.iter().filter(|row| row.key.len() >= 4) {
            assert_eq!(refused(&format!("{}x", row.key)), format!("did you mean `{}`?", row.key));
        }
    }
    let unknown = catena::ask("mode", &ready("double-pendulum", &[]), &[]).expect_err("no such");
    assert_eq!(unknown.help.as_deref(), Some("did you mean `modes`?"));
}

#[test]
fn names_are_unique_and_rows_say_what_they_are() {
    let mut names = HashSet::new();
    for question in ANALYSES {
        assert!(names.insert(question.name), "two questions are called {}", question.name);
        let plain = |text: &str| text.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        assert!(plain(question.name), "{}", question.name);
        assert!(!question.summary.is_empty() && !question.needs.is_empty(), "{}", question.name);
    }
}

/// Flags that the command line gives to every question.
const FLAGS: [&str; 8] = ["model", "set", "output", "plot", "show", "json", "threads", "help"];
/// Its arguments by key, where that is not the flag.
const KEYS: [&str; 1] = ["settings"];

#[test]
fn every_option_is_a_flag_of_its_own_with_help() {
    for question in ANALYSES {
        let (mut flags, mut keys) = (HashSet::from(FLAGS), HashSet::from(FLAGS));
        keys.extend(KEYS);
        for row in rows(question) {
            let name = format!("`{}` of {}", row.flag, question.name);
            assert!(!row.help.is_empty(), "{name} has no help");
            assert!(!row.flag.contains('_'), "{name} has an underscore");
            assert!(flags.insert(row.flag), "{name} is taken");
            assert!(keys.insert(row.key), "the key of {name} is taken");
        }
    }
}

#[test]
fn every_question_stands_in_the_book_and_on_the_front_page() {
    let book = include_str!("../../book/methods.md");
    let (_, section) = book.split_once("## Questions about a model").expect("the section is there");
    let rows: String = section.lines().filter(|line| line.starts_with("| `")).collect();
    let front = include_str!("../../README.md");
    let commands: Vec<&str> =
        front.lines().filter(|line| line.starts_with("| `catena analyze ")).collect();
    for question in ANALYSES {
        let name = question.name;
        assert!(rows.contains(&format!("`{name}`")), "{name} is not in book/methods.md");
        let stands = |line: &&str| line.split([' ', '|', '\\']).any(|word| word == name);
        assert!(commands.iter().any(stands), "{name} is not in README.md");
    }
}
