//! The functions of a model that are written out: M, Q, Φ and so on, each as a program with the equations it stands for.

use catena_compile::Program;
use catena_derivation::{Derivation, Equations, Quantities};
use catena_model::{NamedFormula, System};
use catena_symbolic::{Expr, Graph, Notation, primed};
use rustc_hash::{FxHashMap, FxHashSet};

/// A group of numbers that functions read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Time,
    Coordinates,
    Velocities,
    States,
    Accelerations,
    Multipliers,
    Parameters,
}

impl Group {
    /// In the order of the inputs of programs.
    pub(crate) const ALL: [Group; 7] = [
        Group::Time,
        Group::Coordinates,
        Group::Velocities,
        Group::States,
        Group::Accelerations,
        Group::Multipliers,
        Group::Parameters,
    ];

    /// The name of the group in programs.
    pub(crate) fn name(self) -> &'static str {
        ["t", "q", "v", "states", "accelerations", "multipliers", "parameters"][self as usize]
    }

    fn symbols(self, e: &Equations) -> &[Expr] {
        match self {
            Group::Time => std::slice::from_ref(&e.time),
            Group::Coordinates => &e.coordinates,
            Group::Velocities => &e.velocities,
            Group::States => &e.states,
            Group::Accelerations => &e.accelerations,
            Group::Multipliers => &e.multipliers,
            Group::Parameters => &e.parameters,
        }
    }
}

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Number,
    Vector(usize),
    /// Entries that are not listed are 0.
    Matrix(usize, usize),
    /// The same with the upper triangle listed alone.
    Symmetric(usize),
}

/// An entry of what a function gives, in the order of the outputs of its program.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// What it is: `M₁₂`, `tip_x`.
    pub(crate) name: Notation,
    /// What it is equal to.
    pub(crate) equation: Notation,
}

/// A function of the model.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub(crate) kind: &'static RoutineKind,
    /// What it reads, in the order of [`Group`]; empty groups are left out.
    pub(crate) arguments: Vec<Group>,
    pub(crate) shape: Shape,
    pub(crate) entries: Vec<Entry>,
    pub(crate) program: Program,
    /// Values of the program that have a name in the model.
    pub(crate) named_values: FxHashMap<u32, String>,
}

/// What is known about a function beforehand.
#[derive(Debug)]
pub(crate) struct RoutineKind {
    /// The name of the function.
    pub(crate) name: &'static str,
    /// The letter of the result, as people write it.
    pub(crate) letter: &'static str,
    /// The same as an identifier.
    pub(crate) result: &'static str,
    /// A line about it.
    pub(crate) summary: &'static str,
    /// What such a function reads, whether this one does or not: signatures are alike for all models.
    reads: &'static [Group],
}

impl RoutineKind {
    /// The letter of the result, to be typeset.
    pub(crate) fn notation(&self) -> Notation {
        let phi = |index: &str| Notation::name("Phi").indexed(Notation::name(index));
        match self.letter {
            "Φ" => Notation::name("Phi"),
            "Φq" => phi("q"),
            "Φt" => phi("t"),
            "γ" => Notation::name("gamma"),
            letter => Notation::name(letter),
        }
    }
}

use Group::{Accelerations, Coordinates, Multipliers, Parameters, States, Time, Velocities};

const POSE: &[Group] = &[Time, Coordinates, Parameters];
const MOTION: &[Group] = &[Time, Coordinates, Velocities, Parameters];
const STATE: &[Group] = &[Time, Coordinates, Velocities, States, Parameters];
const EVERYTHING: &[Group] =
    &[Time, Coordinates, Velocities, States, Accelerations, Multipliers, Parameters];

