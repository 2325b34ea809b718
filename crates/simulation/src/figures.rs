//! The figures of a certificate, taken at the end of every step and on rows: the balance of energy, the constraints, and
//! the sizes that their errors are compared with.

use crate::Assembly;
use crate::motion::Motion;
use catena_compile::Energies;

/// The largest errors so far, and how much moved.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// h at the start, J.
    pub(crate) first_energy: f64,
    /// Largest |h − h₀ − work done|, J.
    pub(crate) energy_residual: f64,
    /// Largest |Φ|.
    pub(crate) constraint_error: f64,
    /// Largest |Φ̇|.
    pub(crate) constraint_rate_error: f64,
    /// Largest |Φ| / ‖∇Φ‖, with the gradient of the start: how far the coordinates are from where they should be.
    pub(crate) constraint_distance: f64,
    /// ‖∇Φ‖ at the start, one for each constraint.
    gradients: Vec<f64>,
    kinetic: Extent,
    potential: Extent,
    work: Extent,
    /// Largest |q| of each coordinate.
    reach: Vec<f64>,
}

/// The least and the greatest value of a quantity.
#[derive(Clone, Copy, Debug)]
struct Extent {
    least: f64,
    greatest: f64,
}

impl Extent {
    const EMPTY: Extent = Extent { least: f64::INFINITY, greatest: f64::NEG_INFINITY };

    fn include(&mut self, value: f64) {
        (self.least, self.greatest) = (self.least.min(value), self.greatest.max(value));
    }

    fn range(&self) -> f64 {
        (self.greatest - self.least).max(0.0)
    }
}

impl Figures {
    /// Nothing seen yet.
    pub(crate) fn new(start: &Assembly) -> Figures {
        Figures {
            first_energy: 0.0,
            energy_residual: 0.0,
            constraint_error: 0.0,
            constraint_rate_error: 0.0,
            constraint_distance: 0.0,
            gradients: Vec::new(),
            kinetic: Extent::EMPTY,
            potential: Extent::EMPTY,
            work: Extent::EMPTY,
            reach: vec![0.0; start.q.len()],
        }
    }

    /// Takes the energy and the gradients of the constraints at the start, which is written down in the motion's
    /// evaluator.
    pub(crate) fn begin(&mut self, motion: &mut Motion) {
        let n = self.reach.len();
        let evaluator = motion.formulation.evaluator();
        self.first_energy = evaluator.energies().energy;
        let jacobian = evaluator.pose().constraint_jacobian;
        let norm = |row: &[f64]| row.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        self.gradients = jacobian.chunks_exact(n.max(1)).map(norm).collect();
    }

    /// Looks at a state, which is written down in the motion's evaluator; its energies, if they are known.
    pub(crate) fn look(
        &mut self,
        motion: &mut Motion,
        q: &[f64],
        work: f64,
        energies: Option<Energies>,
    ) {
        let evaluator = motion.formulation.evaluator();
        let energies = energies.unwrap_or_else(|| evaluator.energies());
        let residual = energies.energy - self.first_energy - work;
        self.energy_residual = self.energy_residual.max(residual.abs());
        self.kinetic.include(energies.kinetic);
        self.potential.include(energies.potential);
        self.work.include(work);
        for (reach, q) in self.reach.iter_mut().zip(q) {
            *reach = reach.max(q.abs());
        }
        let drift = evaluator.drift();
        for ((value, rate), gradient) in drift.values.iter().zip(drift.rates).zip(&self.gradients) {
            let error = value.abs();
            self.constraint_error = self.constraint_error.max(error);
            self.constraint_rate_error = self.constraint_rate_error.max(rate.abs());
            if *gradient > 0.0 {
                self.constraint_distance = self.constraint_distance.max(error / gradient);
            }
        }
    }

    /// The energy that changed hands, J: the largest kinetic energy, the range of the potential or of the work done,
    /// whichever is most; what rounding leaves of the energy itself is the least.
    pub(crate) fn exchanged_energy(&self) -> f64 {
        /// A balance cannot be kept better than to this part of the energies in it.
        const ROUNDING: f64 = 1e-12;
        let size = self.first_energy.abs().max(self.potential.greatest.abs());
        let moved = self.kinetic.greatest.max(self.potential.range()).max(self.work.range());
        moved.max(ROUNDING * size)
    }

    /// How large the mechanism is: the farthest that a coordinate that is no angle came from 0; 1 if all are angles.
    pub(crate) fn size(&self, is_angle: &[bool]) -> f64 {
        let lengths = self.reach.iter().zip(is_angle).filter(|(_, angle)| !**angle);
        let size = lengths.fold(0.0, |size: f64, (reach, _)| size.max(*reach));
        if size > 0.0 { size } else { 1.0 }
    }
}
