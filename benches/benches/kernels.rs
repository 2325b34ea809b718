//! M and Q of one state: native code beside the interpreter, and the time to compile.
//!
//! `cargo bench -p catena-benches --bench kernels`

use catena::{Equations, Setting};
use catena_benches::mass_and_forces::mass_and_forces_program;
use catena_compile::{Kernel, Program};
use std::time::Instant;

fn main() {
    println!("M and Q of one state\n");
    println!(
        "{:>22} {:>12} {:>12} {:>12} {:>12}",
        "system", "operations", "native, ns", "portable, ns", "compile, ms"
    );
    for (name, settings) in [
        ("double-pendulum", vec![]),
        ("triple-pendulum", vec![]),
        ("chain", vec!["links=3"]),
        ("chain", vec!["links=10"]),
        ("chain", vec!["links=20"]),
        ("chain", vec!["links=40"]),
        ("chain", vec!["links=100"]),
    ] {
        let label = format!("{name} {}", settings.join(" "));
        let settings: Vec<Setting> = settings.iter().map(|s| Setting((*s).to_owned())).collect();
        let model = catena::load(name, &settings).expect("ready systems are right");
        let program = mass_and_forces_program(&Equations::derive(&model, &model.own));
        let start = Instant::now();
        let native = Kernel::new(&program);
        let compile = start.elapsed();
        let portable = Kernel::interpreted(&program);
        println!(
            "{label:>22} {:>12} {:>12.0} {:>12.0} {:>12.3}",
            program.operations.len(),
            nanoseconds(&native, &program),
            nanoseconds(&portable, &program),
            compile.as_secs_f64() * 1e3
        );
    }
}

/// The best of several rounds: what disturbs a run only makes it longer.
fn nanoseconds(kernel: &Kernel, program: &Program) -> f64 {
    let inputs: Vec<f64> = (0..program.input_len()).map(|i| 0.3 + 0.01 * i as f64).collect();
    let mut outputs = vec![0.0; kernel.output_len()];
    let mut scratch = vec![0.0; kernel.scratch_len()];
    let runs = 20_000_000 / (program.operations.len() + 100);
    let mut round = || {
        let start = Instant::now();
        for _ in 0..runs {
            kernel.run(std::hint::black_box(&inputs), &mut outputs, &mut scratch);
            std::hint::black_box(&outputs);
        }
        start.elapsed().as_secs_f64() * 1e9 / runs as f64
    };
    std::iter::repeat_with(&mut round).take(7).fold(f64::INFINITY, f64::min)
}
