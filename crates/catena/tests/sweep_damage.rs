//! Whatever happens to the bytes of a result file, no wrong number is ever read from it, and continuing it gives the
//! numbers of an undisturbed sweep.

use catena::ensemble::Block;
use catena::sweep::{Chunk, Found, Plan, Store, SweepRequest, fill};
use std::path::{Path, PathBuf};

/// Numbers that look random and are the same every time (Knuth's multiplier, the upper bits).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A file in the temporary folder, removed in the end.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> File {
        let name = format!("catena-damage-{}-{name}.sweep", std::process::id());
        File(std::env::temp_dir().join(name))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // a file that stays behind is no reason to fail
        let _ = std::fs::remove_file(&self.0);
    }
}

fn plan() -> Plan {
    let model = catena::load("double-pendulum", &[]).expect("a ready system");
    let request = SweepRequest {
        // a third of the cells has no mass and fails
        over: vec!["theta1=0:2:30".into(), "m1=1,2,0".into()],
        measures: vec!["last:theta1".into(), "max:energy".into()],
        t_end: Some("0.2".into()),
        ..SweepRequest::default()
    };
    Plan::new(&model, &request).expect("the request is right")
}

/// Numbers as bits, so that NaN equals NaN, and the cells that failed.
type Contents = (Vec<u64>, Vec<(u64, String)>);

fn bits(block: &Block) -> Contents {
    (block.values.iter().map(|value| value.to_bits()).collect(), block.failures.clone())
}

/// All blocks, which must be sound.
fn contents(store: &Store) -> Vec<Contents> {
    let block = |at| match store.get(at) {
        Found::Sound(block) => bits(&block),
        found => panic!("block {at}: {found:?}"),
    };
    store.expected().map(block).collect()
}

fn filled(path: &Path, plan: &Plan) -> Store {
    let mut store = Store::for_sweep(path, plan.description.clone(), Chunk::WHOLE, true)
        .expect("the file can be continued");
    fill(&plan.sweep, &mut store, 1, &mut |_| false).expect("it can be finished");
    store
}

#[test]
fn no_damage_gives_a_wrong_number() {
    let plan = plan();
    let sound = File::new("sound");
    let whole = contents(&filled(&sound.0, &plan));
    assert!(whole.iter().any(|(_, failures)| !failures.is_empty()), "some cells fail");
    let bytes = std::fs::read(&sound.0).expect("it was written");
    let damaged = File::new("damaged");
    let mut random = Random(1);
    let (mut mended, mut refused) = (0, 0);
    for case in 0..200 {
        let mut bytes = bytes.clone();
        let at = random.below(bytes.len());
        match case % 4 {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes.truncate(at),
            2 => {
                let end = (at + 1 + random.below(5000)).min(bytes.len());
                bytes[at..end].fill_with(|| random.below(256) as u8);
            }
            _ => {
                // a page that was written to the wrong place
                let pages = bytes.len() / 4096;
                let (from, to) = (4096 * random.below(pages), 4096 * random.below(pages));
                bytes.copy_within(from..from + 4096, to);
            }
        }
        std::fs::write(&damaged.0, &bytes).expect("it can be written");
        match Store::open(&damaged.0) {
            Ok(None) | Err(_) => {
                refused += 1;
                continue;
            }
            Ok(Some(store)) => {
                assert_eq!(store.description, plan.description, "case {case}");
                for (at, whole) in whole.iter().enumerate() {
                    if let Found::Sound(block) = store.get(at as u64) {
                        assert_eq!(bits(&block), *whole, "case {case}, block {at}");
                    }
                }
            }
        }
        assert_eq!(contents(&filled(&damaged.0, &plan)), whole, "case {case}");
        mended += 1;
    }
    assert!(mended > 75 && refused > 10, "{mended} mended, {refused} refused");
}
