//! Several clouds of points in one panel: every cell is shown once, by the cloud in front.
//!
//! Motions on one section cover each other, and what is covered need not be written. All clouds share the cells of the
//! panel, so that they are equally fine.

use super::dense;
use super::layout::Frame;
use crate::palette::Pen;
use crate::series::{Series, Style};
use crate::trace::Piece;

/// Clouds with fewer points than this in all are drawn one by one.
const MIN_POINTS: usize = 11_000;
/// How many runs of cells all clouds together may take: at some seven bytes each, less than half a megabyte.
const MAX_RUNS: usize = 60_000;
/// The width of a dot, pixels.
const STROKE: f64 = 1.5;

/// Which cloud is seen in each cell of a panel.
pub(super) struct Clouds {
    width: usize,
    height: usize,
    /// In rows from the top: the number of the series, from 1 up; 0 where nothing is.
    owners: Vec<u32>,
    /// Side of a cell, pixels.
    cell: f64,
}

impl Clouds {
    /// None where there are not several clouds, or few points.
    pub(super) fn of(frame: &Frame, series: &[Series], pieces: &[Vec<Piece>]) -> Option<Clouds> {
        let clouds: Vec<usize> =
            (0..series.len()).filter(|at| series[*at].style == Style::Marks).collect();
        let count = |at: &usize| pieces[*at].iter().map(Vec::len).sum::<usize>();
        if clouds.len() < 2 || clouds.iter().map(count).sum::<usize>() <= MIN_POINTS {
            return None;
        }
        let mut cell = dense::MIN_CELL_SIZE;
        loop {
            let mut all = Clouds::blank(frame, cell);
            for &at in &clouds {
                pieces[at].iter().flatten().for_each(|point| all.put(*point, at));
            }
            if all.runs() <= MAX_RUNS || cell > frame.width() {
                return Some(all);
            }
            cell *= 1.25;
        }
    }

    fn blank(frame: &Frame, cell: f64) -> Clouds {
        let [width, height] =
            [frame.width(), frame.height()].map(|side| (side / cell).ceil().max(1.0) as usize);
        Clouds { width, height, owners: vec![0; width * height], cell }
    }

    fn put(&mut self, [x, y]: [f64; 2], series: usize) {
        // the conversion saturates, so a point on or beyond an edge falls into the nearest cell
        let column = ((x * self.width as f64) as usize).min(self.width - 1);
        let row = (((1.0 - y) * self.height as f64) as usize).min(self.height - 1);
        self.owners[row * self.width + column] = series as u32 + 1;
    }

    /// How many runs of cells of one cloud there are.
    fn runs(&self) -> usize {
        let rows = self.owners.chunks_exact(self.width);
        rows.flat_map(|row| row.chunk_by(|a, b| a == b)).filter(|run| run[0] != 0).count()
    }

    /// Draws what is seen of a series.
    pub(super) fn draw(&self, svg: &mut String, frame: &Frame, series: usize, pen: Pen) {
        let mut runs = Vec::new();
        for (row, cells) in self.owners.chunks_exact(self.width).enumerate() {
            let mut column = 0;
            for run in cells.chunk_by(|a, b| a == b) {
                if run[0] == series as u32 + 1 {
                    runs.push((row, column, run.len()));
                }
                column += run.len();
            }
        }
        if !runs.is_empty() {
            let stroke = STROKE.max(1.1 * self.cell);
            dense::write_runs(svg, frame, [self.width, self.height], &runs, pen, stroke);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cloud_in_front_hides_what_lies_behind() {
        let mut clouds = Clouds { width: 4, height: 1, owners: vec![0; 4], cell: 1.0 };
        [0.1, 0.3, 0.6].into_iter().for_each(|x| clouds.put([x, 0.5], 0));
        clouds.put([0.3, 0.5], 1);
        assert_eq!(clouds.owners, [1, 2, 1, 0]);
        assert_eq!(clouds.runs(), 3);
    }
}
