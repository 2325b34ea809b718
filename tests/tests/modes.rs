//! Natural frequencies against zeros of Laguerre polynomials and 40-digit eigenproblems, modes of
//! constrained systems against their minimal forms, and what is said about stability.

use catena::Model;
use catena::analysis::{Character, LinearModel, Mode, Modes, Rest, Stability};
use catena_tests::{ready, written};
use serde_json::Value;
use std::f64::consts::{PI, TAU};

/// `tests/reference/natural_frequencies.json` says where it comes from.
fn reference() -> Value {
    let text = include_str!("../reference/natural_frequencies.json");
    serde_json::from_str(text).expect("the reference is JSON")
}

fn modes(model: &Model) -> Modes {
    let rest = Rest::nearest(model).unwrap_or_else(|error| panic!("{}: {error}", model.title));
    let linear = LinearModel::new(rest).unwrap_or_else(|error| panic!("{}: {error}", model.title));
    Modes::new(&linear).unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

fn frequencies(model: &Model) -> Vec<f64> {
    modes(model).modes.iter().map(Mode::natural_frequency).collect()
}

fn numbers(list: &Value) -> Vec<f64> {
    let number = |text: &Value| text.as_str().expect("a text").parse().expect("a number");
    list.as_array().expect("a list").iter().map(number).collect()
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let error = found / expected - 1.0;
        assert!(error.abs() < tolerance, "{found}, not {expected}: {error:.1e}");
    }
}

#[test]
fn chains_of_bobs_have_the_frequencies_of_laguerre_polynomials() {
    for (links, expected) in reference()["bobs_f_hz"].as_object().expect("by links") {
        let settings = [&format!("links={links}"), "friction=0"];
        let model = ready("pendulum-chain", &settings.map(|text| text as &str));
        let found = modes(&model);
        assert_near(
            &found.modes.iter().map(Mode::natural_frequency).collect::<Vec<_>>(),
            &numbers(expected),
            1e-10,
        );
        assert!(found.error() < 1e-10 && found.stability() == Stability::Marginal);
    }
}

#[test]
fn chains_of_rods_have_the_frequencies_of_their_reference() {
    for (links, expected) in reference()["rods_f_hz"].as_object().expect("by links") {
        let count: usize = links.parse().expect("a number of links");
        let mut settings = vec![format!("links={links}")];
        settings.extend((1..=count).map(|link| format!("theta{link}=0")));
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        let model = ready("chain", &settings);
        assert_near(&frequencies(&model), &numbers(expected), 1e-10);
    }
}

#[test]
fn the_triple_pendulum_has_its_three_frequencies_with_and_without_friction() {
    let undamped = [0.3214279141092865, 0.7550537677515682, 1.2501958765653542];
    assert_near(&frequencies(&ready("triple-pendulum", &["R=0"])), &undamped, 1e-12);
    for (friction, expected) in reference()["triple_damped_modes"].as_object().expect("by R") {
        let found = modes(&ready("triple-pendulum", &[&format!("R={friction}")]));
        assert_eq!(found.stability(), Stability::Asymptotic);
        let squares = found.undamped.expect("the stiffness is symmetric");
        let without: Vec<f64> = squares.iter().map(|square| square.sqrt()).collect();
        assert_near(&without, &undamped, 1e-12);
        let expected = expected.as_array().expect("three modes");
        assert_eq!(found.modes.len(), expected.len());
        for (mode, expected) in found.modes.iter().zip(expected) {
            let expected = ["f_damped_hz", "zeta", "decay_rate_1_per_s"]
                .map(|name| expected[name].as_f64().expect("a number"));
            let value = [mode.damped_frequency(), mode.damping_ratio(), -mode.value.re];
            assert_near(&value, &expected, 1e-10);
        }
    }
}

#[test]
fn shapes_of_the_double_pendulum_are_those_of_the_textbook() {
    // equal bobs and rods: θ2 = ±√2 θ1
    let model = written(DOUBLE_PENDULUM);
    for (mode, ratio) in modes(&model).modes.iter().zip([1.0 / 2_f64.sqrt(), -1.0 / 2_f64.sqrt()]) {
        assert!((mode.shape[0].re - ratio).abs() < 1e-12 && mode.shape[1].re == 1.0);
    }
}

