//! What a map of basins says in numbers: fractions, borders, entropy.

/// Sides of the boxes over which the entropy of basins is averaged, in cells.
const BOX_SIDE: usize = 5;

/// A map of labels, row by row; none where a cell is undecided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelMap<'a> {
    pub(crate) columns: usize,
    pub(crate) labels: &'a [Option<usize>],
}

impl LabelMap<'_> {
    /// The part of the decided cells that have a neighbour with another label.
    pub(crate) fn border_fraction(&self) -> f64 {
        let rows = self.labels.len() / self.columns;
        let at = |row: usize, column: usize| self.labels[row * self.columns + column];
        let differs = |one: Option<usize>, other: Option<usize>| matches!((one, other), (Some(one), Some(other)) if one != other);
        let (mut border, mut decided) = (0_usize, 0_usize);
        for row in 0..rows {
            for column in 0..self.columns {
                let own = at(row, column);
                decided += usize::from(own.is_some());
                let mut neighbours = [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter();
                let other = |(down, right): (isize, isize)| {
                    let row = row.checked_add_signed(down).filter(|row| *row < rows);
                    let column = column.checked_add_signed(right);
                    let column = column.filter(|column| *column < self.columns);
                    row.zip(column).and_then(|(row, column)| at(row, column))
                };
                border += usize::from(neighbours.any(|step| differs(own, other(step))));
            }
        }
        border as f64 / decided.max(1) as f64
    }

    /// The entropy of basins, in natural units: the mean over boxes of −Σ p ln p (Daza and others 2016).
    pub(crate) fn entropy(&self) -> f64 {
        let rows = self.labels.len() / self.columns;
        let (mut sum, mut boxes) = (0.0, 0_usize);
        for top in (0..rows.saturating_sub(BOX_SIDE - 1)).step_by(BOX_SIDE) {
            for left in (0..self.columns.saturating_sub(BOX_SIDE - 1)).step_by(BOX_SIDE) {
                let cells = (0..BOX_SIDE * BOX_SIDE).filter_map(|at| {
                    self.labels[(top + at / BOX_SIDE) * self.columns + left + at % BOX_SIDE]
                });
                let mut labels: Vec<usize> = cells.collect();
                labels.sort_unstable();
                let count = labels.len() as f64;
                let shares = labels.chunk_by(|a, b| a == b).map(|same| same.len() as f64 / count);
                sum -= shares.map(|share| share * share.ln()).sum::<f64>();
                boxes += 1;
            }
        }
        sum / boxes.max(1) as f64
    }
}

/// One standard error of a fraction that so many cells are counted for, as if they were drawn at random.
pub(crate) fn fraction_error(fraction: f64, cells: usize) -> f64 {
    (fraction * (1.0 - fraction) / cells.max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_a_border_of_two_columns() {
        let labels: Vec<Option<usize>> =
            (0..100).map(|at| Some(usize::from(at % 10 >= 5))).collect();
        let map = LabelMap { columns: 10, labels: &labels };
        assert!((map.border_fraction() - 0.2).abs() < 1e-15);
        assert_eq!(map.entropy(), 0.0, "boxes do not see the border between them");
        assert!((fraction_error(0.5, 100) - 0.05).abs() < 1e-15);
    }

    #[test]
    fn a_chessboard_is_all_border_and_as_uncertain_as_can_be() {
        let labels: Vec<Option<usize>> = (0..100).map(|at| Some((at / 10 + at % 10) % 2)).collect();
        let map = LabelMap { columns: 10, labels: &labels };
        assert_eq!(map.border_fraction(), 1.0);
        let (p, q): (f64, f64) = (13.0 / 25.0, 12.0 / 25.0);
        assert!((map.entropy() + p * p.ln() + q * q.ln()).abs() < 1e-15);
    }

    #[test]
    fn undecided_cells_make_no_border() {
        let labels = [Some(0), None, Some(1), None];
        assert_eq!(LabelMap { columns: 2, labels: &labels }.border_fraction(), 0.5 * 2.0);
        let labels = [Some(0), None, None, Some(1)];
        assert_eq!(LabelMap { columns: 2, labels: &labels }.border_fraction(), 0.0);
    }
}
