//! The README shows what the program prints: its commands are run, and what stands below them is looked for.

mod process;

use catena::analysis::ANALYSES;
use process::Folder;

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    std::fs::read_to_string(path).expect("the README is there")
}

/// The fenced blocks of a kind, in their order.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("```{kind}\n");
    let after = page.split(fence.as_str()).skip(1);
    after.map(|rest| rest.split("```").next().expect("the block ends")).collect()
}

/// Words without what differs from machine to machine: durations.
fn stable(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let masked = words.iter().enumerate().map(|(at, word)| {
        let is_duration = matches!(words.get(at + 1), Some(&"ns" | &"µs" | &"ms"));
        if is_duration { "…" } else { word }
    });
    masked.collect::<Vec<_>>().join(" ")
}

/// What is printed, or shown, without empty lines and those that stand for others.
fn stable_lines(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && *line != "...");
    lines.map(stable).collect()
}

#[test]
fn the_first_model_has_ten_lines_and_every_command_prints_what_is_shown() {
    let page = readme();
    let model = blocks(&page, "toml")[0];
    assert_eq!(model.lines().count(), 10);
    let mistaken = model.replace("bob_y = \"-l*cos(theta)\"", "bob_y = \"-l*cos(thta)\"");
    assert_ne!(model, mistaken);
    let folder = Folder::new("readme");
    let (mut commands, mut lines) = (0, 0);
    for block in blocks(&page, "console") {
        for shown in block.split("$ catena ").skip(1) {
            folder.write("cart.toml", if shown.contains("thta") { &mistaken } else { model });
            let (command, shown) = shown.split_once('\n').expect("the answer is shown");
            let arguments: Vec<&str> = command.split(' ').collect();
            let answer = folder.run(&arguments);
            let printed = stable_lines(&(answer.output + &answer.message));
            let is_whole = shown.lines().all(|line| line != "...");
            let shown = stable_lines(shown);
            let compared: Vec<&String> = match is_whole {
                true => shown.iter().chain(&printed).collect(),
                false => shown.iter().collect(),
            };
            for line in compared {
                let agrees = shown.contains(line) && printed.contains(line);
                assert!(
                    agrees,
                    "`catena {command}`: {line}\nshown {shown:#?}\nprinted {printed:#?}"
                );
            }
            lines += shown.len();
            commands += 1;
        }
    }
    assert!(commands >= 4 && lines >= 30, "{commands} commands, {lines} lines");
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
