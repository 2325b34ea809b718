//! Whole steps of one motion have the bits of their stages: nobody can tell where they begin.

use catena::formulation::{FirstOrder, OptionValues};
use catena::integrator::{
    Breakdown, Entry, FirstOrderSystem, INTEGRATORS, Options, Partition, Statistics, Tangent, find,
};
use catena::simulation::{Host, Prepared, Run, RunOptions};
use catena_tests::{built, ready};

/// A system that is always moved stage by stage.
struct StageByStage(FirstOrder);

impl FirstOrderSystem for StageByStage {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn magnitude_bound(&self, component: usize) -> f64 {
        self.0.magnitude_bound(component)
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        self.0.derivative(t, y, rate)
    }

    fn jacobian(
        &mut self,
        t: f64,
        y: &[f64],
        tangent: Tangent,
        jacobian: &mut [f64],
    ) -> Result<(), Breakdown> {
        self.0.jacobian(t, y, tangent, jacobian)
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Breakdown> {
        self.0.after_step(t, y)
    }

    fn partition(&self) -> Option<Partition> {
        self.0.partition()
    }
}

/// The bits of all times and states, between the steps too, and what the motion cost.
fn motion(
    entry: &Entry,
    options: &Options,
    system: &mut dyn FirstOrderSystem,
    y: &[f64],
) -> (Vec<u64>, Statistics) {
    let t_end = 0.5;
    let mut integrator = entry.build(options);
    integrator.begin(system, 0.0, y, t_end).unwrap();
    let mut bits = Vec::new();
    let mut between = vec![0.0; y.len()];
    while integrator.time() < t_end {
        integrator.step(system).unwrap();
        let (from, to) = (integrator.previous_time(), integrator.time());
        integrator.prepare_dense(system);
        integrator.interpolate(0.3 * from + 0.7 * to, &mut between);
        let numbers = std::iter::once(&to).chain(integrator.state()).chain(&between);
        bits.extend(numbers.map(|number| number.to_bits()));
    }
    (bits, integrator.statistics())
}

#[test]
fn whole_steps_have_the_bits_of_their_stages() {
    for (name, settings, formulation) in [
        ("triple-pendulum", &[][..], "minimal"),
        ("chain", &["links=3"], "minimal"),
        ("four-bar", &[], "penalty"),
    ] {
        let model = ready(name, settings);
        let mut whole = FirstOrder::new(built(&model, formulation));
        let mut staged = StageByStage(FirstOrder::new(built(&model, formulation)));
        let y: Vec<f64> = (0..whole.len()).map(|i| 0.3 + 0.1 * i as f64).collect();
        for entry in INTEGRATORS {
            let Some(method) = entry.lanes().and_then(|lanes| lanes.explicit()) else { continue };
            let steps = whole.whole_steps().expect("every formulation may be asked");
            assert!(steps.prepare(method, u32::MAX), "{name}, {}", entry.name);
            for step in
                [None, Some(1e-3)].into_iter().filter(|step| entry.adaptive || step.is_some())
            {
                let options = Options { step, rtol: 1e-7, atol: 1e-7, ..Options::default() };
                let [at_once, stage_by_stage]: [(Vec<u64>, Statistics); 2] = [
                    motion(entry, &options, &mut whole, &y),
                    motion(entry, &options, &mut staged, &y),
                ];
                assert!(at_once == stage_by_stage, "{name}, {}, {step:?}", entry.name);
            }
        }
    }
}

/// Each asks for whole steps of its own, and the system has those of one of them ready at a time.
#[test]
fn integrators_that_take_turns_do_not_run_each_others_steps() {
    let model = ready("triple-pendulum", &[]);
    let new = || FirstOrder::new(built(&model, "minimal"));
    let (mut whole, mut staged) = (new(), StageByStage(new()));
    let y: Vec<f64> = (0..whole.len()).map(|i| 0.3 + 0.1 * i as f64).collect();
    let names = ["heun", "midpoint", "rk4"];
    for name in names {
        let lanes = find(name).unwrap().lanes().unwrap();
        let steps = whole.whole_steps().expect("every formulation may be asked");
        assert!(steps.prepare(lanes.explicit().unwrap(), u32::MAX));
    }
    let options = Options { step: Some(1e-3), ..Options::default() };
    let mut in_turn = names.map(|name| find(name).unwrap().build(&options));
    let mut alone = names.map(|name| find(name).unwrap().build(&options));
    for (one, other) in in_turn.iter_mut().zip(&mut alone) {
        one.begin(&mut whole, 0.0, &y, 1.0).unwrap();
        other.begin(&mut staged, 0.0, &y, 1.0).unwrap();
    }
    for _ in 0..400 {
        for ((one, other), name) in in_turn.iter_mut().zip(&mut alone).zip(names) {
            one.step(&mut whole).unwrap();
            other.step(&mut staged).unwrap();
            assert_eq!(one.state(), other.state(), "{name} at {} s", one.time());
        }
    }
}

#[test]
fn other_parameters_are_those_of_the_steps_that_follow() {
    let model = ready("triple-pendulum", &[]);
    let mut system = FirstOrder::new(built(&model, "minimal"));
    let y: Vec<f64> = (0..system.len()).map(|i| 0.3 + 0.1 * i as f64).collect();
    let entry = find("rk4").unwrap();
    let method = entry.lanes().unwrap().explicit().unwrap();
    assert!(system.whole_steps().unwrap().prepare(method, u32::MAX));
    let mut integrator = entry.build(&Options { step: Some(1e-3), ..Options::default() });
    integrator.begin(&mut system, 0.0, &y, 1.0).unwrap();
    integrator.step(&mut system).unwrap();
    let (t, before) = (integrator.time(), integrator.state().to_vec());
    let mut rate = vec![0.0; y.len()];
    let parameters = system.formulation_mut().evaluator().parameters().to_vec();
    system.formulation_mut().begin(&parameters.iter().map(|p| 1.5 * p).collect::<Vec<f64>>());
    integrator.step(&mut system).unwrap();
    // the slope where the step ended knows them
    system.derivative(integrator.time(), integrator.state(), &mut rate).unwrap();
    let [_, (_, slope)] = integrator.ends().unwrap();
    assert_eq!(slope, rate, "from {before:?} at {t} s");
}

fn run(prepared: &mut Prepared, integrator: &str) -> Run {
    let integrator = find(integrator).unwrap();
    let step = (!integrator.adaptive).then_some(1e-3);
    let integration = Options { step, rtol: 1e-9, atol: 1e-9, ..Options::default() };
    let options = RunOptions::new(integrator, integration, 2.5, 0.1);
    prepared.run(&options, &mut Host::new(&mut || 0.0, &mut |_| false)).unwrap()
}

/// The first run has stages, and then whole steps; the next begin with them. The work of the shaken pivot and of friction is
/// carried along.
#[test]
fn the_work_has_the_same_bits_too() {
    let model = ready("triple-pendulum", &[]);
    let entry = catena::formulation::find("minimal").unwrap();
    for integrator in ["rk4", "dopri5", "dop853"] {
        let mut prepared = Prepared::new(&model, entry, OptionValues::default()).unwrap();
        let first = run(&mut prepared, integrator);
        for _ in 0..20 {
            let next = run(&mut prepared, integrator);
            assert_eq!(first.table, next.table, "{integrator}");
            let shown = |run: &Run| {
                let seen = &run.certificate;
                (seen.statistics, seen.energy_residual.to_bits(), seen.exchanged_energy.to_bits())
            };
            assert_eq!(shown(&first), shown(&next), "{integrator}");
        }
    }
}
