//! From model to Program: time and number of operations for M and Q of chains with symbolic m, l, g.
//!
//! `cargo bench --bench derivation`

use catena::{CoordinateSet, Equations, Setting};
use catena_benches::mass_and_forces::mass_and_forces_program;
use std::time::{Duration, Instant};

const REPEATS: usize = 7;

fn main() {
    println!("chain of uniform rods, M and Q, from the text of the model to the program");
    println!("median of {REPEATS} runs\n");
    println!("{:>6} {:>12} {:>12}", "links", "time, ms", "operations");
    let mut counts = Vec::new();
    for links in [2, 3, 5, 10, 20, 40, 80, 100] {
        let (time, operations) = chain(links);
        println!("{links:>6} {:>12.3} {operations:>12}", time.as_secs_f64() * 1e3);
        counts.push((links, operations));
    }
    let of = |n: usize| counts.iter().find(|(links, _)| *links == n).map_or(1, |&(_, count)| count);
    let exponent = (of(80) as f64 / of(10) as f64).ln() / 8_f64.ln();
    println!("\noperations grow like n^{exponent:.2} from 10 to 80 links");

    println!("\nfrom model to written derivation, check included\n");
    println!("{:>28} {:>12}", "system", "time, ms");
    for system in catena::systems::SYSTEMS {
        let time = median(|| {
            let model = catena::load(system.name, &[]).expect("ready systems are right");
            let derivation = catena::derive(&model, CoordinateSet::Own).expect("they derive");
            std::hint::black_box(derivation.write(catena::Format::Text { color: false }));
        });
        println!("{:>28} {:>12.3}", system.name, time.as_secs_f64() * 1e3);
    }
}

fn chain(links: usize) -> (Duration, usize) {
    let settings = [Setting(format!("links={links}"))];
    let program = || {
        let model = catena::load("chain", &settings).expect("the chain is right");
        mass_and_forces_program(&Equations::derive(&model, &model.own))
    };
    let time = median(|| drop(std::hint::black_box(program())));
    (time, program().operations.len())
}

fn median(run: impl Fn()) -> Duration {
    let mut times: Vec<Duration> = (0..REPEATS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[REPEATS / 2]
}
