//! The error of an integrator against its step, measured: the picture of its order.
//!
//! # Equations
//! A bob on a spring moves for a second by steps of T/4, T/8, …; the error e(h) is the largest of its coordinates and
//! velocities every T/4, against a motion of `dop853` at a tolerance of 10⁻¹³. The measured order is the median slope of log e
//! over log h between neighbours, as long as e is far from rounding.

use catena::figure::{Axis, Figure, Panel, Series};
use catena::integrator::Entry;
use catena::{Model, RunSettings};
use std::sync::OnceLock;

/// What is compared: positions, m, and velocities, m/s.
const COLUMNS: [&str; 4] = ["x", "y", "x'", "y'"];
/// Rows are the same for all steps: the ends of the longest ones.
const ROWS: f64 = 4.0;
/// Nothing but the step is to limit the accuracy, Newton's method included.
const TOLERANCE: f64 = 1e-13;
const NEWTON_TOLERANCE: &str = "newton_tol";
/// Where the motion ends, s.
const T_END: f64 = 1.0;
/// Steps are T/4, T/8, …, so many of them.
const HALVINGS: u32 = 9;
/// Errors below this are those of rounding and of the reference, m or m/s.
const LEAST_ERROR: f64 = 1e-11;

/// Errors at the end of a motion, for steps each half as long as the one before.
#[derive(Clone, Debug)]
pub struct MeasuredOrder {
    /// Steps, s.
    pub steps: Vec<f64>,
    /// Errors, m or m/s; those of rounding are left out.
    pub errors: Vec<f64>,
}

impl MeasuredOrder {
    /// Moves the bob by one integrator.
    pub fn of(entry: &Entry) -> Result<MeasuredOrder, String> {
        let (model, exact) = reference()?;
        let mut measured = MeasuredOrder { steps: Vec::new(), errors: Vec::new() };
        for halving in 2..2 + HALVINGS {
            let step = T_END / f64::from(1 << halving);
            let mut settings = RunSettings::new().integrator(entry.name).step(step);
            if entry.options.iter().any(|option| option.key == NEWTON_TOLERANCE) {
                settings = settings.with(NEWTON_TOLERANCE, TOLERANCE);
            }
            let found = values_of(model, settings)?;
            let error = found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if error < LEAST_ERROR {
                break;
            }
            measured.steps.push(step);
            measured.errors.push(error);
        }
        Ok(measured)
    }

    /// The median slope between neighbours.
    pub fn order(&self) -> f64 {
        let slopes = self.errors.windows(2).map(|pair| (pair[0] / pair[1]).log2());
        let mut slopes: Vec<f64> = slopes.collect();
        slopes.sort_by(f64::total_cmp);
        slopes.get(slopes.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// The errors, with a line of the slope that the catalogue promises.
    pub(crate) fn figure(&self, entry: &Entry) -> Figure {
        let (x, y) = (Axis::logarithmic("step, s"), Axis::logarithmic("largest error, m or m/s"));
        let (first_step, first) = (self.steps[0], self.errors[0]);
        let promised = |step: &f64| first * (step / first_step).powi(entry.order as i32);
        let slope: Vec<f64> = self.steps.iter().map(promised).collect();
        let panel = Panel::new(format!("{} on the elastic pendulum", entry.name), x, y)
            .with(Series::line(format!("order {}", entry.order), self.steps.clone(), slope))
            .with(Series::line_and_marks(entry.name, self.steps.clone(), self.errors.clone()));
        Figure::from(panel)
    }
}

fn values_of(model: &Model, settings: RunSettings) -> Result<Vec<f64>, String> {
    let settings = settings.tolerance(TOLERANCE).t_end(T_END).every(T_END / ROWS).no_certify();
    let run = catena::run(model, &settings).map_err(|error| error.to_string())?;
    let columns = COLUMNS.iter().filter_map(|name| run.table.numbers(name));
    Ok(columns.flatten().copied().collect())
}

/// The model and its exact motion.
fn reference() -> Result<(&'static Model, &'static [f64]), String> {
    static REFERENCE: OnceLock<Result<(Model, Vec<f64>), String>> = OnceLock::new();
    let made = REFERENCE.get_or_init(|| {
        let model = catena::load("elastic-pendulum", &[]).map_err(|error| error.to_string())?;
        let exact = values_of(&model, RunSettings::new().integrator("dop853"))?;
        Ok((model, exact))
    });
    made.as_ref().map(|(model, exact)| (model, exact.as_slice())).map_err(String::clone)
}
