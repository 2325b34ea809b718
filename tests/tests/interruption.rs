//! Questions that are stopped: whatever is known by then is an answer or a refusal, never a panic.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Every question of the catalogue about a model that it fits, stopped when it has told its progress this many times.
#[test]
fn every_question_can_be_stopped_at_any_time() {
    for analysis in catena::analysis::ANALYSES {
        let name = match analysis.default_model {
            "" => "driven-pendulum",
            name => name,
        };
        let model = catena::load(name, &[]).expect("a ready system");
        for patience in [0, 1, 7, 40] {
            let told = AtomicUsize::new(0);
            let stop = |_: f64| told.fetch_add(1, Ordering::Relaxed) >= patience;
            let answer = catena::ask_watched(analysis.name, &model, &[], 2, &stop);
            if let Err(refusal) = answer {
                assert!(!refusal.message.is_empty(), "{}", analysis.name);
            }
        }
    }
}
