//! Blocks that other processes compute, in any order and any company, make the sweep of one process.

use catena::sweep::{
    Chunk, Findings, Found, InMemory, Plan, SweepRequest, SweepResult, SweepSink, compute_blocks,
    in_memory, pack, unpack,
};

fn plan(t_end: &str) -> Plan {
    let model = catena::load("double-pendulum", &[]).expect("a ready system");
    let request = SweepRequest {
        // a third of the cells has no mass and fails
        over: vec!["theta1=0:2:30".into(), "m1=1,2,0".into()],
        measures: vec!["last:theta1".into(), "max:energy".into()],
        t_end: Some(t_end.into()),
        ..SweepRequest::default()
    };
    Plan::new(&model, &request).expect("the request is right")
}

/// Numbers as bits, so that NaN equals NaN, and the cells that failed.
type Contents = (Vec<u64>, Vec<(u64, String)>);

fn bits(result: &InMemory) -> Vec<Contents> {
    let block = |at| match result.get(at) {
        Found::Sound(block) => {
            (block.values.iter().map(|value| value.to_bits()).collect(), block.failures)
        }
        found => panic!("block {at}: {found:?}"),
    };
    result.expected().map(block).collect()
}

#[test]
fn blocks_of_other_processes_make_the_sweep_of_one() {
    let here = plan("0.2");
    let (alone, _) = in_memory(&here, 2, &mut |_| false).expect("it can be computed");
    let mut gathered = InMemory::new(here.description.clone(), Chunk::WHOLE).expect("it is small");
    let mut numbers: Vec<u64> = gathered.expected().collect();
    numbers.reverse();
    numbers.rotate_left(3);
    for task in numbers.chunks(4) {
        // each derives and compiles for itself, as another process does
        let there = plan("0.2");
        let blocks = compute_blocks(&there, task, 1, &mut |_| false).expect("there are threads");
        let parcel = pack(&there.description, &blocks.expect("nobody stopped it"));
        let arrived = unpack(&here.description, &parcel).expect("it is whole");
        let Ok(()) = gathered.put(&arrived);
    }
    assert_eq!(bits(&gathered), bits(&alone));
    let findings = Findings::of(&gathered);
    assert!(findings.is_complete() && findings.failed > 0);
    assert_eq!(findings.processors.values().sum::<u64>(), findings.blocks);
    assert!(findings.processors.contains_key(here.sweep.processor()));
}

#[test]
fn blocks_that_are_not_there_are_refused_and_work_can_be_stopped() {
    // long enough that somebody looks whether it is to end
    let plan = plan("50");
    let count = plan.description.blocks.count();
    let refused = compute_blocks(&plan, &[0, count], 1, &mut |_| false);
    let refused = refused.expect_err("there is no such block").to_string();
    assert_eq!(
        refused,
        format!("there is no block {count}: the sweep has {count} of them, numbered from 0")
    );
    let all: Vec<u64> = (0..count).collect();
    assert!(compute_blocks(&plan, &all, 1, &mut |_| true).expect("there are threads").is_none());
}
