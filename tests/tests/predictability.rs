//! The horizon of prediction in the certificate, beside the one that two runs measure.

use catena::simulation::Certificate;
use catena::{Model, RunSettings};
use catena_tests::ready;

fn certificate(model: &Model, t_end: f64, rtol: f64) -> Certificate {
    let settings = RunSettings {
        t_end: Some(t_end),
        rtol: Some(rtol),
        certify: true,
        ..RunSettings::default()
    };
    catena::run(model, &settings).unwrap_or_else(|error| panic!("{error}")).certificate
}

#[test]
fn the_horizon_from_the_exponent_is_near_the_one_that_two_runs_measure() {
    for (name, set, t_end) in [
        ("double-pendulum", &[][..], 40.0),
        ("double-pendulum-cartesian", &[], 40.0),
        ("driven-pendulum", &[], 200.0),
        ("lorenz", &[], 40.0),
        ("chain", &["links=4"], 25.0),
    ] {
        let certificate = certificate(&ready(name, set), t_end, 1e-6);
        let measured = certificate.estimate.expect("it is certified").valid_until;
        let found = certificate.predictability.unwrap_or_else(|| panic!("{name} is chaotic"));
        let ratio = found.horizon / measured;
        assert!((0.4..2.5).contains(&ratio), "{name}: {found:?}, {measured} s");
        assert!(found.longest_horizon > 2.0 * found.horizon, "{name}: {found:?}");
    }
}

#[test]
fn a_hundredth_of_the_tolerance_is_good_for_as_long_as_the_exponent_says() {
    let model = ready("double-pendulum", &[]);
    let [loose, tight] = [1e-6, 1e-8].map(|rtol| certificate(&model, 40.0, rtol));
    let measured = [&tight, &loose].map(|it| it.estimate.expect("it is certified").valid_until);
    let exponent = loose.predictability.expect("it is chaotic").exponent;
    let ratio = (measured[0] - measured[1]) * exponent / 100.0_f64.ln();
    assert!((0.4..2.5).contains(&ratio), "{measured:?}, {exponent}");
}

#[test]
fn regular_motions_have_no_horizon() {
    for (name, set) in [("double-pendulum", &["theta1=0.1", "theta2=0.1"][..]), ("four-bar", &[])] {
        assert_eq!(certificate(&ready(name, set), 20.0, 1e-6).predictability, None, "{name}");
    }
}
