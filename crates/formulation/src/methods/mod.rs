//! The formulations: each a file with its equations and a row of the list below.

mod augmented_lagrangian;
mod baumgarte;
mod coordinate_partitioning;
mod ggl;
pub(crate) mod minimal;
pub(crate) mod multipliers;
pub(crate) mod null_space;
mod penalty;
mod penalty_damped;
pub(crate) mod projection;
pub(crate) mod recursive;

use crate::Entry;

/// Every formulation. The command line, comparisons and the conformance tests read this list, and the table in
/// `book/methods.md` is checked against it.
pub static FORMULATIONS: &[&Entry] = &[
    &minimal::ENTRY,
    &recursive::ENTRY,
    &multipliers::ENTRY,
    &baumgarte::ENTRY,
    &projection::ENTRY,
    &ggl::ENTRY,
    &coordinate_partitioning::ENTRY,
    &null_space::ENTRY,
    &augmented_lagrangian::ENTRY,
    &penalty::ENTRY,
    &penalty_damped::ENTRY,
];

#[cfg(test)]
mod tests {
    use super::FORMULATIONS;

    #[test]
    fn the_table_of_the_book_lists_every_formulation_and_no_other() {
        let page = include_str!("../../../../book/methods.md");
        let section = page.split("\n## ").find(|section| section.starts_with("Formulations"));
        let rows = section
            .expect("there is a section")
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|(name, _)| name));
        let mut listed: Vec<&str> = rows.collect();
        let mut names: Vec<&str> = FORMULATIONS.iter().map(|entry| entry.name).collect();
        listed.sort_unstable();
        names.sort_unstable();
        assert_eq!(listed, names);
    }
}
