//! The two systems of the closed-chain study: every derived matrix against the formulas of the
//! study, written out by hand, and the start of the linkage against its stored pose.

use catena::simulation::FindingKind;
use catena::{CoordinateSet, Diagnosis, Model, Source};
use catena_tests::{Compiled, Random, difference, random_setting, ready};

const STATES: usize = 100;
/// Both sides multiply the same few numbers: they may differ in the last digit.
const ROUNDING: f64 = 1e-14;

/// Largest differences of M, Q, Φq and γ, each relative to its largest entry.
#[derive(Default)]
struct Worst([f64; 4]);

impl Worst {
    fn compare(&mut self, at: usize, found: &[f64], expected: &[f64]) {
        self.0[at] = self.0[at].max(difference(found, expected));
    }

    fn assert_rounding(&self, name: &str) {
        println!("{name}: M, Q, Φq, γ differ by {:?}", self.0);
        assert!(self.0.iter().all(|&gap| gap <= ROUNDING), "{name}: {:?}", self.0);
    }
}

fn diagonal(entries: &[f64]) -> Vec<f64> {
    let n = entries.len();
    (0..n * n).map(|k| if k / n == k % n { entries[k / n] } else { 0.0 }).collect()
}

/// A ready system with random parameters; what depends on them (J) follows.
fn varied(name: &str, parameters: &[&str], random: &mut Random) -> (Model, Vec<f64>) {
    let settings: Vec<String> =
        parameters.iter().map(|parameter| random_setting(random, parameter, 0.3, 3.0)).collect();
    let model = ready(name, &settings.iter().map(String::as_str).collect::<Vec<_>>());
    let value = |name: &&str| model.parameter(name).expect("a parameter of this name");
    let values = parameters.iter().map(value).collect();
    (model, values)
}

#[test]
fn single_pendulum_has_the_matrices_of_the_study() {
    let mut random = Random::new(1);
    let mut worst = Worst::default();
    for _ in 0..STATES {
        let (model, p) = varied("single-pendulum", &["g", "m", "l"], &mut random);
        let (g, m, l) = (p[0], p[1], p[2]);
        let mut compiled = Compiled::new(&model, CoordinateSet::Own);
        let (q, v) = (random.several(3, -4.0, 4.0), random.several(3, -5.0, 5.0));
        let found = compiled.at(0.0, &q, &v);
        let (s, c) = q[2].sin_cos();
        let (h, w) = (l / 2.0, v[2] * v[2]);
        worst.compare(0, &found.mass_matrix, &diagonal(&[m, m, m * l * l / 12.0]));
        worst.compare(1, &found.forces, &[0.0, -m * g, 0.0]);
        worst.compare(2, &found.constraint_jacobian, &[1.0, 0.0, -h * c, 0.0, 1.0, -h * s]);
        worst.compare(3, &found.gamma, &[-h * w * s, h * w * c]);
    }
    worst.assert_rounding("single-pendulum");
}

