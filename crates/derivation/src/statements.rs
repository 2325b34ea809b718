//! Pieces that statements are made of: letters, columns, matrices that fit on a page.

use crate::steps::Statement;
use catena_model::{NamedFormula, System};
use catena_symbolic::{Decimals, Notation, Number, display_width};

pub(crate) fn name(text: &str) -> Notation {
    Notation::name(text)
}

pub(crate) fn column(entries: Vec<Notation>) -> Notation {
    Notation::Matrix(entries.into_iter().map(|entry| vec![entry]).collect())
}

pub(crate) fn written(entries: &[NamedFormula]) -> Vec<Notation> {
    entries.iter().map(|entry| Notation::of_formula(&entry.formula)).collect()
}

/// Which numbers the formulas of a system have as decimals.
pub(crate) fn decimals(system: &System) -> Decimals {
    let mut decimals = Decimals::default();
    let energies = [&system.kinetic, &system.potential, &system.dissipation];
    let entries = energies.into_iter().flatten();
    let entries = entries.chain(&system.definitions).chain(&system.forces);
    for entry in entries.chain(&system.constraints).chain(&system.states) {
        decimals.add(&entry.formula);
    }
    decimals
}

pub(crate) fn zero() -> Notation {
    Notation::Number(Number::ZERO)
}

/// A matrix is drawn up to this width, measured as text; a wider one is listed entry by entry.
const MAX_MATRIX_WIDTH: usize = 112;

/// The matrix under its letter, or its entries one by one if it is too wide for a page.
pub(crate) fn matrix_statements(letter: Notation, rows: &[Vec<Notation>]) -> Vec<Statement> {
    let columns = rows.first().map_or(0, Vec::len);
    if fits_on_a_page(rows, columns) {
        return vec![plain(letter.equals(Notation::Matrix(rows.to_vec())))];
    }
    let symmetric = rows.len() == columns
        && columns > 1
        && (0..columns).all(|i| (0..i).all(|j| rows[i][j] == rows[j][i]));
    let mut statements = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        for (j, entry) in row.iter().enumerate().skip(if symmetric { i } else { 0 }) {
            if !entry.is_zero() || columns == 1 {
                let position = if columns == 1 { vec![i + 1] } else { vec![i + 1, j + 1] };
                let left = letter.clone().indexed(Notation::Position(position));
                statements.push(plain(left.equals(entry.clone())));
            }
        }
    }
    if columns > 1
        && let Some(first) = statements.first_mut()
    {
        first.text = match symmetric {
            true => "symmetric, too wide to draw; entries that are not listed are 0".to_owned(),
            false => "too wide to draw; entries that are not listed are 0".to_owned(),
        };
    }
    statements
}

/// Whether the matrix is narrow enough to be drawn; a wide one is measured only until that is known.
fn fits_on_a_page(rows: &[Vec<Notation>], columns: usize) -> bool {
    let mut width = 0;
    (0..columns).all(|column| {
        let entries = rows.iter().map(|row| display_width(&row[column].to_text()));
        width += entries.max().unwrap_or(0) + 2;
        width <= MAX_MATRIX_WIDTH
    })
}

pub(crate) fn column_statements(letter: Notation, entries: &[Notation]) -> Vec<Statement> {
    let rows: Vec<Vec<Notation>> = entries.iter().map(|entry| vec![entry.clone()]).collect();
    matrix_statements(letter, &rows)
}

pub(crate) fn plain(notation: Notation) -> Statement {
    Statement { text: String::new(), notation }
}

pub(crate) fn introduced(text: &str, notation: Notation) -> Statement {
    Statement { text: text.to_owned(), notation }
}

pub(crate) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
