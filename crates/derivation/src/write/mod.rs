//! Writing a derivation: for the terminal, for LaTeX, for a page, for a program.

mod html;
mod json;
mod latex;
mod markdown;
mod text;

use crate::{Agreement, Derivation};

pub use latex::escape as latex_words;

/// How a derivation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Unicode text, with colours if wished.
    Text {
        /// Whether titles carry terminal colours.
        color: bool,
    },
    /// A LaTeX document.
    Latex,
    /// Markdown with LaTeX formulas.
    Markdown,
    /// A page that stands alone.
    Html,
    /// One JSON object, for programs.
    Json,
}

impl Derivation {
    /// The whole derivation as text in this format.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Text { color } => text::write(self, color),
            Format::Latex => latex::write(self),
            Format::Markdown => markdown::write(self),
            Format::Html => html::write(self),
            Format::Json => json::write(self),
        }
    }

    /// Coordinates and parameters with what they stand for, as tables for a page of somebody else.
    pub fn legends_html(&self) -> String {
        html::legends(self)
    }

    /// All steps and how they were checked, for a page of somebody else with [`Derivation::MATH_STYLE`].
    pub fn equations_html(&self) -> String {
        html::equations(self)
    }

    /// How formulas look on a page.
    pub const MATH_STYLE: &str = html::MATH_STYLE;
}

const CHECK_TITLE: &str = "Check";

/// The sentence about the independent check.
fn check_sentence(agreement: Option<&Agreement>) -> String {
    let Some(agreement) = agreement else {
        return "There is nothing to check: the equations are given, not derived.".into();
    };
    let figures: Vec<String> = agreement
        .figures()
        .into_iter()
        .map(|(name, figure)| match figure {
            0.0 => format!("{name} 0"),
            figure => format!("{name} {figure:.0e}"),
        })
        .collect();
    format!(
        "At {} random states, with parameters changed at random too, the derived functions were \
         compared with numerical differentiation of the energies and constraints in twice the usual \
         precision; the formulas printed here were compared with the derived ones. Largest \
         difference, relative to the largest entry: {}.",
        agreement.states,
        figures.join(", ")
    )
}
