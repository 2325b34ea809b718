//! Time in the energies and in the constraints: a turning hoop, a shaken pivot, a rod that is
//! turned. What is prescribed in time does work and brings forces that a model at rest never shows,
//! so each is compared with formulas derived by hand.

use catena::derivation::{Thoroughness, check};
use catena::{CoordinateSet, Equations, Model};
use catena_tests::{
    Compiled, Random, accelerations, difference, random_setting, ready, values, written,
};
use std::f64::consts::PI;

const STATES: usize = 100;

/// The value of a parameter.
fn parameter(model: &Model, name: &str) -> f64 {
    model.parameter(name).unwrap_or_else(|| panic!("there is a parameter {name}"))
}

/// A ready system whose parameters all have random values, each different.
fn with_random_parameters(name: &str, parameters: &[&str], random: &mut Random) -> Model {
    let settings: Vec<String> =
        parameters.iter().map(|parameter| random_setting(random, parameter, 0.3, 2.0)).collect();
    ready(name, &settings.iter().map(String::as_str).collect::<Vec<_>>())
}

/// m R² θ̈ = m R² ω² sin θ cos θ − m g R sin θ − c θ̇. The model is written in space with the time in
/// it; time must cancel, and what remains of the turning is the centrifugal term.
#[test]
fn a_bead_on_a_turning_hoop_feels_the_centrifugal_force_and_no_time() {
    let mut random = Random::new(1);
    let mut worst = 0.0_f64;
    for _ in 0..STATES {
        let names = ["g", "m", "R", "omega", "c"];
        let model = with_random_parameters("bead-on-hoop", &names, &mut random);
        let [g, m, r, omega, c] = names.map(|name| parameter(&model, name));
        let (t, theta, rate) =
            (random.between(0.0, 10.0), random.between(-4.0, 4.0), random.between(-5.0, 5.0));
        let found = values(&model, CoordinateSet::Own, t, &[theta], &[rate]);
        let centrifugal = m * r * r * omega * omega * theta.sin() * theta.cos();
        let force = centrifugal - m * g * r * theta.sin() - c * rate;
        worst = worst.max(difference(&found.mass_matrix, &[m * r * r]));
        worst = worst.max(difference(&found.forces, &[force]));
    }
    println!("bead on a hoop: {worst:.1e}");
    assert!(worst <= 1e-12, "{worst:e}");
}

/// M θ̈ + N θ̇² + R θ̇ + P + f = 0 with the entries written out for any number of links.
struct MatrixForm {
    mass: Vec<f64>,
    length: Vec<f64>,
    friction: Vec<f64>,
    g: f64,
    eta0: f64,
    frequency: f64,
}

impl MatrixForm {
    /// Mass of link k and everything below it.
    fn carried(&self, k: usize) -> f64 {
        self.mass[k..].iter().sum()
    }

    fn mu(&self, i: usize, j: usize) -> f64 {
        self.carried(i.max(j)) * self.length[i] * self.length[j]
    }

    fn mass_matrix(&self, angles: &[f64]) -> Vec<f64> {
        let n = angles.len();
        let entry = |k: usize| self.mu(k / n, k % n) * (angles[k / n] - angles[k % n]).cos();
        (0..n * n).map(entry).collect()
    }

    /// −(N θ̇² + R θ̇ + P + f)
    fn forces(&self, t: f64, angles: &[f64], rates: &[f64]) -> Vec<f64> {
        let n = angles.len();
        let w = 2.0 * PI * self.frequency;
        let shaking = -self.eta0 * w * w * (w * t).cos();
        let mut forces = vec![0.0; n];
        for k in 0..n {
            let weight = self.carried(k) * self.length[k];
            forces[k] -= weight * self.g * angles[k].sin();
            forces[k] -= weight * angles[k].cos() * shaking;
            for j in 0..n {
                forces[k] -= self.mu(k, j) * (angles[k] - angles[j]).sin() * rates[j] * rates[j];
            }
            // the joint above link k, then the one below it
            let above = if k == 0 { 0.0 } else { rates[k - 1] };
            forces[k] -= self.friction[k] * (rates[k] - above);
            if k + 1 < n {
                forces[k] += self.friction[k + 1] * (rates[k + 1] - rates[k]);
            }
        }
        forces
    }

