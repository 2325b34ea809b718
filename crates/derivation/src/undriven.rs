//! The same equations with the drive switched off.
//!
//! What shakes a system enters as sines and cosines of time: η₀ cos(2πft). Switched off means that
//! such a function is 0, and so are its derivatives, which are sines and cosines of the same angle.
//! A sine or cosine that moves only because a drive inside it does, cos(η₀ cos(ωt)), keeps its value
//! at rest instead. Whatever time is left stands still at t = 0.

use crate::Equations;
use catena_symbolic::{Expr, Function, Node};
use std::collections::HashMap;

/// What an expression is made of.
#[derive(Clone, Copy, Default)]
struct Contents {
    /// Time that no drive hides.
    time: bool,
    /// Coordinates, velocities, states, accelerations, multipliers.
    motion: bool,
}

impl Equations {
    /// The equations without their drive. Nothing is derived anew: the drive is taken out of every
    /// derived expression, so that a pivot that no longer moves has no acceleration either.
    pub fn undriven(&self) -> Equations {
        let mut undriven = self.clone();
        let roots: Vec<Expr> = undriven.derived().into_iter().map(|expr| *expr).collect();
        let zero = undriven.graph.zero();
        let mut replacements: Vec<(Expr, Expr)> =
            self.drives(&roots).into_iter().map(|drive| (drive, zero)).collect();
        replacements.push((self.time, zero));
        let replaced = undriven.graph.substitute(&roots, &replacements);
        for (place, expr) in undriven.derived().into_iter().zip(replaced) {
            *place = expr;
        }
        undriven
    }

    /// The angles of the sines and cosines that drive the system: 2πft of η₀ cos(2πft).
    pub fn drive_angles(&self) -> Vec<Expr> {
        let mut copy = self.clone();
        let roots: Vec<Expr> = copy.derived().into_iter().map(|expr| *expr).collect();
        let mut angles: Vec<Expr> = Vec::new();
        for drive in self.drives(&roots) {
            let angle = self.graph.node(drive).operands().next();
            angles.extend(angle.filter(|angle| !angles.contains(angle)));
        }
        angles
    }

    /// Whether time enters what moves the system: M, Q, Φ and ż.
    pub fn depends_on_time(&self) -> bool {
        let matrices = self.mass_matrix.iter().chain(&self.constraint_jacobian.entries);
        let entries = matrices.map(|(_, _, entry)| entry);
        let vectors = [&self.forces, &self.constraints, &self.gamma, &self.state_rates];
        let mut all = entries.chain(vectors.into_iter().flatten());
        all.any(|&expr| self.graph.depends_on(expr, &[self.time]))
    }

    /// Sines and cosines of time alone that the roots are made of.
    fn drives(&self, roots: &[Expr]) -> Vec<Expr> {
        let symbols = [
            &self.coordinates,
            &self.velocities,
            &self.accelerations,
            &self.states,
            &self.multipliers,
        ];
        let moving: Vec<Expr> = symbols.into_iter().flatten().copied().collect();
        let mut contents: HashMap<Expr, Contents> = HashMap::new();
        let mut drives = Vec::new();
        for expr in self.graph.reachable(roots) {
            let node = self.graph.node(expr);
            let mut own = Contents { time: expr == self.time, motion: moving.contains(&expr) };
            for operand in node.operands() {
                own.time |= contents[&operand].time;
                own.motion |= contents[&operand].motion;
            }
            let harmonic = matches!(node, Node::Call(Function::SIN | Function::COS, _));
            if harmonic && own.time && !own.motion {
                drives.push(expr);
                own.time = false;
            }
            contents.insert(expr, own);
        }
        drives
    }

    /// Every expression that is not a symbol, always in the same order.
    fn derived(&mut self) -> Vec<&mut Expr> {
        let entries = self.mass_matrix.iter_mut().chain(&mut self.constraint_jacobian.entries);
        let mut all: Vec<&mut Expr> = entries.map(|(_, _, entry)| entry).collect();
        all.extend([
            &mut self.kinetic,
            &mut self.potential,
            &mut self.dissipation,
            &mut self.energy,
            &mut self.power,
        ]);
        let lists = [
            &mut self.definitions,
            &mut self.applied,
            &mut self.momenta,
            &mut self.forces,
            &mut self.constraints,
            &mut self.constraint_rate,
            &mut self.constraint_velocity,
            &mut self.gamma,
            &mut self.state_rates,
            &mut self.outputs,
            &mut self.events,
        ];
        all.extend(lists.into_iter().flatten());
        all
    }
}
