//! The period of every ready system, found from its equations.

use catena::analysis::{DrivePeriod, PeriodError};
use catena_tests::{ready, written};
use std::f64::consts::TAU;

fn period(name: &str, settings: &[&str]) -> Result<f64, PeriodError> {
    let model = ready(name, settings);
    DrivePeriod::find(&model)?.at(&model.parameter_values())
}

#[test]
fn ready_systems_have_the_period_of_their_drive_or_none() {
    let g: f64 = 9.81;
    for system in catena::systems::SYSTEMS {
        let expected = match system.name {
            "driven-pendulum" => Some(TAU / (2.0 / 3.0 * g.sqrt())),
            "triple-pendulum" | "pendulum-chain" => Some(2.0),
            // motors that turn a crank evenly: everything is the same again after a turn
            "quick-return" => Some(TAU / 4.0),
            "dwell-linkage" => {
                Some(TAU / ready("dwell-linkage", &[]).parameter("omega").expect("a rate"))
            }
            _ => None,
        };
        match (period(system.name, &[]), expected) {
            (Ok(found), Some(expected)) => {
                assert!((found / expected - 1.0).abs() < 1e-12, "{}: {found} s", system.name);
            }
            // a push that comes once
            (found, None) if system.name == "desk-lamp" => {
                assert_eq!(found, Err(PeriodError::Uneven));
            }
            (found, None) => assert_eq!(found, Err(PeriodError::NoDrive), "{}", system.name),
            (found, expected) => panic!("{}: {found:?}, not {expected:?}", system.name),
        }
    }
}

#[test]
fn the_period_follows_the_parameters_whatever_they_are_called() {
    let model = ready("driven-pendulum", &[]);
    let found = DrivePeriod::find(&model).expect("a drive");
    let mut other = model.clone();
    let tune = model.parameters.iter().position(|it| it.entry.name == "tune").expect("tune");
    other.change_parameters(|at| (at == tune).then_some(0.9));
    let tuned = found.at(&other.parameter_values()).expect("a period");
    assert!((tuned - TAU / (0.9 * 9.81_f64.sqrt())).abs() < 1e-12, "{tuned} s");
    // a drive that is switched off still has its beat
    let beat = period("triple-pendulum", &["eta0=0"]).expect("the beat of the pivot");
    assert!((beat - 2.0).abs() < 1e-12, "{beat} s");
}

#[test]
fn motors_of_other_rates_have_a_common_period() {
    let model = written(
        r#"
        parameters = { w = 3 }
        [[body]]
        name = "crank"
        mass = 1
        length = 0.2
        [[body]]
        name = "arm"
        mass = 1
        length = 0.3
        [[joint]]
        name = "O"
        type = "revolute"
        between = [[0, 0], "crank.A"]
        [[joint]]
        name = "B"
        type = "revolute"
        between = ["crank.B", "arm.A"]
        [[motor]]
        name = "first"
        joint = "O"
        angle = "w*t"
        [[motor]]
        name = "second"
        joint = "B"
        angle = "-2/3*w*t"
        "#,
    );
    let found = DrivePeriod::find(&model).expect("a drive").at(&model.parameter_values());
    assert!((found.expect("a period") - TAU).abs() < 1e-12);
}