/// In angles; the zoo's Cartesian one has bobs of 0.2 kg on rods of 1 m.
const DOUBLE_PENDULUM: &str = r#"
    parameters = { m = 0.2, l = 1, g = 9.81 }
    coordinates = { theta1 = "upper", theta2 = "lower" }
    [definitions]
    x1 = "l*sin(theta1)"
    y1 = "-l*cos(theta1)"
    x2 = "x1 + l*sin(theta2)"
    y2 = "y1 - l*cos(theta2)"
    [energy]
    kinetic = "1/2*m*(x1'^2 + y1'^2 + x2'^2 + y2'^2)"
    potential = "m*g*(y1 + y2)"
"#;

#[test]
fn a_constrained_double_pendulum_has_the_modes_of_its_angles() {
    let constrained = ready("double-pendulum-cartesian", &["y1=-1", "y2=-2"]);
    assert_near(&frequencies(&constrained), &frequencies(&written(DOUBLE_PENDULUM)), 1e-11);
}

/// Potential energy and effective inertia of the zoo's four-bar as functions of its crank angle: the loop is
/// closed by trigonometry, to one side of the line from the crank's end to the rocker's pin or the other.
struct FourBar;

impl FourBar {
    const LENGTHS: [f64; 4] = [1.0, 0.4, 0.9, 0.8];
    const MASSES: [f64; 3] = [1.0, 2.25, 2.0];

    /// Angles of coupler and rocker.
    fn closed(crank: f64, branch: f64) -> [f64; 2] {
        let [ground, a, b, c] = Self::LENGTHS;
        // from the end of the crank to the rocker's pin
        let (x, y) = (ground - a * crank.cos(), -a * crank.sin());
        let distance = x.hypot(y);
        let corner = ((b * b + distance * distance - c * c) / (2.0 * b * distance)).acos();
        let coupler = y.atan2(x) + branch * corner;
        let (ex, ey) = (a * crank.cos() + b * coupler.cos(), a * crank.sin() + b * coupler.sin());
        [coupler, ey.atan2(ex - ground)]
    }

    fn potential(crank: f64, branch: f64) -> f64 {
        let [_, a, b, c] = Self::LENGTHS;
        let [m2, m3, m4] = Self::MASSES;
        let [coupler, rocker] = Self::closed(crank, branch);
        let heights = m2 * a / 2.0 * crank.sin()
            + m3 * (a * crank.sin() + b / 2.0 * coupler.sin())
            + m4 * c / 2.0 * rocker.sin();
        9.81 * heights
    }

    /// Kinetic energy is half this times the square of the crank's rate.
    fn inertia(crank: f64, branch: f64) -> f64 {
        let [_, a, b, c] = Self::LENGTHS;
        let [m2, m3, m4] = Self::MASSES;
        let [coupler, rocker] = Self::closed(crank, branch);
        // rates of coupler and rocker for a crank rate of 1: the velocity of the loop vanishes
        let coupler_rate = a * (rocker - crank).sin() / (b * (coupler - rocker).sin());
        let rocker_rate = a * (coupler - crank).sin() / (c * (coupler - rocker).sin());
        let (x, y) = (
            -a * crank.sin() - b / 2.0 * coupler_rate * coupler.sin(),
            a * crank.cos() + b / 2.0 * coupler_rate * coupler.cos(),
        );
        m2 * a * a / 3.0
            + m3 * (x * x + y * y + b * b / 12.0 * coupler_rate * coupler_rate)
            + m4 * c * c / 3.0 * rocker_rate * rocker_rate
    }

    /// The n-th derivative of the potential by central differences of order 8.
    fn slope(crank: f64, branch: f64, order: usize) -> f64 {
        let h = 0.02;
        let v = |k: i32| Self::potential(crank + f64::from(k) * h, branch);
        match order {
            1 => {
                let weights = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
                let pairs = weights.iter().zip(1..).map(|(w, k)| w * (v(k) - v(-k)));
                pairs.sum::<f64>() / h
            }
            _ => {
                let weights = [8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0];
                let pairs = weights.iter().zip(1..).map(|(w, k)| w * (v(k) - 2.0 * v(0) + v(-k)));
                pairs.sum::<f64>() / (h * h)
            }
        }
    }
}

