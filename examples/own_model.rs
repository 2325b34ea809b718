//! A model written in Rust instead of a file: Atwood's machine, two weights on a rope over a pulley.

use catena::{CoordinateSet, Model, RunSettings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::builder("Atwood's machine")
        .parameter("m1", 3.0)
        .parameter("m2", 2.0)
        .parameter("g", 9.81)
        .coordinate("y1", "height of the first weight")
        .coordinate("y2", "height of the second weight")
        .kinetic("1/2*m1*y1'^2 + 1/2*m2*y2'^2")
        .potential("m1*g*y1 + m2*g*y2")
        .constraint("rope", "y1 + y2")
        .initial("y1", 0)
        .initial("y1'", 0)
        .output("tension", "-lambda_rope")
        .build()?;

    // every derivation is checked against numerical differentiation before it is returned
    let derivation = catena::derive(&model, CoordinateSet::Own)?;
    println!("{}", derivation.write(catena::Format::Text { color: false }));

    let settings = RunSettings { t_end: Some(2.0), ..RunSettings::default() };
    let run = catena::run(&model, &settings)?;
    let last = |name: &str| run.table.numbers(name).and_then(<[f64]>::last).copied();
    let (height, tension) = (last("y1").expect("a row"), last("tension").expect("a row"));
    println!("after 2 s: y1 = {height:.6} m, tension {tension:.6} N");

    // a = −(m₁ − m₂) g / (m₁ + m₂), and the rope carries 2 m₁ m₂ g / (m₁ + m₂)
    assert!((height + 0.5 * 9.81 / 5.0 * 4.0).abs() < 1e-9);
    assert!((tension - 2.0 * 6.0 * 9.81 / 5.0).abs() < 1e-9);
    Ok(())
}
