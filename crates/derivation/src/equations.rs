//! Lagrange's equations with multipliers, derived on the graph.
//!
//! # Equations
//! With T, V, Rayleigh's function D, generalised forces F and constraints Φ(q, t) = 0,
//! $$\frac{d}{dt}\frac{\partial T}{\partial v} - \frac{\partial T}{\partial q} +
//!   \frac{\partial V}{\partial q} + \frac{\partial D}{\partial v} + \Phi_q^T\lambda = F$$
//! is written as $M\dot v + \Phi_q^T\lambda = Q$, $\Phi_q\dot v = \gamma$ with
//! - p = ∂T/∂v, one reverse sweep; M = ∂p/∂v, one forward sweep a column;
//! - Q = F − ∂D/∂v + ∂(T − V)/∂q − (∂p/∂q v + ∂p/∂t), the last a directional derivative;
//! - γ = −(Φq v)q v − 2 Φqt v − Φtt, the second time derivative of Φ without its accelerations.
//!
//! Each sweep costs a multiple of the nodes in the energies, so n links cost n² for the dense M.

use crate::scope::Scope;
use crate::shorten::shorten;
use catena_model::{Model, NamedFormula, Role, System};
use catena_symbolic::{Expr, Graph, Jacobian, Number};
use std::collections::HashMap;

/// The equations of motion as expressions of one graph.
#[derive(Clone, Debug)]
pub struct Equations {
    /// Owns all expressions below.
    pub graph: Graph,
    /// Symbols of the parameters.
    pub parameters: Vec<Expr>,
    /// Symbols q.
    pub coordinates: Vec<Expr>,
    /// Symbols v.
    pub velocities: Vec<Expr>,
    /// Symbols v̇.
    pub accelerations: Vec<Expr>,
    /// Symbols of the first-order states.
    pub states: Vec<Expr>,
    /// Symbols λ.
    pub multipliers: Vec<Expr>,
    /// Symbol t.
    pub time: Expr,
    /// Bodies of the definitions.
    pub definitions: Vec<Expr>,
    /// T
    pub kinetic: Expr,
    /// V
    pub potential: Expr,
    /// D
    pub dissipation: Expr,
    /// F, one for each coordinate.
    pub applied: Vec<Expr>,
    /// p = ∂T/∂v
    pub momenta: Vec<Expr>,
    /// M: its upper triangle, column by column; what is not listed is zero.
    pub mass_matrix: Vec<(usize, usize, Expr)>,
    /// Q
    pub forces: Vec<Expr>,
    /// Φ
    pub constraints: Vec<Expr>,
    /// Φq
    pub constraint_jacobian: Jacobian,
    /// Φt
    pub constraint_rate: Vec<Expr>,
    /// Φ̇ = Φq v + Φt
    pub constraint_velocity: Vec<Expr>,
    /// γ
    pub gamma: Vec<Expr>,
    /// Rates of the first-order states.
    pub state_rates: Vec<Expr>,
    /// h = v·∂T/∂v − T + V, the energy that the motion keeps unless work is done.
    pub energy: Expr,
    /// ḣ = v·(F − ∂D/∂v) + λᵀΦt − ∂T/∂t + ∂V/∂t, the work done in a unit of time.
    pub power: Expr,
    /// Extra columns: formulas of everything, accelerations and multipliers included.
    pub outputs: Vec<Expr>,
    /// Formulas whose zeros are events.
    pub events: Vec<Expr>,
}

impl Equations {
    /// Derives the equations of a system of the model.
    pub fn derive(model: &Model, system: &System) -> Equations {
        let mut equations = Equations::derive_without_mass_matrix(model, system);
        let Equations { graph, momenta, velocities, .. } = &mut equations;
        equations.mass_matrix = mass_matrix(graph, momenta, velocities);
        shorten(&mut equations);
        equations
    }

