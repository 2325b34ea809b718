use super::*;
use crate::{Notation, parse};

/// The simplified text in the syntax of model files; single capital letters and m, g are constants.
fn simplified(text: &str) -> String {
    let mut graph = Graph::new();
    let mut constants = FxHashSet::default();
    for name in ["A", "B", "J", "L", "L1", "L2", "k", "m", "m1", "m2", "m3", "g"] {
        let symbol = graph.symbol(name);
        constants.insert(graph.as_symbol(symbol).unwrap());
    }
    for name in ["a", "b", "c", "x", "y", "theta1", "theta2"] {
        graph.symbol(name);
    }
    let expr = parse(text).unwrap().build_plain(&mut graph);
    let simple = Simplifier::new(constants).simplify(&mut graph, expr);
    Notation::of(&graph, simple).to_formula()
}

#[test]
fn like_terms_cancel_across_parentheses() {
    assert_eq!(simplified("(x + y)^2 - x^2 - y^2 - 2*x*y"), "0");
    assert_eq!(simplified("x*(y + 1) - x*y"), "x");
    assert_eq!(simplified("1/2*m*x + 1/2*m*x"), "m*x");
}

#[test]
fn sine_and_cosine_squared_are_one() {
    assert_eq!(simplified("sin(a)^2 + cos(a)^2"), "1");
    assert_eq!(simplified("m*L^2*sin(a)^2 + m*L^2*cos(a)^2"), "L^2*m");
    assert_eq!(simplified("(m1 + m2)*sin(a)^2 + m1*cos(a)^2"), "m1 + m2*sin(a)^2");
    assert_eq!(simplified("x - x*sin(a)^2"), "x*cos(a)^2");
    assert_eq!(simplified("x*cos(a)^2 - x*sin(a)^2"), "x*cos(2*a)");
}

#[test]
fn products_become_angle_differences() {
    assert_eq!(simplified("cos(a)*cos(b) + sin(a)*sin(b)"), "cos(a - b)");
    assert_eq!(simplified("sin(b)*sin(a) + cos(b)*cos(a)"), "cos(a - b)");
    assert_eq!(simplified("cos(a)*cos(b) - sin(a)*sin(b)"), "cos(a + b)");
    assert_eq!(simplified("sin(a)*sin(b) - cos(a)*cos(b)"), "-cos(a + b)");
    assert_eq!(simplified("sin(a)*cos(b) - cos(a)*sin(b)"), "sin(a - b)");
    assert_eq!(simplified("sin(b)*cos(a) - cos(b)*sin(a)"), "-sin(a - b)");
    assert_eq!(simplified("sin(a)*cos(b) + cos(a)*sin(b)"), "sin(a + b)");
    assert_eq!(simplified("cos(a)*cos(a + b) + sin(a)*sin(a + b)"), "cos(b)");
    assert_eq!(simplified("cos(a - b)*cos(c) - sin(a - b)*sin(c)"), "cos(a - b + c)");
}

#[test]
fn a_product_of_sine_and_cosine_stays_a_product() {
    assert_eq!(simplified("m*sin(a)*cos(a)"), "m*sin(a)*cos(a)");
    assert_eq!(simplified("x*sin(a)^2*cos(a)^2"), "x*sin(a)^2*cos(a)^2");
}

#[test]
fn common_factors_come_out() {
    assert_eq!(
        simplified("g*m1*L1*sin(theta1) + g*m2*L1*sin(theta1) + g*m3*L1*sin(theta1)"),
        "L1*g*(m1 + m2 + m3)*sin(theta1)"
    );
    assert_eq!(simplified("k*x - k*y"), "k*(x - y)");
    assert_eq!(simplified("m1*L^2/3 + m2*L^2"), "1/3*L^2*(m1 + 3*m2)");
    assert_eq!(
        simplified(
            "m2*L1*L2*(cos(theta2)*cos(theta1) + sin(theta1)*sin(theta2)) + m3*L1*L2*cos(theta2 - theta1)"
        ),
        "L1*L2*(m2 + m3)*cos(theta1 - theta2)"
    );
}

#[test]
fn powers_and_quotients_reduce() {
    assert_eq!(simplified("x^3/x"), "x^2");
    assert_eq!(simplified("2*x/(4*y)"), "1/2*x/y");
    assert_eq!(
        simplified("k*(sqrt(x^2 + y^2) - L)*x/sqrt(x^2 + y^2)"),
        "k*x - L*k*x/sqrt(x^2 + y^2)"
    );
    assert_eq!(simplified("1/(m*L + m*L*x)"), "1/(L*m*(x + 1))");
}

#[test]
fn what_would_explode_stays_as_it_is() {
    let long: Vec<String> = (0..60).map(|i| format!("x{i}")).collect();
    let sum = long.join("+");
    let product = format!("({sum})*({sum})*({sum})");
    assert!(simplified(&product).len() < 100_000);
}
