//! The columns of a table: where each of them comes from, and what has to be evaluated for them.

use crate::motion::Motion;
use crate::{RunError, Table};
use catena_compile::{Energies, Functions, Kernel};
use catena_derivation::Equations;
use catena_model::System;
use catena_symbolic::{Expr, Graph};

/// Where a column comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Time,
    Coordinate(usize),
    Velocity(usize),
    State(usize),
    Multiplier(usize),
    Kinetic,
    Potential,
    Energy,
    /// Place among the outputs that are asked for.
    Output(usize),
}

impl Origin {
    /// Empty where the model does not say: a coordinate that is no angle may be a length or anything else.
    fn unit(self, is_angle: &[bool]) -> &'static str {
        match self {
            Origin::Time => "s",
            Origin::Coordinate(i) if is_angle[i] => "rad",
            Origin::Velocity(i) if is_angle[i] => "rad/s",
            Origin::Kinetic | Origin::Potential | Origin::Energy => "J",
            _ => "",
        }
    }
}

/// The columns that are asked for.
pub(crate) struct Columns {
    pub(crate) names: Vec<String>,
    units: Vec<&'static str>,
    origins: Vec<Origin>,
    /// The outputs among them.
    outputs: Option<Kernel>,
    /// Whether accelerations and multipliers are needed, or the state alone is enough.
    pub(crate) needs_reactions: bool,
    needs_energies: bool,
    has_multipliers: bool,
}

impl Columns {
    /// All columns of a system, or the time and those of these names in this order. A linear model has none that need
    /// accelerations or multipliers. `is_angle` has an entry for each coordinate.
    pub(crate) fn new(
        system: &System,
        functions: &Functions,
        is_angle: &[bool],
        wanted: Option<&[String]>,
        linear: bool,
    ) -> Result<Columns, RunError> {
        let e = &functions.equations;
        let reactions = [e.accelerations.as_slice(), &e.multipliers].concat();
        let mut all = all(system);
        if linear {
            all.retain(|(_, origin)| match *origin {
                Origin::Multiplier(_) => false,
                Origin::Output(at) => !e.graph.depends_on(e.outputs[at], &reactions),
                _ => true,
            });
        }
        let mut chosen = match wanted {
            None => all,
            Some(wanted) => {
                // the time comes first; a caller that names it first may ask for it again behind
                let time = (wanted.first().is_none_or(|name| name != "t")).then(|| all[0].clone());
                time.into_iter().chain(choose(&all, wanted)?).collect()
            }
        };
        let mut outputs: Vec<Expr> = Vec::new();
        for (_, origin) in &mut chosen {
            if let Origin::Output(at) = origin {
                outputs.push(e.outputs[*at]);
                *at = outputs.len() - 1;
            }
        }
        let (names, origins): (Vec<String>, Vec<Origin>) = chosen.into_iter().unzip();
        let has = |wanted: fn(&Origin) -> bool| origins.iter().any(wanted);
        let has_multipliers = has(|origin| matches!(origin, Origin::Multiplier(_)));
        Ok(Columns {
            has_multipliers,
            needs_reactions: has_multipliers || e.graph.any_depends_on(&outputs, &reactions),
            needs_energies: has(|origin| {
                matches!(origin, Origin::Kinetic | Origin::Potential | Origin::Energy)
            }),
            outputs: (!outputs.is_empty())
                .then(|| functions.compile(&e.graph, &[("outputs", &outputs)])),
            units: origins.iter().map(|origin| origin.unit(is_angle)).collect(),
            names,
            origins,
        })
    }

    /// A table of these columns with room for this many rows.
    pub(crate) fn table(&self, rows: usize) -> Table {
        let columns = self.names.iter().zip(&self.units);
        columns.fold(Table::default(), |table, (name, unit)| {
            table.with_numbers(name, *unit, Vec::with_capacity(rows))
        })
    }

