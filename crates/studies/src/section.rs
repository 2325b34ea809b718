//! What an experiment yields, ready to be put on a page.

use crate::Claim;
use catena::figure::Figure;
use catena::simulation::Table;
use catena::symbolic::Notation;
use catena::{Animation, Derivation};

/// What an experiment found: blocks in the order of the page, and claims, which the page shows together.
#[derive(Debug, Default)]
pub struct Section {
    /// In the order in which they are shown.
    pub blocks: Vec<Block>,
    /// What the experiment says about claims of the publication.
    pub claims: Vec<Claim>,
}

/// A part of a section. Blocks with a file are also written to one of that name, which has no ending.
#[derive(Debug)]
pub enum Block {
    /// A paragraph; what stands between backticks is code.
    Text(String),
    /// Lines that keep their breaks: formulas.
    Formula(String),
    /// A plot.
    Figure {
        /// Where it is written, as SVG.
        file: &'static str,
        /// What is seen, and which figure of the publication it stands for.
        caption: String,
        /// What is drawn.
        figure: Box<Figure>,
    },
    /// A drawing that was made elsewhere.
    Drawing {
        /// Where it is written, as SVG.
        file: &'static str,
        /// What is seen.
        caption: String,
        /// The drawing.
        svg: String,
    },
    /// A table.
    Table {
        /// Where it is written, as CSV.
        file: &'static str,
        /// What it says, and which table of the publication it stands for.
        caption: String,
        /// Its columns; words are shown as they are, numbers with four digits.
        table: Table,
    },
    /// Something that moves.
    Film {
        /// Where it is written, as a page of its own.
        file: &'static str,
        /// What is seen.
        caption: String,
        /// What moves.
        animation: Box<Animation>,
    },
    /// Equations that were derived, one below the other.
    Equations(Vec<Notation>),
    /// A derivation with all its steps, folded.
    Derivation(Box<Derivation>),
}

impl Section {
    /// The section with a paragraph more.
    pub fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    /// The section with lines that keep their breaks.
    pub fn formula(&mut self, lines: impl Into<String>) {
        self.blocks.push(Block::Formula(lines.into()));
    }

    /// The section with a plot more.
    pub fn figure(&mut self, file: &'static str, caption: impl Into<String>, figure: Figure) {
        let (caption, figure) = (caption.into(), Box::new(figure));
        self.blocks.push(Block::Figure { file, caption, figure });
    }

    /// The section with a drawing more.
    pub fn drawing(&mut self, file: &'static str, caption: impl Into<String>, svg: String) {
        self.blocks.push(Block::Drawing { file, caption: caption.into(), svg });
    }

    /// The section with a table more.
    pub fn table(&mut self, file: &'static str, caption: impl Into<String>, table: Table) {
        self.blocks.push(Block::Table { file, caption: caption.into(), table });
    }

    /// The section with a film more.
    pub fn film(&mut self, file: &'static str, caption: impl Into<String>, animation: Animation) {
        let (caption, animation) = (caption.into(), Box::new(animation));
        self.blocks.push(Block::Film { file, caption, animation });
    }

    /// The section with equations more.
    pub fn equations(&mut self, equations: Vec<Notation>) {
        self.blocks.push(Block::Equations(equations));
    }

    /// The section with a derivation more.
    pub fn derivation(&mut self, derivation: Derivation) {
        self.blocks.push(Block::Derivation(Box::new(derivation)));
    }

    /// The section with a claim more.
    pub fn claim(&mut self, claim: Claim) {
        self.claims.push(claim);
    }
}