/// Every function, in the order in which they are written.
pub(crate) static KINDS: [RoutineKind; 12] = [
    RoutineKind {
        name: "definitions",
        letter: "definitions",
        result: "d",
        summary: "the definitions of the model",
        reads: POSE,
    },
    RoutineKind {
        name: "mass_matrix",
        letter: "M",
        result: "M",
        summary: "M, the mass matrix",
        reads: POSE,
    },
    RoutineKind {
        name: "forces",
        letter: "Q",
        result: "Q",
        summary: "Q, everything on the right side that is neither M a nor a constraint",
        reads: STATE,
    },
    RoutineKind {
        name: "constraints",
        letter: "Φ",
        result: "Phi",
        summary: "Φ, the constraints, which stay 0",
        reads: POSE,
    },
    RoutineKind {
        name: "constraint_jacobian",
        letter: "Φq",
        result: "Phi_q",
        summary: "Φq = ∂Φ/∂q, the constraint Jacobian",
        reads: POSE,
    },
    RoutineKind {
        name: "constraint_rate",
        letter: "Φt",
        result: "Phi_t",
        summary: "Φt = ∂Φ/∂t, so that dΦ/dt = Φq v + Φt",
        reads: POSE,
    },
    RoutineKind {
        name: "constraint_gamma",
        letter: "γ",
        result: "gamma",
        summary: "γ = −(Φq v)q v − 2 Φqt v − Φtt, so that Φq a = γ",
        reads: MOTION,
    },
    RoutineKind {
        name: "state_rates",
        letter: "dz/dt",
        result: "rates",
        summary: "dz/dt, the rates of the first-order states",
        reads: STATE,
    },
    RoutineKind {
        name: "kinetic",
        letter: "T",
        result: "T",
        summary: "T, the kinetic energy",
        reads: MOTION,
    },
    RoutineKind {
        name: "potential",
        letter: "V",
        result: "V",
        summary: "V, the potential energy",
        reads: POSE,
    },
    RoutineKind {
        name: "outputs",
        letter: "outputs",
        result: "out",
        summary: "the columns that the model names, from the state, accelerations and multipliers",
        reads: EVERYTHING,
    },
    RoutineKind {
        name: "quantities",
        letter: "quantities",
        result: "out",
        summary: "resultants of forces, and powers of what drives and brakes",
        reads: EVERYTHING,
    },
];

/// All functions that the system has.
pub(crate) fn routines(
    system: &System,
    equations: &Equations,
    derivation: &Derivation,
) -> Vec<Routine> {
    let mut graph = equations.graph.clone();
    let mut quantities = Quantities::new(equations, system);
    let built: Vec<Expr> =
        (0..system.quantities.len()).map(|at| quantities.quantity(&mut graph, at)).collect();
    let named = named_expressions(system, equations, &mut quantities, &mut graph);
    let builder = Builder { system, equations, derivation, graph: &graph, named: &named };
    KINDS.iter().filter_map(|kind| builder.routine(kind, &built)).collect()
}

/// Definitions and their rates, as expressions that are worth a name.
fn named_expressions(
    system: &System,
    equations: &Equations,
    quantities: &mut Quantities<'_>,
    graph: &mut Graph,
) -> Vec<(Expr, String)> {
    let mut named = Vec::new();
    for (at, definition) in system.definitions.iter().enumerate() {
        named.push((equations.definitions[at], definition.name.clone()));
    }
    for (at, definition) in system.definitions.iter().enumerate() {
        if system.definition_rates[at] >= 1 {
            let rate = quantities.definition(graph, at, 1);
            named.push((rate, primed(&definition.name, 1)));
        }
    }
    named
}

/// What functions are built from.
struct Builder<'a> {
    system: &'a System,
    equations: &'a Equations,
    derivation: &'a Derivation,
    graph: &'a Graph,
    named: &'a [(Expr, String)],
}

