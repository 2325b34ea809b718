//! Families of periodic motions and equilibria, against closed forms, references and settled responses.

use catena::Model;
use catena::analysis::{
    Branch, ContinuationRequest, FollowedKind, FollowedQuantity, MotionPoint, ResponseRequest,
    SolutionCurves, SpecialKind, Watch, continuation, response,
};
use catena_tests::{ready, written};
use std::f64::consts::{PI, TAU};

fn over(model: &Model, parameter: &str, range: [f64; 2]) -> ContinuationRequest {
    ContinuationRequest::new(model, FollowedQuantity::Parameter(parameter.to_owned()), range)
}

fn followed(model: &Model, request: &ContinuationRequest) -> SolutionCurves {
    let found = continuation(model, request, &Watch::UNSEEN);
    found.unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

/// Special points of one kind on all branches, in the order in which they were found.
fn special(found: &SolutionCurves, kind: SpecialKind) -> Vec<&MotionPoint> {
    let points = found.branches.iter().flat_map(|branch| &branch.points);
    points.filter(|point| point.special.is_some_and(|special| special.kind == kind)).collect()
}

fn last(found: &SolutionCurves) -> &MotionPoint {
    found.branches[0].points.last().expect("a branch has points")
}

fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
}

/// One first-order equation of x with a parameter mu.
fn scalar(rate: &str, x: f64) -> Model {
    written(&format!("parameters.mu = 1\nstates.x = \"{rate}\"\ninitial.x = {x}"))
}

#[test]
fn lorenz_equilibria_branch_at_1_and_begin_to_swing_at_470_19ths() {
    let model = ready("lorenz", &[]);
    let rest =
        ContinuationRequest { kind: FollowedKind::Equilibria, ..over(&model, "rho", [0.5, 30.0]) };
    let found = followed(&model, &rest);
    let [pitchfork] = special(&found, SpecialKind::Pitchfork)[..] else { panic!("one") };
    assert_near(pitchfork.parameter, 1.0, 1e-10);
    let [hopf] = special(&found, SpecialKind::Hopf)[..] else { panic!("one") };
    assert_near(hopf.parameter, 470.0 / 19.0, 1e-10);
    let side = (8.0_f64 / 3.0 * (470.0 / 19.0 - 1.0)).sqrt();
    assert_near(hopf.amplitudes[0].abs(), side, 1e-9);
    // the product of the eigenvalues on the axis: β(σ + ρ)
    assert_near(hopf.eigenvalues[0].im.powi(2), 8.0 / 3.0 * (10.0 + 470.0 / 19.0), 1e-7);
    assert!(hopf.special.and_then(|special| special.error).is_some_and(|error| error < 1e-9));
}

#[test]
fn folds_and_branch_points_of_equilibria_are_where_they_are_by_hand() {
    let rest = |model: &Model, range| {
        let request = over(model, "mu", range);
        followed(model, &ContinuationRequest { kind: FollowedKind::Equilibria, ..request })
    };
    // x² = mu
    let found = rest(&scalar("mu - x^2", 1.0), [1.0, -1.0]);
    let [fold] = special(&found, SpecialKind::Fold)[..] else { panic!("one") };
    assert_near(fold.parameter, 0.0, 1e-10);
    let back = last(&found);
    assert_near(back.amplitudes[0], -1.0, 1e-9);
    assert!(found.branches[0].points[0].is_stable() && !back.is_stable());
    // x = 0 and x = mu
    let found = rest(&scalar("mu*x - x^2", 0.0), [-1.0, 1.0]);
    let [crossing] = special(&found, SpecialKind::BranchPoint)[..] else { panic!("one") };
    assert_near(crossing.parameter, 0.0, 1e-10);
    assert_eq!(found.branches.len(), 3);
    for branch in &found.branches[1..] {
        assert!(
            branch.points.iter().all(|point| (point.amplitudes[0] - point.parameter).abs() < 1e-9)
        );
    }
}

