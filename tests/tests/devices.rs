//! Sweeps on a device: its source, compiled as C++, gives what lanes give.

use catena::ensemble::{
    Axis, Block, ChosenDevice, Grid, Measure, Precision, Schedule, Statistic, Sweep, SweepOptions,
    read_measure,
};
use catena::integrator::Options;
use catena::symbolic::parse;
use catena_compile::InstructionSet;
use catena_tests::host_device::HostDevice;
use catena_tests::ready;
use std::sync::Arc;

/// What is swept.
struct Case {
    system: &'static str,
    settings: &'static [&'static str],
    formulation: &'static str,
    axis: Axis,
    measures: &'static [&'static str],
    t_end: &'static str,
    every: &'static str,
    after: Option<&'static str>,
}

impl Case {
    fn options(&self, integrator: &str, precision: Option<Precision>) -> SweepOptions {
        let formula = |text: &str| parse(text).unwrap();
        let integrator = catena::integrator::find(integrator).unwrap();
        let device = |precision| ChosenDevice { device: Arc::new(HostDevice { places: 5 }), precision };
        SweepOptions {
            formulation: catena::formulation::find(self.formulation).unwrap(),
            formulation_options: catena::formulation::OptionValues::default(),
            integration: Options::default(),
            schedule: Schedule {
                t_start: None,
                t_end: formula(self.t_end),
                every: Some(formula(self.every)),
                after: self.after.map(formula),
                step: (!integrator.adaptive).then(|| formula("0.01")),
            },
            integrator,
            instruction_set: InstructionSet::best(),
            device: precision.map(device),
        }
    }

    /// The block of all cells.
    fn block(&self, integrator: &str, precision: Option<Precision>) -> Block {
        let model = ready(self.system, self.settings);
        let grid = Grid { axes: vec![self.axis.clone()] };
        let measures: Vec<Measure> =
            self.measures.iter().map(|text| read_measure(text).unwrap()).collect();
        let options = self.options(integrator, precision);
        let sweep = Sweep::new(&model, grid, measures, options).unwrap();
        sweep.worker().run(0..sweep.len(), &|| false).unwrap()
    }
}

fn triple_pendulum() -> Case {
    Case {
        system: "triple-pendulum",
        settings: &["theta2=0.4"],
        formulation: "minimal",
        axis: Axis::linear("theta1", 0.1, 1.5, 23),
        measures: &["last:theta1", "max:theta2'", "mean:energy", "rms:theta3"],
        t_end: "3",
        every: "0.07",
        after: None,
    }
}

fn assert_close(found: &Block, expected: &Block, tolerance: f64, what: &str) {
    assert_eq!(found.failures, expected.failures, "{what}");
    for (i, (found, expected)) in found.values.iter().zip(&expected.values).enumerate() {
        let both_absent = found.is_nan() && expected.is_nan();
        let close = (found - expected).abs() <= tolerance * expected.abs().max(1.0);
        assert!(close || both_absent, "{what}, number {i}: {found} and {expected}");
    }
}

#[test]
fn a_device_gives_what_lanes_give() {
    let case = triple_pendulum();
    for integrator in ["rk4", "dopri5", "dop853", "taylor"] {
        let expected = case.block(integrator, None);
        let found = case.block(integrator, Some(Precision::F64));
        assert!(expected.failures.is_empty());
        assert_close(&found, &expected, 1e-11, integrator);
    }
}
