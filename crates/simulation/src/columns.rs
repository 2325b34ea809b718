//! The columns of a table: where each of them comes from, and what has to be evaluated for them.

use crate::column_names::{Origin, built, choose, derived, usual_columns};
use crate::motion::Motion;
use crate::{RunError, Table, with_time};
use catena_compile::{Energies, Functions, Kernel};
use catena_derivation::{Equations, Quantities};
use catena_model::{Dimensions, System};
use catena_symbolic::{Expr, Graph};
use std::borrow::Cow;

/// The columns that are asked for.
pub(crate) struct Columns {
    pub(crate) names: Vec<String>,
    units: Vec<&'static str>,
    sources: Vec<Source>,
    /// Those that are computed.
    computed: Option<Kernel>,
    /// Whether accelerations and multipliers are needed, or the state alone is enough.
    pub(crate) needs_reactions: bool,
    needs_energies: bool,
    has_multipliers: bool,
}

/// Who knows the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Time,
    Coordinate(usize),
    Velocity(usize),
    State(usize),
    Multiplier(usize),
    Kinetic,
    Potential,
    Energy,
    /// Place among those that are computed.
    Computed(usize),
}

impl Source {
    /// `None` for a column that is computed.
    fn of(origin: Origin) -> Option<Source> {
        match origin {
            Origin::Time => Some(Source::Time),
            Origin::Coordinate(i) => Some(Source::Coordinate(i)),
            Origin::Velocity(i) => Some(Source::Velocity(i)),
            Origin::State(i) => Some(Source::State(i)),
            Origin::Multiplier(i) => Some(Source::Multiplier(i)),
            Origin::Kinetic => Some(Source::Kinetic),
            Origin::Potential => Some(Source::Potential),
            Origin::Energy => Some(Source::Energy),
            Origin::Acceleration(_)
            | Origin::StateRate(_)
            | Origin::Output(_)
            | Origin::Definition(..)
            | Origin::Quantity(_) => None,
        }
    }

    fn is_energy(self) -> bool {
        matches!(self, Source::Kinetic | Source::Potential | Source::Energy)
    }
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
        let chosen = match wanted {
            None => usual_columns(system),
            // a caller that names the time first may ask for it again behind
            Some([first, ..]) if first == "t" => choose(system, wanted.unwrap_or_default())?,
            Some(wanted) => choose(system, &with_time(wanted))?,
        };
        let dimensions = Dimensions::new(system, is_angle);
        let mut quantities = Quantities::new(e, system);
        let mut graph = Cow::Borrowed(&e.graph);
        let (mut names, mut units, mut sources) = (Vec::new(), Vec::new(), Vec::new());
        let mut computed: Vec<Expr> = Vec::new();
        for (name, origin) in chosen {
            let mut source = Source::of(origin);
            let expr = source.is_none().then(|| {
                derived(e, origin)
                    .unwrap_or_else(|| built(e, &mut quantities, graph.to_mut(), origin))
            });
            let is_reaction = matches!(source, Some(Source::Multiplier(_)))
                || expr.is_some_and(|expr| linear && graph.depends_on(expr, &reactions));
            if linear && is_reaction {
                match wanted {
                    Some(_) => return Err(RunError::NotInLinearModel { column: name }),
                    None => continue,
                }
            }
            if let Some(expr) = expr {
                source = Some(Source::Computed(computed.len()));
                computed.push(expr);
            }
            let Some(source) = source else { continue };
            units.push(if source.is_energy() { "J" } else { dimensions.unit(&name) });
            sources.push(source);
            names.push(name);
        }
        let has = |wanted: fn(Source) -> bool| sources.iter().any(|source| wanted(*source));
        let has_multipliers = has(|source| matches!(source, Source::Multiplier(_)));
        Ok(Columns {
            has_multipliers,
            needs_reactions: has_multipliers || graph.any_depends_on(&computed, &reactions),
            needs_energies: has(Source::is_energy),
            computed: (!computed.is_empty())
                .then(|| functions.compile(&graph, &[("outputs", &computed)])),
            units,
            names,
            sources,
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
        let computed = self.computed.as_ref().map_or(&[][..], |kernel| evaluator.run(kernel));
        row.extend(self.sources.iter().map(|source| match *source {
            Source::Time => t,
            Source::Coordinate(i) => q[i],
            Source::Velocity(i) => v[i],
            Source::State(i) => states[i],
            // filled in below: the formulation lends its evaluator here
            Source::Multiplier(_) => f64::NAN,
            Source::Kinetic => kinetic,
            Source::Potential => potential,
            Source::Energy => kinetic + potential,
            Source::Computed(i) => computed[i],
        }));
        if self.has_multipliers {
            let multipliers = motion.multipliers();
            for (value, source) in row.iter_mut().zip(&self.sources) {
                if let Source::Multiplier(i) = *source {
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
    let mut quantities = Quantities::new(e, system);
    let expression = |(_, origin)| {
        derived(e, origin).unwrap_or_else(|| built(e, &mut quantities, graph, origin))
    };
    Ok(choose(system, names)?.into_iter().map(expression).collect())
}