/// r' = r(mu − r²) turns at the rate 2: a circle of radius √mu with the multiplier exp(−2 mu T).
#[test]
fn motions_that_begin_at_a_hopf_point_are_the_circles_of_the_normal_form() {
    let model = written(
        "parameters.mu = -1\n[states]\nx = \"mu*x - 2*y - x*(x^2 + y^2)\"\ny = \"2*x + mu*y - y*(x^2 + y^2)\"",
    );
    let request = ContinuationRequest {
        kind: FollowedKind::Equilibria,
        from_hopf: true,
        ..over(&model, "mu", [-0.5, 1.0])
    };
    let found = followed(&model, &request);
    let [hopf] = special(&found, SpecialKind::Hopf)[..] else { panic!("one") };
    assert_near(hopf.parameter, 0.0, 1e-10);
    let circles = &found.branches[1];
    assert_eq!(
        (circles.kind, circles.origin.map(|(branch, _)| branch)),
        (FollowedKind::Motions, Some(0))
    );
    for point in &circles.points {
        assert_near(point.amplitudes[0], point.parameter.sqrt(), 1e-6);
        assert_near(point.period, PI, 1e-7);
        assert_near(point.multipliers[0].log_modulus, -2.0 * point.parameter * PI, 1e-5);
        assert!(point.trivial_error.is_some_and(|error| error < 1e-6) && point.is_stable());
    }
    assert_near(circles.points.last().expect("points").parameter, 1.0, 1e-12);
}

/// Periods, amplitudes and logarithms of multipliers found once by another code; the periods stand in textbooks.
#[test]
fn van_der_pol_has_its_periods_and_multipliers_however_small_they_are() {
    let model = written(
        "parameters.mu = 1\n[states]\nx = \"y\"\ny = \"mu*(1 - x^2)*y - x\"\n[initial]\nx = 2\n[run]\nt_end = 40",
    );
    let check = |point: &MotionPoint, period: f64, amplitude: f64, logarithm: f64| {
        assert_near(point.period, period, 2e-9);
        assert_near(point.amplitudes[0], amplitude, 2e-8);
        assert_near(point.multipliers[0].log_modulus / logarithm, 1.0, 1e-4);
        assert!(point.is_stable() && point.trivial_error.is_some_and(|error| error < 1e-5));
    };
    let found = followed(&model, &over(&model, "mu", [1.0, 5.0]));
    check(&found.branches[0].points[0], 6.663286859, 2.00861986, -7.0590);
    check(last(&found), 11.612230668, 2.02150805, -85.453);
    let found = followed(&model, &over(&model, "mu", [10.0, 9.8]));
    check(&found.branches[0].points[0], 19.078369567, 2.01428536, -311.85);
}

/// The first doublings of the driven pendulum, by shooting with another code.
#[test]
fn the_driven_pendulum_doubles_its_period_where_the_reference_says() {
    let model = ready("driven-pendulum", &[]);
    let request = ContinuationRequest { depth: 1, ..over(&model, "drive", [1.05, 1.081]) };
    let found = followed(&model, &request);
    let doublings = special(&found, SpecialKind::PeriodDoubling);
    let expected = [1.0663728625, 1.0793139059];
    assert_eq!(doublings.len(), expected.len());
    for (point, expected) in doublings.iter().zip(expected) {
        assert_near(point.parameter, expected, 1e-9);
        assert_near(point.multipliers[0].value().re, -1.0, 1e-6);
        assert!(point.special.and_then(|special| special.error).is_some_and(|error| error < 1e-8));
    }
    assert_eq!(found.branches[1].multiple, Some(2));
    // Liouville: the product of the multipliers is exp(−c T/m l²)
    let point = &found.branches[0].points[0];
    let sum: f64 = point.multipliers.iter().map(|value| value.log_modulus).sum();
    assert_near(sum, -0.5 * 9.81_f64.sqrt() * point.period, 1e-8);
}

/// Without a drive, where the period is unknown: Rössler's equations with a = b = 0.2.
#[test]
fn cycles_without_a_drive_double_their_period() {
    let model = written(
        "parameters.c = 2.5\n[states]\nx = \"-y - z\"\ny = \"x + 0.2*y\"\nz = \"0.2 + z*(x - c)\"\n\
         [initial]\nx = 1\ny = 1\n[run]\nt_end = 100",
    );
    let request = ContinuationRequest { depth: 1, ..over(&model, "c", [2.6, 3.9]) };
    let found = followed(&model, &request);
    let doublings = special(&found, SpecialKind::PeriodDoubling);
    assert_eq!(doublings.len(), 2);
    for (point, expected) in doublings.iter().zip([2.832, 3.837]) {
        assert_near(point.parameter, expected, 1e-3);
        assert!(point.trivial_error.is_some_and(|error| error < 1e-7));
    }
    // the doubled cycle begins with twice the period
    let begin = &found.branches[1].points[0];
    assert_near(begin.period / doublings[0].period, 2.0, 1e-2);
}

