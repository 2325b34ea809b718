//! Everything about a model that is written out, gathered before a language writes it.

use crate::routine::{Group, Routine, routines};
use crate::words::one_line;
use crate::{ExportError, SourceName};
use catena_compile::Program;
use catena_derivation::{Derivation, Equations, Extent, Thoroughness};
use catena_model::{CoordinateSet, Model, RunSettings, System};
use catena_simulation::{Assembly, FindingKind, RunPlan, diagnose};
use catena_symbolic::{Expr, Graph};

/// A mass matrix of more coordinates than this is no source that somebody reads or compiles.
pub(crate) const MAX_COORDINATES: usize = 240;
/// Up to this many coordinates every entry stands next to the equation it belongs to.
const MAX_EXPLAINED_COORDINATES: usize = 130;
/// Random states at which the derivation is checked.
const CHECKED_STATES: usize = 5;
const CHECK_SEED: u64 = 1;

/// A model with all that is written out about it.
pub(crate) struct ExportedModel<'a> {
    pub(crate) model: &'a Model,
    pub(crate) system: &'a System,
    /// What the file is called, without its ending: programs and functions are named after it.
    pub(crate) name: &'a str,
    /// Whether there is such a file.
    pub(crate) is_file: bool,
    pub(crate) derivation: Derivation,
    pub(crate) routines: Vec<Routine>,
    pub(crate) parameters: Vec<ExportedParameter>,
    /// Assembled: it satisfies the constraints.
    pub(crate) start: Assembly,
    /// The end of the driver's run, s.
    pub(crate) t_end: f64,
    /// The distance of its rows, s.
    pub(crate) every: f64,
    /// How many constraints follow from others in every pose.
    pub(crate) redundant: usize,
}

/// A parameter with its value.
pub(crate) struct ExportedParameter {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// What it is, in words, with its unit; empty where nobody says.
    pub(crate) meaning: String,
    /// The formula of the parameters above it that it follows from.
    pub(crate) formula: Option<ParameterFormula>,
}