/// Φ, Φq (8 × 9) and γ of the linkage at a state, as in the study; cᵢ, sᵢ are cosine and sine of θᵢ
/// and wᵢ its squared rate.
fn four_bar_by_hand(length: &[f64], q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (l1, l2, l3, l4) = (length[0], length[1], length[2], length[3]);
    let (x2, y2, x3, y3, x4, y4) = (q[0], q[1], q[3], q[4], q[6], q[7]);
    let [(s2, c2), (s3, c3), (s4, c4)] = [q[2], q[5], q[8]].map(f64::sin_cos);
    let [w2, w3, w4] = [v[2], v[5], v[8]].map(|rate| rate * rate);
    let constraints = vec![
        x2 - l2 / 2.0 * c2,
        y2 - l2 / 2.0 * s2,
        x3 - l2 * c2 - l3 / 2.0 * c3,
        y3 - l2 * s2 - l3 / 2.0 * s3,
        x4 - (l1 + l2 * c2 + l3 * c3) / 2.0,
        y4 - (l2 * s2 + l3 * s3) / 2.0,
        l2 * c2 + l3 * c3 - l1 - l4 * c4,
        l2 * s2 + l3 * s3 - l4 * s4,
    ];
    let (h2, h3) = (l2 / 2.0, l3 / 2.0);
    #[rustfmt::skip]
    let jacobian = vec![
    //  x2   y2   theta2    x3   y3   theta3    x4   y4   theta4
        1.0, 0.0,  h2 * s2, 0.0, 0.0, 0.0,      0.0, 0.0, 0.0,
        0.0, 1.0, -h2 * c2, 0.0, 0.0, 0.0,      0.0, 0.0, 0.0,
        0.0, 0.0,  l2 * s2, 1.0, 0.0,  h3 * s3, 0.0, 0.0, 0.0,
        0.0, 0.0, -l2 * c2, 0.0, 1.0, -h3 * c3, 0.0, 0.0, 0.0,
        0.0, 0.0,  h2 * s2, 0.0, 0.0,  h3 * s3, 1.0, 0.0, 0.0,
        0.0, 0.0, -h2 * c2, 0.0, 0.0, -h3 * c3, 0.0, 1.0, 0.0,
        0.0, 0.0, -l2 * s2, 0.0, 0.0, -l3 * s3, 0.0, 0.0,  l4 * s4,
        0.0, 0.0,  l2 * c2, 0.0, 0.0,  l3 * c3, 0.0, 0.0, -l4 * c4,
    ];
    let gamma = vec![
        -h2 * c2 * w2,
        -h2 * s2 * w2,
        -l2 * c2 * w2 - h3 * c3 * w3,
        -l2 * s2 * w2 - h3 * s3 * w3,
        -(l2 * c2 * w2 + l3 * c3 * w3) / 2.0,
        -(l2 * s2 * w2 + l3 * s3 * w3) / 2.0,
        l2 * c2 * w2 + l3 * c3 * w3 - l4 * c4 * w4,
        l2 * s2 * w2 + l3 * s3 * w3 - l4 * s4 * w4,
    ];
    (constraints, jacobian, gamma)
}

#[test]
fn four_bar_has_the_matrices_of_the_study() {
    let mut random = Random::new(2);
    let mut worst = Worst::default();
    for _ in 0..STATES {
        let names = ["g", "L1", "L2", "L3", "L4", "m2", "m3", "m4"];
        let (model, p) = varied("four-bar", &names, &mut random);
        let (g, length, mass) = (p[0], &p[1..5], &p[5..8]);
        let mut compiled = Compiled::new(&model, CoordinateSet::Own);
        let (q, v) = (random.several(9, -4.0, 4.0), random.several(9, -5.0, 5.0));
        let found = compiled.at(0.0, &q, &v);
        let inertia = |i: usize| mass[i] * length[i + 1] * length[i + 1] / 12.0;
        let masses: Vec<f64> = (0..3).flat_map(|i| [mass[i], mass[i], inertia(i)]).collect();
        let weights: Vec<f64> = mass.iter().flat_map(|m| [0.0, -m * g, 0.0]).collect();
        let (constraints, jacobian, gamma) = four_bar_by_hand(length, &q, &v);
        worst.compare(0, &found.mass_matrix, &diagonal(&masses));
        worst.compare(1, &found.forces, &weights);
        worst.compare(2, &found.constraint_jacobian, &jacobian);
        worst.compare(3, &found.gamma, &gamma);
        assert!(difference(&found.constraints, &constraints) <= ROUNDING);
        assert!(found.constraint_rate.iter().all(|&rate| rate == 0.0), "nothing is prescribed");
    }
    worst.assert_rounding("four-bar");
}

fn diagnosed(settings: &[&str]) -> (Model, Diagnosis) {
    let model = ready("four-bar", settings);
    let diagnosis = catena::diagnose(&model);
    assert!(diagnosis.can_run() && diagnosis.findings.is_empty(), "{:?}", diagnosis.findings);
    (model, diagnosis)
}

/// One crank angle is given; the rest follows, on the open branch. The stored angles have twelve
/// digits.
#[test]
fn four_bar_assembles_to_the_stored_pose() {
    let (_, diagnosis) = diagnosed(&[]);
    let start = diagnosis.start.expect("assembled");
    let angles = [start.q[2], start.q[5], start.q[8]];
    let expected = [std::f64::consts::FRAC_PI_3, 0.527804473939, 1.59889575997];
    println!("four-bar start: {:.1e}", difference(&angles, &expected));
    for (found, expected) in angles.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-10, "{found} and {expected}");
    }
    let (constraints, ..) = four_bar_by_hand(&[1.0, 0.4, 0.9, 0.8], &start.q, &start.v);
    assert!(difference(&constraints, &[0.0; 8]) <= 1e-13, "{constraints:?}");
    assert_eq!(start.v, [0.0; 9], "at rest");
}

