//! Minimal coordinates: as many as there are degrees of freedom, no constraints.
//!
//! # Equations
//! $M(q)\,\dot v = Q(t,q,v)$, solved by $LDL^T$.
//!
//! # When to choose it
//! Whenever the model has no constraints: nothing can drift. It costs n³ for a dense mass matrix, so
//! that long chains are cheaper elsewhere. It fails where the mass matrix is singular.
//!
//! # Reference
//! J. L. Lagrange, *Mécanique analytique*, 1788

use crate::{Breakdown, Entry, Formulation, Subject, not_finite, plain_state};
use catena_compile::Evaluator;
use catena_linear::ldlt;
use catena_model::CoordinateSet;

pub(crate) static ENTRY: Entry = Entry {
    name: "minimal",
    summary: "as many coordinates as degrees of freedom: M v̇ = Q",
    reference: "Lagrange 1788",
    coordinates: CoordinateSet::Joint,
    refuses: |model| {
        let constraints = model.joint.constraints.len();
        (constraints > 0).then(|| {
            format!("the model has {constraints} constraints, and minimal coordinates have none")
        })
    },
    build: |subject| Box::new(Minimal::new(subject)),
};

struct Minimal {
    subject: Subject,
    mass: Vec<f64>,
    work: Vec<f64>,
    accelerations: Vec<f64>,
    rate: Vec<f64>,
}

impl Minimal {
    fn new(subject: Subject) -> Self {
        let n = subject.evaluator.sizes().coordinates;
        let rate = vec![0.0; plain_state::len(subject.evaluator.sizes())];
        Minimal {
            subject,
            rate,
            mass: vec![0.0; n * (n + 1) / 2],
            work: vec![0.0; n],
            accelerations: vec![0.0; n],
        }
    }
}

impl Formulation for Minimal {
    fn state_len(&self) -> usize {
        plain_state::len(self.subject.evaluator.sizes())
    }

    fn pack(&self, q: &[f64], v: &[f64], states: &[f64], y: &mut [f64]) {
        plain_state::pack(q, v, states, y);
    }

    fn unpack(&self, y: &[f64], q: &mut [f64], v: &mut [f64], states: &mut [f64]) {
        plain_state::unpack(y, q, v, states);
    }

    fn derivative(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Breakdown> {
        let n = self.accelerations.len();
        let k = self.subject.evaluator.sizes().states;
        let (q, v, z) = (&y[..n], &y[n..2 * n], &y[2 * n..2 * n + k]);
        self.subject.evaluator.set_state(t, q, v, z);
        let motion = self.subject.evaluator.motion();
        self.mass.copy_from_slice(motion.mass_matrix);
        self.accelerations.copy_from_slice(motion.forces);
        rate[2 * n..2 * n + k].copy_from_slice(motion.state_rates);
        if let Err(ldlt::NotPositive { row }) = ldlt::factor(&mut self.mass, n, &mut self.work) {
            let names = &self.subject.coordinates;
            let broken = not_finite(&self.accelerations, names, "the force on");
            return Err(broken.unwrap_or_else(|| Breakdown::Singular {
                matrix: "the mass matrix",
                cause: format!("`{}` has no mass of its own there", names[row]),
            }));
        }
        ldlt::solve(&self.mass, n, &mut self.accelerations);
        rate[..n].copy_from_slice(v);
        rate[n..2 * n].copy_from_slice(&self.accelerations);
        match not_finite(&rate[..2 * n + k], &[], "the motion") {
            None => Ok(()),
            Some(broken) => {
                let names = &self.subject.coordinates;
                Err(not_finite(&self.accelerations, names, "the acceleration of").unwrap_or(broken))
            }
        }
    }

    /// M ∂v̇ = ∂(Q − M v̇), column by column.
    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Result<(), Breakdown> {
        let mut rate = std::mem::take(&mut self.rate);
        let evaluated = self.derivative(t, y, &mut rate);
        self.rate = rate;
        evaluated?;
        let (n, size) = (self.accelerations.len(), self.state_len());
        self.subject.evaluator.set_reactions(&self.accelerations, &[]);
        let tangents = self.subject.evaluator.tangents();
        plain_state::fill_jacobian(n, size, tangents.states, jacobian);
        for column in 0..size {
            for (row, entry) in self.work[..n].iter_mut().enumerate() {
                *entry = tangents.motion[row * size + column];
            }
            ldlt::solve(&self.mass, n, &mut self.work);
            for (row, entry) in self.work[..n].iter().enumerate() {
                jacobian[(n + row) * size + column] = *entry;
            }
        }
        Ok(())
    }

    fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    fn multipliers(&self) -> &[f64] {
        &[]
    }

    fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.subject.evaluator
    }

    fn with_reactions(&mut self) -> &mut Evaluator {
        self.subject.evaluator.set_reactions(&self.accelerations, &[]);
        &mut self.subject.evaluator
    }
}