#[test]
fn a_hanging_four_bar_has_the_mode_of_its_one_degree_of_freedom() {
    let model = ready("four-bar", &["theta2=-60 deg"]);
    let rest = Rest::nearest(&model).expect("it hangs");
    let [crank, coupler, rocker] = [2, 5, 8].map(|at| rest.equilibrium.q[at]);
    let wrapped = |angle: f64| (angle + PI).rem_euclid(TAU) - PI;
    let branch = [1.0, -1.0].into_iter().find(|&branch| {
        let [b, c] = FourBar::closed(crank, branch);
        wrapped(b - coupler).abs() < 1e-9 && wrapped(c - rocker).abs() < 1e-9
    });
    let branch = branch.expect("the loop closes one way or the other");
    // differences of order 8 are right to 1e-9 here: the force at rest vanishes to that
    assert!(FourBar::slope(crank, branch, 1).abs() < 1e-9);
    let stiffness = FourBar::slope(crank, branch, 2);
    let expected = (stiffness / FourBar::inertia(crank, branch)).sqrt() / TAU;
    let found = modes(&model);
    assert_eq!(found.modes.len(), 1);
    assert_near(&[found.modes[0].natural_frequency()], &[expected], 1e-9);
}

#[test]
fn bodies_and_joints_have_the_modes_of_the_same_linkage_in_equations() {
    let equations = ready("four-bar", &["theta2=-60 deg"]);
    let bodies = ready("four-bar-bodies", &["crank_angle=-60 deg"]);
    assert_near(&frequencies(&bodies), &frequencies(&equations), 1e-10);
}

#[test]
fn an_upright_pendulum_grows_and_a_cart_is_free() {
    let upright = modes(&ready("chain", &["links=1", "theta1=pi"]));
    assert_eq!(upright.stability(), Stability::Unstable);
    let rate = (1.5_f64 * 9.81).sqrt();
    assert!((upright.modes[0].value.re / rate - 1.0).abs() < 1e-12);

    let cart = modes(&ready("cart-pendulum", &["theta=0.1"]));
    assert_eq!(cart.modes[0].character, Character::Free);
    assert_eq!(cart.stability(), Stability::Neutral);
    assert!(cart.modes[0].shape[0].re == 1.0, "the cart moves");
}

#[test]
fn a_free_cart_stays_free_beside_damped_modes() {
    let text = |friction: &str| {
        format!(
            r#"
            parameters = {{ m = 2, k = 50, c = 0.3 }}
            coordinates = {{ x = "cart", y = "on a spring" }}
            energy.kinetic = "1/2*m*(x'^2 + y'^2)"
            energy.potential = "1/2*k*(y - x - 1)^2"
            energy.dissipation = "1/2*c*(y' - x')^2{friction}"
            "#
        )
    };
    let rolling = modes(&written(&text("")));
    let characters: Vec<Character> = rolling.modes.iter().map(|mode| mode.character).collect();
    assert_eq!(characters, [Character::Free, Character::Oscillating]);
    // reduced mass 1 kg: λ = −c/2 ± i √(k − c²/4)
    let value = rolling.modes[1].value;
    assert!(
        (value.re + 0.15).abs() < 1e-12 && (value.im - (50.0_f64 - 0.0225).sqrt()).abs() < 1e-12
    );

    let braked = modes(&written(&text(" + 1/2*c*x'^2")));
    assert!(braked.modes.iter().any(|mode| mode.character == Character::Decaying));
    assert_eq!(braked.stability(), Stability::Neutral);
}

#[test]
fn overdamped_and_first_order_systems_have_real_modes() {
    let model = written(
        r#"
        parameters = { m = 1, k = 2, c = 3 }
        coordinates = { x = "" }
        energy.kinetic = "1/2*m*x'^2"
        energy.potential = "1/2*k*x^2"
        energy.dissipation = "1/2*c*x'^2"
        states = { z = "x - 5*z" }
        "#,
    );
    let found = modes(&model);
    let rates: Vec<f64> = found.modes.iter().map(|mode| mode.value.re).collect();
    assert_near(&rates, &[-1.0, -2.0, -5.0], 1e-12);
    assert!(found.modes.iter().all(|mode| mode.character == Character::Decaying));
    // the state alone moves in its own mode
    assert_eq!(found.modes[2].shape[1].re, 1.0);
    assert!(found.modes[2].shape[0].norm() < 1e-12);
}