    /// The largest difference of M and Q at random states.
    fn worst_difference(&self, model: &Model, random: &mut Random) -> f64 {
        let mut compiled = Compiled::new(model, CoordinateSet::Own);
        let n = self.mass.len();
        let mut worst = 0.0_f64;
        for _ in 0..STATES {
            let t = random.between(0.0, 5.0);
            let (q, v) = (random.several(n, -4.0, 4.0), random.several(n, -5.0, 5.0));
            let found = compiled.at(t, &q, &v);
            worst = worst.max(difference(&found.mass_matrix, &self.mass_matrix(&q)));
            worst = worst.max(difference(&found.forces, &self.forces(t, &q, &v)));
        }
        worst
    }
}

#[test]
fn a_triple_pendulum_on_a_shaken_pivot_has_the_matrix_form_of_the_study() {
    let mut random = Random::new(2);
    let mut worst = 0.0_f64;
    for _ in 0..10 {
        let names = ["g", "m1", "m2", "m3", "L1", "L2", "L3", "R", "eta0", "f"];
        let model = with_random_parameters("triple-pendulum", &names, &mut random);
        let [g, m1, m2, m3, l1, l2, l3, r, eta0, f] = names.map(|name| parameter(&model, name));
        let form = MatrixForm {
            mass: vec![m1, m2, m3],
            length: vec![l1, l2, l3],
            friction: vec![r; 3],
            g,
            eta0,
            frequency: f,
        };
        worst = worst.max(form.worst_difference(&model, &mut random));
    }
    println!("triple pendulum: {worst:.1e}");
    assert!(worst <= 1e-12, "{worst:e}");
}

/// One matrix form serves any number of links, with a different friction in every joint.
#[test]
fn a_chain_of_any_length_on_a_shaken_pivot_has_the_matrix_form_of_the_study() {
    let mut random = Random::new(3);
    for links in 1..=10 {
        let form = MatrixForm {
            mass: random.several(links, 0.3, 2.0),
            length: random.several(links, 0.3, 2.0),
            friction: random.several(links, 0.0, 1.0),
            g: 9.81,
            eta0: random.between(0.1, 0.5),
            frequency: random.between(0.3, 1.5),
        };
        let model = written(&format!(
            "parameters = {{ eta0 = {:?}, f = {:?} }}\n[chain]\nlinks = {links}\nshape = \"bob\"\n\
             mass = {:?}\nlength = {:?}\nfriction = {:?}\npivot.x = \"eta0*cos(2*pi*f*t)\"\n",
            form.eta0, form.frequency, form.mass, form.length, form.friction
        ));
        let worst = form.worst_difference(&model, &mut random);
        println!("{links} links: {worst:.1e}");
        assert!(worst <= 1e-12, "{links} links: {worst:e}");
    }
}

/// A bead on a straight rod through the origin that is turned by the angle φ(t).
fn turned_rod(angle: &str) -> Model {
    written(&format!(
        r#"
        parameters = {{ m = 0.7, g = 9.81, w = 1.3, a = 0.9 }}
        coordinates = {{ x = "bead, x", y = "bead, y" }}
        [definitions]
        phi = "{angle}"
        [energy]
        kinetic = "1/2*m*(x'^2 + y'^2)"
        potential = "m*g*y"
        [constraints]
        rod = "y*cos(phi) - x*sin(phi)"
        [initial]
        x = 1
        "x'" = 0
        "#
    ))
}

