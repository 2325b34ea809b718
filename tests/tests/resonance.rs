//! How resonance peaks move and shrink, against a reference and a closed form.

use catena::Model;
use catena::analysis::{
    Branch, PeakChoice, Resonance, ResonanceError, ResponseRequest, fit_decay, fit_line, resonance,
    response,
};
use catena::ensemble::Axis;
use catena_tests::{ready, written};
use serde_json::Value;

/// `tests/reference/triple_response.json` says where it comes from.
fn reference() -> Value {
    let text = include_str!("../reference/triple_response.json");
    serde_json::from_str(text).expect("the reference is JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn followed(model: &Model, request: &ResponseRequest, choice: PeakChoice) -> Resonance {
    let found = resonance(model, request, choice, &|_| false);
    found.unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

fn request(model: &Model, values: Vec<f64>, friction: &[f64]) -> ResponseRequest {
    ResponseRequest {
        parameter: Some(Axis { name: "R".into(), values: friction.to_vec() }),
        certify: false,
        ..ResponseRequest::new(model, values)
    }
}

#[test]
fn the_first_resonance_at_a_fixed_frequency_shrinks_as_the_reference_says() {
    let model = ready("triple-pendulum", &[]);
    let reference = &reference()["fixed_frequency"];
    let rows: Vec<&Value> = reference["rows"].as_array().expect("rows").iter().skip(4).collect();
    let friction: Vec<f64> = rows.iter().map(|row| number(&row[0])).collect();
    let request = request(&model, vec![number(&reference["f"])], &friction);
    let found = response(&model, &request, &|_| false).expect("it has a response");
    for (curve, row) in found.curves.iter().zip(rows) {
        let [point] = curve.points.as_slice() else { panic!("one frequency") };
        assert!(point.settled);
        for angle in 0..3 {
            let error = (point.amplitudes[angle] / number(&row[angle + 1]) - 1.0).abs();
            assert!(error < 1e-4, "R = {:?}: {error:.1e}", curve.value);
        }
    }
}

/// The reference has the highest point of a grid of 0.001 Hz beside which the response jumps.
#[test]
fn the_first_peak_shrinks_as_the_reference_says() {
    let model = ready("triple-pendulum", &[]);
    let all = reference();
    let rows: Vec<&Value> = all["first_peak"].as_array().expect("rows").iter().collect();
    let rows: Vec<&Value> = rows.into_iter().skip(5).step_by(7).collect();
    let friction: Vec<f64> = rows.iter().map(|row| number(&row["R"])).collect();
    let grid = (308..=315).map(|at| f64::from(at) / 1000.0).collect();
    let request = ResponseRequest { refinements: 0, ..request(&model, grid, &friction) };
    let found = followed(&model, &request, PeakChoice::Highest);
    for (curve, row) in found.response.curves.iter().zip(rows) {
        for angle in 0..3 {
            let height = |at: &usize| curve.points[*at].amplitudes[angle];
            let highest = (0..8).max_by(|a, b| height(a).total_cmp(&height(b))).expect("points");
            let error = (height(&highest) / number(&row["theta"][angle]) - 1.0).abs();
            assert!(error < 1e-3, "R = {:?}: {error:.1e}", curve.value);
            assert_eq!(curve.points[highest].frequency, number(&row["f"][angle]));
        }
    }
}

#[test]
fn the_second_peak_moves_with_friction_as_the_reference_says() {
    let model = ready("triple-pendulum", &[]);
    let all = reference();
    let rows: Vec<&Value> = all["second_peak"].as_array().expect("rows").iter().collect();
    let friction = [0.1, 0.3, 0.5];
    let grid = Axis::linear("f", 0.6675, 0.8275, 17).values;
    let found = followed(&model, &request(&model, grid, &friction), PeakChoice::Number(1));
    for (angle, (track, slope)) in found.tracks.iter().zip([0.29, 0.43, 0.23]).enumerate() {
        assert_eq!(track.rows.len(), 3);
        for row in &track.rows {
            let peak = row.peak.as_ref().expect("a peak");
            let expected = rows.iter().find(|other| number(&other["R"]) == row.value);
            let expected = expected.expect("the reference has it");
            let error = (peak.frequency / number(&expected["f"][angle]) - 1.0).abs();
            assert!(peak.settled && error < 0.005, "R = {}: {error:.1e}", row.value);
            let error = (peak.amplitude / number(&expected["theta"][angle]) - 1.0).abs();
            assert!(error < 0.02, "R = {}: {error:.1e}", row.value);
        }
        let found = track.slope_between(0.1, 0.3).expect("both have a peak");
        assert!((found - slope).abs() < 0.03, "{}: {found}", track.output);
        let [first, second] = track.slopes()[..] else { panic!("two slopes") };
        assert_eq!(first, Some(found));
        assert!(second < first, "{}: the shift fades", track.output);
        let shift = track.shift.expect("three peaks");
        assert!(shift.points == 3 && shift.slope > 0.0 && shift.slope_error > 0.0);
        assert!(track.decay.expect("three peaks").rate > 0.0);
    }
}

/// ẍ + c ẋ + x = F cos ωt: the peak lies at √(1 − c²/2) with the height F/(c √(1 − c²/4)).
#[test]
fn the_peak_of_an_oscillator_moves_along_its_closed_form() {
    let model = written(
        r#"
        parameters = { R = 0.3, F = 0.1, omega = 1 }
        coordinates = { x = "displacement" }
        energy.kinetic = "1/2*x'^2"
        energy.potential = "1/2*x^2"
        energy.dissipation = "1/2*R*x'^2"
        forces = { x = "F*cos(omega*t)" }
        "#,
    );
    let damping: [f64; 4] = [0.3, 0.4, 0.5, 0.6];
    let grid = Axis::linear("omega", 0.5, 1.3, 17).values;
    let found = followed(&model, &request(&model, grid, &damping), PeakChoice::Highest);
    let frequencies = damping.map(|c| (1.0 - 0.5 * c * c).sqrt());
    let heights = damping.map(|c| 0.1 / (c * (1.0 - 0.25 * c * c).sqrt()));
    let (shift, decay) = (fit_line(&damping, &frequencies), fit_decay(&damping, &heights));
    let (shift, decay) = (shift.expect("four points"), decay.expect("four points"));
    let track = &found.tracks[0];
    let (found_shift, found_decay) = (track.shift.expect("peaks"), track.decay.expect("peaks"));
    assert!((found_shift.slope / shift.slope - 1.0).abs() < 1e-3);
    assert!((found_shift.r_squared - shift.r_squared).abs() < 1e-3);
    assert!((found_decay.rate / decay.rate - 1.0).abs() < 1e-4);
    assert!((found_decay.rate_error / decay.rate_error - 1.0).abs() < 1e-3);
}

#[test]
fn what_cannot_be_followed_says_why() {
    let model = ready("triple-pendulum", &[]);
    let asked = request(&model, vec![0.3, 0.4], &[0.5]);
    let refused = |request: &ResponseRequest, choice: PeakChoice| {
        resonance(&model, request, choice, &|_| false).expect_err("nothing is to be followed")
    };
    assert_eq!(refused(&asked, PeakChoice::Number(0)), ResonanceError::NoSuchPeak);
    let both = ResponseRequest { branches: vec![Branch::Up, Branch::Down], ..asked.clone() };
    assert_eq!(refused(&both, PeakChoice::Highest), ResonanceError::SeveralBranches);
    let none = ResponseRequest { parameter: None, ..asked };
    assert_eq!(refused(&none, PeakChoice::Highest), ResonanceError::NoParameter);
}
