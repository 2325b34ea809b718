//! Coefficients against derivatives of the graph and against closed forms.

use crate::Kernel;
use crate::kernel::tests::outputs;
use crate::program::Program;
use catena_symbolic::{Expr, Function, Graph, parse};

/// Coefficients 1 to `order` of the system ẏ = rates at t and y, with the parameter p.
fn coefficients(rates: &[&str], order: usize, t: f64, y: &[f64], p: f64) -> Vec<f64> {
    let mut graph = Graph::new();
    let time = [graph.symbol("t")];
    let state: Vec<Expr> = (0..y.len()).map(|i| graph.symbol(&format!("y{i}"))).collect();
    let parameter = [graph.symbol("p")];
    let rates: Vec<Expr> =
        rates.iter().map(|text| parse(text).unwrap().build_plain(&mut graph)).collect();
    let inputs: [(&str, &[Expr]); 3] = [("t", &time), ("y", &state), ("parameters", &parameter)];
    let program = Program::lower(&graph, &inputs, &[("rate", &rates)]);
    let point: Vec<f64> = [t].into_iter().chain(y.iter().copied()).chain([p]).collect();
    if rates.len() == y.len() {
        return outputs(&Kernel::new(&program.taylor(order, usize::MAX).unwrap()), &point);
    }
    // all but the last are the rates of y, and the last is integrated
    let split = |rates: &[Expr]| Program::lower(&graph, &inputs, &[("rate", rates)]);
    let (state, integrand) = (split(&rates[..y.len()]), split(&rates[y.len()..]));
    let of_state = outputs(&Kernel::new(&state.taylor(order, usize::MAX).unwrap()), &point);
    let known = &of_state[..y.len() * (order - 1)];
    let quadrature = Kernel::new(&integrand.quadrature(order, usize::MAX).unwrap());
    let integral = outputs(&quadrature, &[point.as_slice(), known].concat());
    let orders = of_state.chunks_exact(y.len()).zip(integral);
    orders.flat_map(|(y, integral)| y.iter().copied().chain([integral])).collect()
}

fn assert_close(found: f64, expected: f64, what: &str) {
    let size = expected.abs().max(1.0);
    assert!((found - expected).abs() < 1e-11 * size, "{what}: {found} and {expected}");
}

#[test]
fn a_quadrature_has_the_derivatives_of_its_integrand() {
    let calls = Function::all().map(|function| {
        let arguments = match function.arity() {
            1 => "t*(1 + t/7)",
            _ if function.name() == "dsinc" => "2, t*t",
            _ => "t*t, 1 - t/3",
        };
        format!("{}({arguments})", function.name())
    });
    let others = [
        "t^p + p^t + t^t + t^2.5 + t^(-1.5)",
        "1/(1 + t^2) - t/(p + t)/sqrt(t) + sqrt(1 + t*t)",
        "sin(p*t)*cos(t^3) - sin(cos(t))^2",
        "exp(sin(t))*log(1 + t^2)/cosh(t) - tanh(t)*sinh(t)",
        "p^2 - 3 + 0*t",
        "t - t^4 + (1 + t)^9",
    ];
    for text in calls.chain(others.map(str::to_owned)) {
        let (t, p) = (0.6, 1.3);
        let found = coefficients(&["0", &text], 9, t, &[0.5], p);
        let mut graph = Graph::new();
        let time = graph.symbol("t");
        let mut derivative = parse(&text).unwrap().build_plain(&mut graph);
        let mut factorial = 1.0;
        for k in 1..=9 {
            factorial *= f64::from(k);
            let value = graph.evaluate(&[derivative], |name| if name == "t" { t } else { p })[0];
            let place = 2 * (k as usize - 1);
            assert_eq!(found[place], 0.0);
            assert_close(found[place + 1], value / factorial, &format!("{text}, order {k}"));
            derivative = graph.derivative(derivative, time);
        }
    }
}

#[test]
fn solutions_in_closed_form_have_their_coefficients() {
    // y = 1/(c − t), y = tan, y = exp, and a harmonic motion of frequency p
    let rates = ["y0^2", "1 + y1*y1", "y2", "y4", "-p^2*y3", "y0/y1"];
    let found = coefficients(&rates, 12, 0.0, &[2.0, 0.0, 1.0, 1.0, 0.0], 3.0);
    let tangent = [1.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 15.0, 0.0, 17.0 / 315.0];
    let (mut factorial, mut power) = (1.0, 1.0);
    for k in 1..=12_i32 {
        factorial *= f64::from(k);
        power *= 3.0;
        let at = 6 * (k as usize - 1);
        assert_close(found[at], 2.0_f64.powi(k + 1), "hyperbola");
        if let Some(&expected) = tangent.get(k as usize - 1) {
            assert_close(found[at + 1], expected, "tangent");
        }
        assert_close(found[at + 2], 1.0 / factorial, "exponential");
        let cosine = [1.0, 0.0, -1.0, 0.0][k as usize % 4];
        assert_close(found[at + 3], cosine * power / factorial, "cosine");
    }
}

#[test]
fn what_would_be_too_large_is_not_written() {
    let mut graph = Graph::new();
    let y = [graph.symbol("y")];
    let rate = parse("sin(y)^2").unwrap().build_plain(&mut graph);
    let program = Program::lower(&graph, &[("y", &y)], &[("rate", &[rate])]);
    assert!(program.taylor(10, 100).is_none());
    assert!(program.taylor(10, 1000).is_some());
}