/// Φ, Φq, Φt and γ by hand, with c = cos φ and s = sin φ:
/// Φ = y c − x s, Φq = (−s, c), Φt = −φ̇ (x c + y s), Φqt = −φ̇ (c, s),
/// Φtt = −φ̈ (x c + y s) − φ̇² Φ, γ = −2 Φqt v − Φtt.
fn turned_rod_by_hand(phi: [f64; 3], [x, y]: [f64; 2], [vx, vy]: [f64; 2]) -> [f64; 5] {
    let [phi, rate, acceleration] = phi;
    let (s, c) = phi.sin_cos();
    let gap = y * c - x * s;
    let along = x * c + y * s;
    let mixed = -rate * (c * vx + s * vy);
    let twice = -acceleration * along - rate * rate * gap;
    [gap, -s, c, -rate * along, -2.0 * mixed - twice]
}

#[test]
fn the_constraint_of_a_turned_rod_has_the_derivatives_found_by_hand() {
    let (w, a) = (1.3, 0.9);
    // at a steady rate Φqt is not zero; with an acceleration Φtt is not zero even on the rod
    type Motion = fn(f64, f64, f64) -> [f64; 3];
    let cases: [(&str, Motion); 2] = [
        ("w*t", |w, _, t| [w * t, w, 0.0]),
        ("w*t + 1/2*a*t^2", |w, a, t| [w * t + 0.5 * a * t * t, w + a * t, a]),
    ];
    for (text, motion) in cases {
        let mut compiled = Compiled::new(&turned_rod(text), CoordinateSet::Own);
        let mut random = Random::new(4);
        let mut worst = 0.0_f64;
        for _ in 0..STATES {
            let t = random.between(0.0, 4.0);
            let q = [random.between(-3.0, 3.0), random.between(-3.0, 3.0)];
            let v = [random.between(-3.0, 3.0), random.between(-3.0, 3.0)];
            let found = compiled.at(t, &q, &v);
            let expected = turned_rod_by_hand(motion(w, a, t), q, v);
            let found = [
                found.constraints[0],
                found.constraint_jacobian[0],
                found.constraint_jacobian[1],
                found.constraint_rate[0],
                found.gamma[0],
            ];
            worst = worst.max(difference(&found, &expected));
        }
        println!("rod turned by {text}: {worst:.1e}");
        assert!(worst <= 1e-12, "{text}: {worst:e}");
    }
}

/// In the frame of the rod: r̈ = r ω² − g sin ωt, and the rod pushes with m g cos ωt + 2 m ω ṙ.
/// Without the factor two of the mixed term Coriolis's part would be halved.
#[test]
fn a_steadily_turned_rod_pushes_with_coriolis_force() {
    let model = turned_rod("w*t");
    let [m, g, w] = ["m", "g", "w"].map(|name| parameter(&model, name));
    let mut compiled = Compiled::new(&model, CoordinateSet::Own);
    let mut random = Random::new(5);
    let mut worst = 0.0_f64;
    for _ in 0..STATES {
        let t = random.between(0.0, 4.0);
        let (r, rate) = (random.between(0.2, 3.0), random.between(-3.0, 3.0));
        let (s, c) = (w * t).sin_cos();
        let q = [r * c, r * s];
        let v = [rate * c - r * w * s, rate * s + r * w * c];
        let (found, multipliers) = accelerations(&compiled.at(t, &q, &v));
        let along = r * w * w - g * s;
        let [radial, across] = [along - r * w * w, 2.0 * w * rate];
        let expected = [radial * c - across * s, radial * s + across * c];
        worst = worst.max(difference(&found, &expected));
        // −λ Φq is the force on the bead, and Φq is the unit vector across the rod
        let push = m * g * c + 2.0 * m * w * rate;
        worst = worst.max(difference(&[-multipliers[0]], &[push]));
    }
    println!("Coriolis: {worst:.1e}");
    assert!(worst <= 1e-12, "{worst:e}");
}

