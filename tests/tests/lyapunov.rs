//! Lyapunov exponents against closed forms, published values, and the same motion in other coordinates.

use catena::Model;
use catena::analysis::{Answer, Refusal};
use catena_tests::{ready, written};

type Options<'a> = &'a [(&'a str, &'a str)];

fn ask(model: &Model, options: Options<'_>) -> Result<Answer, Refusal> {
    catena::ask("lyapunov", model, options)
}

struct Spectrum {
    exponents: Vec<f64>,
    errors: Vec<f64>,
    answer: Answer,
}

impl Spectrum {
    fn of(model: &Model, options: Options<'_>) -> Spectrum {
        let answer = ask(model, options).unwrap_or_else(|refusal| panic!("{refusal}"));
        let list = |key: &str| -> Vec<f64> {
            let list = answer.result[key].as_array().expect("a list");
            list.iter().map(|number| number.as_f64().expect("a number")).collect()
        };
        Spectrum { exponents: list("exponents"), errors: list("errors"), answer }
    }

    fn check(&self, name: &str) -> f64 {
        self.answer.result["checks"][name].as_f64().unwrap_or_else(|| panic!("no {name}"))
    }
}

#[test]
fn linear_systems_have_the_real_parts_of_their_eigenvalues() {
    // x'' + 2 d x' + x = 0: −d twice, or −d ± √(d² − 1)
    for (damping, expected) in [(0.1, [-0.1, -0.1]), (1.25, [-0.5, -2.0])] {
        let model = written(&format!(
            "coordinates = {{ x = \"\" }}\n[energy]\nkinetic = \"1/2*x'^2\"\npotential = \"1/2*x^2\"\n\
             dissipation = \"{damping}*x'^2\"\n[initial]\nx = 1\n"
        ));
        let found = Spectrum::of(&model, &[("t_end", "400")]);
        for (found, expected) in found.exponents.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
        assert!((found.check("mean_divergence") + 2.0 * damping).abs() < 1e-9);
        assert!(found.check("sum_minus_divergence").abs() < 1e-7);
    }
}

#[test]
fn the_lorenz_attractor_has_its_published_spectrum() {
    let found = Spectrum::of(&ready("lorenz", &[]), &[("t_end", "600")]);
    for (at, published) in [0.9056, 0.0, -14.5723].into_iter().enumerate() {
        let (value, error) = (found.exponents[at], found.errors[at]);
        assert!((value - published).abs() < 3.5 * error && error < 0.01, "{value} ± {error}");
    }
    assert!((found.exponents.iter().sum::<f64>() + 41.0 / 3.0).abs() < 1e-6);
    let dimension = found.answer.result["kaplan_yorke"].as_f64().expect("a dimension");
    assert!((dimension - 2.062).abs() < 2e-3, "{dimension}");
}

#[test]
fn a_conservative_motion_has_pairs_and_a_zero_along_its_flow() {
    let found = Spectrum::of(&ready("double-pendulum", &[]), &[("t_end", "600")]);
    assert_eq!(found.exponents.len(), 4);
    assert!((found.exponents[0] - 0.927).abs() < 3.5 * found.errors[0], "{:?}", found.exponents);
    assert!(found.check("pairs") < 1e-3 * found.exponents[0]);
    assert!(found.check("zero_along_flow").abs() < 0.01);
    let calm = ready("double-pendulum", &["theta1=0.1", "theta2=0.1"]);
    let calm = Spectrum::of(&calm, &[("t_end", "2000"), ("copies", "1")]);
    assert!(calm.exponents[0].abs() < 3e-3, "{:?}", calm.exponents);
}

/// Vectors of regular motions grow in proportion to time, which is not chaos however long it is watched.
#[test]
fn regular_motions_are_not_chaotic_however_long_they_run() {
    let pendulum = written(
        "coordinates = { q = \"\" }\n[energy]\nkinetic = \"1/2*q'^2\"\npotential = \"-cos(q)\"\n\
         [initial]\nq = 2\n",
    );
    for t_end in ["500", "4000"] {
        let found =
            Spectrum::of(&pendulum, &[("t_end", t_end), ("exponents", "1"), ("copies", "2")]);
        let (value, error) = (found.exponents[0], found.errors[0]);
        assert!(value.abs() < 2.0 * error, "{t_end} s: {value} ± {error}");
        let words = found.answer.words.to_text();
        assert!(words.contains("no faster than the error can tell"), "{words}");
    }
}

/// A pendulum on a cart that stands still, both at rest upside down: the cart's own direction never sees the instability.
#[test]
fn one_vector_finds_the_largest_exponent_however_symmetric_the_model_is() {
    let model = written(
        "coordinates = { x = \"\", q = \"\" }\n[energy]\nkinetic = \"1/2*x'^2 + 1/2*q'^2\"\n\
         potential = \"1/2*x^2 - 1/2*q^2\"\n[initial]\nx = 0.1\n",
    );
    let found = Spectrum::of(&model, &[("t_end", "300"), ("exponents", "1"), ("copies", "1")]);
    assert!((found.exponents[0] - 1.0).abs() < 0.02, "{:?}", found.exponents);
}

