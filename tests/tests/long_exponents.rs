//! Lyapunov exponents of long motions, as exact as they are published; `tests/full` runs these.

use catena_tests::{ready, written};

fn spectrum(model: &catena::Model, options: &[(&str, &str)]) -> (Vec<f64>, Vec<f64>) {
    let answer = catena::ask_watched("lyapunov", model, options, 2, &|_| false);
    let answer = answer.unwrap_or_else(|refusal| panic!("{refusal}"));
    let list = |key: &str| -> Vec<f64> {
        let list = answer.result[key].as_array().expect("a list");
        list.iter().map(|number| number.as_f64().expect("a number")).collect()
    };
    (list("exponents"), list("errors"))
}

#[test]
#[ignore = "takes long"]
fn the_lorenz_attractor_to_three_digits() {
    let (exponents, errors) = spectrum(&ready("lorenz", &[]), &[("t_end", "4000")]);
    assert!((exponents[0] - 0.9056).abs() < 0.002 && errors[0] < 0.002, "{exponents:?} {errors:?}");
    assert!(exponents[1].abs() < 0.002);
    assert!((exponents.iter().sum::<f64>() + 41.0 / 3.0).abs() < 1e-6);
}

/// Two codes of others: 0.9274 ± 0.0017 over 3e5 s and 0.921 ± 0.006 over 2e4 s.
#[test]
#[ignore = "takes long"]
fn the_double_pendulum_from_level_rods() {
    let (exponents, errors) = spectrum(&ready("double-pendulum", &[]), &[("t_end", "60000")]);
    assert!((exponents[0] - 0.927).abs() < 3.0 * errors[0], "{exponents:?} {errors:?}");
    assert!(errors[0] <= 0.003, "{errors:?}");
    for (one, other) in [(0, 3), (1, 2)] {
        assert!((exponents[one] + exponents[other]).abs() < 1e-3 * exponents[0], "{exponents:?}");
    }
}

/// 0.046 ± 0.003 from this start, whose chaos is sticky.
#[test]
#[ignore = "takes long"]
fn the_potential_of_henon_and_heiles() {
    let model = written(
        "coordinates = { x = \"\", y = \"\" }\n[energy]\nkinetic = \"1/2*(x'^2 + y'^2)\"\n\
         potential = \"1/2*(x^2 + y^2) + x^2*y - y^3/3\"\n\
         [initial]\nx = 0\ny = -0.25\n\"x'\" = 0.42081\n\"y'\" = 0\n",
    );
    let (exponents, errors) = spectrum(&model, &[("t_end", "40000")]);
    assert!((exponents[0] - 0.046).abs() < 0.003 && errors[0] < 0.003, "{exponents:?} {errors:?}");
    assert!((exponents[0] + exponents[3]).abs() < 1e-3 * exponents[0]);
}
