//! The README shows what the program prints: its commands are run, and what stands below them is looked for.

use catena_book::{Chapter, Item, Scratch, answers, commands, root};
use std::path::Path;

#[test]
fn the_first_model_has_ten_lines_and_every_command_prints_what_is_shown() {
    let page = std::fs::read_to_string(root().join("README.md")).expect("the README is there");
    let mut model = None;
    let scratch = Scratch::new("readme", Path::new(env!("CARGO_BIN_EXE_catena-book"))).unwrap();
    let (mut run, mut lines) = (0, 0);
    for item in Chapter::written("readme", &page).items() {
        let Item::Block(block) = item else { continue };
        if block.words() == ["toml"] && model.is_none() {
            assert_eq!(block.text.lines().count(), 10);
            model = Some(block.text.clone());
        }
        for command in block.console().map_or(Vec::new(), |_| commands(&block.text)) {
            let model = model.as_deref().expect("the model comes first");
            let mistaken = model.replace("bob_y = \"-l*cos(theta)\"", "bob_y = \"-l*cos(thta)\"");
            assert_ne!(model, mistaken);
            let is_mistaken = command.shown.contains("thta");
            let text = if is_mistaken { &mistaken } else { model };
            std::fs::write(scratch.file("cart.toml"), text).unwrap();
            let answer = scratch.shell(&command.line).output().expect("there is a shell");
            let printed = [answer.stdout, answer.stderr].concat();
            let printed = String::from_utf8(printed).expect("answers are UTF-8");
            if let Err(difference) = answers(&command.shown, &printed) {
                panic!("`{}`\n{difference}", command.line);
            }
            lines += command.shown.lines().count();
            run += 1;
        }
    }
    assert!(run >= 4 && lines >= 30, "{run} commands, {lines} lines");
}
