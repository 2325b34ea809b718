//! A function whose closed form is 0/0 in the middle of its domain: equations that use sinc are as good at x = 0 as anywhere.

use catena::derivation::{Thoroughness, check};
use catena::{Equations, Model};
use catena_tests::{built, jacobian_error, written};

/// A bead on the curve y = h sinc x, with a spring whose potential is a sinc too. It starts on top, at x = 0.
fn bead() -> Model {
    written(
        r#"
        parameters = { m = 2, h = 3, k = 5, g = 9.81 }
        coordinates = { x = "along", y = "up" }
        [energy]
        kinetic = "1/2*m*(x'^2 + y'^2)"
        potential = "m*g*y - k*sinc(x)"
        [constraints]
        curve = "y - h*sinc(x)"
        [initial]
        x = 0
        "x'" = 0.7
        "#,
    )
}

/// The expressions at a state of the bead, with the model's own parameters.
fn at(model: &Model, equations: &Equations, [x, v]: [f64; 2], which: &str) -> Vec<f64> {
    let jacobian = equations.constraint_jacobian.entries.iter().map(|&(_, _, entry)| entry);
    let roots = match which {
        "forces" => equations.forces.clone(),
        "jacobian" => jacobian.collect(),
        _ => equations.gamma.clone(),
    };
    equations.graph.evaluate(&roots, |name| match name {
        "x" => x,
        "x'" => v,
        "y" | "y'" | "t" => 0.0,
        parameter => model.parameter(parameter).expect("a parameter"),
    })
}

#[test]
fn forces_and_constraints_are_exact_where_sinc_has_its_top() {
    let model = bead();
    let equations = Equations::derive(&model, &model.own);
    let (h, k, v) = (3.0, 5.0, 0.7);
    assert_eq!(at(&model, &equations, [0.0, v], "forces")[0], 0.0);
    assert_eq!(at(&model, &equations, [0.0, v], "jacobian"), [0.0, 1.0]);
    // γ = h sinc″ v², and sinc″(0) = −1/3
    let gamma = at(&model, &equations, [0.0, v], "gamma")[0];
    assert!((gamma + h * v * v / 3.0).abs() < 1e-15, "{gamma}");
    // Q = k sinc′, and sinc′ = −x/3 + x³/30 − …
    for x in [1e-200, 1e-9, 1e-4] {
        let force = at(&model, &equations, [x, v], "forces")[0];
        let expected = k * (-x / 3.0 + x * x * x / 30.0);
        assert!((force - expected).abs() <= 1e-15 * expected.abs(), "{force} at {x}");
    }
}

#[test]
fn the_derivation_agrees_with_differences_around_the_top() {
    let model = bead();
    let equations = Equations::derive(&model, &model.own);
    let agreement = check(&model, &model.own, &equations, 200, Thoroughness::Entries, 7);
    let agreement = agreement.expect("it agrees").expect("there are coordinates");
    assert!(agreement.figures().iter().all(|&(_, figure)| figure < 1e-10), "{agreement:?}");
}

#[test]
fn tangents_of_formulations_are_right_at_the_top() {
    let model = bead();
    for name in ["baumgarte", "projection"] {
        let mut formulation = built(&model, name);
        let mut state = vec![0.0; formulation.state_len()];
        formulation.pack(&[0.0, 3.0], &[0.7, 0.0], &[], &mut state);
        let error = jacobian_error(formulation.as_mut(), 0.0, &state);
        assert!(error < 1e-8, "{name}: {error}");
    }
}
