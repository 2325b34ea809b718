//! The compiled model: every function a run needs, shared between threads.
//!
//! All functions read one line of inputs, t, q, v, z, v̇, λ and the parameters, so that a state is
//! written down once however many of them are asked.

use crate::{Kernel, Program};
use catena_derivation::Equations;
use catena_symbolic::{Expr, Graph};
use std::sync::OnceLock;

/// The dimensions of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// n, the length of q, v and v̇.
    pub coordinates: usize,
    /// m, the length of Φ and λ.
    pub constraints: usize,
    /// The number of first-order states z.
    pub states: usize,
    /// The number of parameters.
    pub parameters: usize,
}

impl Sizes {
    /// Where q, v, z, v̇, λ and the parameters begin in the line of inputs, and its end.
    pub(crate) fn offsets(&self) -> [usize; 7] {
        let Sizes { coordinates: n, constraints: m, states: k, parameters: p } = *self;
        [
            1,
            1 + n,
            1 + 2 * n,
            1 + 2 * n + k,
            1 + 3 * n + k,
            1 + 3 * n + k + m,
            1 + 3 * n + k + m + p,
        ]
    }
}

/// The functions of a system, each compiled when it is first asked for.
#[derive(Debug)]
pub struct Functions {
    /// How many of each there are.
    pub sizes: Sizes,
    /// What they compute.
    pub equations: Equations,
    /// Whether ḣ is zero for every motion.
    pub conservative: bool,
    /// Whether M is constant.
    pub constant_mass: bool,
    /// Whether Q is free of velocities and states.
    pub velocity_free_forces: bool,
    /// Entries of M and Φq as listed in the equations, Q, γ, ż
    motion: OnceLock<Kernel>,
    /// Φ, Φ̇
    drift: OnceLock<Kernel>,
    /// h, ḣ, T, V
    energies: OnceLock<Kernel>,
    /// ḣ
    power: OnceLock<Kernel>,
    /// The event functions.
    events: OnceLock<Kernel>,
    /// Φ, entries of Φq as listed in the equations, Φt
    pose: OnceLock<Kernel>,
    /// Everything at once: M, Q, Φ, Φq, Φt, γ, T, V, ż
    values: OnceLock<Kernel>,
}

impl Functions {
    /// The functions of these equations.
    pub fn new(equations: Equations) -> Functions {
        let e = &equations;
        let graph = &e.graph;
        let moving: Vec<Expr> = [e.coordinates.as_slice(), &[e.time]].concat();
        let fast: Vec<Expr> = [e.velocities.as_slice(), &e.states].concat();
        let free_of = |exprs: &[Expr], symbols: &[Expr]| !graph.any_depends_on(exprs, symbols);
        let mass: Vec<Expr> = e.mass_matrix.iter().map(|&(_, _, entry)| entry).collect();
        Functions {
            sizes: Sizes {
                coordinates: e.coordinates.len(),
                constraints: e.constraints.len(),
                states: e.states.len(),
                parameters: e.parameters.len(),
            },
            conservative: graph.is_zero(e.power),
            constant_mass: !mass.is_empty() && free_of(&mass, &[moving.as_slice(), &fast].concat()),
            velocity_free_forces: free_of(&e.forces, &fast),
            motion: OnceLock::new(),
            drift: OnceLock::new(),
            energies: OnceLock::new(),
            power: OnceLock::new(),
            events: OnceLock::new(),
            pose: OnceLock::new(),
            values: OnceLock::new(),
            equations,
        }
    }

    /// Compiles expressions of t, q, v, z, v̇, λ and the parameters; they may live in a graph that
    /// grew out of the equations' own.
    pub fn compile(&self, graph: &Graph, outputs: &[(&str, &[Expr])]) -> Kernel {
        Kernel::new(&self.program(graph, outputs))
    }

    /// The program of expressions, of the one line of inputs.
    pub fn program(&self, graph: &Graph, outputs: &[(&str, &[Expr])]) -> Program {
        let e = &self.equations;
        let inputs: [(&str, &[Expr]); 7] = [
            ("t", &[e.time]),
            ("q", &e.coordinates),
            ("v", &e.velocities),
            ("states", &e.states),
            ("accelerations", &e.accelerations),
            ("multipliers", &e.multipliers),
            ("parameters", &e.parameters),
        ];
        Program::lower(graph, &inputs, outputs)
    }

    /// Entries of M and Φq, as listed in the equations.
    fn listed(&self) -> [Vec<Expr>; 2] {
        let e = &self.equations;
        [&e.mass_matrix, &e.constraint_jacobian.entries]
            .map(|entries| entries.iter().map(|&(_, _, entry)| entry).collect())
    }

    pub(crate) fn motion(&self) -> &Kernel {
        self.motion.get_or_init(|| {
            let e = &self.equations;
            let [mass, jacobian] = self.listed();
            let outputs: [(&str, &[Expr]); 5] = [
                ("mass_matrix", &mass),
                ("forces", &e.forces),
                ("constraint_jacobian", &jacobian),
                ("gamma", &e.gamma),
                ("state_rates", &e.state_rates),
            ];
            self.compile(&e.graph, &outputs)
        })
    }

    pub(crate) fn drift(&self) -> &Kernel {
        let e = &self.equations;
        self.drift.get_or_init(|| {
            self.compile(&e.graph, &[("values", &e.constraints), ("rates", &e.constraint_velocity)])
        })
    }

    pub(crate) fn energies(&self) -> &Kernel {
        let e = &self.equations;
        let all = [e.energy, e.power, e.kinetic, e.potential];
        self.energies.get_or_init(|| self.compile(&e.graph, &[("energies", &all)]))
    }

    pub(crate) fn power(&self) -> &Kernel {
        self.power.get_or_init(|| Kernel::of_fused(&self.power_program()))
    }

    /// ḣ, fused.
    pub(crate) fn power_program(&self) -> Program {
        let e = &self.equations;
        self.program(&e.graph, &[("power", &[e.power])]).fused()
    }

    pub(crate) fn events(&self) -> &Kernel {
        let e = &self.equations;
        self.events.get_or_init(|| self.compile(&e.graph, &[("events", &e.events)]))
    }

    pub(crate) fn pose(&self) -> &Kernel {
        self.pose.get_or_init(|| {
            let e = &self.equations;
            let [_, jacobian] = self.listed();
            let outputs: [(&str, &[Expr]); 3] = [
                ("constraints", &e.constraints),
                ("constraint_jacobian", &jacobian),
                ("constraint_rate", &e.constraint_rate),
            ];
            self.compile(&e.graph, &outputs)
        })
    }

    pub(crate) fn values(&self) -> &Kernel {
        self.values.get_or_init(|| {
            let e = &self.equations;
            let [mass, jacobian] = self.listed();
            let outputs: [(&str, &[Expr]); 8] = [
                ("mass_matrix", &mass),
                ("forces", &e.forces),
                ("constraints", &e.constraints),
                ("constraint_jacobian", &jacobian),
                ("constraint_rate", &e.constraint_rate),
                ("gamma", &e.gamma),
                ("energies", &[e.kinetic, e.potential]),
                ("state_rates", &e.state_rates),
            ];
            self.compile(&e.graph, &outputs)
        })
    }
}
