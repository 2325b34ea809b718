//! The driver of a response: which continuation runs make its curves, which refine its peaks, and which certify it.

use super::continuation::{AddPoint, Continuation, ContinuationRun, DrivenPoint, Solution};
use super::peaks::{Bracket, brackets};
use super::transient::Layout;
use super::{
    Branch, FrequencyParameter, Response, ResponseCurve, ResponseError, ResponsePoint,
    ResponseRequest, decay,
};
use crate::live::{Gathered, Show};
use crate::question::Stop;
use catena_ensemble::{Engine, Task};
use catena_formulation::Entry;
use catena_model::Model;

/// Computes the curves of one request.
pub(super) struct ResponseDriver<'a> {
    model: &'a Model,
    request: &'a ResponseRequest,
    pub(super) frequency: FrequencyParameter,
    pub(super) outputs: Vec<String>,
    pub(super) engine: Engine,
    layout: Layout,
}

impl<'a> ResponseDriver<'a> {
    pub(super) fn new(
        model: &'a Model,
        request: &'a ResponseRequest,
        frequency: FrequencyParameter,
    ) -> Result<ResponseDriver<'a>, ResponseError> {
        let entry: &'static Entry = request.formulation;
        let system = model.system(entry.coordinates);
        let names: Vec<String> = system.coordinates.iter().map(|c| c.name.clone()).collect();
        let states = system.states.iter().map(|state| state.name.clone());
        let outputs = match request.outputs.is_empty() {
            true => names.iter().cloned().chain(states.clone()).collect(),
            false => request.outputs.clone(),
        };
        let velocities = names.iter().map(|name| format!("{name}'"));
        let columns: Vec<String> = names.iter().cloned().chain(velocities).chain(states).collect();
        let layout = Layout {
            coordinates: names.len(),
            states: system.states.len(),
            outputs: outputs.len(),
        };
        let mut varied = vec![frequency.name.clone()];
        let mut first = vec![request.values[0]];
        if let Some(axis) = &request.parameter {
            if axis.name == frequency.name {
                return Err(ResponseError::Twice { name: axis.name.clone() });
            }
            varied.push(axis.name.clone());
            first.push(axis.values[0]);
        }
        let columns = columns.into_iter().chain(outputs.iter().cloned()).collect();
        let first = Task { values: first, ..Task::default() };
        let engine = Engine::new(model, varied, columns, request.sweep_options(), &first)?;
        Ok(ResponseDriver { model, request, frequency, outputs, engine, layout })
    }

    fn solve(
        &self,
        runs: &[ContinuationRun],
        stop: &Stop<'_>,
        add: Option<&AddPoint<'_>>,
    ) -> Solution {
        let continuation = Continuation {
            engine: &self.engine,
            layout: self.layout,
            transient: self.request.transient,
            tolerances: [self.request.integration.rtol, self.request.integration.atol],
            threads: self.request.threads,
            add,
        };
        continuation.solve(runs, stop)
    }

    /// All curves, still without points.
    pub(super) fn curves(&self) -> Vec<ResponseCurve> {
        let values = self.request.parameter.as_ref();
        let values: Vec<Option<f64>> = values
            .map_or_else(|| vec![None], |axis| axis.values.iter().copied().map(Some).collect());
        let mut curves = Vec::new();
        for value in values {
            let decay_rate = self.decay_rate(value);
            curves.extend(self.request.branches.iter().map(|&branch| ResponseCurve {
                branch,
                value,
                decay_rate,
                points: Vec::new(),
                refined: Vec::new(),
                peaks: Vec::new(),
                integration_error: None,
            }));
        }
        curves
    }

    fn decay_rate(&self, value: Option<f64>) -> Option<f64> {
        let mut model = self.model.clone();
        let (frequency, varied) = (self.request.values[0], self.request.parameter.as_ref());
        let names: Vec<String> =
            model.parameters.iter().map(|parameter| parameter.entry.name.clone()).collect();
        model.change_parameters(|at| {
            let is_varied = varied.is_some_and(|axis| axis.name == names[at]);
            match names[at] == self.frequency.name {
                true => Some(frequency),
                false => value.filter(|_| is_varied),
            }
        });
        decay::decay_rate(&model)
    }

    /// The points of a curve as continuation runs.
    fn runs(&self, curve: &ResponseCurve) -> Vec<ContinuationRun> {
        let values = &self.request.values;
        match curve.branch {
            Branch::FromRest => {
                values.iter().map(|&value| self.run_through(curve, None, &[value])).collect()
            }
            Branch::Up => vec![self.run_through(curve, None, values)],
            Branch::Down => {
                let down: Vec<f64> = values.iter().rev().copied().collect();
                vec![self.run_through(curve, None, &down)]
            }
        }
    }

    fn run_through(
        &self,
        curve: &ResponseCurve,
        start: Option<Vec<f64>>,
        frequencies: &[f64],
    ) -> ContinuationRun {
        let point = |&frequency: &f64| DrivenPoint {
            values: std::iter::once(frequency).chain(curve.value).collect(),
            period: self.frequency.unit.period(frequency),
        };
        let points = frequencies.iter().map(point).collect();
        ContinuationRun { start, decay_rate: curve.decay_rate, points }
    }

    /// What is known while curves are still without some of their points.
    pub(super) fn so_far(&self, curves: &[ResponseCurve]) -> Response {
        let mut curves = curves.to_vec();
        for curve in &mut curves {
            curve.peaks.resize(self.outputs.len(), Vec::new());
        }
        let (frequency, outputs) = (self.frequency.clone(), self.outputs.clone());
        let varied = self.request.parameter.as_ref().map(|axis| axis.name.clone());
        Response { frequency, varied, outputs, curves, complete: false, device: None }
    }

    /// Finds the points of all curves; false if it was stopped before all were known.
    pub(super) fn find_points(
        &self,
        curves: &mut [ResponseCurve],
        stop: &Stop<'_>,
        show: Option<&Show<'_, Response>>,
    ) -> bool {
        let runs: Vec<Vec<ContinuationRun>> = curves.iter().map(|curve| self.runs(curve)).collect();
        let counts: Vec<usize> = runs.iter().map(Vec::len).collect();
        let all: Vec<ContinuationRun> = runs.into_iter().flatten().collect();
        let known: Vec<Vec<ResponsePoint>> = all.iter().map(|_| Vec::new()).collect();
        let bare = curves.to_vec();
        let result = |responses: &Vec<Vec<ResponsePoint>>| {
            let mut curves = bare.clone();
            sort_in(&mut curves, &counts, responses.clone());
            self.so_far(&curves)
        };
        let gathered = show.map(|show| Gathered::new(known, &result, show));
        let add = |run: usize, point: &ResponsePoint| {
            if let Some(gathered) = &gathered {
                gathered.add(|known| known[run].push(point.clone()));
            }
        };
        let Solution { responses, complete } =
            self.solve(&all, stop, show.is_some().then_some(&add));
        sort_in(curves, &counts, responses);
        complete
    }

    /// Runs the highest settled point of every curve again, and says how much it changes; false if it was stopped.
    pub(super) fn certify(&self, curves: &mut [ResponseCurve], stop: &Stop<'_>) -> bool {
        let highest: Vec<Option<ResponsePoint>> = curves
            .iter()
            .map(|curve| {
                let settled =
                    curve.points.iter().filter(|point| point.settled && point.noise < 1.0);
                let height =
                    |point: &&ResponsePoint| point.amplitudes.iter().copied().fold(0.0, f64::max);
                settled.max_by(|a, b| height(a).total_cmp(&height(b))).cloned()
            })
            .collect();
        let again = curves.iter().zip(&highest).map(|(curve, point)| match point {
            Some(point) => self.run_through(curve, Some(point.state.clone()), &[point.frequency]),
            None => self.run_through(curve, None, &[]),
        });
        let runs: Vec<ContinuationRun> = again.collect();
        let Solution { responses, complete } = self.solve(&runs, stop, None);
        for ((curve, before), after) in curves.iter_mut().zip(&highest).zip(&responses) {
            let pair = before.as_ref().zip(after.first()).filter(|(_, after)| after.settled);
            curve.integration_error = pair.map(|(before, after)| {
                let pairs = before.amplitudes.iter().zip(&after.amplitudes);
                let changes = pairs.filter(|(_, after)| **after > 0.0);
                let changes = changes.map(|(before, after)| (before - after).abs() / after);
                changes.fold(0.0, f64::max)
            });
        }
        complete
    }

    /// Finds the peaks of all curves, and looks at more frequencies around them, so many times; false if it was stopped,
    /// with the peaks as well as they are known then.
    pub(super) fn find_peaks(
        &self,
        curves: &mut [ResponseCurve],
        refinements: usize,
        stop: &Stop<'_>,
        show: Option<&Show<'_, Response>>,
    ) -> bool {
        let mut found: Vec<(usize, Bracket)> = Vec::new();
        for (at, curve) in curves.iter().enumerate() {
            for output in 0..self.outputs.len() {
                let brackets = brackets(&curve.points, output, self.request.prominence);
                found.extend(brackets.into_iter().map(|bracket| (at, bracket)));
            }
        }
        let mut complete = true;
        for _ in 0..refinements {
            // outputs often have their peaks at the same place
            let mut places: Vec<(usize, [u64; 3])> = Vec::new();
            let (mut runs, mut counts) = (Vec::new(), Vec::new());
            for (at, bracket) in &found {
                if !places.contains(&(*at, bracket.place())) {
                    let more = self.refining_runs(&curves[*at], bracket);
                    places.push((*at, bracket.place()));
                    counts.push(more.len());
                    runs.extend(more);
                }
            }
            let solution = self.solve(&runs, stop, None);
            complete = solution.complete;
            let mut points = solution.responses.into_iter();
            let points: Vec<Vec<ResponsePoint>> = counts
                .into_iter()
                .map(|count| points.by_ref().take(count).flatten().collect())
                .collect();
            for ((at, _), more) in places.iter().zip(&points) {
                curves[*at].refined.extend(more.iter().cloned());
            }
            for (at, bracket) in &mut found {
                let place = (*at, bracket.place());
                if let Some(found) = places.iter().position(|other| *other == place) {
                    bracket.narrow(points[found].clone());
                }
            }
            if let Some(show) = show {
                show(&|| self.so_far(curves));
            }
            if !complete {
                break;
            }
        }
        for curve in curves.iter_mut() {
            curve.peaks = vec![Vec::new(); self.outputs.len()];
            curve.refined.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
        }
        for (at, bracket) in found {
            curves[at].peaks[bracket.output].push(bracket.peak());
        }
        complete
    }

    /// Points around a peak, on the branch it belongs to.
    fn refining_runs(&self, curve: &ResponseCurve, bracket: &Bracket) -> Vec<ContinuationRun> {
        let mut frequencies = bracket.between();
        let [low, _, high] = &bracket.points;
        let begin = |point: &ResponsePoint| (!point.state.is_empty()).then(|| point.state.clone());
        match curve.branch {
            Branch::FromRest => {
                frequencies.iter().map(|&value| self.run_through(curve, None, &[value])).collect()
            }
            Branch::Up => vec![self.run_through(curve, begin(low), &frequencies)],
            Branch::Down => {
                frequencies.reverse();
                vec![self.run_through(curve, begin(high), &frequencies)]
            }
        }
    }
}

/// Gives curves the points of their runs, so many each.
fn sort_in(curves: &mut [ResponseCurve], counts: &[usize], responses: Vec<Vec<ResponsePoint>>) {
    let mut found = responses.into_iter();
    for (curve, &count) in curves.iter_mut().zip(counts) {
        curve.points = found.by_ref().take(count).flatten().collect();
        curve.points.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    }
}
