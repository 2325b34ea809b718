//! The order of operations where sines and cosines are part of the code: what the longest chain of operations waits for comes
//! first.
//!
//! A processor looks a few hundred instructions ahead. What it finds there should not all wait for one result, so that the
//! order is that of a simple machine which starts two operations at a time and always takes the one with the most behind it.

use crate::program::{Operation, Program};
use crate::schedule::{SineCosine, Stage};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How long an operation takes until its result is there, and until the next one can start; in half cycles.
fn cost(operation: Operation) -> (usize, usize) {
    match operation {
        Operation::Sine(_) | Operation::Cosine(_) => (120, 34),
        Operation::Divide(..) | Operation::SquareRoot(_) => (30, 16),
        Operation::Power(..) | Operation::Call(..) | Operation::Call2(..) => (400, 400),
        Operation::Guard(..) => (10, 2),
        _ => (8, 1),
    }
}

/// Schedules all operations that lead to outputs.
pub(crate) fn list_schedule(program: &Program) -> Vec<Stage> {
    let first = program.input_len() + program.constants.len();
    let operations = &program.operations;
    let result = |value: u32| (value as usize).checked_sub(first);
    let turned = turned_angles(program);
    // a sine and a cosine of one angle are one node, that of the earlier
    let mut nodes: Vec<usize> = (0..operations.len()).collect();
    for one in turned.values() {
        if let (Some(sine), Some(cosine)) = (one.sine, one.cosine) {
            nodes[sine.max(cosine)] = sine.min(cosine);
        }
    }
    let mut wanted = vec![false; operations.len()];
    let outputs = program.outputs.iter().flat_map(|group| &group.values);
    outputs.filter_map(|&value| result(value)).for_each(|at| wanted[at] = true);
    // what is behind each node, and who waits for it
    let mut behind = vec![0; operations.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); operations.len()];
    let mut missing = vec![0_usize; operations.len()];
    for at in (0..operations.len()).rev() {
        if !wanted[at] {
            continue;
        }
        if nodes[at] != at {
            let earlier = nodes[at];
            wanted[earlier] = true;
            behind[earlier] = behind[earlier].max(behind[at]);
            let waiting = std::mem::take(&mut users[at]);
            users[earlier].extend(waiting);
            continue;
        }
        let length = behind[at] + cost(operations[at]).0;
        behind[at] = length;
        for operand in operations[at].operands().filter_map(result) {
            wanted[operand] = true;
            behind[operand] = behind[operand].max(length);
            users[operand].push(at);
            missing[at] += 1;
        }
    }
    let mut soon: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
    let mut ready: BinaryHeap<(usize, Reverse<usize>)> = BinaryHeap::new();
    let mut ready_at = vec![0; operations.len()];
    let free = |at: &usize| wanted[*at] && nodes[*at] == *at && missing[*at] == 0;
    ready.extend((0..operations.len()).filter(free).map(|at| (behind[at], Reverse(at))));
    let mut stages = Vec::with_capacity(operations.len());
    let mut now = 0;
    loop {
        while let Some(&Reverse((time, at))) = soon.peek()
            && (time <= now || ready.is_empty())
        {
            soon.pop();
            now = now.max(time);
            ready.push((behind[at], Reverse(at)));
        }
        let Some((_, Reverse(at))) = ready.pop() else { return stages };
        let (until_there, until_next) = cost(operations[at]);
        stages.push(match operations[at] {
            Operation::Sine(angle) | Operation::Cosine(angle) => {
                Stage::SineCosineBatch(vec![turned[&angle]])
            }
            _ => Stage::One(at),
        });
        for &user in &users[at] {
            ready_at[user] = ready_at[user].max(now + until_there);
            missing[user] -= 1;
            if missing[user] == 0 {
                soon.push(Reverse((ready_at[user], user)));
            }
        }
        now += until_next;
    }
}

/// Angles with the places of their sines and cosines.
fn turned_angles(program: &Program) -> FxHashMap<u32, SineCosine> {
    let mut turned: FxHashMap<u32, SineCosine> = FxHashMap::default();
    for (position, &operation) in program.operations.iter().enumerate() {
        let (Operation::Sine(angle) | Operation::Cosine(angle)) = operation else { continue };
        let one = turned.entry(angle).or_insert(SineCosine { angle, sine: None, cosine: None });
        match operation {
            Operation::Sine(_) => one.sine = Some(position),
            _ => one.cosine = Some(position),
        }
    }
    turned
}