/// The curve turns at both folds; where it is stable it is the response, up and down.
#[test]
fn a_softening_resonance_is_followed_through_both_folds_and_equals_its_settled_response() {
    let model = written(
        "parameters = { F = 0.12, c = 0.1, omega = 1 }\ncoordinates = { x = \"\" }\n[energy]\nkinetic = \"1/2*x'^2\"\n\
         potential = \"1/2*x^2 - x^4/24\"\ndissipation = \"1/2*c*x'^2\"\n[forces]\nx = \"F*cos(omega*t)\"",
    );
    let found = followed(&model, &over(&model, "omega", [0.7, 1.2]));
    let folds = special(&found, SpecialKind::Fold);
    assert_eq!(folds.len(), 2);
    assert!(folds[1].parameter < folds[0].parameter);
    let unstable = found.branches[0].points.iter().filter(|point| !point.is_stable()).count();
    assert!(unstable > 3 && last(&found).is_stable());
    let between = 0.5 * (folds[0].parameter + folds[1].parameter);
    let ends = [[0.7, between], [1.2, between]].map(|range| {
        let found =
            followed(&model, &ContinuationRequest { depth: 0, ..over(&model, "omega", range) });
        last(&found).amplitudes[0]
    });
    // in steps that stay on the branch, and the frequency between the folds
    let mut values: Vec<f64> = (0..=50).map(|step| 0.7 + 0.01 * f64::from(step)).collect();
    values.push(between);
    values.sort_by(f64::total_cmp);
    let mut request = ResponseRequest::new(&model, values.clone());
    let at = values.iter().position(|value| *value == between).expect("it is there");
    request.branches = vec![Branch::Up, Branch::Down];
    request.transient.tolerance = 1e-9;
    let settled = response(&model, &request, &|_| false).expect("it has a response");
    for (curve, end) in settled.curves.iter().zip(ends) {
        assert!(curve.points[at].settled);
        assert_near(curve.points[at].amplitudes[0] / end, 1.0, 1e-7);
    }
    assert!(ends[1] > 2.0 * ends[0]);
}

/// The rod of `single-pendulum`, by constraints: T = 2π √(2l/3g) / AGM(1, cos θ₀/2).
#[test]
fn the_backbone_of_a_pendulum_is_the_elliptic_integral() {
    let model = ready("single-pendulum", &[]);
    let request = ContinuationRequest {
        columns: vec!["theta".into()],
        ..ContinuationRequest::new(&model, FollowedQuantity::Period, [4.0, 8.0])
    };
    let found = followed(&model, &request);
    assert_eq!(found.branches.len(), 2);
    let small = TAU * (20.0 / (3.0 * 9.81_f64)).sqrt();
    for point in found.branches.iter().flat_map(|branch| &branch.points) {
        let (mut a, mut b) = (1.0, (point.amplitudes[0] / 2.0).cos());
        for _ in 0..8 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        assert_near(point.period, small / a, 1e-7);
        assert_near(point.unfolding, 0.0, 1e-8);
    }
    assert_near(last(&found).period, 8.0, 1e-9);
    assert!(found.branches[1].end.contains("shrink to a state of rest"));
}

