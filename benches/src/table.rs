//! A table for people and for programs.

use std::fmt::Write;

/// What stands in a table.
#[derive(Clone, Debug)]
pub enum Cell {
    /// A name.
    Text(String),
    /// A figure; one that is not finite was not measured.
    Number(f64),
}

impl Cell {
    /// A row: a name and its figures.
    pub fn row(name: &str, figures: &[f64]) -> Vec<Cell> {
        let figures = figures.iter().map(|&figure| Cell::Number(figure));
        std::iter::once(Cell::Text(name.to_owned())).chain(figures).collect()
    }
}

/// A table of figures.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it shows, for people.
    pub title: &'static str,
    /// Names of the columns, with their units.
    pub columns: &'static [&'static str],
    /// One cell per column.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// For people: the first column to the left, the others to the right.
    pub fn text(&self) -> String {
        let head = self.columns.iter().map(|column| (*column).to_owned()).collect();
        let mut lines: Vec<Vec<String>> = vec![head];
        lines.extend(self.rows.iter().map(|row| row.iter().map(written).collect()));
        let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max();
        let widths: Vec<usize> = (0..self.columns.len()).filter_map(width).collect();
        let mut text = format!("{}\n\n", self.title);
        for line in &lines {
            let cells = line.iter().zip(&widths).enumerate().map(|(at, (cell, width))| match at {
                0 => format!("  {cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            });
            let _ = writeln!(text, "{}", cells.collect::<String>().trim_end());
        }
        text
    }

    /// For programs: a list of objects.
    pub fn json(&self) -> String {
        let object = |row: &Vec<Cell>| {
            let fields = self.columns.iter().zip(row).map(|(name, cell)| match cell {
                Cell::Text(text) => format!("{name:?}: {text:?}"),
                Cell::Number(number) => format!("{name:?}: {}", json_number(*number)),
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        };
        format!("[{}]", self.rows.iter().map(object).collect::<Vec<_>>().join(", "))
    }
}

/// A number as JSON has it, with all its digits.
pub fn json_number(number: f64) -> String {
    if number.is_finite() { format!("{number:e}") } else { "null".to_owned() }
}

/// A list of numbers as JSON has it.
pub fn json_list(numbers: &[f64]) -> String {
    format!("[{}]", numbers.iter().map(|&x| json_number(x)).collect::<Vec<_>>().join(", "))
}

/// Whole numbers in full, others with three digits.
fn written(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(number) if !number.is_finite() => "-".to_owned(),
        Cell::Number(number) if number.fract() == 0.0 => format!("{number}"),
        Cell::Number(number) => match number.abs() {
            1e-2..1e1 => format!("{number:.3}"),
            1e1..1e2 => format!("{number:.2}"),
            1e2..1e3 => format!("{number:.1}"),
            1e3..1e7 => format!("{number:.0}"),
            _ => format!("{number:.1e}"),
        },
    }
}
