//! Every entry of a catalogue has its chapter, with everything that a reader looks for.

use catena::analysis::ANALYSES;
use catena::formulation::FORMULATIONS;
use catena::integrator::INTEGRATORS;
use catena::model::{JOINTS, sections};
use catena_book::generated::{Catalogue, MeasuredOrder, catalogues, pairs};
use catena_book::{Chapter, Item};

fn made() -> Vec<Catalogue> {
    catalogues().unwrap_or_else(|problem| panic!("{problem}"))
}

fn headings(chapter: &Chapter) -> Vec<String> {
    let items = chapter.items().into_iter();
    let texts = items.filter_map(|item| match item {
        Item::Heading(_, text, _) => Some(text),
        _ => None,
    });
    texts.collect()
}

#[test]
fn every_entry_has_a_chapter_with_its_sections_an_example_and_a_picture() {
    let made = made();
    let chapters: Vec<&Chapter> = made.iter().flat_map(|catalogue| &catalogue.chapters).collect();
    let of_methods = ["Equations", "When to choose it", "Options", "Example", "Reference"];
    let of_joints = ["Equations", "When to choose it", "Keys", "Example", "Reference"];
    let of_elements = ["Equations", "Keys", "Example"];
    let mut expected: Vec<(String, &[&str])> = Vec::new();
    expected
        .extend(FORMULATIONS.iter().map(|e| (format!("formulation-{}", e.name), &of_methods[..])));
    expected
        .extend(INTEGRATORS.iter().map(|e| (format!("integrator-{}", e.name), &of_methods[..])));
    expected.extend(ANALYSES.iter().map(|e| (format!("analysis-{}", e.name), &of_methods[..])));
    expected.extend(JOINTS.iter().map(|e| (format!("joint-{}", e.name), &of_joints[..])));
    let items = sections().into_iter().filter_map(|section| {
        let name = section.heading.strip_prefix("[[")?.strip_suffix("]]")?.to_owned();
        (name != "joint").then(|| (format!("element-{name}"), &of_elements[..]))
    });
    expected.extend(items);
    for (name, sections) in expected {
        let chapter = chapters.iter().find(|chapter| chapter.name == name);
        let chapter = chapter.unwrap_or_else(|| panic!("there is no chapter {name}"));
        let headings = headings(chapter);
        for section in sections {
            assert!(headings.iter().any(|heading| heading == section), "{name} has no {section}");
        }
        let items = chapter.items();
        assert!(items.iter().any(|item| matches!(item, Item::Picture(_))), "{name} has no picture");
    }
}

#[test]
fn options_of_a_method_are_listed_with_their_defaults() {
    let made = made();
    let chapters: Vec<&Chapter> = made.iter().flat_map(|catalogue| &catalogue.chapters).collect();
    let text = |name: &str| {
        let chapter = chapters.iter().find(|chapter| chapter.name == name);
        chapter.unwrap_or_else(|| panic!("there is no chapter {name}")).markdown.as_str()
    };
    assert!(text("formulation-baumgarte").contains("| `omega` | 10 | natural frequency"));
    assert!(text("formulation-projection").contains("It has none."));
    assert!(text("integrator-dopri5").contains("| `rtol` |"));
    assert!(text("integrator-dopri5").contains("other names"));
    assert!(text("analysis-phase").contains("| `--after T` |"), "{}", text("analysis-phase"));
}

#[test]
fn the_measured_order_of_every_integrator_is_the_promised_one() {
    for entry in INTEGRATORS.iter().filter(|entry| !entry.variable_order) {
        let order = MeasuredOrder::of(entry).unwrap_or_else(|problem| panic!("{problem}")).order();
        let promised = f64::from(entry.order);
        assert!((order - promised).abs() < 0.35, "{}: {order:.2}, promised {promised}", entry.name);
    }
}

#[test]
fn structural_integrators_take_no_formulation_and_implicit_ones_take_all() {
    for pair in pairs().unwrap_or_else(|problem| panic!("{problem}")) {
        let structural = INTEGRATORS.iter().any(|e| e.name == pair.integrator && e.structural);
        if structural {
            assert!(pair.refused.is_some(), "{pair:?}");
        }
        if ["radau5", "dopri5"].contains(&pair.integrator) {
            assert!(pair.refused.is_none(), "{pair:?}");
        }
    }
}
