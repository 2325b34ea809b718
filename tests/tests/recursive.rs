//! The recursive sweep gives the accelerations of minimal coordinates, for any chain.

use catena::Model;
use catena::formulation::Formulation;
use catena_tests::{Random, built, difference, jacobian_error, written};

/// A chain with everything different: masses, lengths, frictions, a pivot that moves in x and y, a
/// motor in the first joint and a first-order state that brakes the last one.
fn chain(random: &mut Random, links: usize, shape: &str) -> Model {
    let mut list = |low: f64, high: f64| {
        let values = random.several(links, low, high);
        values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
    };
    let brake = if links > 1 { format!("theta{links} = \"0.3*z\"") } else { String::new() };
    let (mass, length, friction) = (list(0.2, 3.0), list(0.3, 1.5), list(0.0, 0.4));
    written(&format!(
        r#"
        title = "Chain"
        [chain]
        links = {links}
        shape = "{shape}"
        mass = [{mass}]
        length = [{length}]
        friction = [{friction}]
        [chain.pivot]
        x = "0.1*cos(3*t)"
        y = "0.05*sin(5*t + 0.2)"
        [forces]
        theta1 = "0.7*sin(t) - 0.1*theta1'"
        {brake}
        [states]
        z = "theta{links}' - 2*z"
        "#
    ))
}

#[test]
fn the_sweep_agrees_with_minimal_coordinates_for_chains_of_every_length() {
    let mut random = Random::new(4);
    for links in (1..=12).chain([20, 33, 57, 100]) {
        for shape in ["rod", "bob"] {
            let model = chain(&mut random, links, shape);
            let (mut minimal, mut recursive) =
                (built(&model, "minimal"), built(&model, "recursive"));
            for _ in 0..3 {
                let q = random.several(links, -3.0, 3.0);
                let v = random.several(links, -2.0, 2.0);
                let (t, z) = (random.between(0.0, 5.0), random.several(1, -1.0, 1.0));
                let accelerations = |formulation: &mut dyn Formulation| {
                    let mut y = vec![0.0; formulation.state_len()];
                    formulation.pack(&q, &v, &z, &mut y);
                    let mut rate = vec![0.0; y.len()];
                    formulation.derivative(t, &y, &mut rate).expect("it can be evaluated");
                    (formulation.accelerations().to_vec(), rate[2 * links])
                };
                let (expected, state_rate) = accelerations(minimal.as_mut());
                let (found, swept_state_rate) = accelerations(recursive.as_mut());
                let error = difference(&found, &expected);
                assert!(error < 1e-11, "{links} links ({shape}): {error:.1e}");
                assert_eq!(state_rate, swept_state_rate);
            }
        }
    }
}

#[test]
fn the_state_holds_relative_angles_and_gives_absolute_ones_back() {
    let model = chain(&mut Random::new(1), 3, "rod");
    let recursive = built(&model, "recursive");
    let mut y = vec![0.0; recursive.state_len()];
    let level = std::f64::consts::FRAC_PI_2;
    let angles = [level + 0.5, level + 1.5, level + 1.0];
    recursive.pack(&angles, &[1.0, 1.0, 4.0], &[7.0], &mut y);
    for (found, expected) in y.iter().zip([0.5, 1.0, -0.5, 1.0, 0.0, 3.0, 7.0]) {
        assert!((found - expected).abs() < 1e-15, "{y:?}");
    }
    let (mut q, mut v, mut z) = ([0.0; 3], [0.0; 3], [0.0; 1]);
    recursive.unpack(&y, &mut q, &mut v, &mut z);
    assert_eq!((q, v, z), (angles, [1.0, 1.0, 4.0], [7.0]));
}

#[test]
fn derivatives_for_implicit_methods_are_those_of_the_sweep() {
    let model = chain(&mut Random::new(8), 4, "rod");
    let mut recursive = built(&model, "recursive");
    let n = recursive.state_len();
    let y: Vec<f64> = (0..n).map(|i| (1.3 * i as f64 + 0.4).sin()).collect();
    let error = jacobian_error(recursive.as_mut(), 0.3, &y);
    assert!(error < 1e-8, "{error:.1e}");
}

/// Without mass at the end nothing resists: the run stops and says where.
#[test]
fn a_chain_that_ends_without_mass_is_told_so() {
    let model = written("title = \"Chain\"\n[chain]\nlinks = 3\nmass = [1, 1, 0]\n");
    let request =
        catena::RunSettings { formulation: Some("recursive".into()), ..Default::default() };
    let message = match catena::run(&model, &request) {
        Err(error) => error.to_string(),
        Ok(run) => format!("{:?}", run.certificate.stop),
    };
    assert!(message.contains("nothing resists a turn of `theta3`"), "{message}");
}