/// Coefficients of a solution from groups of symbols and groups of formulas, at a point.
fn from_groups(
    inputs: &[(&str, &[&str])],
    outputs: &[(&str, &[&str])],
    point: &[f64],
) -> (Vec<f64>, usize) {
    let mut graph = Graph::new();
    let inputs: Vec<(&str, Vec<Expr>)> = inputs
        .iter()
        .map(|(name, symbols)| (*name, symbols.iter().map(|symbol| graph.symbol(symbol)).collect()))
        .collect();
    let outputs: Vec<(&str, Vec<Expr>)> = outputs
        .iter()
        .map(|(name, texts)| {
            let built = texts.iter().map(|text| parse(text).unwrap().build_plain(&mut graph));
            (*name, built.collect())
        })
        .collect();
    let inputs: Vec<(&str, &[Expr])> =
        inputs.iter().map(|(name, symbols)| (*name, symbols.as_slice())).collect();
    let outputs: Vec<(&str, &[Expr])> =
        outputs.iter().map(|(name, built)| (*name, built.as_slice())).collect();
    let program = Program::lower(&graph, &inputs, &outputs);
    let series = program.taylor(9, usize::MAX).unwrap();
    let length = series.operations.len();
    (crate::kernel::tests::outputs(&Kernel::new(&series), point), length)
}

/// Two masses that are coupled, with an equation of first order that they drive: M v̇ = f with M01 = cos(a − b), where
/// sin b is a place.
#[test]
fn accelerations_that_are_left_unsolved_have_the_coefficients_of_the_solution() {
    let t_y: [(&str, &[&str]); 3] =
        [("t", &["t"]), ("y", &["a", "b", "va", "vb", "z"]), ("parameters", &["p"])];
    let point = [0.4, 0.3, -0.7, 1.1, 0.5, 0.2, 1.7];
    let force_a = "(p*sin(t) - sin(a)*vb^2 + tanh(va*vb)*z)";
    let force_b = "(va/(2 + b^2) - sin(b) + cos(b)*sin(b)*vb^2)";
    let solution = |force_a: &str, force_b: &str| {
        let determinant = "(3*(1 + cos(b)^2) - cos(a - b)^2)";
        [
            format!("({force_a}*(1 + cos(b)^2) - {force_b}*cos(a - b))/{determinant}"),
            format!("(3*{force_b} - cos(a - b)*{force_a})/{determinant}"),
        ]
    };
    let [of_a, of_b] = solution(force_a, force_b);
    let explicit: [(&str, &[&str]); 1] = [("rate", &["va", "vb", &of_a, &of_b, "va*z - t"])];
    let (expected, length) = from_groups(&t_y, &explicit, &point);

    let unsolved: [(&str, &[&str]); 3] = [
        ("accelerations", &["acc_a", "acc_b"]),
        ("residuals", &["left_a", "left_b"]),
        ("derivatives", &["speed_rate"]),
    ];
    let [found_a, found_b] = solution("left_a", "left_b");
    // the mass at sin b accelerates by the rate of cos(b) vb
    let left_a = format!("{force_a} - 3*acc_a - cos(a - b)*acc_b");
    let left_b = "va/(2 + b^2) - sin(b) - cos(a - b)*acc_a - acc_b - cos(b)*speed_rate";
    let outputs: [(&str, &[&str]); 4] = [
        ("rate", &["va", "vb", "acc_a", "acc_b", "va*z - t"]),
        ("accelerations", &[&found_a, &found_b]),
        ("residuals", &[&left_a, left_b]),
        ("derivatives", &["cos(b)*vb"]),
    ];
    let (found, shorter) = from_groups(&[&t_y[..], &unsolved].concat(), &outputs, &point);
    for (at, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        assert_close(found, expected, &format!("component {}, order {}", at % 5, at / 5 + 1));
    }
    assert!(shorter < length, "{shorter} and {length} operations");
}

/// (sinc(a)² vb)' = f, by the rate of sinc(a) vb: the slopes of sinc never come back to it.
#[test]
fn slopes_without_end_have_the_last_coefficient_too() {
    let t_y: [(&str, &[&str]); 3] =
        [("t", &["t"]), ("y", &["a", "b", "va", "vb"]), ("parameters", &["p"])];
    let point = [0.4, 0.3, -0.7, 1.1, 0.5, 1.7];
    let turned = "dsinc(1, a)*va*sinc(a)*vb";
    let of_b = format!("(p*cos(b) - 2*{turned})/sinc(a)^2");
    let explicit: [(&str, &[&str]); 1] = [("rate", &["va", "vb", "-a", &of_b])];
    let (expected, _) = from_groups(&t_y, &explicit, &point);

    let unsolved: [(&str, &[&str]); 3] =
        [("accelerations", &["acc"]), ("residuals", &["left"]), ("derivatives", &["speed_rate"])];
    let left = format!("p*cos(b) - {turned} - sinc(a)*speed_rate");
    let outputs: [(&str, &[&str]); 4] = [
        ("rate", &["va", "vb", "-a", "acc"]),
        ("accelerations", &["left/sinc(a)^2"]),
        ("residuals", &[&left]),
        ("derivatives", &["sinc(a)*vb"]),
    ];
    let (found, _) = from_groups(&[&t_y[..], &unsolved].concat(), &outputs, &point);
    for (at, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        assert_close(found, expected, &format!("component {}, order {}", at % 4, at / 4 + 1));
    }
}