impl Builder<'_> {
    /// The function of a kind, if the model has anything of the kind.
    fn routine(&self, kind: &'static RoutineKind, quantities: &[Expr]) -> Option<Routine> {
        let (e, d) = (self.equations, self.derivation);
        let n = e.coordinates.len();
        let vector = |exprs: &[Expr], notations: &[Notation]| {
            let entries = exprs.iter().enumerate().map(|(at, &expr)| {
                let equation = notations.get(at).cloned().unwrap_or(Notation::Elided);
                let name = kind.notation().indexed(Notation::Position(vec![at + 1]));
                (Entry { row: at, column: 0, name, equation }, expr)
            });
            (Shape::Vector(exprs.len()), entries.collect::<Vec<_>>())
        };
        let matrix = |listed: &[(usize, usize, Expr)], notations: &[Vec<Notation>]| {
            let entries = listed.iter().map(|&(row, column, expr)| {
                let equation = notations.get(row).and_then(|entries| entries.get(column));
                let position = Notation::Position(vec![row + 1, column + 1]);
                let name = kind.notation().indexed(position);
                let equation = equation.cloned().unwrap_or(Notation::Elided);
                (Entry { row, column, name, equation }, expr)
            });
            entries.collect::<Vec<_>>()
        };
        let (shape, entries) = match kind.name {
            "definitions" => named(&self.system.definitions, &e.definitions),
            "mass_matrix" => {
                let mut entries = matrix(&e.mass_matrix, &d.mass_matrix);
                entries.sort_by_key(|(entry, _)| (entry.row, entry.column));
                (Shape::Symmetric(n), entries)
            }
            "forces" => vector(&e.forces, &d.forces),
            "constraints" => {
                let (shape, mut entries) = vector(&e.constraints, &d.constraints);
                for ((entry, _), constraint) in entries.iter_mut().zip(&self.system.constraints) {
                    entry.name = Notation::name(&constraint.name);
                }
                (shape, entries)
            }
            "constraint_jacobian" => {
                let listed = &e.constraint_jacobian.entries;
                let shape = Shape::Matrix(e.constraints.len(), n);
                (shape, matrix(listed, &d.constraint_jacobian))
            }
            "constraint_rate" => vector(&e.constraint_rate, &d.constraint_rate),
            "constraint_gamma" => vector(&e.gamma, &d.gamma),
            "state_rates" => {
                let (shape, mut entries) = named(&self.system.states, &e.state_rates);
                for (entry, _) in &mut entries {
                    if let Notation::Name(name) = &mut entry.name {
                        name.push('\'');
                    }
                }
                (shape, entries)
            }
            "kinetic" => self.energy(kind, e.kinetic, self.system.kinetic.as_ref()),
            "potential" => self.energy(kind, e.potential, self.system.potential.as_ref()),
            "outputs" => named(&self.system.outputs, &e.outputs),
            _ => named(&self.system.quantities, quantities),
        };
        let is_empty = match shape {
            Shape::Number => false,
            Shape::Vector(len) | Shape::Symmetric(len) => len == 0,
            Shape::Matrix(rows, columns) => rows == 0 || columns == 0,
        };
        (!is_empty).then(|| self.lowered(kind, shape, entries))
    }

    fn energy(
        &self,
        kind: &RoutineKind,
        expr: Expr,
        formula: Option<&NamedFormula>,
    ) -> (Shape, Vec<(Entry, Expr)>) {
        let equation = formula.map_or(Notation::Elided, |f| Notation::of_formula(&f.formula));
        let entry = Entry { row: 0, column: 0, name: Notation::name(kind.letter), equation };
        (Shape::Number, vec![(entry, expr)])
    }

    fn lowered(
        &self,
        kind: &'static RoutineKind,
        shape: Shape,
        entries: Vec<(Entry, Expr)>,
    ) -> Routine {
        let e = self.equations;
        let (entries, roots): (Vec<Entry>, Vec<Expr>) = entries.into_iter().unzip();
        let reachable: FxHashSet<Expr> = self.graph.reachable(&roots).into_iter().collect();
        let named: Vec<&(Expr, String)> =
            self.named.iter().filter(|(expr, _)| reachable.contains(expr)).collect();
        let named_exprs: Vec<Expr> = named.iter().map(|(expr, _)| *expr).collect();
        let inputs = Group::ALL.map(|group| (group.name(), group.symbols(e)));
        let outputs: [(&str, &[Expr]); 2] = [(kind.name, &roots), ("named", &named_exprs)];
        let mut program = Program::lower(self.graph, &inputs, &outputs);
        // all that is named is computed for the result anyway
        let values = program.outputs.pop().map_or_else(Vec::new, |group| group.values);
        let mut named_values = FxHashMap::default();
        for (value, (_, name)) in values.into_iter().zip(named) {
            if value as usize >= program.input_len() + program.constants.len() {
                named_values.entry(value).or_insert_with(|| name.clone());
            }
        }
        let is_read = |group: Group| {
            let symbols = group.symbols(e);
            let is_used = || symbols.iter().any(|symbol| reachable.contains(symbol));
            !symbols.is_empty() && (kind.reads.contains(&group) || is_used())
        };
        let arguments = Group::ALL.into_iter().filter(|group| is_read(*group)).collect();
        Routine { kind, arguments, shape, entries, program, named_values }
    }
}

/// Formulas of the user's under their names.
fn named(formulas: &[NamedFormula], exprs: &[Expr]) -> (Shape, Vec<(Entry, Expr)>) {
    let entries = formulas.iter().zip(exprs).enumerate().map(|(at, (formula, &expr))| {
        let name = Notation::name(&formula.name);
        let equation = Notation::of_formula(&formula.formula);
        (Entry { row: at, column: 0, name, equation }, expr)
    });
    (Shape::Vector(formulas.len()), entries.collect())
}