/// Φ = x² + y² − ℓ² with ℓ = a + b sin ωt, a pendulum whose thread is drawn in and let out:
/// Φt = −2 ℓ ℓ̇, γ = −2 (ẋ² + ẏ²) + 2 (ℓ̇² + ℓ ℓ̈). Here Φqt is zero and Φtt is not.
#[test]
fn the_constraint_of_a_thread_that_is_drawn_in_has_the_derivatives_found_by_hand() {
    let model = written(
        r#"
        parameters = { m = 0.7, g = 9.81, a = 1.5, b = 0.4, w = 2.3 }
        coordinates = { x = "bob, x", y = "bob, y" }
        definitions = { thread = "a + b*sin(w*t)" }
        [energy]
        kinetic = "1/2*m*(x'^2 + y'^2)"
        potential = "m*g*y"
        [constraints]
        length = "x^2 + y^2 - thread^2"
        [initial]
        x = 0
        [guess]
        y = -1.5
        "#,
    );
    let (a, b, w) = (1.5, 0.4, 2.3);
    let mut compiled = Compiled::new(&model, CoordinateSet::Own);
    let mut random = Random::new(6);
    let mut worst = 0.0_f64;
    for _ in 0..STATES {
        let t = random.between(0.0, 4.0);
        let q = [random.between(-3.0, 3.0), random.between(-3.0, 3.0)];
        let v = [random.between(-3.0, 3.0), random.between(-3.0, 3.0)];
        let found = compiled.at(t, &q, &v);
        let (s, c) = (w * t).sin_cos();
        let (thread, rate, acceleration) = (a + b * s, b * w * c, -b * w * w * s);
        let turning = -2.0 * (v[0] * v[0] + v[1] * v[1]);
        let gamma = turning + 2.0 * (rate * rate + thread * acceleration);
        worst = worst.max(difference(&found.constraint_jacobian, &[2.0 * q[0], 2.0 * q[1]]));
        worst = worst.max(difference(&found.constraint_rate, &[-2.0 * thread * rate]));
        worst = worst.max(difference(&found.gamma, &[gamma]));
    }
    println!("thread: {worst:.1e}");
    assert!(worst <= 1e-12, "{worst:e}");
}

/// The bead of a turned rod must move across at the start: Φq v + Φt = 0 with Φt not zero.
#[test]
fn the_start_on_a_turned_rod_has_the_velocity_of_the_rod() {
    let diagnosis = catena::diagnose(&turned_rod("w*t"));
    assert!(diagnosis.can_run(), "{diagnosis:?}");
    let start = diagnosis.start.expect("assembled");
    assert!(difference(&start.q, &[1.0, 0.0]) <= 1e-12, "{:?}", start.q);
    assert!(difference(&start.v, &[0.0, 1.3]) <= 1e-12, "x' = 0 is given, y' = w x: {:?}", start.v);
}

/// One moving measure s = t x² + x sin ωt, used in three ways: its rate as a definition, its rate
/// in an energy, itself in a constraint.
const MEASURE: &str = r#"
    parameters = { m = 0.7, w = 1.3 }
    coordinates = { x = "", u = "" }
    [definitions]
    s = "t*x^2 + x*sin(w*t)"
    rate = "s'"
    momentum = "m*rate"
    [energy]
    kinetic = "1/2*momentum*s' + 1/2*m*u'^2"
    [constraints]
    tie = "u - s"
    [initial]
    x = 1
"#;

/// ṡ and s̈ by hand; ∂s/∂x comes third.
fn measure_by_hand(t: f64, [x, v, a]: [f64; 3]) -> [f64; 3] {
    let w = 1.3;
    let (sin, cos) = (w * t).sin_cos();
    let slope = 2.0 * t * x + sin;
    let rate = slope * v + x * x + w * x * cos;
    let curvature = slope * a + 2.0 * t * v * v + 2.0 * (2.0 * x + w * cos) * v - w * w * x * sin;
    [rate, curvature, slope]
}

