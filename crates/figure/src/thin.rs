//! Long series, reduced to what a picture can show.
//!
//! Two reductions follow each other. Within one column of pixels a line covers everything between its lowest and its
//! highest point, so of each run through a column the first, lowest, highest and last point are enough. Of the rest,
//! points that lie on the line between their neighbours are dropped (Ramer 1972, Douglas and Peucker 1973).
//!
//! All lengths here are in pixels.

use crate::trace::{Piece, Point};

/// Series with no more points than this are drawn point by point.
const MAX_UNTHINNED_POINTS: usize = 500;

/// How far, in pixels, a dropped point may lie from the line that replaces it.
const MAX_DEVIATION: f64 = 0.05;

/// Widths of the columns that are tried, from fine to coarse.
const COLUMN_WIDTHS: [f64; 3] = [1.0, 2.0, 4.0];

/// An upper bound to the work of the second reduction, which is quadratic in the worst case.
const MAX_CHUNK_POINTS: usize = 4096;

/// The pieces with at most `share` points, looking alike; `None` if there are no such pieces.
pub(crate) fn thinned(pieces: &[Piece], share: usize) -> Option<Vec<Piece>> {
    if cost(pieces) <= share.min(MAX_UNTHINNED_POINTS) {
        return Some(pieces.to_vec());
    }
    COLUMN_WIDTHS.into_iter().find_map(|width| {
        let thinned: Vec<Piece> =
            pieces.iter().map(|piece| simplified(&by_columns(piece, width))).collect();
        (cost(&thinned) <= share).then_some(thinned)
    })
}

/// How many points may be written, with each piece counted as a few more.
pub(crate) fn cost(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.len() + 3).sum()
}

/// Divides a budget among series: those that need less than an equal share leave the rest to the others.
pub(crate) fn shares(needs: &[usize], budget: usize) -> Vec<usize> {
    let mut shares = vec![0; needs.len()];
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|index| needs[*index]);
    let mut left = budget;
    for (done, index) in order.into_iter().enumerate() {
        shares[index] = left / (needs.len() - done);
        left -= needs[index].min(shares[index]);
    }
    shares
}

/// First, lowest, highest and last point of every run through a column.
fn by_columns(piece: &[Point], width: f64) -> Piece {
    let mut kept = Piece::new();
    for run in piece.chunk_by(|one, next| (one[0] / width).floor() == (next[0] / width).floor()) {
        let by_height = |one: &usize, other: &usize| run[*one][1].total_cmp(&run[*other][1]);
        let lowest = (0..run.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..run.len()).max_by(by_height).unwrap_or(0);
        let mut indices = vec![0, lowest, highest, run.len() - 1];
        indices.sort_unstable();
        indices.dedup();
        kept.extend(indices.into_iter().map(|index| run[index]));
    }
    kept
}

/// The piece without points that lie on the line between those kept. The ends are always kept.
fn simplified(piece: &[Point]) -> Piece {
    if piece.len() < 3 {
        return piece.to_vec();
    }
    let mut kept = vec![false; piece.len()];
    let last = piece.len() - 1;
    let mut open: Vec<(usize, usize)> = (0..last)
        .step_by(MAX_CHUNK_POINTS)
        .map(|start| (start, (start + MAX_CHUNK_POINTS).min(last)))
        .collect();
    for (start, end) in &open {
        kept[*start] = true;
        kept[*end] = true;
    }
    while let Some((start, end)) = open.pop() {
        let farthest = (start + 1..end)
            .map(|index| (distance(piece[index], piece[start], piece[end]), index))
            .max_by(|one, other| one.0.total_cmp(&other.0));
        if let Some((distance, index)) = farthest
            && distance > MAX_DEVIATION
        {
            kept[index] = true;
            open.push((start, index));
            open.push((index, end));
        }
    }
    piece.iter().zip(kept).filter(|(_, kept)| *kept).map(|(point, _)| *point).collect()
}

/// How far a point lies from the segment between two others.
fn distance(point: Point, start: Point, end: Point) -> f64 {
    let along = [end[0] - start[0], end[1] - start[1]];
    let offset = [point[0] - start[0], point[1] - start[1]];
    let length_squared = along[0] * along[0] + along[1] * along[1];
    let fraction = if length_squared > 0.0 {
        ((offset[0] * along[0] + offset[1] * along[1]) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (offset[0] - fraction * along[0]).hypot(offset[1] - fraction * along[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_through_a_column_keeps_its_four_points_in_order() {
        let piece = [[0.1, 5.0], [0.2, 9.0], [0.3, 4.0], [0.4, 1.0], [0.5, 3.0], [1.5, 2.0]];
        assert_eq!(
            by_columns(&piece, 1.0),
            [[0.1, 5.0], [0.2, 9.0], [0.4, 1.0], [0.5, 3.0], [1.5, 2.0]]
        );
    }

    #[test]
    fn a_long_straight_line_keeps_its_ends() {
        let line: Piece =
            (0..3000).map(|index| [0.1 * f64::from(index), 0.2 * f64::from(index)]).collect();
        assert_eq!(simplified(&line), [line[0], line[2999]]);
    }

    #[test]
    fn a_spike_of_one_sample_survives() {
        let mut line: Piece =
            (0..1_000_000).map(|index| [6e-4 * f64::from(index), 200.0]).collect();
        line[345_678][1] = 17.0;
        let thinned = thinned(&[line], 1000).expect("a line with a spike is short");
        assert!(thinned[0].iter().any(|point| point[1] == 17.0));
        assert!(thinned[0].len() < 10);
    }

    #[test]
    fn a_short_series_is_left_alone() {
        let line: Piece = (0..400).map(|index| [f64::from(index), 0.0]).collect();
        assert_eq!(thinned(std::slice::from_ref(&line), 1000), Some(vec![line]));
    }

    #[test]
    fn a_tangle_cannot_be_thinned() {
        let tangle: Piece = (0..50_000)
            .map(|index| [f64::from(index * 7919 % 601), f64::from(index * 1049 % 397)])
            .collect();
        assert_eq!(thinned(&[tangle], 5000), None);
    }

    #[test]
    fn unused_shares_go_to_those_in_need() {
        assert_eq!(shares(&[10, 1000, 10], 300), [100, 280, 145]);
    }
}