#[test]
fn a_spinning_crank_carries_the_other_links_along() {
    let (model, diagnosis) = diagnosed(&["theta2'=12"]);
    let start = diagnosis.start.expect("assembled");
    assert_eq!(start.v[2], 12.0, "what is given is kept");
    let values = Compiled::new(&model, CoordinateSet::Own).at(0.0, &start.q, &start.v);
    let rates: Vec<f64> = values
        .constraint_jacobian
        .chunks(9)
        .map(|row| row.iter().zip(&start.v).map(|(entry, v)| entry * v).sum())
        .collect();
    println!("spinning four-bar: Φq v = {:.1e}", difference(&rates, &[0.0; 8]));
    assert!(rates.iter().all(|rate| rate.abs() <= 1e-12), "{rates:?}");
    // loop closure by hand: the rates of coupler and rocker from that of the crank
    let [t2, t3, t4] = [start.q[2], start.q[5], start.q[8]];
    let coupler = 12.0 * 0.4 * (t4 - t2).sin() / (0.9 * (t3 - t4).sin());
    let rocker = 12.0 * 0.4 * (t3 - t2).sin() / (0.8 * (t3 - t4).sin());
    assert!((start.v[5] - coupler).abs() <= 1e-12, "{} and {coupler}", start.v[5]);
    assert!((start.v[8] - rocker).abs() <= 1e-12, "{} and {rocker}", start.v[8]);
}

/// The linkage with one more constraint.
fn with_constraint(text: &str) -> Diagnosis {
    let system = catena::systems::find("four-bar").expect("in the zoo");
    let text = system.text.replace("[initial]", &format!("{text}\n[initial]"));
    let model = catena::read(Source::new("four-bar.toml", text), &[]).expect("a sound model");
    catena::diagnose(&model)
}

#[test]
fn a_copy_of_a_constraint_is_named_as_redundant_and_does_no_harm() {
    let diagnosis = with_constraint(r#"again = "2*L2*cos(theta2) - 4*x2""#);
    assert!(diagnosis.can_run(), "{:?}", diagnosis.findings);
    assert_eq!(diagnosis.freedom_by_count(), 0, "nine coordinates, nine constraints");
    assert_eq!(diagnosis.freedom_by_rank(), 1, "but one way to move is left");
    let [finding] = diagnosis.findings.as_slice() else { panic!("{:?}", diagnosis.findings) };
    let FindingKind::Redundant { constraint, others } = &finding.kind else {
        panic!("{:?}", finding.kind)
    };
    // either of the two can be called the copy
    let mut pair = [constraint.as_str(), others[0].as_str()];
    pair.sort_unstable();
    assert_eq!((pair, others.len()), (["again", "phi1"], 1));
    assert!(
        finding.kind.message().contains("`again`") && finding.kind.message().contains("`phi1`")
    );
}

#[test]
fn a_constraint_that_follows_from_several_others_is_redundant_with_their_names() {
    // the end of the coupler, written from the centre of the rocker: phi5 and phi7 say it already
    let diagnosis = with_constraint(r#"closure = "x4 - L1 - L4/2*cos(theta4)""#);
    assert!(diagnosis.can_run(), "{:?}", diagnosis.findings);
    assert_eq!(diagnosis.freedom_by_rank(), 1);
    let [finding] = diagnosis.findings.as_slice() else { panic!("{:?}", diagnosis.findings) };
    let FindingKind::Redundant { constraint, others } = &finding.kind else {
        panic!("{:?}", finding.kind)
    };
    let mut names: Vec<&str> = others.iter().map(String::as_str).chain([&**constraint]).collect();
    names.sort_unstable();
    assert_eq!(names, ["closure", "phi5", "phi7"]);
}

#[test]
fn a_shifted_copy_of_a_constraint_is_named_as_contradictory() {
    let diagnosis = with_constraint(r#"shifted = "x2 - L2/2*cos(theta2) - 0.01""#);
    assert!(!diagnosis.can_run());
    assert_eq!(diagnosis.start, None, "there is no such pose");
    let [finding] = diagnosis.findings.as_slice() else { panic!("{:?}", diagnosis.findings) };
    let FindingKind::Contradictory { constraint, others, mismatch } = &finding.kind else {
        panic!("{:?}", finding.kind)
    };
    let mut pair = [constraint.as_str(), others[0].as_str()];
    pair.sort_unstable();
    assert_eq!((pair, others.len()), (["phi1", "shifted"], 1));
    assert!((mismatch - 0.01).abs() < 1e-9, "a centimetre apart, not {mismatch}");
}
