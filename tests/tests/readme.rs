//! The first model of the README is read as it stands there.

use catena::{CoordinateSet, Format};
use catena_tests::written;

fn readme() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    std::fs::read_to_string(path).expect("the README is there")
}

/// The indented block that follows a heading.
fn block_after<'a>(text: &'a str, heading: &str) -> Vec<&'a str> {
    let after = text.split_once(heading).expect("the heading is there").1;
    after
        .lines()
        .skip_while(|line| !line.starts_with("    "))
        .take_while(|line| line.is_empty() || line.starts_with("    "))
        .map(|line| line.get(4..).unwrap_or(""))
        .collect()
}

#[test]
fn the_first_model_of_the_readme_has_ten_lines_and_the_equations_shown() {
    let readme = readme();
    let model = block_after(&readme, "## A first model in ten lines");
    let model: Vec<&str> = model.into_iter().filter(|line| !line.is_empty()).collect();
    assert_eq!(model.len(), 10);
    let derivation = catena::derive(&written(&model.join("\n")), CoordinateSet::Own)
        .expect("the model of the README derives");
    let text = derivation.write(Format::Text { color: false });
    let shown = block_after(&readme, "Saved as `cart.toml`");
    let drawn: Vec<&&str> = shown.iter().filter(|line| line.contains(['⎡', '⎣'])).collect();
    assert_eq!(drawn.len(), 4, "two rows of M and two of Q");
    for line in drawn {
        assert!(text.contains(line.trim()), "the derivation lacks {line}");
    }
}
