//! The Jacobian of a formulation comes from the graph; differences of its right-hand side agree.

use catena::Model;
use catena::formulation::{Formulation, OptionValues, Subject, Tangent, find};
use catena::simulation::Assembly;
use catena_tests::ready;

fn built(model: &Model, name: &str) -> Box<dyn Formulation> {
    let entry = find(name).expect("the formulation is there");
    // stiffer penalties leave differences nothing to say
    let options = entry.options.iter().filter(|option| option.name == "alpha");
    let options = OptionValues(options.map(|option| (option.name, 100.0)).collect());
    (entry.build)(Subject::new(entry, model, options))
}

/// Largest difference between the Jacobian and central differences, relative to its largest entry.
fn disagreement(formulation: &mut dyn Formulation, t: f64, y: &[f64]) -> f64 {
    let n = y.len();
    let mut jacobian = vec![f64::NAN; n * n];
    formulation.jacobian(t, y, Tangent::Full, &mut jacobian).expect("it can be evaluated");
    let (mut ahead, mut back) = (vec![0.0; n], vec![0.0; n]);
    let (mut largest, mut scale) = (0.0_f64, 1.0_f64);
    for column in 0..n {
        let h = 1e-5;
        let mut moved = y.to_vec();
        moved[column] = y[column] + h;
        formulation.derivative(t, &moved, &mut ahead).expect("it can be evaluated");
        moved[column] = y[column] - h;
        formulation.derivative(t, &moved, &mut back).expect("it can be evaluated");
        for row in 0..n {
            let entry = jacobian[row * n + column];
            assert!(entry.is_finite(), "row {row}, column {column}");
            largest = largest.max((entry - (ahead[row] - back[row]) / (2.0 * h)).abs());
            scale = scale.max(entry.abs());
        }
    }
    largest / scale
}

#[test]
fn the_jacobian_agrees_with_differences_of_the_right_hand_side() {
    let cases = [
        ("triple-pendulum", vec![], "minimal"),
        ("cart-pendulum", vec!["F=1", "c=0.4"], "minimal"),
        ("pendulum-chain", vec!["links=4"], "minimal"),
        ("lorenz", vec![], "minimal"),
        ("four-bar", vec!["theta2'=3"], "multipliers"),
        ("slider-crank", vec!["c=0.3"], "multipliers"),
        ("double-pendulum-cartesian", vec![], "multipliers"),
        ("double-pendulum-cartesian", vec![], "penalty"),
        ("double-pendulum-cartesian", vec![], "penalty-damped"),
        ("four-bar", vec!["theta2'=3"], "baumgarte"),
        ("four-bar", vec!["theta2'=3"], "augmented-lagrangian"),
        ("pendulum-chain", vec!["links=3"], "penalty-damped"),
    ];
    for (system, settings, name) in cases {
        let model = ready(system, &settings);
        let mut formulation = built(&model, name);
        let Assembly { q, v, states, .. } = catena::diagnose(&model).start.expect("a start");
        let mut y = vec![0.0; formulation.state_len()];
        formulation.pack(&q, &v, &states, &mut y);
        // away from rest and symmetry, where many entries would vanish
        for (i, entry) in y.iter_mut().enumerate() {
            *entry += 0.1 * (1.0 + i as f64).sin();
        }
        let difference = disagreement(formulation.as_mut(), 0.3, &y);
        assert!(difference < 1e-7, "{system} by {name}: {difference:.1e}");
    }
}