impl ExportedParameter {
    /// What is said about it where it has this identifier, if anything.
    pub(crate) fn comment(&self, identifier: &str) -> Option<String> {
        let name = match &self.formula {
            Some(formula) => format!("{} = {}", self.name, one_line(&formula.text)),
            None if *identifier != self.name => self.name.clone(),
            None => String::new(),
        };
        let parts = [name, one_line(&self.meaning)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// How a parameter follows from others.
pub(crate) struct ParameterFormula {
    pub(crate) text: String,
    /// Of all parameters.
    pub(crate) program: Program,
}

impl<'a> ExportedModel<'a> {
    /// Derives, checks and assembles a model; refuses what cannot move.
    pub(crate) fn new(
        model: &'a Model,
        set: CoordinateSet,
        name: SourceName<'a>,
    ) -> Result<ExportedModel<'a>, ExportError> {
        let system = model.system(set);
        let coordinates = system.coordinates.len();
        if coordinates > MAX_COORDINATES {
            return Err(ExportError::TooLarge { coordinates });
        }
        let plan = RunPlan::new(model, &RunSettings::default(), &model.run)?;
        let diagnosis = diagnose(model, set);
        if let Some(finding) = diagnosis.findings.iter().find(|finding| !finding.can_run) {
            let (message, help) = (finding.kind.message(), finding.kind.help());
            return Err(ExportError::CannotRun { message, help });
        }
        let singular =
            diagnosis.findings.iter().any(|f| matches!(f.kind, FindingKind::SingularPose { .. }));
        let redundant =
            diagnosis.findings.iter().filter(|f| matches!(f.kind, FindingKind::Redundant { .. }));
        let redundant = redundant.count();
        let start = diagnosis.start.filter(|_| !singular).ok_or(ExportError::SingularStart)?;
        let equations = Equations::derive(model, system);
        let quick = Thoroughness::Quick;
        let agreement =
            catena_derivation::check(model, system, &equations, CHECKED_STATES, quick, CHECK_SEED)?;
        let extent = match coordinates {
            ..=MAX_EXPLAINED_COORDINATES => Extent::Everything,
            _ => Extent::Readable,
        };
        let derivation = catena_derivation::explain(model, system, &equations, extent, agreement)?;
        let (name, is_file) = match name {
            SourceName::File(name) => (name, true),
            SourceName::Model(name) => (name, false),
        };
        Ok(ExportedModel {
            routines: routines(system, &equations, &derivation),
            parameters: parameters(model, &derivation),
            derivation,
            start: Assembly { t: plan.options.t_start, ..start },
            t_end: plan.options.t_end,
            every: plan.options.every,
            redundant,
            model,
            system,
            name,
            is_file,
        })
    }

    /// The function of this name, if the model has it.
    pub(crate) fn routine(&self, name: &str) -> Option<&Routine> {
        self.routines.iter().find(|routine| routine.kind.name == name)
    }

    /// How many coordinates, constraints and first-order states there are.
    pub(crate) fn sizes(&self) -> [usize; 3] {
        let system = self.system;
        [system.coordinates.len(), system.constraints.len(), system.states.len()]
    }

    /// The columns that a driver writes: those of `catena run`.
    pub(crate) fn columns(&self) -> Vec<String> {
        let system = self.system;
        let coordinates = || system.coordinates.iter().map(|coordinate| &coordinate.name);
        let mut columns = vec!["t".to_owned()];
        columns.extend(coordinates().cloned());
        columns.extend(coordinates().map(|name| format!("{name}'")));
        columns.extend(system.states.iter().map(|state| state.name.clone()));
        columns.extend(system.constraints.iter().map(|c| format!("lambda_{}", c.name)));
        columns.extend(["kinetic", "potential", "energy"].map(str::to_owned));
        columns.extend(system.outputs.iter().map(|output| output.name.clone()));
        columns
    }

    /// What a reader has to know besides the equations, a sentence each.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let events: Vec<&str> =
            self.system.events.iter().map(|event| event.entry.name.as_str()).collect();
        if !events.is_empty() {
            let list = events.join(", ");
            remarks.push(format!("Events of the model are not part of this file: {list}."));
        }
        if self.redundant > 0 {
            let count = self.redundant;
            remarks.push(format!(
                "{count} of the constraints follow{} from others in every pose: of the multipliers that fit, the \
                 shortest are taken, as Catena does.",
                if count == 1 { "s" } else { "" }
            ));
        }
        remarks
    }
}

/// The parameters with their meanings; those that are formulas of others follow from them.
fn parameters(model: &Model, derivation: &Derivation) -> Vec<ExportedParameter> {
    let mut graph = Graph::new();
    let symbols: Vec<Expr> = model.parameters.iter().map(|p| graph.symbol(&p.entry.name)).collect();
    let rows = model.parameters.iter().zip(&derivation.parameter_legend);
    rows.map(|(parameter, legend)| {
        let formula = &parameter.entry.formula;
        let follows = formula.evaluate(|name, _| model.parameter(name).unwrap_or(f64::NAN));
        let is_formula = formula.names().next().is_some() && follows == parameter.value;
        let formula = is_formula.then(|| {
            let expr = formula.build_plain(&mut graph);
            let inputs = Group::ALL.map(|group| match group {
                Group::Parameters => (group.name(), symbols.as_slice()),
                _ => (group.name(), &[][..]),
            });
            ParameterFormula {
                text: legend.formula.as_ref().map(|f| f.to_text()).unwrap_or_default(),
                program: Program::lower(&graph, &inputs, &[("value", &[expr])]),
            }
        });
        let parts = [legend.meaning.as_str(), legend.unit];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        ExportedParameter {
            name: parameter.entry.name.clone(),
            value: parameter.value,
            meaning: parts.join(", "),
            formula,
        }
    })
    .collect()
}
