//! The table of a sweep: a row for each cell, its axes first, then its measures; NaN where a trajectory failed. Cells
//! that are missing or damaged have no row.

use super::Findings;
use crate::{Document, Rows, Sheet, WriteError, write_document};
use catena_ensemble::SweepResult;
use catena_simulation::Table;
use std::cell::RefCell;
use std::io;
use std::path::Path;

/// Writes the table in the format that the ending names, and says what was found on the way. Where all cells are there,
/// the columns have the shape of the grid.
pub fn export(result: &dyn SweepResult, path: &Path) -> Result<Findings, WriteError> {
    let rows = SweepRows { result, findings: RefCell::default() };
    let axes = result.description().axes.iter();
    let shape: Vec<usize> = axes.map(|axis| axis.values.len()).collect();
    let sheet = Sheet { name: "sweep", rows: &rows, shape: Some(&shape) };
    write_document(&Document::of_sheet(sheet), path)?;
    Ok(rows.findings.into_inner())
}

/// The table in memory.
pub fn table(result: &dyn SweepResult) -> Table {
    let mut table = head(result);
    Findings::while_reading(result, &mut |block| fill(result, block, &mut table));
    table
}

fn head(result: &dyn SweepResult) -> Table {
    let description = result.description();
    let axes = description.axes.iter().map(|axis| &axis.name);
    Table::new(axes.chain(&description.measures), 0)
}

/// Adds the rows of a block.
fn fill(result: &dyn SweepResult, block: &catena_ensemble::Block, table: &mut Table) {
    let description = result.description();
    let measures = block.values.chunks_exact(description.measures.len().max(1));
    for (cell, values) in block.cells.clone().zip(measures) {
        table.push(description.cell(cell).into_iter().chain(values.iter().copied()));
    }
}

/// Block by block: a sweep may be larger than the memory.
struct SweepRows<'a> {
    result: &'a dyn SweepResult,
    /// What was found when the rows were last read.
    findings: RefCell<Findings>,
}

impl Rows for SweepRows<'_> {
    fn head(&self) -> Table {
        head(self.result)
    }

    fn batches(&self, see: &mut dyn FnMut(&Table) -> io::Result<()>) -> io::Result<()> {
        let mut seen = Ok(());
        let mut batch = self.head();
        let findings = Findings::while_reading(self.result, &mut |block| {
            if seen.is_ok() {
                batch.skip_rows(batch.len());
                fill(self.result, block, &mut batch);
                seen = see(&batch);
            }
        });
        *self.findings.borrow_mut() = findings;
        seen
    }
}
