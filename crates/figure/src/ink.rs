//! A drawing surface of square cells that are either blank or inked.
//!
//! It is what a terminal shows, and the last resort for a curve so long that no shorter list of points looks like it.

use crate::trace::{Piece, Point};

/// Cells in rows from the top.
pub(crate) struct Ink {
    width: usize,
    height: usize,
    inked: Vec<bool>,
}

impl Ink {
    pub(crate) fn blank(width: usize, height: usize) -> Ink {
        Ink { width, height, inked: vec![false; width * height] }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    pub(crate) fn is_inked(&self, column: usize, row: usize) -> bool {
        self.inked[row * self.width + column]
    }

    /// The cell that holds a point given in fractions from the lower left corner.
    pub(crate) fn cell(&self, point: Point) -> (usize, usize) {
        // The conversion saturates, so a point on or beyond an edge falls into the nearest cell.
        let column = (point[0] * self.width as f64) as usize;
        let row = ((1.0 - point[1]) * self.height as f64) as usize;
        (column.min(self.width.saturating_sub(1)), row.min(self.height.saturating_sub(1)))
    }

    pub(crate) fn dot(&mut self, point: Point) {
        let (column, row) = self.cell(point);
        self.ink(column, row);
    }

    /// Inks all cells along a piece; a piece of one point is a dot.
    pub(crate) fn line(&mut self, piece: &Piece) {
        if let Some(first) = piece.first() {
            self.dot(*first);
        }
        for pair in piece.windows(2) {
            self.segment(self.cell(pair[0]), self.cell(pair[1]));
        }
    }

    /// Bresenham's line, in the form that serves all directions: the error decides which coordinate moves.
    fn segment(&mut self, from: (usize, usize), to: (usize, usize)) {
        let (mut column, mut row) = (from.0 as isize, from.1 as isize);
        let (last_column, last_row) = (to.0 as isize, to.1 as isize);
        let (across, down) = ((last_column - column).abs(), -(last_row - row).abs());
        let (right, below) = ((last_column - column).signum(), (last_row - row).signum());
        let mut error = across + down;
        loop {
            self.ink(column as usize, row as usize);
            if (column, row) == (last_column, last_row) {
                return;
            }
            let twice = 2 * error;
            if twice >= down {
                error += down;
                column += right;
            }
            if twice <= across {
                error += across;
                row += below;
            }
        }
    }

    fn ink(&mut self, column: usize, row: usize) -> bool {
        self.inked
            .get_mut(row * self.width + column)
            .is_some_and(|cell| !std::mem::replace(cell, true))
    }

    /// All maximal horizontal runs of inked cells, as row, first column and length.
    pub(crate) fn runs(&self) -> Vec<(usize, usize, usize)> {
        let mut runs = Vec::new();
        for row in 0..self.height {
            let mut column = 0;
            while column < self.width {
                let length =
                    (column..self.width).take_while(|next| self.is_inked(*next, row)).count();
                if length > 0 {
                    runs.push((row, column, length));
                }
                column += length + 1;
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagonal_inks_the_diagonal() {
        let mut ink = Ink::blank(4, 4);
        ink.line(&vec![[0.0, 0.0], [1.0, 1.0]]);
        assert_eq!(ink.runs(), [(0, 3, 1), (1, 2, 1), (2, 1, 1), (3, 0, 1)]);
    }

    #[test]
    fn a_level_line_is_one_run() {
        let mut ink = Ink::blank(10, 3);
        ink.line(&vec![[0.95, 0.5], [0.15, 0.5]]);
        assert_eq!(ink.runs(), [(1, 1, 9)]);
    }

    #[test]
    fn a_surface_without_cells_takes_no_ink() {
        let mut ink = Ink::blank(0, 0);
        ink.line(&vec![[0.0, 0.0], [1.0, 1.0]]);
        assert!(ink.runs().is_empty());
    }
}
