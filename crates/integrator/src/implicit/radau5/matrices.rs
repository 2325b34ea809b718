//! The Jacobian and the two factored matrices, kept as long as they serve.

use super::coefficients::{ALPHA, BETA, GAMMA};
use crate::implicit::newton::{failed, jacobian};
use crate::method::{Failure, TrialStep, Work};
use crate::tangent::Tangent;
use catena_linear::{Complex, Lu};

/// Which state the Jacobian belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Freshness {
    /// The present one.
    Current,
    /// An earlier one, and it still serves.
    Kept,
    /// It must be made anew.
    Stale,
}

/// $J$, and the factors of $\tfrac\gamma hI-J$ and $\tfrac{\alpha+i\beta}hI-J$.
#[derive(Debug)]
pub(super) struct Matrices {
    tangent: Tangent,
    len: usize,
    jacobian: Vec<f64>,
    freshness: Freshness,
    pub(super) real: Lu<f64>,
    pub(super) complex: Lu<Complex>,
    /// The step the factors belong to; NaN if none.
    factored: f64,
}

impl Matrices {
    pub(super) fn new(tangent: Tangent) -> Self {
        Self {
            tangent,
            len: 0,
            jacobian: Vec::new(),
            freshness: Freshness::Stale,
            real: Lu::default(),
            complex: Lu::default(),
            factored: f64::NAN,
        }
    }

    /// Room for n components.
    pub(super) fn resize(&mut self, n: usize) {
        self.len = n;
        self.jacobian.clear();
        self.jacobian.resize(n * n, 0.0);
        self.real.resize(n);
        self.complex.resize(n);
        self.freshness = Freshness::Stale;
        self.factored = f64::NAN;
    }

    /// Brings Jacobian and factors up to date where they are not.
    pub(super) fn prepare(
        &mut self,
        work: &mut Work<'_>,
        step: TrialStep<'_>,
    ) -> Result<(), Failure> {
        if self.freshness == Freshness::Stale {
            jacobian(work, step.t, step.y, self.tangent, &mut self.jacobian)?;
            self.freshness = Freshness::Current;
            self.factored = f64::NAN;
        }
        if self.factored == step.h {
            return Ok(());
        }
        self.factored = f64::NAN;
        for (entry, j) in self.real.entries_mut().iter_mut().zip(&self.jacobian) {
            *entry = -j;
        }
        for (entry, j) in self.complex.entries_mut().iter_mut().zip(&self.jacobian) {
            *entry = Complex::new(-j, 0.0);
        }
        for i in 0..self.len {
            self.real.entries_mut()[i * self.len + i] += GAMMA / step.h;
            let diagonal = &mut self.complex.entries_mut()[i * self.len + i];
            diagonal.re += ALPHA / step.h;
            diagonal.im += BETA / step.h;
        }
        work.statistics.factorisations += 1;
        self.real.factor().map_err(|_| failed(0, f64::NAN))?;
        self.complex.factor().map_err(|_| failed(0, f64::NAN))?;
        self.factored = step.h;
        Ok(())
    }

    /// The state moved on; the Jacobian may be kept.
    pub(super) fn accepted(&mut self, keep: bool) {
        self.freshness = if keep { Freshness::Kept } else { Freshness::Stale };
    }

    /// The step failed; a Jacobian of this very state would come out the same, an older one is to blame.
    pub(super) fn rejected(&mut self) {
        if self.freshness == Freshness::Kept {
            self.freshness = Freshness::Stale;
        }
    }
}
