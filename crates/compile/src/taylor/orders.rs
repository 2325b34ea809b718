//! The coefficients of all series, one order after the other.

use super::expansion::{Expansion, Origin, Turn};
use rustc_hash::FxHashMap;

/// Which coefficients are to be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Which {
    All,
    /// Those that hold accelerations, which are known now.
    Waiting,
}

impl Expansion {
    pub(super) fn coefficient(&self, series: u32, k: usize) -> Option<u32> {
        self.series[series as usize].get(k).copied().flatten()
    }

    fn set(&mut self, series: u32, k: usize, coefficient: Option<u32>) {
        let series = &mut self.series[series as usize];
        if series.len() <= k {
            series.resize(k + 1, None);
        }
        series[k] = coefficient;
    }

    /// The coefficients of order k + 1 of all components of y.
    pub(super) fn solve_order(&mut self, k: usize) -> Vec<u32> {
        // rates that are components themselves are known
        self.integrate(k);
        self.advance(k, Which::All);
        if !self.accelerations.is_empty() {
            self.solve(k);
            self.integrate(k);
            self.advance(k, Which::Waiting);
        }
        self.integrate(k);
        let zero = self.builder.constant(0.0);
        let components = self.components.iter();
        let coefficients =
            components.map(|&(component, _)| self.coefficient(component, k + 1).unwrap_or(zero));
        coefficients.collect()
    }

    /// $y_{k+1}=f_k/(k+1)$, as far as $f_k$ is known.
    fn integrate(&mut self, k: usize) {
        for (component, rate) in self.components.clone() {
            let share = self.builder.constant(1.0 / (k + 1) as f64);
            let coefficient = self.multiply(Some(share), self.coefficient(rate, k));
            self.set(component, k + 1, coefficient);
        }
    }

    /// The coefficient of order k + 1 of an integral.
    pub(super) fn integral(&mut self, rate: u32, k: usize) -> u32 {
        let share = self.builder.constant(1.0 / (k + 1) as f64);
        let coefficient = self.multiply(Some(share), self.coefficient(rate, k));
        coefficient.unwrap_or_else(|| self.builder.constant(0.0))
    }

    /// Adds the coefficients of order k to all series that need it, and those of order k + 1 to series that are ahead.
    pub(super) fn advance(&mut self, k: usize, which: Which) {
        if k == 0 && which == Which::All {
            self.find(Turn::Ahead, 0, which);
        }
        self.find(Turn::Ahead, k + 1, which);
        for (derivative, of) in self.derivatives.clone() {
            let factor = self.builder.constant((k + 1) as f64);
            let coefficient = self.multiply(Some(factor), self.coefficient(of, k + 1));
            self.set(derivative, k, coefficient);
        }
        self.find(Turn::Along, k, which);
        if k == 0 && which == Which::All {
            self.find(Turn::Once, 0, which);
        }
    }

    fn find(&mut self, turn: Turn, k: usize, which: Which) {
        for series in 0..self.origins.len() as u32 {
            let at = series as usize;
            let Origin::Operation(operation) = self.origins[at] else { continue };
            let skipped = which == Which::Waiting && !self.waits[at];
            if self.turns[at] != turn
                || skipped
                || self.needed[at] < k
                || (self.constant[at] && k > 0)
            {
                continue;
            }
            let coefficient = match k {
                0 => self.value(operation),
                _ => self.next(series, operation, k),
            };
            self.set(series, k, coefficient);
        }
    }

    /// The accelerations of order k, from what is left of their equations.
    fn solve(&mut self, k: usize) {
        let left = self.residuals.iter().map(|&(series, of)| (series, self.coefficient(of, k)));
        let mut found: FxHashMap<u32, Option<u32>> = left.collect();
        for series in 0..self.origins.len() as u32 {
            if let (Origin::Operation(operation), Turn::Solving) =
                (self.origins[series as usize], self.turns[series as usize])
            {
                let first = |operand| match found.get(&operand) {
                    Some(&coefficient) => coefficient,
                    None => self.coefficient(operand, 0),
                };
                let operands: Vec<Option<u32>> = operation.operands().map(first).collect();
                let value = self.linear(operation, &operands);
                found.insert(series, value);
            }
        }
        for (acceleration, of) in self.accelerations.clone() {
            self.set(acceleration, k, found.get(&of).copied().flatten());
        }
    }
}
