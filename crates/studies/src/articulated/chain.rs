//! The chain of the study, the methods that move it, and what is read off their motions.

use super::{ALPHA, LINKS, OMEGA, XI};
use crate::digits::digits;
use crate::{Laboratory, StudyError};
use catena::simulation::{Host, StopReason, Table};
use catena::{Model, Prepared, Run, RunFailure, RunPlan, RunSettings};

/// The end of all motions, s.
pub(super) const T_END: f64 = 5.0;
/// Length of a rod, m; the study does not say it.
pub(super) const ROD_LENGTH: f64 = 1.0;
/// Relative and absolute tolerances of the study, which has one number for both.
pub(super) const TOLERANCES: [f64; 4] = [0.1, 0.01, 0.001, 0.0001];
/// What the study calls step sizes, s.
pub(super) const GRIDS: [f64; 4] = [0.1, 0.01, 0.001, 0.0001];
/// The integrator of the study, with the step control of MATLAB.
pub(super) const INTEGRATOR: &str = "ode45";
/// Stabilisation that the others are held against: constraint errors forget themselves within 1/ω, 1/s ...
pub(super) const STABILISED_OMEGA: f64 = 10.0;
/// ... and do not swing.
pub(super) const STABILISED_XI: f64 = 1.0;

/// A run that is timed is repeated at least and at most so often ...
const MIN_REPETITIONS: usize = 2;
const MAX_REPETITIONS: usize = 20;
/// ... until all repetitions took so long, s.
const QUICK_TIMING: f64 = 0.06;
const FULL_TIMING: f64 = 1.0;

/// What the settings of the study say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub(super) links: usize,
    /// Penalty factor, kg.
    pub(super) alpha: f64,
    /// Natural frequency of constraint errors, rad/s, and their damping ratio.
    pub(super) omega: f64,
    pub(super) xi: f64,
}

impl Conditions {
    pub(super) fn of(lab: &Laboratory<'_>) -> Conditions {
        let [links, alpha, omega, xi] = [&LINKS, &ALPHA, &OMEGA, &XI].map(|row| lab.number(row));
        Conditions { links: links as usize, alpha, omega, xi }
    }

    /// How long the chain is, m.
    pub(super) fn length(&self) -> f64 {
        self.links as f64 * ROD_LENGTH
    }

    /// The augmented Lagrangian of the study.
    pub(super) fn augmented(&self) -> Method {
        Method::augmented(self.alpha, self.omega, self.xi)
    }

    /// Whether the study itself has the stabilisation that it is held against.
    pub(super) fn are_stabilised(&self) -> bool {
        self.omega == STABILISED_OMEGA && self.xi == STABILISED_XI
    }

    /// The same with stabilisation.
    pub(super) fn stabilised(&self) -> Method {
        Method::augmented(self.alpha, STABILISED_OMEGA, STABILISED_XI)
    }
}

/// A way to accelerations.
#[derive(Clone, Debug)]
pub(super) struct Method {
    /// For legends and tables.
    pub(super) label: String,
    /// Its name in the catalogue, or `auto`.
    pub(super) formulation: &'static str,
    /// Its options, each as NAME=VALUE.
    pub(super) with: Vec<String>,
}

impl Method {
    /// A row of the catalogue as it is.
    pub(super) fn plain(formulation: &'static str) -> Method {
        Method { label: formulation.to_owned(), formulation, with: Vec::new() }
    }

    pub(super) fn recursive() -> Method {
        Method::plain("recursive")
    }

    pub(super) fn augmented(alpha: f64, omega: f64, xi: f64) -> Method {
        let damping = match omega == 0.0 || xi == STABILISED_XI {
            true => String::new(),
            false => format!(", ξ = {}", figure(xi)),
        };
        Method {
            label: format!("augmented Lagrangian, ω = {}{damping}", figure(omega)),
            formulation: "augmented-lagrangian",
            with: vec![format!("alpha={alpha}"), format!("omega={omega}"), format!("xi={xi}")],
        }
    }

