//! Orbit diagrams: the points to which motions settle, over a parameter.
//!
//! # Equations
//! For each value of the parameter the return map $x_{k+1} = P(x_k)$ of [`crate::ReturnMap`] is followed through a transient,
//! then its points are kept: $m$ of them again and again where the orbit is periodic with $x_{k+m} = x_k$, many where it is
//! not. *From rest* every value begins at the model's own start; *up* and *down* each begins where the one before has ended, so
//! that both sides of a jump are seen.
//!
//! A period doubling is where an eigenvalue of $DP^m$ passes −1. Near it the motion settles as slowly as one likes, so that
//! nothing there waits for it: the orbit is the root of $P^m(x) = x$ by Newton's method, on both sides of the doubling, and
//! $\det(DP^m + 1) = 0$ is solved for the parameter.
//!
//! # When to choose it
//! To see the way into chaos, jumps, and orbits that coexist, over one parameter. It shows what motions settle to; unstable orbits and
//! folds are followed by `continuation`.
//!
//! # Reference
//! M. J. Feigenbaum, *Quantitative universality for a class of nonlinear transformations*, J. Stat. Phys. 19 (1978) 25–52;
//! Y. A. Kuznetsov, *Elements of Applied Bifurcation Theory*, section 10.1 (Newton's method and test functions)

mod doubling;
mod marks;
mod multiple;
mod periodic_orbit;
mod point_sets;

use crate::live::{Gathered, Show};
use crate::returns::{
    AddPoint, Chain, Circle, Link, ReturnPoints, Returns, SeenSoFar, add_point, engine_options,
    never_crossed, refused,
};
use crate::{Branch, Refusal, ReturnMap};
use catena_ensemble::{Axis, DeviceChoice, Engine, SweepOptions, Task};
use catena_model::Model;
use catena_simulation::RunPlan;
use multiple::multiple;

/// What is asked of a model.
#[derive(Clone)]
pub struct OrbitRequest {
    /// The parameter with its values, in rising order.
    pub parameter: Axis,
    /// When motions are looked at.
    pub map: ReturnMap,
    /// The column that is drawn.
    pub column: String,
    /// How values follow each other.
    pub branches: Vec<Branch>,
    /// Points of each motion that are left out at its beginning.
    pub transient: u64,
    /// Points of each motion that are kept then.
    pub keep: u64,
    /// How far a point may be from the one a period before, relative to the size of the orbit.
    pub tolerance: f64,
    /// How motions are computed, when they begin and how long they may take.
    pub run: RunPlan,
    /// What moves them.
    pub device: DeviceChoice,
    /// How many threads may compute.
    pub threads: usize,
}

/// The orbit at one value of the parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    /// Of the parameter.
    pub value: f64,
    /// The column at the points, in the order of time; angles in (−π, π].
    pub points: Vec<f64>,
    /// After how many points the state is the same again; none where it is not, within half of those that are kept.
    pub multiple: Option<u64>,
    /// Whether the orbit is another one than at the value before, not the same one a little further.
    pub jump: bool,
    /// Whether another branch has another orbit at this value.
    pub coexists: bool,
    /// Coordinates, velocities and states at the last point; angles in (−π, π].
    pub state: Vec<f64>,
    /// When the last point was, s.
    pub time: f64,
    /// The shortest time between two points, s; NaN where there are none.
    pub shortest_return: f64,
    /// Why the motion failed, if it did.
    pub failure: Option<String>,
}

/// The orbits of one branch, in rising order of the parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct OrbitBranch {
    /// How values follow each other.
    pub branch: Branch,
    /// One for each value, as far as the branch came.
    pub orbits: Vec<Orbit>,
}

/// Where an orbit of m points becomes one of 2m.
#[derive(Clone, Debug, PartialEq)]
pub struct PeriodDoubling {
    /// The parameter there.
    pub value: f64,
    /// How far the value may be off: how much it changes when the integrator's tolerances are a hundred times larger, and
    /// what the search leaves.
    pub error: f64,
    /// m
    pub multiple: u64,
    /// The branches on which it is seen.
    pub branches: Vec<Branch>,
}

/// Orbits over a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct OrbitDiagram {
    /// In the order in which they were asked for.
    pub branches: Vec<OrbitBranch>,
    /// In rising order of the parameter.
    pub doublings: Vec<PeriodDoubling>,
    /// Whether the column is an angle.
    pub on_circle: bool,
    /// How many motions run side by side on one core.
    pub lanes: usize,
    /// Whether everything that was asked for is there.
    pub complete: bool,
    /// What is to be said of the device that was asked for, if one was.
    pub device: Option<String>,
}