    /// The same with no entry of M listed, for those who never solve with it.
    pub fn derive_without_mass_matrix(model: &Model, system: &System) -> Equations {
        let mut graph = Graph::new();
        let mut scope = Scope::new(&mut graph, model, system);
        let mut build = |graph: &mut Graph, entry: &Option<NamedFormula>| match entry {
            Some(entry) => scope.build(graph, &entry.formula),
            None => graph.zero(),
        };
        let kinetic = build(&mut graph, &system.kinetic);
        let potential = build(&mut graph, &system.potential);
        let dissipation = build(&mut graph, &system.dissipation);
        let mut built = |graph: &mut Graph, entries: &[NamedFormula]| -> Vec<Expr> {
            entries.iter().map(|entry| scope.build(graph, &entry.formula)).collect()
        };
        let constraints = built(&mut graph, &system.constraints);
        let state_rates = built(&mut graph, &system.states);
        let forces = built(&mut graph, &system.forces);
        for output in &system.outputs {
            let expr = scope.build(&mut graph, &output.formula);
            scope.outputs.push(expr);
        }
        let outputs = scope.outputs.clone();
        let mut built = |graph: &mut Graph, entries: &[NamedFormula]| -> Vec<Expr> {
            entries.iter().map(|entry| scope.build(graph, &entry.formula)).collect()
        };
        let events: Vec<NamedFormula> =
            system.events.iter().map(|event| event.entry.clone()).collect();
        let events = built(&mut graph, &events);
        let definitions = scope.definitions().to_vec();
        let symbols = scope.symbols;
        let applied =
            applied_forces(&mut graph, system, &symbols.coordinates, &definitions, &forces);
        let (q, v, t) = (&symbols.coordinates, &symbols.velocities, symbols.time);

        let lagrangian = graph.sub(kinetic, potential);
        let slopes = graph.gradient(lagrangian, &[q.as_slice(), v.as_slice()].concat());
        let (by_q, momenta) = slopes.split_at(q.len());
        let motion = motion(&mut graph, q, v, t);
        let drift = graph.directional(momenta, &motion);
        let damping = graph.gradient(dissipation, v);
        let forces = right_side(&mut graph, by_q, &drift, &damping, &applied);

        let constraint_jacobian = graph.jacobian(&constraints, q);
        let one = graph.number(Number::ONE);
        let constraint_rate = graph.directional(&constraints, &[(t, one)]);
        let constraint_velocity = graph.directional(&constraints, &motion);
        let curvature = graph.directional(&constraint_velocity, &motion);
        let gamma = curvature.into_iter().map(|c| graph.neg(c)).collect();

        let stored = dot(&mut graph, momenta, v);
        let energy = graph.sub(stored, lagrangian);
        let lagrangian_rate = graph.derivative(lagrangian, t);
        let applied_work = dot(&mut graph, &applied, v);
        let friction_work = dot(&mut graph, &damping, v);
        let constraint_work = dot(&mut graph, &symbols.multipliers, &constraint_rate);
        let mut power = graph.sub(applied_work, friction_work);
        power = graph.add(power, constraint_work);
        power = graph.sub(power, lagrangian_rate);
        Equations {
            momenta: momenta.to_vec(),
            parameters: symbols.parameters,
            coordinates: symbols.coordinates,
            velocities: symbols.velocities,
            accelerations: symbols.accelerations,
            states: symbols.states,
            multipliers: symbols.multipliers,
            time: t,
            graph,
            definitions,
            kinetic,
            potential,
            dissipation,
            applied,
            mass_matrix: Vec::new(),
            forces,
            constraints,
            constraint_jacobian,
            constraint_rate,
            constraint_velocity,
            gamma,
            state_rates,
            energy,
            power,
            outputs,
            events,
        }
    }

    /// The entry of M in any row and column.
    pub fn mass(&self, row: usize, column: usize) -> Option<Expr> {
        let (row, column) = (row.min(column), row.max(column));
        let key = |&(i, j, _): &(usize, usize, Expr)| (j, i);
        let found = self.mass_matrix.binary_search_by_key(&(column, row), key);
        found.ok().map(|at| self.mass_matrix[at].2)
    }
}

fn dot(graph: &mut Graph, a: &[Expr], b: &[Expr]) -> Expr {
    let products: Vec<Expr> = a.iter().zip(b).map(|(&a, &b)| graph.mul(a, b)).collect();
    graph.sum(products)
}

/// How q and t move while v is held: the direction of all partial time derivatives.
fn motion(graph: &mut Graph, q: &[Expr], v: &[Expr], t: Expr) -> Vec<(Expr, Expr)> {
    let one = graph.number(Number::ONE);
    let mut motion: Vec<_> = q.iter().zip(v).map(|(&q, &v)| (q, v)).collect();
    motion.push((t, one));
    motion
}

/// Q = applied forces + ∂L/∂q − the drift of the momenta − ∂D/∂v.
fn right_side(
    graph: &mut Graph,
    by_q: &[Expr],
    drift: &[Expr],
    damping: &[Expr],
    applied: &[Expr],
) -> Vec<Expr> {
    let mut forces = Vec::with_capacity(by_q.len());
    for i in 0..by_q.len() {
        let smooth = graph.sub(by_q[i], drift[i]);
        let damped = graph.sub(smooth, damping[i]);
        forces.push(graph.add(applied[i], damped));
    }
    forces
}

/// Sorts the forces of the model to their coordinates; one on a definition D acts on all as F ∂D/∂q.
fn applied_forces(
    graph: &mut Graph,
    system: &System,
    q: &[Expr],
    definitions: &[Expr],
    forces: &[Expr],
) -> Vec<Expr> {
    let zero = graph.zero();
    let mut applied = vec![zero; q.len()];
    for (entry, &force) in system.forces.iter().zip(forces) {
        match system.names.role(&entry.name) {
            Some(Role::Coordinate(at)) => applied[at] = graph.add(applied[at], force),
            Some(Role::Definition(at)) => {
                let slopes = graph.gradient(definitions[at], q);
                for (applied, slope) in applied.iter_mut().zip(slopes) {
                    let part = graph.mul(force, slope);
                    *applied = graph.add(*applied, part);
                }
            }
            _ => {}
        }
    }
    applied
}

fn mass_matrix(graph: &mut Graph, momenta: &[Expr], v: &[Expr]) -> Vec<(usize, usize, Expr)> {
    let one = graph.number(Number::ONE);
    // rows up to the diagonal: for a chain these are the short ones, sums over what hangs below
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); v.len()];
    let column: HashMap<Expr, usize> = v.iter().enumerate().map(|(at, &v)| (v, at)).collect();
    for (row, &momentum) in momenta.iter().enumerate() {
        let used = graph.reachable(&[momentum]).into_iter();
        for column in used.filter_map(|expr| column.get(&expr)).filter(|column| row <= **column) {
            rows[*column].push(row);
        }
    }
    let mut entries = Vec::new();
    for (column, rows) in rows.into_iter().enumerate() {
        let roots: Vec<Expr> = rows.iter().map(|&row| momenta[row]).collect();
        let slopes = graph.directional(&roots, &[(v[column], one)]);
        let slopes = rows.into_iter().zip(slopes).filter(|(_, slope)| !graph.is_zero(*slope));
        entries.extend(slopes.map(|(row, slope)| (row, column, slope)));
    }
    entries
}