    /// The values at the state that is written down in the motion's evaluator, and the reactions there
    /// if they are needed. Returns the energies where they are among the columns.
    pub(crate) fn fill(
        &self,
        t: f64,
        (q, v, states): (&[f64], &[f64], &[f64]),
        motion: &mut Motion,
        row: &mut Vec<f64>,
    ) -> Option<Energies> {
        row.clear();
        let evaluator = match self.needs_reactions {
            true => motion.with_reactions(),
            false => motion.formulation.evaluator(),
        };
        let energies = self.needs_energies.then(|| evaluator.energies());
        let [kinetic, potential] = energies
            .as_ref()
            .map_or([f64::NAN; 2], |energies| [energies.kinetic, energies.potential]);
        let outputs = self.outputs.as_ref().map_or(&[][..], |kernel| evaluator.run(kernel));
        row.extend(self.origins.iter().map(|origin| match *origin {
            Origin::Time => t,
            Origin::Coordinate(i) => q[i],
            Origin::Velocity(i) => v[i],
            Origin::State(i) => states[i],
            // filled in below: the formulation lends its evaluator here
            Origin::Multiplier(_) => f64::NAN,
            Origin::Kinetic => kinetic,
            Origin::Potential => potential,
            Origin::Energy => kinetic + potential,
            Origin::Output(i) => outputs[i],
        }));
        if self.has_multipliers {
            let multipliers = motion.multipliers();
            for (value, origin) in row.iter_mut().zip(&self.origins) {
                if let Origin::Multiplier(i) = *origin {
                    *value = multipliers[i];
                }
            }
        }
        energies
    }
}

/// The columns of these names as expressions of t, q, v, states, accelerations, multipliers and parameters, in a graph
/// that grew out of the equations' own.
pub fn column_expressions(
    system: &System,
    e: &Equations,
    graph: &mut Graph,
    names: &[String],
) -> Result<Vec<Expr>, RunError> {
    let chosen = choose(&all(system), names)?;
    let mut expression = |(_, origin): &(String, Origin)| match *origin {
        Origin::Time => e.time,
        Origin::Coordinate(i) => e.coordinates[i],
        Origin::Velocity(i) => e.velocities[i],
        Origin::State(i) => e.states[i],
        Origin::Multiplier(i) => e.multipliers[i],
        Origin::Kinetic => e.kinetic,
        Origin::Potential => e.potential,
        Origin::Energy => graph.add(e.kinetic, e.potential),
        Origin::Output(i) => e.outputs[i],
    };
    Ok(chosen.iter().map(&mut expression).collect())
}

/// Those of these names, in this order.
fn choose(all: &[(String, Origin)], wanted: &[String]) -> Result<Vec<(String, Origin)>, RunError> {
    let find = |name: &String| {
        let found = all.iter().find(|(known, _)| known == name).cloned();
        found.ok_or_else(|| RunError::UnknownColumn {
            name: name.clone(),
            known: all.iter().map(|(name, _)| name.clone()).collect(),
        })
    };
    wanted.iter().map(find).collect()
}

fn all(system: &System) -> Vec<(String, Origin)> {
    let mut all = vec![("t".to_owned(), Origin::Time)];
    let coordinates = || system.coordinates.iter().map(|coordinate| &coordinate.name).enumerate();
    all.extend(coordinates().map(|(i, name)| (name.clone(), Origin::Coordinate(i))));
    all.extend(coordinates().map(|(i, name)| (format!("{name}'"), Origin::Velocity(i))));
    let states = system.states.iter().enumerate();
    all.extend(states.map(|(i, state)| (state.name.clone(), Origin::State(i))));
    let constraints = system.constraints.iter().enumerate();
    all.extend(constraints.map(|(i, c)| (format!("lambda_{}", c.name), Origin::Multiplier(i))));
    let energies = [Origin::Kinetic, Origin::Potential, Origin::Energy];
    let names = ["kinetic", "potential", "energy"].map(str::to_owned);
    all.extend(names.into_iter().zip(energies));
    let outputs = system.outputs.iter().enumerate();
    all.extend(outputs.map(|(i, output)| (output.name.clone(), Origin::Output(i))));
    all
}