/// The part of the work, as it is reported, after which all orbits are known.
const PROGRESS_AT_ORBITS: f64 = 0.9;

/// What all steps of the work share.
pub(crate) struct OrbitDriver<'a> {
    model: &'a Model,
    request: &'a OrbitRequest,
    /// Names of coordinates, velocities and states.
    state_names: Vec<String>,
    /// Angles among them, and behind them that of the column.
    circle: Circle,
    /// How many coordinates there are, and first-order states.
    sizes: [usize; 2],
}

/// Finds the orbits of a model over a parameter.
pub fn orbit_diagram(
    model: &Model,
    request: &OrbitRequest,
    stop: &(dyn Fn(f64) -> bool + Sync),
) -> Result<OrbitDiagram, Refusal> {
    orbit_diagram_shown(model, request, stop, None)
}

/// The same for somebody who looks at what is known so far.
pub(crate) fn orbit_diagram_shown(
    model: &Model,
    request: &OrbitRequest,
    stop: &(dyn Fn(f64) -> bool + Sync),
    show: Option<&Show<'_, OrbitDiagram>>,
) -> Result<OrbitDiagram, Refusal> {
    let driver = OrbitDriver::new(model, request);
    let engine = driver.engine(1.0, request.device.clone())?;
    let chains = driver.chains()?;
    let on_circle = driver.circle.has(driver.state_names.len());
    let diagram = |seen: &SeenSoFar| OrbitDiagram {
        doublings: Vec::new(),
        branches: driver.branches(seen),
        on_circle,
        lanes: engine.lanes(),
        complete: false,
        device: engine.device_words(),
    };
    let seen: SeenSoFar = chains.iter().map(|_| Vec::new()).collect();
    let gathered = show.map(|show| Gathered::new(seen, &diagram, show));
    let add = |place: [usize; 2], t: f64, columns: &[f64]| {
        if let Some(gathered) = &gathered {
            gathered.add(|seen| add_point(seen, place, t, columns));
        }
    };
    let add: Option<&AddPoint<'_>> = show.is_some().then_some(&add);
    let (seen, complete) = Returns { add, ..driver.returns(&engine) }
        .run(&chains, &|part| stop(PROGRESS_AT_ORBITS * part));
    engine.check_device().map_err(refused)?;
    let mut found = diagram(&seen);
    let nothing =
        found.branches.iter().flat_map(|it| &it.orbits).all(|orbit| orbit.points.is_empty());
    if complete && nothing {
        return Err(driver.nothing_seen(&found.branches));
    }
    marks::mark(&mut found.branches, on_circle);
    if complete {
        let progress = |part: f64| stop(PROGRESS_AT_ORBITS + (1.0 - PROGRESS_AT_ORBITS) * part);
        (found.doublings, found.complete) = doubling::find(&driver, &found.branches, &progress)?;
    }
    Ok(found)
}

