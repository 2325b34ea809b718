//! A sweep without a file: the resonance curve of a damped oscillator, a trajectory for each frequency.

use catena::Model;
use catena::sweep::{Plan, SweepRequest, in_memory, table};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let oscillator = Model::builder("Driven oscillator")
        .parameter("m", 1.0)
        .parameter("k", 1.0)
        .parameter("c", 0.2)
        .parameter("omega", 1.0)
        .coordinate("x", "from where the spring is at ease")
        .kinetic("1/2*m*x'^2")
        .potential("1/2*k*x^2")
        .dissipation("1/2*c*x'^2")
        .force("x", "cos(omega*t)")
        .initial("x", 0)
        .initial("x'", 0)
        .build()?;
    let request = SweepRequest {
        over: vec!["omega=0.5:1.5:11".into()],
        measures: vec!["amplitude:x".into()],
        // one period counts, after the transient e^(−ct/2m) has died away
        after: Some("200".into()),
        t_end: Some("200 + 2*pi/omega".into()),
        every: Some("2*pi/omega/500".into()),
        ..SweepRequest::default()
    };
    let plan = Plan::new(&oscillator, &request)?;
    let threads = std::thread::available_parallelism()?.get();
    let (result, attempt) = in_memory(&plan, threads, &mut |_| false)?;
    assert_eq!(attempt.computed, 11);

    let found = table(&result);
    let frequencies = found.numbers("omega").expect("the axis is a column");
    let amplitudes = found.numbers("amplitude:x").expect("the measure is a column");
    println!("ω, rad/s   amplitude, m   in closed form");
    for (&omega, &amplitude) in frequencies.iter().zip(amplitudes) {
        // |1 / (k − m ω² + i c ω)|
        let expected = (1.0 - omega * omega).hypot(0.2 * omega).recip();
        println!("{omega:8.1}   {amplitude:12.6}   {expected:14.6}");
        assert!((amplitude - expected).abs() < 1e-4 * expected);
    }
    Ok(())
}
