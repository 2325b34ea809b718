//! Sweeps on a GPU beside the processor of the same machine: how fast, how right, where the time goes, and the map of flips.
//!
//! `cargo bench -p catena-benches --bench devices [-- FOLDER]`; `benches/device/run` wraps it. Pictures go into the folder.

use catena::ensemble::{
    Axis, ChosenDevice, Chunk, Description, Device, DeviceChoice, DeviceError, DeviceKernel,
    DeviceMemory, Found, Grid, InMemory, Precision, Schedule, Spacing, Sweep, SweepFailure,
    SweepOptions, SweepResult, SweptAxis, fill, first_gpu, read_measure,
};
use catena::integrator::Options;

use catena::sweep::{Blocks, sweep_picture};
use catena::{PlotStyle, formulation, integrator};
use catena_benches::case::ready;
use catena_compile::InstructionSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Seconds of each trajectory of the triple pendulum, and its fixed step, s.
const T_END: f64 = 100.0;
const STEP: f64 = 0.001;
/// Values of both angles on the GPU, and on the processor, which computes a part of the cells.
const ANGLES: [usize; 2] = [1000, 400];
const PROCESSOR_ANGLES: [usize; 2] = [100, 16];
/// A side of the map of flips, and how long it waits for one, s.
const MAP: usize = 1000;
const FLIP_TIME: &str = "20";

fn main() {
    let folder = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let device = match first_gpu() {
        Ok(device) => device,
        Err(error) => return println!("{error}; nothing to measure"),
    };
    println!("{}", device.name());
    throughput(&device);
    agreement(&device);
    map(&device, folder.as_deref().map(Path::new));
}

/// A device that counts where its time goes, ns.
struct Counted {
    device: Arc<dyn Device>,
    times: Arc<Times>,
}

#[derive(Default)]
struct Times {
    copying: AtomicU64,
    moving: AtomicU64,
}

impl Device for Counted {
    fn name(&self) -> String {
        self.device.name()
    }

    fn places(&self) -> usize {
        self.device.places()
    }

    fn compile(&self, source: &str) -> Result<Box<dyn DeviceKernel>, DeviceError> {
        let kernel = self.device.compile(source)?;
        Ok(Box::new(CountedKernel { kernel, times: self.times.clone() }))
    }
}

struct CountedKernel {
    kernel: Box<dyn DeviceKernel>,
    times: Arc<Times>,
}

impl DeviceKernel for CountedKernel {
    fn details(&self) -> String {
        self.kernel.details()
    }

    fn memory(&self, numbers: usize, count: usize) -> Result<Box<dyn DeviceMemory>, DeviceError> {
        let memory = self.kernel.memory(numbers, count)?;
        Ok(Box::new(CountedMemory { memory, times: self.times.clone(), launched: false }))
    }
}

struct CountedMemory {
    memory: Box<dyn DeviceMemory>,
    times: Arc<Times>,
    /// Whether the next read waits for trajectories that move.
    launched: bool,
}

