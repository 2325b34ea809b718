//! Right-hand sides of chains at scattered states: how long one evaluation takes, and the state that others check with.

use crate::case::scattered;
use crate::stopwatch::in_turn;
use crate::table::json_list;

/// Angles and rates of a chain, scattered, a seed for each state.
pub fn scattered_states(links: usize, count: usize) -> Vec<Vec<f64>> {
    (0..count).map(|seed| scattered(links, seed)).collect()
}

/// Nanoseconds of one evaluation of ours and of theirs, measured in turn: each lap evaluates all states `passes` times.
pub fn nanoseconds(
    laps: usize,
    passes: usize,
    states: usize,
    mut ours: impl FnMut(usize),
    mut theirs: impl FnMut(usize),
) -> [f64; 2] {
    let all = || (0..passes).flat_map(|_| 0..states);
    let watches = in_turn(
        laps,
        [&mut || all().for_each(&mut ours), &mut || {
            all().for_each(&mut theirs);
        }],
    );
    watches.map(|watch| watch.best() * 1e9 / (passes * states) as f64)
}

/// A state of a chain with its accelerations: other programs check with it that they compute the same. `fields` are
/// those that say which state it is, as JSON.
pub fn state_json(fields: &str, y: &[f64], accelerations: &[f64]) -> String {
    let (q, v) = y.split_at(y.len() / 2);
    let [q, v, accelerations] = [q, v, accelerations].map(json_list);
    format!(r#"{{{fields}, "q": {q}, "v": {v}, "accelerations": {accelerations}}}"#)
}