#[test]
fn the_prime_of_a_definition_is_its_total_derivative_with_the_explicit_time() {
    let model = written(MEASURE);
    let equations = Equations::derive(&model, &model.own);
    let mut random = Random::new(7);
    let mut worst = 0.0_f64;
    for _ in 0..STATES {
        let (t, x, v) =
            (random.between(0.0, 4.0), random.between(-2.0, 2.0), random.between(-2.0, 2.0));
        let found = equations.graph.evaluate(&equations.definitions, |name| match name {
            "t" => t,
            "x" => x,
            "x'" => v,
            "m" => 0.7,
            "w" => 1.3,
            other => panic!("{other} is no part of s"),
        });
        let [rate, ..] = measure_by_hand(t, [x, v, 0.0]);
        let s = t * x * x + x * (1.3 * t).sin();
        worst = worst.max(difference(&found, &[s, rate, 0.7 * rate]));
    }
    println!("total derivative: {worst:.1e}");
    assert!(worst <= 1e-12, "{worst:e}");
}

/// With T = ½ m ṡ² Lagrange's equation says m s̈ ∂s/∂x, so M ẍ − Q must be that for any ẍ; and the
/// constraint u − s differentiated twice says ü − s̈, so Φq v̇ − γ must be that. The two go through
/// the derivation on different ways and contain the same second derivative.
#[test]
fn the_second_derivative_of_a_definition_is_the_same_in_energy_and_constraint() {
    let model = written(MEASURE);
    let mut compiled = Compiled::new(&model, CoordinateSet::Own);
    let mut random = Random::new(8);
    let mut worst = 0.0_f64;
    for _ in 0..STATES {
        let t = random.between(0.0, 4.0);
        let (q, v) = (random.several(2, -2.0, 2.0), random.several(2, -2.0, 2.0));
        let a = random.several(2, -2.0, 2.0);
        let found = compiled.at(t, &q, &v);
        let [_, curvature, slope] = measure_by_hand(t, [q[0], v[0], a[0]]);
        let inertia = found.mass_matrix[0] * a[0] + found.mass_matrix[1] * a[1] - found.forces[0];
        worst = worst.max(difference(&[inertia], &[0.7 * curvature * slope]));
        let jacobian = &found.constraint_jacobian;
        let constraint = jacobian[0] * a[0] + jacobian[1] * a[1] - found.gamma[0];
        worst = worst.max(difference(&[constraint], &[a[1] - curvature]));
    }
    println!("second derivative: {worst:.1e}");
    assert!(worst <= 1e-12, "{worst:e}");
}

#[test]
fn moving_models_pass_the_independent_check_as_well() {
    for model in [turned_rod("w*t"), turned_rod("w*t + 1/2*a*t^2"), written(MEASURE)] {
        let derivation = catena::derive(&model, CoordinateSet::Own).expect("both routes agree");
        println!("{:?}", derivation.agreement.expect("there are coordinates").figures());
    }
}

/// A force may pass through zero while its terms do not: the difference belongs beside the terms,
/// or a sound derivation is called wrong once in some thousand states.
#[test]
fn forces_near_zero_are_no_reason_to_doubt_a_derivation() {
    for model in [written(MEASURE), ready("bead-on-hoop", &[])] {
        let equations = Equations::derive(&model, &model.own);
        let result = check(&model, &model.own, &equations, 20_000, Thoroughness::Entries, 3);
        assert!(result.is_ok(), "{}: {result:?}", model.title);
    }
}

/// The classic of vibrational mechanics, a pendulum that stands on a fast shaken pivot, drives with
/// hundreds of radians per second; the steps of the numerical differentiation must be up to it.
#[test]
fn fast_drives_pass_the_check() {
    for frequency in ["20", "50", "200"] {
        let model = ready("triple-pendulum", &[&format!("f={frequency}")]);
        let result = catena::derive(&model, CoordinateSet::Own);
        assert!(result.is_ok(), "{frequency} Hz: {:?}", result.err());
    }
}
