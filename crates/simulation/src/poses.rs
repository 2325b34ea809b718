//! Poses of a run, kept with its rows so that they can be examined when it is over.

/// Multiplications that examining all poses may cost: a few tenths of a second.
const MAX_MULTIPLICATIONS: f64 = 2e8;
const MAX_POSES: usize = 10_000;
/// Where fewer poses than this are affordable none are kept: they would not represent the run.
const MIN_POSES: f64 = 20.0;

/// Time and coordinates at rows evenly spread over a run.
pub(crate) struct Poses {
    coordinates: usize,
    /// Rows from one kept pose to the next; 0 keeps none.
    stride: usize,
    /// Rows recorded so far, whether or not their poses were kept.
    pub(crate) rows: usize,
    pub(crate) times: Vec<f64>,
    values: Vec<f64>,
}

impl Poses {
    /// Room for a run with this many rows, of a system with n coordinates and m constraints. The rank of m rows
    /// costs m² n multiplications; where that is too much even for a few rows, and without constraints, no
    /// pose is kept.
    pub(crate) fn new(rows: usize, n: usize, m: usize) -> Poses {
        let affordable = MAX_MULTIPLICATIONS / ((m * m * n) as f64).max(1.0);
        let kept = rows.min(MAX_POSES).min(affordable as usize);
        let stride = match m > 0 && affordable >= MIN_POSES {
            true => rows.div_ceil(kept.max(1)),
            false => 0,
        };
        let room = rows.checked_div(stride).map_or(0, |kept| kept + 2);
        Poses {
            coordinates: n,
            stride,
            rows: 0,
            times: Vec::with_capacity(room),
            values: Vec::with_capacity(room * n),
        }
    }

    /// Takes notice of a row.
    pub(crate) fn record(&mut self, time: f64, q: &[f64]) {
        if self.stride > 0 && self.rows.is_multiple_of(self.stride) {
            self.times.push(time);
            self.values.extend_from_slice(q);
        }
        self.rows += 1;
    }

    /// The pose of this number.
    pub(crate) fn coordinates(&self, number: usize) -> &[f64] {
        &self.values[number * self.coordinates..(number + 1) * self.coordinates]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(rows: usize, n: usize, m: usize) -> usize {
        let mut poses = Poses::new(rows, n, m);
        let room = poses.values.capacity();
        (0..rows).for_each(|row| poses.record(row as f64, &vec![row as f64; n]));
        assert_eq!(
            (poses.rows, poses.values.capacity()),
            (rows, room),
            "there is room from the start"
        );
        let last = poses.times.len().saturating_sub(1);
        if let Some(&time) = poses.times.last() {
            assert_eq!(poses.coordinates(last)[n - 1], time);
        }
        poses.times.len()
    }

    #[test]
    fn all_rows_are_kept_where_that_is_cheap_and_fewer_where_it_is_not() {
        assert_eq!(kept(501, 15, 14), 501);
        assert!((150..=206).contains(&kept(501, 100, 99)));
        assert_eq!(kept(501, 900, 600), 0);
        assert_eq!(kept(501, 3, 0), 0);
        assert!(kept(40_000, 2, 1) <= MAX_POSES);
    }
}