impl<'a> OrbitDriver<'a> {
    fn new(model: &'a Model, request: &'a OrbitRequest) -> OrbitDriver<'a> {
        let set = request.run.formulation.entry.coordinates;
        let system = model.system(set);
        let names: Vec<String> = system.coordinates.iter().map(|it| it.name.clone()).collect();
        let velocities = names.iter().map(|name| format!("{name}'"));
        let states = system.states.iter().map(|state| state.name.clone());
        let sizes = [names.len(), system.states.len()];
        let state_names: Vec<String> =
            names.iter().cloned().chain(velocities).chain(states).collect();
        let columns: Vec<String> =
            state_names.iter().cloned().chain([request.column.clone()]).collect();
        let circle = Circle::new(model, set, &columns);
        OrbitDriver { model, request, state_names, circle, sizes }
    }

    /// What runs the motions, with tolerances times a factor.
    fn engine(&self, factor: f64, device: DeviceChoice) -> Result<Engine, Refusal> {
        let OrbitRequest { run, parameter, map, column, .. } = self.request;
        let options = SweepOptions { device, ..engine_options(run, factor) };
        let columns = self.state_names.iter().cloned().chain([column.clone()]).collect();
        let first = Task { values: vec![parameter.values[0]], ..Task::default() };
        let names = (vec![parameter.name.clone()], columns);
        Engine::with_sections(self.model, names, options, map.sections(), &first).map_err(refused)
    }

    fn returns<'b>(&'b self, engine: &'b Engine) -> Returns<'b> {
        let OrbitRequest { map, threads, .. } = self.request;
        Returns {
            engine,
            map,
            state_len: self.state_names.len(),
            circle: &self.circle,
            threads: *threads,
            add: None,
        }
    }

    /// One motion at a value of the parameter.
    fn link(&self, value: f64, skip: u64, keep: u64) -> Result<Link, Refusal> {
        let OrbitRequest { parameter, map, run, .. } = self.request;
        let period = match map {
            ReturnMap::Section(_) => None,
            ReturnMap::Period(period) => {
                let names = std::slice::from_ref(&parameter.name);
                Some(period.of_cell(&mut self.model.clone(), names, &[value])?)
            }
        };
        let (t_start, longest) = (run.options.t_start, run.options.duration());
        Ok(Link { values: vec![value], t_start, skip, keep, after: 0.0, period, longest })
    }

    /// The chains of all branches: from rest one for each value.
    fn chains(&self) -> Result<Vec<Chain>, Refusal> {
        let OrbitRequest { parameter, branches, transient, keep, .. } = self.request;
        let links = parameter.values.iter().map(|&value| self.link(value, *transient, *keep));
        let links: Vec<Link> = links.collect::<Result<_, _>>()?;
        let mut chains = Vec::new();
        // those that take longest first
        let carried = branches.iter().filter(|branch| **branch != Branch::FromRest);
        for branch in carried {
            let mut links = links.clone();
            if *branch == Branch::Down {
                links.reverse();
            }
            chains.push(Chain { start: None, links });
        }
        if branches.contains(&Branch::FromRest) {
            chains
                .extend(links.iter().map(|link| Chain { start: None, links: vec![link.clone()] }));
        }
        Ok(chains)
    }

    fn branches(&self, seen: &[Vec<ReturnPoints>]) -> Vec<OrbitBranch> {
        let OrbitRequest { branches, parameter, .. } = self.request;
        let carried: Vec<Branch> =
            branches.iter().copied().filter(|branch| *branch != Branch::FromRest).collect();
        let orbit = |(points, &value): (&ReturnPoints, &f64)| self.orbit(value, points);
        let of = |&branch: &Branch| {
            let orbits = match carried.iter().position(|it| *it == branch) {
                Some(at) if branch == Branch::Down => {
                    let mut orbits: Vec<Orbit> =
                        seen[at].iter().zip(parameter.values.iter().rev()).map(orbit).collect();
                    orbits.reverse();
                    orbits
                }
                Some(at) => seen[at].iter().zip(&parameter.values).map(orbit).collect(),
                None => {
                    let alone = seen[carried.len()..].iter().zip(&parameter.values);
                    let known = alone.filter_map(|(seen, value)| Some((seen.first()?, value)));
                    known.map(orbit).collect()
                }
            };
            OrbitBranch { branch, orbits }
        };
        branches.iter().map(of).collect()
    }

    fn orbit(&self, value: f64, seen: &ReturnPoints) -> Orbit {
        let width = self.state_names.len() + 1;
        let rows: Vec<&[f64]> = seen.columns.chunks_exact(width).collect();
        let column = |row: &&[f64]| self.circle.wrapped(width - 1, row[width - 1]);
        let fails = seen.failure.is_some();
        let returns = seen.times.len().saturating_sub(1) as f64;
        let span =
            seen.times.last().zip(seen.times.first()).map_or(0.0, |(last, first)| last - first);
        let rate = std::f64::consts::TAU * returns / span;
        Orbit {
            value,
            points: rows.iter().map(column).collect(),
            multiple: match fails || rows.len() < self.request.keep as usize {
                true => None,
                false => multiple(&rows, &self.circle, self.sizes, rate, self.request.tolerance),
            },
            jump: false,
            coexists: false,
            state: rows.last().map_or(Vec::new(), |row| {
                let state = row[..width - 1].iter().enumerate();
                state.map(|(at, &value)| self.circle.wrapped(at, value)).collect()
            }),
            time: seen.times.last().copied().unwrap_or(f64::NAN),
            shortest_return: seen
                .times
                .windows(2)
                .map(|pair| pair[1] - pair[0])
                .fold(f64::NAN, f64::min),
            failure: seen.failure.clone(),
        }
    }

    /// Why there is no point at all.
    fn nothing_seen(&self, branches: &[OrbitBranch]) -> Refusal {
        let orbits = || branches.iter().flat_map(|branch| &branch.orbits);
        if let Some(reason) = orbits().find_map(|orbit| orbit.failure.as_ref()) {
            return Refusal::of_model(
                format!("no motion came to its first point: {reason}"),
                "{check} says more about the model",
            );
        }
        let mut model = self.model.clone();
        let OrbitRequest { parameter, run, map, .. } = self.request;
        let at = model.parameters.iter().position(|it| it.entry.name == parameter.name);
        model.change_parameters(|it| (Some(it) == at).then_some(parameter.values[0]));
        let formulation = (run.formulation.entry, &run.formulation.options);
        never_crossed(&model, formulation, &run.options, map, "give motions more time with {keep}")
    }
}