    /// The index-1 equations that the augmented Lagrangian converges to.
    pub(super) fn index_1(omega: f64, xi: f64) -> Method {
        Method {
            label: "index-1 equations".to_owned(),
            formulation: "baumgarte",
            with: vec![format!("omega={omega}"), format!("xi={xi}")],
        }
    }
}

/// How a motion is to be followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// Relative and absolute.
    pub(super) tolerance: f64,
    /// Bounds the first step, s.
    pub(super) first: f64,
    /// Distance of rows, s.
    pub(super) every: f64,
}

/// A chain that was derived and compiled once for a method.
pub(super) struct Bench {
    pub(super) model: Model,
    links: usize,
    method: Method,
    integrator: &'static str,
    /// The end of its motions, s.
    t_end: f64,
    prepared: Prepared,
}

impl Bench {
    pub(super) fn new(
        lab: &Laboratory<'_>,
        links: usize,
        method: &Method,
    ) -> Result<Bench, StudyError> {
        let model = chain(lab, links)?;
        let plan = RunPlan::new(&model, &settings(method, INTEGRATOR), &model.run)?;
        let prepared = plan.formulation.prepare(&model).map_err(RunFailure::from)?;
        let (method, integrator, t_end) = (method.clone(), INTEGRATOR, T_END);
        Ok(Bench { model, links, method, integrator, t_end, prepared })
    }

    /// With another integrator than that of the study.
    pub(super) fn with_integrator(self, integrator: &'static str) -> Bench {
        Bench { integrator, ..self }
    }

    /// With shorter motions than those of the study, s.
    pub(super) fn until(self, t_end: f64) -> Bench {
        Bench { t_end, ..self }
    }

    /// Moves the chain; the time that the certificate names is that of the motion alone.
    pub(super) fn run(
        &mut self,
        lab: &Laboratory<'_>,
        steps: Steps,
        columns: Vec<String>,
    ) -> Result<Run, StudyError> {
        let settings = RunSettings {
            t_end: Some(self.t_end),
            rtol: Some(steps.tolerance),
            atol: Some(steps.tolerance),
            first_step: Some(steps.first),
            every: Some(steps.every),
            columns,
            ..settings(&self.method, self.integrator)
        };
        let plan = RunPlan::new(&self.model, &settings, &self.model.run)?;
        let mut clock = || lab.clock();
        let mut stop = |_| lab.reached(0.0).is_err();
        let run = self.prepared.run(&plan.options, &mut Host::new(&mut clock, &mut stop));
        let run = run.map_err(RunFailure::from)?;
        lab.reached(0.0)?;
        Ok(run)
    }

    /// Moves the chain and reads off what the study looks at.
    pub(super) fn trial(
        &mut self,
        lab: &Laboratory<'_>,
        steps: Steps,
    ) -> Result<Trial, StudyError> {
        let mut columns = ["tip_x", "tip_y", "tip_vx", "tip_vy"].map(str::to_owned).to_vec();
        columns.extend(self.positions());
        let run = self.run(lab, steps, columns)?;
        Ok(Trial::new(run, self.links))
    }

    /// Seconds of the best of several runs, which are made one after the other on one thread, and evaluations of each.
    pub(super) fn seconds(
        &mut self,
        lab: &Laboratory<'_>,
        steps: Steps,
        columns: &[String],
    ) -> Result<[f64; 2], StudyError> {
        let (mut best, mut spent) = ([f64::INFINITY, f64::NAN], 0.0);
        for repetition in 0..MAX_REPETITIONS {
            if repetition >= MIN_REPETITIONS && spent > lab.quick_or(QUICK_TIMING, FULL_TIMING) {
                break;
            }
            let certificate = self.run(lab, steps, columns.to_vec())?.certificate;
            spent += certificate.seconds;
            if certificate.seconds < best[0] {
                best = [certificate.seconds, certificate.statistics.evaluations as f64];
            }
        }
        Ok(best)
    }

