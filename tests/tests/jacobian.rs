//! The Jacobian of a formulation comes from the graph; differences of its right-hand side agree.

use catena::formulation::find;
use catena::simulation::Assembly;
use catena_tests::{formulation, jacobian_error, ready};

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
        let entry = find(name).expect("the formulation is there");
        // stiffer penalties leave differences nothing to say
        let mut formulation = formulation(entry, &model, &[("alpha", 100.0)]);
        let Assembly { q, v, states, .. } = catena::diagnose(&model).start.expect("a start");
        let mut y = vec![0.0; formulation.state_len()];
        formulation.pack(&q, &v, &states, &mut y);
        // away from rest and symmetry, where many entries would vanish
        for (i, entry) in y.iter_mut().enumerate() {
            *entry += 0.1 * (1.0 + i as f64).sin();
        }
        let difference = jacobian_error(formulation.as_mut(), 0.3, &y);
        assert!(difference < 1e-7, "{system} by {name}: {difference:.1e}");
    }
}
