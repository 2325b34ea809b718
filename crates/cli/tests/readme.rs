//! The README names every command, question and list. Its commands are run by the tests of the book.

mod process;

use catena::analysis::ANALYSES;
use process::Folder;

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    std::fs::read_to_string(path).expect("the README is there")
}

/// The names in the list of commands of a help text.
fn commands_of(help: &str) -> Vec<&str> {
    let list = help.split_once("Commands:\n").expect("there are commands").1;
    let rows = list.lines().take_while(|line| !line.is_empty());
    let names = rows.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

#[test]
fn the_table_names_every_command_every_question_and_every_list() {
    let page = readme();
    let folder = Folder::new("readme-table");
    for command in commands_of(&folder.run(&["--help"]).output) {
        assert!(page.contains(&format!("| `catena {command}")), "`catena {command}` is missing");
    }
    for command in commands_of(&folder.run(&["sweep", "--help"]).output) {
        assert!(page.contains(&format!("`catena sweep {command} ")), "`sweep {command}`");
    }
    let rows: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| `catena analyze ")).collect();
    for analysis in ANALYSES {
        let asked = |row: &&str| {
            let names = row.split(' ').next().expect("a row begins with names");
            names.split("\\|").any(|name| name == analysis.name)
        };
        // a few questions are commands of their own
        let is_command = page.contains(&format!("| `catena {} ", analysis.name));
        let is_named = is_command || rows.iter().any(asked);
        assert!(is_named, "`catena analyze {}` is missing", analysis.name);
    }
    let lists = folder.run(&["list", "--help"]).output;
    let lists = lists.split_once("[possible values: ").expect("it says what it lists").1;
    let lists = lists.split(']').next().expect("the list ends").replace(", ", "\\|");
    assert!(page.contains(&format!("`catena list [{lists}]`")), "`catena list [{lists}]`");
}

#[test]
fn the_help_of_questions_says_what_each_answers() {
    let folder = Folder::new("readme-questions");
    let help = folder.run(&["analyze", "--help"]).output;
    for analysis in ANALYSES {
        assert!(help.contains(analysis.summary), "{help}");
    }
}