    /// The names of its coordinates.
    pub(super) fn positions(&self) -> Vec<String> {
        self.prepared.system().coordinates.iter().map(|own| own.name.clone()).collect()
    }

    /// Coordinates and velocities: what `ode45` hands out on its grid.
    pub(super) fn state(&self) -> Vec<String> {
        let positions = self.positions();
        let rates = positions.iter().map(|name| format!("{name}'")).collect::<Vec<_>>();
        [positions, rates].concat()
    }
}

/// Motions by a method at all tolerances of the study, on one of its grids, s.
pub(super) fn at_all_tolerances(
    lab: &Laboratory<'_>,
    links: usize,
    method: &Method,
    grid: f64,
    every: f64,
) -> Result<Vec<Trial>, StudyError> {
    let mut bench = Bench::new(lab, links, method)?;
    let trial = |&tolerance| bench.trial(lab, Steps { tolerance, first: grid, every });
    TOLERANCES.iter().map(trial).collect()
}

/// The chain of this many rods.
pub(super) fn chain(lab: &Laboratory<'_>, links: usize) -> Result<Model, StudyError> {
    let settings = [format!("links={links}"), format!("length={ROD_LENGTH}"), "mass=1".to_owned()];
    lab.model("chain", &settings)
}

/// A run of the whole span, with everything else left open.
pub(super) fn settings(method: &Method, integrator: &str) -> RunSettings {
    RunSettings {
        formulation: Some(method.formulation.to_owned()),
        integrator: Some(integrator.to_owned()),
        t_end: Some(T_END),
        with: method.with.clone(),
        no_certify: true,
        ..RunSettings::default()
    }
}

/// A motion, and what the study looks at.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// A row for each time, with tip and coordinates.
    pub(super) table: Table,
    /// The largest distance between the two points of a joint in every row, m.
    pub(super) gaps: Vec<f64>,
    /// Which joint was open widest, from 1 on, and by how much, m; 0 where none can open.
    pub(super) worst: (usize, f64),
    pub(super) steps: u64,
    pub(super) evaluations: u64,
    /// Whether it reached its end.
    pub(super) finished: bool,
}

impl Trial {
    fn new(run: Run, links: usize) -> Trial {
        let mut worst = (0, 0.0);
        let mut gaps = Vec::with_capacity(run.table.len());
        let rods = Rods::of(&run.table, links);
        for row in 0..run.table.len() {
            let mut largest = 0.0_f64;
            for (at, gap) in rods.gaps(row).enumerate() {
                largest = largest.max(gap);
                if gap > worst.1 {
                    worst = (at + 1, gap);
                }
            }
            gaps.push(largest);
        }
        let statistics = run.certificate.statistics;
        Trial {
            gaps,
            worst,
            steps: statistics.steps,
            evaluations: statistics.evaluations,
            finished: run.certificate.stop == StopReason::Finished,
            table: run.table,
        }
    }

    pub(super) fn column(&self, name: &str) -> &[f64] {
        self.table.column(name).unwrap_or_default()
    }

    /// The largest gap of the motion, m.
    pub(super) fn gap(&self) -> f64 {
        self.worst.1
    }

    /// Where the tip is in the end, m; nowhere if the motion broke off.
    pub(super) fn tip(&self) -> [f64; 2] {
        let last = |name| match self.finished {
            true => self.column(name).last().copied().unwrap_or(f64::NAN),
            false => f64::NAN,
        };
        ["tip_x", "tip_y"].map(last)
    }

    /// How far the tip is from its true place in the end, m.
    pub(super) fn tip_error(&self, truth: &Trial) -> f64 {
        let ([x, y], [true_x, true_y]) = (self.tip(), truth.tip());
        let error = (x - true_x).hypot(y - true_y);
        if error.is_nan() { f64::INFINITY } else { error }
    }