fn timed<T>(time: &AtomicU64, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = work();
    time.fetch_add(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
    done
}

impl DeviceMemory for CountedMemory {
    fn write(&mut self, numbers: &[f64]) -> Result<(), DeviceError> {
        timed(&self.times.copying, || self.memory.write(numbers))
    }

    fn advance(&mut self, attempts: u32) -> Result<(), DeviceError> {
        self.launched = true;
        timed(&self.times.moving, || self.memory.advance(attempts))
    }

    fn read(&mut self, first: usize, numbers: &mut [f64]) -> Result<(), DeviceError> {
        let times = self.times.clone();
        let time = if std::mem::take(&mut self.launched) { &times.moving } else { &times.copying };
        timed(time, || self.memory.read(first, numbers))
    }
}

/// What is swept: a model, its axes, a measure, the end.
struct Case {
    system: &'static str,
    axes: [Axis; 2],
    measure: &'static str,
    t_end: f64,
    step: f64,
}

/// A finished sweep.
struct Done {
    result: InMemory,
    seconds: f64,
    values: Vec<f64>,
}

impl Case {
    fn triple([first, second]: [usize; 2]) -> Case {
        let axes =
            [Axis::linear("theta1", 0.1, 1.0, first), Axis::linear("theta2", 0.1, 1.0, second)];
        Case { system: "triple-pendulum", axes, measure: "last:theta1", t_end: T_END, step: STEP }
    }

    fn sweep(&self, name: &str, tolerance: f64, device: DeviceChoice) -> Sweep {
        let integrator = integrator::find(name).expect("the catalogue has it");
        let step = (!integrator.adaptive).then_some(self.step);
        let options = SweepOptions {
            formulation: formulation::find("minimal").expect("the catalogue has it"),
            formulation_options: formulation::OptionValues::default(),
            integrator,
            integration: Options { rtol: tolerance, atol: tolerance, ..Options::default() },
            schedule: Schedule::of_numbers(self.t_end, Some(self.t_end), step),
            instruction_set: InstructionSet::best(),
            device,
        };
        let measure = read_measure(self.measure).expect("a measure");
        let grid = Grid { axes: self.axes.to_vec() };
        Sweep::new(&ready(self.system), grid, vec![measure], options).expect("a sweep")
    }

    fn run(&self, sweep: &Sweep) -> Done {
        let axis = |axis: &Axis| {
            let (name, values) = (axis.name.clone(), axis.values.clone());
            SweptAxis { name, spacing: Spacing::Linear, values }
        };
        let description = Description {
            title: self.system.to_owned(),
            settings: Vec::new(),
            axes: self.axes.iter().map(axis).collect(),
            measures: vec![self.measure.to_owned()],
            blocks: Blocks::new(sweep.len()),
        };
        let mut result = InMemory::of_any_size(description, Chunk::WHOLE);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let attempt = fill::<_, SweepFailure>(sweep, &mut result, threads, &mut |_| false);
        let seconds = attempt.expect("a sweep that ends").seconds;
        let blocks = result.expected().map(|number| match result.get(number) {
            Found::Sound(block) => block.values,
            _ => Vec::new(),
        });
        let values = blocks.flatten().collect();
        Done { result, seconds, values }
    }
}

fn gpu(device: &Arc<dyn Device>, precision: Precision) -> DeviceChoice {
    DeviceChoice::Given(ChosenDevice { device: device.clone(), precision })
}

/// Steps, and simulated seconds, per second.
fn throughput(device: &Arc<dyn Device>) {
    println!("\nshaken triple pendulum, {} × {} starts, {T_END} s", ANGLES[0], ANGLES[1]);
    let methods = [
        ("rk4", 0.0, Precision::F64),
        ("rk4", 0.0, Precision::F32),
        ("dopri5", 1e-9, Precision::F64),
        ("dop853", 1e-10, Precision::F64),
        ("taylor", 1e-10, Precision::F64),
    ];
    for (name, tolerance, precision) in methods {
        let times = Arc::new(Times::default());
        let counted: Arc<dyn Device> =
            Arc::new(Counted { device: device.clone(), times: times.clone() });
        let case = Case::triple(ANGLES);
        let tolerance = if tolerance == 0.0 { 1e-9 } else { tolerance };
        let sweep = case.sweep(name, tolerance, gpu(&counted, precision));
        let done = case.run(&sweep);
        let simulated = sweep.len() as f64 * T_END / done.seconds;
        let steps = match name {
            "rk4" => format!("{:.3e} steps/s, ", simulated / STEP),
            _ => String::new(),
        };
        let [copying, moving] =
            [&times.copying, &times.moving].map(|time| time.load(Ordering::Relaxed) as f64 * 1e-9);
        let small = Case::triple(PROCESSOR_ANGLES);
        let beside = small.sweep(name, tolerance, DeviceChoice::Processor);
        let on_processor = small.run(&beside);
        let processor = beside.len() as f64 * T_END / on_processor.seconds;
        println!(
            "{name} {}: {steps}{simulated:.3e} s/s; {} on all cores {processor:.3e} s/s ({:.1} ×)",
            precision.name(),
            beside.processor(),
            simulated / processor,
        );
        println!("    {}", sweep.device_details().unwrap_or_default());
        println!(
            "    {:.2} s in all; both threads together: {moving:.2} s while trajectories move, {copying:.2} s copying",
            done.seconds
        );
    }
}

/// The same cells on both, and how far each is from motions that are far more exact.
fn agreement(device: &Arc<dyn Device>) {
    println!("\n{} × {} of these starts, 10 s", PROCESSOR_ANGLES[0], PROCESSOR_ANGLES[1]);
    let case = Case { t_end: 10.0, ..Case::triple(PROCESSOR_ANGLES) };
    let exact = case.run(&case.sweep("dop853", 1e-14, DeviceChoice::Processor)).values;
    let apart = |one: &[f64], other: &[f64]| {
        one.iter().zip(other).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
    };
    for (name, tolerance) in [("rk4", 1e-9), ("dopri5", 1e-9), ("dop853", 1e-10), ("taylor", 1e-10)]
    {
        let processor = case.run(&case.sweep(name, tolerance, DeviceChoice::Processor)).values;
        for precision in [Precision::F64, Precision::F32] {
            if precision == Precision::F32 && !["rk4", "dopri5"].contains(&name) {
                continue;
            }
            let tolerance = if precision == Precision::F32 { 1e-6 } else { tolerance };
            let values = case.run(&case.sweep(name, tolerance, gpu(device, precision))).values;
            println!(
                "{name} {}: error of the GPU {:.1e} rad, of the processor {:.1e}, apart {:.1e}",
                precision.name(),
                apart(&values, &exact),
                apart(&processor, &exact),
                apart(&values, &processor)
            );
        }
    }
}

/// When the lower rod of a double pendulum first goes over the top, over both angles at the start.
fn map(device: &Arc<dyn Device>, folder: Option<&Path>) {
    let angles = |name| Axis::linear(name, -3.0, 3.0, MAP);
    let case = Case {
        system: "double-pendulum",
        axes: [angles("theta1"), angles("theta2")],
        measure: "time:theta2 = pi",
        t_end: FLIP_TIME.parse().expect("a number"),
        step: STEP,
    };
    println!("\nfirst flip of a double pendulum within {FLIP_TIME} s, {MAP} × {MAP} starts");
    let found = [gpu(device, Precision::F64), DeviceChoice::Processor].map(|choice| {
        let sweep = case.sweep("dop853", 1e-9, choice);
        let done = case.run(&sweep);
        println!("{}: {:.2} s", sweep.processor(), done.seconds);
        (done, if sweep.is_on_device() { "gpu" } else { "cpu" })
    });
    let [(one, _), (other, _)] = &found;
    // the same moment of a flip, to a thousandth of a second
    let differs = |at: usize| {
        let (a, b) = (one.values[at], other.values[at]);
        a.is_nan() != b.is_nan() || (a - b).abs() >= 1e-3
    };
    let is_border = |at: usize| {
        let mine = other.values[at];
        let neighbours = [at.wrapping_sub(1), at + 1, at.wrapping_sub(MAP), at + MAP];
        neighbours
            .into_iter()
            .filter_map(|near| other.values.get(near))
            .any(|near| mine.is_nan() != near.is_nan() || (mine - near).abs() > 0.5)
    };
    let different: Vec<usize> = (0..MAP * MAP).filter(|&at| differs(at)).collect();
    let at_borders = different.iter().filter(|&&at| is_border(at)).count();
    let borders = (0..MAP * MAP).filter(|&at| is_border(at)).count();
    println!(
        "{} of {} cells differ by a millisecond or more, {at_borders} of them among the {borders} with a neighbour of another kind",
        different.len(),
        MAP * MAP
    );
    for (done, name) in &found {
        if let (Some(folder), Some(picture)) =
            (folder, sweep_picture(&done.result, &PlotStyle::default()))
        {
            let path = folder.join(format!("flips-{name}.png"));
            if let Err(error) = catena::write_picture(&*picture, &path) {
                println!("{error}");
            }
        }
    }
}