/// A slider-crank turned by a motor against friction, closed by constraints and as one equation of its crank angle.
#[test]
fn a_closed_chain_turned_by_a_motor_has_the_multipliers_of_its_minimal_form() {
    let closed = ready("slider-crank", &["c=5"]);
    let minimal = written(
        "[parameters]\ng = 9.81\nr = 0.1\nl = 0.3\nJ1 = 0.05\nm2 = 0.4\nm3 = 0.5\nJ2 = \"m2*l^2/12\"\nc = 5\n\
         torque = 0.5\n[coordinates]\ntheta = \"\"\n[definitions]\nphi = \"-asin(r/l*sin(theta))\"\n\
         x2 = \"r*cos(theta) + l/2*cos(phi)\"\ny2 = \"r/2*sin(theta)\"\nx3 = \"r*cos(theta) + l*cos(phi)\"\n\
         [energy]\nkinetic = \"1/2*J1*theta'^2 + 1/2*m2*(x2'^2 + y2'^2) + 1/2*J2*phi'^2 + 1/2*m3*x3'^2\"\n\
         potential = \"m2*g*y2\"\ndissipation = \"1/2*c*x3'^2\"\n[forces]\ntheta = \"torque\"\n\
         [initial]\ntheta = \"45 deg\"\n\"theta'\" = 10",
    );
    let ends = [&closed, &minimal].map(|model| {
        let columns = vec!["theta'".to_owned(), "x3".to_owned()];
        let found =
            followed(model, &ContinuationRequest { columns, ..over(model, "torque", [0.5, 0.6]) });
        let points = &found.branches[0].points;
        [points[0].clone(), points[points.len() - 1].clone()]
    });
    let [closed, minimal] = ends;
    for (closed, minimal) in closed.iter().zip(&minimal) {
        assert_eq!((closed.multipliers.len(), minimal.multipliers.len()), (1, 1));
        assert_near(closed.period, minimal.period, 1e-10);
        assert_near(
            closed.multipliers[0].log_modulus / minimal.multipliers[0].log_modulus,
            1.0,
            1e-6,
        );
        assert_near(closed.amplitudes[0], minimal.amplitudes[0], 1e-7);
        assert!(closed.trivial_error.is_some_and(|error| error < 1e-6) && closed.is_stable());
    }
}

/// A pendulum under a periodic torque by its angle, and by x and y with its rod as a constraint that is written twice.
#[test]
fn redundant_constraints_add_no_multipliers() {
    let common = "parameters = { c = 0.3, A = 3, Omega = 3.5 }\n";
    let angle = written(&format!(
        "{common}coordinates = {{ a = \"\" }}\n[energy]\nkinetic = \"1/2*a'^2\"\npotential = \"-9.81*cos(a)\"\n\
         dissipation = \"1/2*c*a'^2\"\n[forces]\na = \"A*cos(Omega*t)\"",
    ));
    let closed = written(&format!(
        "{common}coordinates = {{ x = \"\", y = \"\" }}\n[energy]\nkinetic = \"1/2*(x'^2 + y'^2)\"\npotential = \"9.81*y\"\n\
         dissipation = \"1/2*c*(x'^2 + y'^2)\"\n[forces]\nx = \"-A*cos(Omega*t)*y\"\ny = \"A*cos(Omega*t)*x\"\n\
         [constraints]\nrod = \"x^2 + y^2 - 1\"\nagain = \"sqrt(x^2 + y^2) - 1\"\n[initial]\nx = 0\n\"x'\" = 0\n\
         [guess]\ny = -1",
    ));
    let [angle, closed] = [&angle, &closed].map(|model| {
        let found =
            followed(model, &ContinuationRequest { depth: 0, ..over(model, "Omega", [3.5, 3.4]) });
        last(&found).clone()
    });
    assert_eq!((angle.multipliers.len(), closed.multipliers.len()), (2, 2));
    for (a, b) in angle.multipliers.iter().zip(&closed.multipliers) {
        assert_near(a.log_modulus, b.log_modulus, 1e-8);
        assert_near(a.argument.abs(), b.argument.abs(), 1e-8);
    }
    // half the width of x is the sine of the largest angle
    assert_near(closed.amplitudes[0], angle.amplitudes[0].sin(), 1e-8);
}