#[test]
fn the_lorenz_system_leaves_the_origin_as_its_characteristic_polynomial_says() {
    let model = ready("lorenz", &["x=0.1", "y=0.1", "z=0.1"]);
    let found = modes(&model);
    let value = |name: &str| model.parameter(name).expect("a parameter of the system");
    let (sigma, rho, beta) = (value("sigma"), value("rho"), value("beta"));
    let root = ((sigma - 1.0).powi(2) + 4.0 * sigma * rho).sqrt();
    let mut expected = [-beta, (-sigma - 1.0 + root) / 2.0, (-sigma - 1.0 - root) / 2.0];
    expected.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let rates: Vec<f64> = found.modes.iter().map(|mode| mode.value.re).collect();
    assert_near(&rates, &expected, 1e-12);
    assert_eq!(found.stability(), Stability::Unstable);
}

#[test]
fn a_mode_of_one_of_two_systems_side_by_side_leaves_the_other_alone() {
    let model = written(
        r#"
        coordinates = { x = "damped", y = "on a spring" }
        energy.kinetic = "1/2*x'^2 + 1/2*y'^2"
        energy.potential = "1/2*9*y^2"
        energy.dissipation = "1/2*10*x'^2"
        "#,
    );
    let found = modes(&model);
    let decaying = found.modes.iter().find(|mode| mode.character == Character::Decaying);
    let decaying = decaying.expect("friction stops x");
    assert!((decaying.value.re + 10.0).abs() < 1e-13);
    assert!(decaying.shape[0].re == 1.0 && decaying.shape[1].norm() < 1e-14);
    for mode in &found.modes {
        assert!(mode.shape_residual < 1e-14 && mode.shape_error < 1e-12, "{mode:?}");
    }
}

#[test]
fn two_masses_that_nothing_holds_are_neutral_whatever_is_between_them() {
    for [m, n, k, c] in [
        [3.152, 3.735, 3.996, 4.718],
        [3.852, 0.882, 4.006, 0.78],
        [1.518, 4.811, 2.742, 3.421],
        [0.1, 7.0, 1e4, 0.3],
        [1.0, 1.0, 1e-3, 20.0],
    ] {
        let found = modes(&written(&format!(
            r#"
            coordinates = {{ x = "", y = "" }}
            energy.kinetic = "1/2*{m}*x'^2 + 1/2*{n}*y'^2"
            energy.potential = "1/2*{k}*(x - y)^2"
            energy.dissipation = "1/2*{c}*(x' - y')^2"
            "#
        )));
        assert_eq!(found.stability(), Stability::Neutral, "{m}, {n}, {k}, {c}");
        let free = found.modes.iter().filter(|mode| mode.character == Character::Free);
        // one rigid motion, in its place and in its velocity
        let counts: Vec<_> =
            free.map(|mode| (mode.multiplicity, mode.independent_shapes)).collect();
        assert_eq!(counts, [(2, 1)]);
        let reduced = m * n / (m + n);
        let sum: f64 = found.modes.iter().map(|mode| mode.value.re).sum();
        let twice = if found.modes.len() == 2 { 2.0 } else { 1.0 };
        assert!((twice * sum * reduced / c + 1.0).abs() < 1e-12, "{sum}");
    }
}

#[test]
fn critical_damping_has_one_shape_for_two_values_and_says_so() {
    let model = written(
        r#"
        coordinates = { x = "" }
        energy.kinetic = "1/2*x'^2"
        energy.potential = "1/2*0.01*x^2"
        energy.dissipation = "1/2*0.2*x'^2"
        "#,
    );
    let found = modes(&model);
    assert_eq!((found.modes.len(), found.stability()), (2, Stability::Asymptotic));
    for mode in &found.modes {
        assert_eq!((mode.multiplicity, mode.independent_shapes), (2, 1));
        assert!((mode.value.re + 0.1).abs() < 1e-14 && mode.error < 1e-7);
    }
}

#[test]
fn a_force_in_resonance_with_what_it_moves_grows_in_proportion_to_time() {
    // y drives x at the frequency of x itself: x = t sin(3t) is a motion
    let model = written(
        r#"
        coordinates = { x = "", y = "" }
        energy.kinetic = "1/2*x'^2 + 1/2*y'^2"
        energy.potential = "1/2*9*(x^2 + y^2)"
        forces.x = "y"
        "#,
    );
    let found = modes(&model);
    assert_eq!(found.stability(), Stability::Unstable);
    for mode in &found.modes {
        assert_eq!((mode.character, mode.value.re), (Character::Growing, 0.0));
        assert_eq!((mode.multiplicity, mode.independent_shapes), (2, 1));
    }
}
