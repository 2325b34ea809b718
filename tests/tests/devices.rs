//! Sweeps on a device: its source, compiled as C++, gives what lanes give.

use catena::Model;
use catena::analysis::{
    Branch, OrbitRequest, ResponseCurve, ResponseRequest, ReturnMap, orbit_diagram, response,
};
use catena::ensemble::{
    Axis, Block, Blocks, ChosenDevice, Chunk, Description, Device, DeviceChoice, DeviceError,
    DeviceKernel, DeviceMemory, Found, Grid, InMemory, Measure, Precision, Schedule, Spacing,
    Sweep, SweepFailure, SweepOptions, SweepResult, SweptAxis, fill, read_measure,
};
use catena::integrator::Options;
use catena::model::RunSettings;
use catena::simulation::RunPlan;
use catena::symbolic::parse;
use catena_compile::InstructionSet;
use catena_tests::host_device::HostDevice;
use catena_tests::{ready, written};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is swept.
#[derive(Clone)]
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
        let given = |precision| {
            let device = Arc::new(HostDevice { places: 5 });
            DeviceChoice::Given(ChosenDevice { device, precision })
        };
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
            device: precision.map_or(DeviceChoice::Processor, given),
        }
    }

    fn sweep(&self, options: SweepOptions) -> Sweep {
        self.sweep_of(&ready(self.system, self.settings), options)
    }

    fn sweep_of(&self, model: &Model, options: SweepOptions) -> Sweep {
        let grid = Grid { axes: vec![self.axis.clone()] };
        let measures: Vec<Measure> =
            self.measures.iter().map(|text| read_measure(text).unwrap()).collect();
        Sweep::new(model, grid, measures, options).unwrap()
    }

    fn computed(&self, options: SweepOptions) -> Block {
        let on_device = options.device.clone();
        let sweep = self.sweep(options);
        assert_eq!(sweep.is_on_device(), !matches!(on_device, DeviceChoice::Processor));
        sweep.worker().run(0..sweep.len(), &|| false).unwrap()
    }

    fn description(&self, sweep: &Sweep) -> Description {
        let Axis { name, values } = self.axis.clone();
        Description {
            title: String::new(),
            settings: Vec::new(),
            axes: vec![SweptAxis { name, spacing: Spacing::Linear, values }],
            measures: self.measures.iter().map(|&name| name.to_owned()).collect(),
            blocks: Blocks::new(sweep.len()),
        }
    }

    /// The block of all cells.
    fn block(&self, integrator: &str, precision: Option<Precision>) -> Block {
        self.computed(self.options(integrator, precision))
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

const METHODS: [&str; 5] = ["rk4", "dopri5", "tsit5", "dop853", "taylor"];

#[test]
fn a_step_on_a_device_is_that_of_lanes_to_the_last_digits() {
    let one_step = Case { t_end: "0.01", every: "0.01", ..triple_pendulum() };
    for integrator in METHODS {
        let expected = one_step.block(integrator, None);
        let found = one_step.block(integrator, Some(Precision::F64));
        assert_close(&found, &expected, 1e-13, integrator);
    }
}

#[test]
fn a_device_gives_what_lanes_give() {
    for integrator in METHODS {
        let expected = triple_pendulum().block(integrator, None);
        let found = triple_pendulum().block(integrator, Some(Precision::F64));
        assert!(expected.failures.is_empty());
        // lanes take powers that are right to six digits for the lengths of steps by series
        let tolerance = match integrator {
            "taylor" => 1e-9,
            // its steps are many at this tolerance
            "tsit5" => 1e-10,
            _ => 1e-11,
        };
        assert_close(&found, &expected, tolerance, integrator);
    }
}

#[test]
fn constraints_rows_from_a_time_on_and_parameters_that_differ() {
    let case = Case {
        system: "double-pendulum-cartesian",
        settings: &[],
        formulation: "baumgarte",
        axis: Axis::linear("g", 5.0, 15.0, 11),
        measures: &["last:x2", "mean:y1", "min:y2", "amplitude:x1"],
        t_end: "2",
        every: "0.03",
        after: Some("0.5"),
    };
    for integrator in METHODS {
        let expected = case.block(integrator, None);
        let found = case.block(integrator, Some(Precision::F64));
        assert_close(&found, &expected, 1e-9, integrator);
    }
}

#[test]
fn first_crossings_are_found_where_lanes_find_them() {
    let seen = Case {
        system: "double-pendulum",
        settings: &["theta2=1"],
        axis: Axis::linear("theta1", 0.5, 3.0, 19),
        measures: &["time:theta1 = 0", "time:theta2 = pi", "time:theta2' = 1"],
        t_end: "4",
        ..triple_pendulum()
    };
    let with_column =
        Case { measures: &["time:theta2 = pi", "max:theta1", "time:theta1 = 0"], ..seen.clone() };
    let opposite = Case {
        settings: &["theta2=0"],
        axis: Axis::linear("theta1", 2.5, 3.0, 7),
        measures: &["time:theta2 = pi:up", "time:theta2 = pi"],
        ..seen.clone()
    };
    for integrator in METHODS {
        for case in [&seen, &with_column, &opposite] {
            let expected = case.block(integrator, None);
            let found = case.block(integrator, Some(Precision::F64));
            assert!(expected.values.iter().any(|value| value.is_nan()), "some never happen");
            assert_close(&found, &expected, 1e-8, integrator);
        }
    }
}

#[test]
fn blocks_of_a_device_are_kept_and_the_rest_computed_later() {
    let case = Case {
        system: "double-pendulum",
        settings: &[],
        axis: Axis::linear("theta1", 0.5, 3.1, 2500),
        measures: &["time:theta2 = pi", "last:theta1"],
        t_end: "2",
        ..triple_pendulum()
    };
    let sweep = case.sweep(case.options("dopri5", Some(Precision::F64)));
    let mut result = InMemory::of_any_size(case.description(&sweep), Chunk::WHOLE);
    let half = sweep.len() / 2;
    let mut fill = |most: u64| {
        let attempt = fill::<_, SweepFailure>(&sweep, &mut result, 2, &mut |it| it.done > most);
        (attempt.unwrap(), result.clone())
    };
    let (attempt, part) = fill(half);
    assert!(attempt.interrupted);
    let missing = |result: &InMemory| {
        result.expected().filter(|&block| result.get(block) == Found::Missing).count()
    };
    assert!(missing(&part) > 0 && missing(&part) < result_blocks(&sweep));
    let (attempt, whole) = fill(u64::MAX);
    assert!(!attempt.interrupted && missing(&whole) == 0);
    let expected = case.block("dopri5", None);
    for number in whole.expected() {
        let Found::Sound(block) = whole.get(number) else { panic!("block {number}") };
        let [first, last] = [block.cells.start, block.cells.end].map(|cell| 2 * cell as usize);
        let values = expected.values[first..last].to_vec();
        let expected = Block { values, failures: Vec::new(), ..block.clone() };
        assert_close(&block, &expected, 1e-7, "a block");
        assert_eq!(block.processor, "C++, f64");
    }
}

fn result_blocks(sweep: &Sweep) -> usize {
    Blocks::new(sweep.len()).count() as usize
}

#[test]
fn trajectories_that_fail_say_the_same() {
    let case = Case { t_end: "1e3", every: "1e3", ..triple_pendulum() };
    for integrator in ["dopri5", "taylor"] {
        let blocks = [None, Some(Precision::F64)].map(|precision| {
            let mut options = case.options(integrator, precision);
            options.integration.max_steps = 40;
            case.computed(options)
        });
        assert_eq!(blocks[0].failures.len(), 23);
        let words = |block: &Block| -> Vec<String> {
            let reasons = block.failures.iter().map(|(_, reason)| reason.clone());
            // times are told to the last digit
            reasons.map(|reason| reason.split("t =").next().unwrap_or("").to_owned()).collect()
        };
        assert_eq!(words(&blocks[0]), words(&blocks[1]));
    }
}

#[test]
fn single_precision_has_seven_digits() {
    for integrator in ["rk4", "dopri5"] {
        let mut case = triple_pendulum();
        case.t_end = "1";
        let expected = case.block(integrator, None);
        let found = case.block(integrator, Some(Precision::F32));
        assert_close(&found, &expected, 1e-3, integrator);
        let off = |digits: f64| {
            let pairs = found.values.iter().zip(&expected.values);
            pairs.filter(|(one, other)| (**one - **other).abs() > digits).count()
        };
        assert!(off(1e-8) > found.values.len() / 2, "it is single precision");
    }
}

#[test]
fn a_response_from_a_device_is_that_of_the_processor() {
    let model = ready("driven-pendulum", &["drive=0.3"]);
    let [expected, found] = [None, Some(Precision::F64)].map(|precision| {
        let mut request = ResponseRequest::new(&model, vec![0.05, 0.08, 0.11, 0.2]);
        request.device = triple_pendulum().options("dop853", precision).device;
        (request.refinements, request.certify) = (0, false);
        response(&model, &request, &|_| false).unwrap()
    });
    assert_eq!((expected.device, found.device.as_deref()), (None, Some("C++, f64")));
    let points = |curves: &[ResponseCurve]| -> Vec<f64> {
        curves.iter().flat_map(|it| &it.points).map(|point| point.amplitudes[0]).collect()
    };
    let (expected, found) = (points(&expected.curves), points(&found.curves));
    assert_eq!(expected.len(), 4);
    for (one, other) in expected.iter().zip(&found) {
        assert!((one - other).abs() < 1e-9, "{one} and {other}");
    }
}

#[test]
fn what_has_computed_is_a_part_of_an_answer() {
    let driven = ready("driven-pendulum", &["drive=0.3"]);
    let asked = |more: &[(&str, &str)]| {
        let given = [("over", "Omega=2,2.1"), ("integrator", "ode45"), ("refinements", "0")];
        let answer = catena::ask("response", &driven, &[&given[..], more].concat()).unwrap();
        (answer.to_json()["device"].as_str().map(str::to_owned), answer.words.to_text())
    };
    let (device, words) = asked(&[("device", "gpu")]);
    assert!(device.as_ref().is_some_and(|text| text.ends_with("the processor computes")));
    assert!(words.contains(&device.unwrap()), "{words}");
    assert_eq!(asked(&[]).0, None);
}

#[test]
fn what_a_device_cannot_do_the_processor_does_and_says_so() {
    let case = triple_pendulum();
    let sweep = case.sweep(case.options("ode45", Some(Precision::F64)));
    assert!(!sweep.is_on_device());
    let words = sweep.device_words().unwrap();
    assert!(words.ends_with("; the processor computes"), "{words}");
    let asked =
        SweepOptions { device: DeviceChoice::Gpu(Precision::F64), ..case.options("dopri5", None) };
    let sweep = case.sweep(asked);
    let words = sweep.device_words().unwrap();
    assert!(sweep.is_on_device() || words.starts_with("no GPU can be used: "), "{words}");
}

#[test]
fn nothing_counts_after_a_time_that_is_no_number() {
    let case = Case {
        system: "double-pendulum",
        settings: &[],
        axis: Axis::linear("g", 5.0, 15.0, 6),
        measures: &["mean:theta1", "time:theta1 = 0"],
        after: Some("sqrt(g - 10)/10"),
        ..triple_pendulum()
    };
    let [expected, found] = [None, Some(Precision::F64)].map(|on| case.block("dopri5", on));
    assert_close(&found, &expected, 1e-9, "rows after no number");
    let known: Vec<bool> = found.values.iter().map(|value| !value.is_nan()).collect();
    assert_eq!(known[..6], [false; 6]);
    assert_eq!(known[6..], [true; 6]);
}

#[test]
fn rows_that_count_late_are_found_at_once() {
    let at_end = Case { t_end: "3", every: "3", after: Some("2.9999999"), ..triple_pendulum() };
    let many = Case { every: "1e-8", ..at_end.clone() };
    for integrator in ["rk4", "dopri5"] {
        let [found, expected] =
            [&many, &at_end].map(|case| case.block(integrator, Some(Precision::F64)));
        assert_close(&found, &expected, 1e-5, integrator);
        assert_ne!(found.values, expected.values, "several rows count");
    }
}

#[test]
fn single_precision_has_a_least_tolerance_and_says_so() {
    let case = Case { t_end: "1", ..triple_pendulum() };
    let tight = |integrator, precision, step: Option<&str>| {
        let mut options = case.options(integrator, Some(precision));
        options.schedule.step = step.map(|text| parse(text).unwrap());
        (options.integration.rtol, options.integration.atol) = (1e-12, 1e-12);
        case.sweep(options)
    };
    let words = |integrator, step| tight(integrator, Precision::F32, step).device_words().unwrap();
    let raised = "C++, f32; rtol is 4.8e-7, the least it has";
    assert_eq!(words("dopri5", None), raised);
    assert_eq!(words("dopri5", Some("0.01")), "C++, f32", "nobody looks at a tolerance");
    assert_eq!(words("taylor", Some("0.01")), raised, "it decides on the order");
    let exact = tight("dopri5", Precision::F64, None);
    assert_eq!(exact.device_words().as_deref(), Some("C++, f64"));
    let sweep = tight("dopri5", Precision::F32, None);
    let found = sweep.worker().run(0..sweep.len(), &|| false).unwrap();
    assert_close(&found, &case.block("dopri5", None), 1e-3, "a tolerance that is not reached");
}

/// Two surfaces that touch where the motion begins: their normals are the same there, and nowhere else.
const TOUCHING_SURFACES: &str = r#"
    parameters = { m = 1 }
    coordinates = { x = "", y = "", z = "" }
    [energy]
    kinetic = "1/2*m*(x'^2 + y'^2 + z'^2)"
    [constraints]
    plane = "z"
    saddle = "z - x*y"
    [initial]
    x = 0
    y = 0
    z = 0
    "x'" = 1
"#;

#[test]
fn a_model_without_a_rate_at_once_goes_to_the_processor() {
    let case = Case {
        formulation: "multipliers",
        axis: Axis::linear("m", 1.0, 2.0, 3),
        measures: &["last:x"],
        t_end: "0.5",
        ..triple_pendulum()
    };
    let model = written(TOUCHING_SURFACES);
    let sweep = case.sweep_of(&model, case.options("dopri5", Some(Precision::F64)));
    let words = sweep.device_words().unwrap();
    assert!(words.contains("no rate at once") && !sweep.is_on_device(), "{words}");
    let found = sweep.worker().run(0..sweep.len(), &|| false).unwrap();
    assert_eq!(found.failures, []);
    assert!(found.values.iter().all(|x| (x - 0.5).abs() < 1e-6), "{:?}", found.values);
}

#[test]
fn equations_that_would_take_a_compiler_minutes_go_to_the_processor() {
    let terms: Vec<String> = (1..7000).map(|k| format!("sin(x/{k})")).collect();
    let model = written(&format!(
        "coordinates = {{ x = \"\" }}\n[energy]\nkinetic = \"x'^2\"\npotential = \"{}\"\n",
        terms.join(" + ")
    ));
    let axis = Axis::linear("x", 0.0, 1.0, 3);
    let case = Case { axis, measures: &["last:x"], ..triple_pendulum() };
    let sweep = case.sweep_of(&model, case.options("dopri5", Some(Precision::F64)));
    let words = sweep.device_words().unwrap();
    assert!(words.contains("its equations are too long") && !sweep.is_on_device(), "{words}");
}

#[test]
fn no_more_threads_feed_a_device_than_are_allowed() {
    let axis = Axis::linear("theta1", 0.1, 1.5, 200);
    let case = Case { axis, t_end: "0.1", ..triple_pendulum() };
    let sweep = case.sweep(case.options("rk4", Some(Precision::F64)));
    let threads = [1, 2, 7].map(|allowed| {
        let mut result = InMemory::of_any_size(case.description(&sweep), Chunk::WHOLE);
        fill::<_, SweepFailure>(&sweep, &mut result, allowed, &mut |_| false).unwrap().threads
    });
    assert_eq!(threads, [1, 2, 2]);
}

/// A device that compiles so many programs, and answers others with an error.
struct FewPrograms {
    left: AtomicUsize,
    then: DeviceError,
}

impl FewPrograms {
    fn choice(programs: usize, then: DeviceError) -> DeviceChoice {
        let device = Arc::new(FewPrograms { left: AtomicUsize::new(programs), then });
        DeviceChoice::Given(ChosenDevice { device, precision: Precision::F64 })
    }
}

impl Device for FewPrograms {
    fn name(&self) -> String {
        "of few programs".to_owned()
    }

    fn places(&self) -> usize {
        5
    }

    fn compile(&self, source: &str) -> Result<Box<dyn DeviceKernel>, DeviceError> {
        match self.left.fetch_sub(1, Ordering::Relaxed) {
            0 => Err(self.then.clone()),
            _ => HostDevice { places: 5 }.compile(source),
        }
    }
}

#[test]
fn a_device_that_cannot_load_programs_leaves_them_to_the_processor() {
    let reason = "its driver is too old".to_owned();
    let device = FewPrograms::choice(0, DeviceError::Unsuitable { reason });
    let case = triple_pendulum();
    let sweep = case.sweep(SweepOptions { device, ..case.options("dopri5", None) });
    let words = "this does not run on a GPU: its driver is too old; the processor computes";
    assert_eq!(sweep.device_words().as_deref(), Some(words));
    let found = sweep.worker().run(0..sweep.len(), &|| false).unwrap();
    assert_eq!(found, case.block("dopri5", None));
}

#[test]
fn a_few_motions_that_sharpen_an_answer_run_on_the_processor() {
    let one_program = || {
        let reason = "it compiles one program".to_owned();
        FewPrograms::choice(1, DeviceError::Failed { doing: "compile its program", reason })
    };
    let driven = ready("driven-pendulum", &["drive=0.3"]);
    let mut request = ResponseRequest::new(&driven, vec![0.05, 0.08]);
    (request.device, request.refinements) = (one_program(), 0);
    let found = response(&driven, &request, &|_| false).unwrap();
    assert!(found.curves[0].integration_error.is_some_and(|error| error < 1e-6));
    assert_eq!(found.device.as_deref(), Some("of few programs, f64"));

    let near = ready("driven-pendulum", &["theta=-0.2215", "theta'=6.138"]);
    let run = RunSettings {
        integrator: Some("dop853".to_owned()),
        rtol: Some(1e-9),
        atol: Some(1e-12),
        t_end: Some(1e4),
        ..RunSettings::default()
    };
    let run = RunPlan::new(&near, &run, &near.run).unwrap();
    let set = run.formulation.entry.coordinates;
    let request = OrbitRequest {
        parameter: Axis::linear("drive", 1.06, 1.0725, 6),
        map: ReturnMap::choose(&near, set, None, None).unwrap(),
        column: "theta'".to_owned(),
        branches: vec![Branch::Up],
        transient: 150,
        keep: 32,
        tolerance: 1e-4,
        run,
        device: one_program(),
        threads: 1,
    };
    let found = orbit_diagram(&near, &request, &|_| false).unwrap();
    assert!((found.doublings[0].value - 1.066_372_862_5).abs() < 1e-6);
    assert_eq!(found.device.as_deref(), Some("of few programs, f64"));
}

/// A device that compiles and then fails.
struct BrokenDevice;

impl Device for BrokenDevice {
    fn name(&self) -> String {
        "a broken one".to_owned()
    }

    fn places(&self) -> usize {
        8
    }

    fn compile(&self, _source: &str) -> Result<Box<dyn DeviceKernel>, DeviceError> {
        Ok(Box::new(BrokenDevice))
    }
}

impl DeviceKernel for BrokenDevice {
    fn details(&self) -> String {
        String::new()
    }

    fn memory(&self, _numbers: usize, _count: usize) -> Result<Box<dyn DeviceMemory>, DeviceError> {
        let reason = "it is broken".to_owned();
        Err(DeviceError::Failed { doing: "give memory", reason })
    }
}

#[test]
fn a_device_that_fails_is_a_refusal_with_its_reason() {
    let chosen = ChosenDevice { device: Arc::new(BrokenDevice), precision: Precision::F64 };
    let device = DeviceChoice::Given(chosen);
    let model = ready("driven-pendulum", &["drive=0.3"]);
    let mut request = ResponseRequest::new(&model, vec![0.05, 0.08]);
    request.device = device.clone();
    let error = response(&model, &request, &|_| false).unwrap_err().to_string();
    assert_eq!(error, "the GPU failed to give memory: it is broken");

    let case = triple_pendulum();
    let sweep = case.sweep(SweepOptions { device, ..case.options("dopri5", None) });
    let mut result = InMemory::of_any_size(case.description(&sweep), Chunk::WHOLE);
    let failure = fill::<_, SweepFailure>(&sweep, &mut result, 2, &mut |_| false).unwrap_err();
    assert_eq!(failure.to_string(), error);
    assert!(!failure.is_usage());
}