/// Nothing that the constraints bring along is counted: four exponents in coordinates of any kind, and the same ones.
#[test]
fn constrained_models_have_the_exponents_of_minimal_coordinates() {
    let bodies = "[[body]]\nname = \"one\"\nmass = 1\ninertia = 0\npoints = { A = [0, 1], B = [0, 0] }\n\
        [[body]]\nname = \"two\"\nmass = 1\ninertia = 0\npoints = { A = [0, 1], B = [0, 0] }\n\
        [[joint]]\nname = \"O\"\ntype = \"revolute\"\nbetween = [\"ground\", \"one.A\"]\n\
        [[joint]]\nname = \"P\"\ntype = \"revolute\"\nbetween = [\"one.B\", \"two.A\"]\n\
        [initial]\none_angle = \"90 deg\"\ntwo_angle = \"90 deg\"\n";
    let options: Options<'_> = &[("t_end", "200"), ("copies", "2"), ("rtol", "1e-7")];
    let minimal = Spectrum::of(&ready("double-pendulum", &[]), &[("t_end", "800")]);
    for model in [ready("double-pendulum-cartesian", &[]), written(bodies)] {
        let found = Spectrum::of(&model, options);
        assert_eq!(found.exponents.len(), 4, "{}", model.title);
        for at in 0..4 {
            let bar = found.errors[at].hypot(minimal.errors[at]);
            let difference = found.exponents[at] - minimal.exponents[at];
            assert!(difference.abs() < 3.5 * bar && bar < 0.15, "{difference} {bar}");
        }
        assert!(found.check("pairs") < 0.02);
    }
}

#[test]
fn a_settled_motion_has_the_same_exponents_with_and_without_constraints() {
    let angle = "coordinates = { a = \"\" }\n[energy]\nkinetic = \"1/2*a'^2\"\n\
        potential = \"-9.81*cos(a)\"\ndissipation = \"0.1*a'^2\"\n[forces]\na = \"cos(2*t)\"";
    let cartesian = "coordinates = { x = \"\", y = \"\" }\n[energy]\n\
        kinetic = \"1/2*(x'^2 + y'^2)\"\npotential = \"9.81*y\"\ndissipation = \"0.1*(x'^2 + y'^2)\"\n\
        [forces]\nx = \"-cos(2*t)*y\"\ny = \"cos(2*t)*x\"\n\
        [constraints]\nrod = \"x^2 + y^2 - 1\"\n[guess]\ny = -1\n[initial]\nx = 0";
    let options: Options<'_> = &[("t_end", "600"), ("after", "200"), ("copies", "1")];
    let [one, other] = [angle, cartesian].map(|text| Spectrum::of(&written(text), options));
    assert_eq!((one.exponents.len(), other.exponents.len()), (2, 2));
    for (one, other) in one.exponents.iter().zip(&other.exponents) {
        assert!((one - other).abs() < 1e-4 && (one + 0.1).abs() < 1e-4, "{one} {other}");
    }
    assert_eq!(one.answer.result["phase_counted"], false);
    let period = one.answer.result["drive_period"].as_f64().expect("a period");
    assert!((period - std::f64::consts::PI).abs() < 1e-12);
}

/// Exponents of periodic states from two trajectories, good to about one part in a hundred.
#[test]
fn periodic_states_of_the_shaken_triple_pendulum_have_their_reference_exponents() {
    for (amplitude, reference) in [(0.05, -0.027_688_7), (0.2, -0.099_709_4), (0.5, -0.139_031)] {
        let model = ready("triple-pendulum", &["R=1", "f=0.3", &format!("eta0={amplitude}")]);
        let options: Options<'_> =
            &[("t_end", "3500"), ("after", "1500"), ("exponents", "2"), ("copies", "1")];
        let found = Spectrum::of(&model, options);
        let difference = found.exponents[0] / reference - 1.0;
        assert!(difference.abs() < 0.015, "{amplitude}: {:?}", found.exponents);
    }
}

#[test]
fn what_has_no_exponents_is_told() {
    let refusal = |model: &str, options: Options<'_>| {
        let refusal = ask(&ready(model, &[]), options).expect_err("it is refused");
        (refusal.message.clone(), refusal.help.unwrap_or_default())
    };
    let (message, help) = refusal("double-pendulum", &[("t_end", "2")]);
    assert!(message.contains("are too short for an exponent"), "{message}");
    assert!(help.contains("{t_end} "), "{help}");
    let long: f64 = help.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap();
    assert!(ask(&ready("double-pendulum", &[]), &[("t_end", &long.to_string())]).is_ok());
    let (message, _) = refusal("double-pendulum", &[("exponents", "5")]);
    assert_eq!(message, "5 exponents are asked for, and the motion has 4");
    let (message, _) = refusal("double-pendulum", &[("t_end", "20"), ("after", "30")]);
    assert_eq!(message, "the motion ends at 20 s: nothing is left after 30 s");
    let (message, help) = refusal("double-pendulum", &[("integrator", "radau5")]);
    assert!(message.contains("`radau5` does not carry tangent vectors"), "{message}");
    assert!(help.contains("dop853"), "{help}");
    let (message, _) = refusal("quick-return", &[]);
    assert!(message.contains("prescribe the whole motion"), "{message}");
    let friction = written(
        "coordinates = { x = \"\" }\n[energy]\nkinetic = \"1/2*x'^2\"\npotential = \"1/2*x^2\"\n\
         [forces]\nx = \"2*cos(t) - 0.3*sign(x')\"\n",
    );
    let jump = ask(&friction, &[]).expect_err("it is refused");
    assert!(jump.message.contains("these do where `x'` changes its sign"), "{jump}");
    assert!(jump.help.is_some_and(|help| help.contains("tanh")));
    let undefined = written(
        "coordinates = { x = \"\" }\n[energy]\nkinetic = \"1/2*x'^2\"\npotential = \"1/2*x^2\"\n\
         [forces]\nx = \"cos(t) - 0.3*x'/abs(x')\"\n",
    );
    let refusal_at_once = ask(&undefined, &[]).expect_err("it cannot begin");
    assert!(refusal_at_once.message.contains("is not finite"), "{refusal_at_once}");
    let penalty: Options<'_> = &[("formulation", "penalty")];
    let (message, _) = refusal("double-pendulum-cartesian", penalty);
    assert!(message.contains("`penalty` has springs in their place"), "{message}");
}