/// exp((mu ± 1.3i) T) crosses the unit circle at mu = 0, while a state of its own follows the drive.
#[test]
fn a_pair_of_multipliers_crosses_the_unit_circle_where_it_must() {
    let model = written(
        "parameters = { mu = 0, w = 2 }\n[states]\nx = \"mu*x - 1.3*y - x*(x^2 + y^2)\"\n\
         y = \"1.3*x + mu*y - y*(x^2 + y^2)\"\nz = \"cos(w*t) - z\"",
    );
    let found = followed(&model, &over(&model, "mu", [-0.2, 0.3]));
    let [torus] = special(&found, SpecialKind::NeimarkSacker)[..] else { panic!("one") };
    assert_near(torus.parameter, 0.0, 1e-8);
    let angle = (1.3 * PI - TAU).abs();
    assert_near(torus.multipliers[0].argument.abs(), angle, 1e-7);
    let point = &found.branches[0].points[0];
    // z = (cos wt + w sin wt)/(1 + w²)
    assert_near(point.amplitudes[2], 1.0 / 5.0_f64.sqrt(), 1e-8);
    assert_near(point.multipliers[2].log_modulus, -point.period, 1e-8);
}

/// A rotation goes on by a turn in each period of the drive.
#[test]
fn a_rotating_pendulum_is_periodic_up_to_whole_turns() {
    let model = ready("driven-pendulum", &[]);
    let request = ContinuationRequest { depth: 0, ..over(&model, "drive", [1.35, 1.36]) };
    let found = followed(&model, &request);
    let point = last(&found);
    assert!(point.is_stable() && point.amplitudes[0] < PI, "{point:?}");
    let sum: f64 = point.multipliers.iter().map(|value| value.log_modulus).sum();
    assert_near(sum, -0.5 * 9.81_f64.sqrt() * point.period, 1e-8);
}

#[test]
fn a_continuation_that_is_stopped_keeps_its_points() {
    let model = ready("driven-pendulum", &[]);
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let stop = |_: f64| asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 3;
    let watch = Watch { stop: &stop, ..Watch::UNSEEN };
    let found =
        continuation(&model, &over(&model, "drive", [0.9, 1.0]), &watch).expect("it begins");
    assert!(!found.complete && found.branches[0].points.len() == 4);
}

/// The branch of the lopsided swing, its doubled one, and so on.
#[test]
#[ignore = "tests/full runs it: many motions of sixteen periods"]
fn four_doublings_of_the_driven_pendulum_are_where_the_reference_says() {
    let model = ready("driven-pendulum", &[]);
    let request = ContinuationRequest { depth: 4, ..over(&model, "drive", [0.9, 1.1]) };
    let found = followed(&model, &request);
    assert_near(special(&found, SpecialKind::Pitchfork)[0].parameter, 1.0043194774, 1e-9);
    let expected = [1.0663728625, 1.0793139059, 1.0820843843, 1.0826783527];
    let doublings = special(&found, SpecialKind::PeriodDoubling);
    assert_eq!(doublings.len(), expected.len());
    for (point, expected) in doublings.iter().zip(expected) {
        assert_near(point.parameter, expected, 3e-9);
    }
}

/// Softening, through both folds; at the same frequencies the sweeps up and down have the same amplitudes.
#[test]
#[ignore = "tests/full runs it: transients of a lightly damped system"]
fn the_first_resonance_of_the_triple_pendulum_equals_the_sweeps_up_and_down() {
    let model = ready("triple-pendulum", &[]);
    let found = followed(&model, &over(&model, "f", [0.25, 0.4]));
    let folds: Vec<f64> =
        special(&found, SpecialKind::Fold).iter().map(|point| point.parameter).collect();
    assert_eq!(folds.len(), 2);
    assert!(folds[1] < folds[0]);
    let values: Vec<f64> = (0..=11).map(|step| 0.265 + 0.005 * f64::from(step)).collect();
    let mut request = ResponseRequest::new(&model, values.clone());
    request.branches = vec![Branch::Up, Branch::Down];
    request.transient.tolerance = 1e-9;
    request.transient.max_blocks *= 4;
    let settled = response(&model, &request, &|_| false).expect("it has a response");
    for (curve, from) in settled.curves.iter().zip([0.25, 0.4]) {
        for at in [7, 8] {
            let request = ContinuationRequest { depth: 0, ..over(&model, "f", [from, values[at]]) };
            let found = followed(&model, &request);
            for (settled, end) in curve.points[at].amplitudes.iter().zip(&last(&found).amplitudes) {
                assert_near(settled / end, 1.0, 1e-6);
            }
        }
    }
}