    /// The error of the tip's velocity in every row, m/s; rows of both have the same times as long as both go on.
    pub(super) fn velocity_errors(&self, truth: &Trial) -> Vec<f64> {
        let apart = |name: &str| {
            let pairs = self.column(name).iter().zip(truth.column(name));
            pairs.map(|(own, exact)| own - exact).collect::<Vec<f64>>()
        };
        let pairs = apart("tip_vx").into_iter().zip(apart("tip_vy"));
        pairs.map(|(x, y)| x.hypot(y)).collect()
    }

    /// The largest of these from this time on, m/s.
    pub(super) fn velocity_error(&self, truth: &Trial, from: f64) -> f64 {
        if !self.finished {
            return f64::INFINITY;
        }
        let errors = self.column("t").iter().zip(self.velocity_errors(truth));
        errors.filter(|(time, _)| **time >= from).map(|(_, error)| error).fold(0.0, f64::max)
    }

    /// The speed of the tip in every row, m/s.
    pub(super) fn speed(&self) -> Vec<f64> {
        let pairs = self.column("tip_vx").iter().zip(self.column("tip_vy"));
        pairs.map(|(x, y)| x.hypot(*y)).collect()
    }
}

/// Where the rods of a chain are, by the columns of a table.
pub(super) struct Rods<'a> {
    angles: Vec<&'a [f64]>,
    /// Of absolute coordinates; none where the chain is in those of its joints.
    centres: Option<Vec<[&'a [f64]; 2]>>,
}

impl<'a> Rods<'a> {
    pub(super) fn of(table: &'a Table, links: usize) -> Rods<'a> {
        let column = |name: &str, i: usize| table.column(&format!("{name}{i}"));
        let centre = |i: usize| Some([column("x", i)?, column("y", i)?]);
        Rods {
            angles: (1..=links).filter_map(|i| column("theta", i)).collect(),
            centres: (1..=links).map(centre).collect(),
        }
    }

    /// Both ends of every rod in a row, m, from the pivot on.
    pub(super) fn ends(&self, row: usize) -> impl Iterator<Item = [[f64; 2]; 2]> {
        let mut end = [0.0; 2];
        self.angles.iter().enumerate().map(move |(at, angle)| {
            let (sine, cosine) = angle[row].sin_cos();
            let half = [0.5 * ROD_LENGTH * sine, -0.5 * ROD_LENGTH * cosine];
            let centre = match &self.centres {
                Some(centres) => centres[at].map(|column| column[row]),
                None => [end[0] + half[0], end[1] + half[1]],
            };
            end = [centre[0] + half[0], centre[1] + half[1]];
            [[centre[0] - half[0], centre[1] - half[1]], end]
        })
    }

    /// Distances between the two points of each joint in a row, m; zero where joints have the coordinates.
    fn gaps(&self, row: usize) -> impl Iterator<Item = f64> {
        let mut last = [0.0; 2];
        let can_open = self.centres.is_some();
        self.ends(row).map(move |[start, end]| {
            let gap = (start[0] - last[0]).hypot(start[1] - last[1]);
            last = end;
            if can_open { gap } else { 0.0 }
        })
    }
}

/// A number for people, three digits.
pub(super) fn figure(value: f64) -> String {
    digits(value, 3)
}

/// The range of some numbers.
pub(super) fn range(values: &[f64]) -> String {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match figure(low) == figure(high) {
        true => figure(low),
        false => format!("{} to {}", figure(low), figure(high)),
    }
}

/// The range of some counts, all digits.
pub(super) fn count_range(counts: &[f64]) -> String {
    let low = counts.iter().copied().fold(f64::INFINITY, f64::min);
    let high = counts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low == high { format!("{low}") } else { format!("{low} to {high}") }
}

/// Numbers, one after the other.
pub(super) fn list(values: &[f64]) -> String {
    values.iter().map(|value| figure(*value)).collect::<Vec<_>>().join(", ")
}

/// The value in the middle; of an even number the larger of two.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
