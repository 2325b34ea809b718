//! The error of an integrator against its step, measured: the picture of its order.
//!
//! # Equations
//! A bob on a spring moves for a second by steps of T/8, T/16, …; the error e(h) is the largest of a coordinate at the end,
//! against a motion of `dop853` at a tolerance of 10⁻¹³. The measured order is the slope of log e over log h between the
//! neighbours where it is steepest and e is still far from rounding.

use catena::figure::{Axis, Figure, Panel, Series};
use catena::integrator::Entry;
use catena::{Model, RunSettings};
use std::sync::OnceLock;

/// Where the motion ends, s.
const T_END: f64 = 1.0;
/// Steps are T/8, T/16, …, so many of them.
const HALVINGS: u32 = 8;
/// Errors below this are those of rounding and of the reference, m.
const LEAST_ERROR: f64 = 2e-13;

/// Errors at the end of a motion, for steps each half as long as the one before.
#[derive(Clone, Debug)]
pub struct MeasuredOrder {
    /// Steps, s.
    pub steps: Vec<f64>,
    /// Errors, m; those of rounding are left out.
    pub errors: Vec<f64>,
}

impl MeasuredOrder {
    /// Moves the bob by one integrator.
    pub fn of(entry: &Entry) -> Result<MeasuredOrder, String> {
        let (model, exact) = reference()?;
        let mut measured = MeasuredOrder { steps: Vec::new(), errors: Vec::new() };
        for halving in 3..3 + HALVINGS {
            let step = T_END / f64::from(1 << halving);
            let settings = RunSettings::new().integrator(entry.name).step(step);
            let end = end_of(model, &settings)?;
            let error = end.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if error < LEAST_ERROR {
                break;
            }
            measured.steps.push(step);
            measured.errors.push(error);
        }
        Ok(measured)
    }

    /// The steepest slope between neighbours.
    pub fn order(&self) -> f64 {
        let slopes = self.errors.windows(2).map(|pair| (pair[0] / pair[1]).log2());
        slopes.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The errors, with a line of the slope that the catalogue promises.
    pub(crate) fn figure(&self, entry: &Entry) -> Figure {
        let (x, y) = (Axis::logarithmic("step, s"), Axis::logarithmic("error after 1 s, m"));
        let (first_step, first) = (self.steps[0], self.errors[0]);
        let promised = |step: &f64| first * (step / first_step).powi(entry.order as i32);
        let slope: Vec<f64> = self.steps.iter().map(promised).collect();
        let panel = Panel::new(format!("{} on the elastic pendulum", entry.name), x, y)
            .with(Series::line(format!("order {}", entry.order), self.steps.clone(), slope))
            .with(Series::line_and_marks(entry.name, self.steps.clone(), self.errors.clone()));
        Figure::from(panel)
    }
}

fn end_of(model: &Model, settings: &RunSettings) -> Result<Vec<f64>, String> {
    let settings = settings.clone().t_end(T_END).every(T_END).no_certify();
    let run = catena::run(model, &settings).map_err(|error| error.to_string())?;
    let last = |name| run.table.numbers(name).and_then(|column| column.last().copied());
    Ok(["x", "y"].into_iter().filter_map(last).collect())
}

/// The model and where it is in the end.
fn reference() -> Result<(&'static Model, &'static [f64]), String> {
    static REFERENCE: OnceLock<Result<(Model, Vec<f64>), String>> = OnceLock::new();
    let made = REFERENCE.get_or_init(|| {
        let model = catena::load("elastic-pendulum", &[]).map_err(|error| error.to_string())?;
        let exact = RunSettings::new().integrator("dop853").tolerance(1e-13);
        let end = end_of(&model, &exact)?;
        Ok((model, end))
    });
    made.as_ref().map(|(model, end)| (model, end.as_slice())).map_err(String::clone)
}
