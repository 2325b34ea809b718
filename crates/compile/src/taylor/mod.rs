//! Taylor coefficients of the solutions of ẏ = f(t, y), as a program of its own: automatic differentiation of the program
//! of f, written out.
//!
//! # Equations
//! Every value u of the program becomes a series $u(t+\tau)=\sum u_k\tau^k$, and the coefficients of a result follow from
//! those of its operands: $(uv)_k=\sum u_jv_{k-j}$, $(u/v)_k=(u_k-\sum_{j<k}(u/v)_jv_{k-j})/v_0$,
//! $(\sqrt u)_k=(u_k-\sum_{0<j<k}(\sqrt u)_j(\sqrt u)_{k-j})/(2\sqrt{u_0})$. A function follows from its slope g = f′(u),
//! which is a series too, $f_k=\frac1k(\dot ug)_{k-1}=\frac1k\sum_{j=1}^kj\,u_j\,g_{k-j}$: the row of the function brings the
//! slope, and nothing here knows the functions one by one. The solution itself is $y_{k+1}=f_k/(k+1)$. Where a function is not
//! smooth, its slope is that of the branch at the point of expansion.
//!
//! Accelerations a may be left unsolved in the program, as the unknowns of linear equations, r − A a = 0. At order k all that
//! holds $a_k$ is $A_0a_k$: the coefficients $r_k$ of what is left without $a_k$ are found first, then
//! $a_k=A_0^{-1}r_k$ with the factors of $A_0$ alone, which are the same at every order, and then what $a_k$ adds to all series
//! that hold it. No series goes through the elimination.
//!
//! # Reference
//! Jorba, Zou, *A software package for the numerical integration of ODEs by means of high-order Taylor methods*, 2005,
//! section 2.

mod expansion;
mod orders;
mod recurrences;
mod slopes;
#[cfg(test)]
mod tests;

use crate::program::Program;
use expansion::Expansion;
use orders::Which;

impl Program {
    /// From t, y and the parameters: the Taylor coefficients of orders 1 to `order` of the solution through (t, y), all
    /// components of an order side by side. This program has inputs `t`, `y` and `parameters` and the output `rate`. `None`
    /// if more than `most` operations are needed.
    ///
    /// It may have three more groups, inputs and outputs of the same name and length, which belong together: `accelerations`
    /// are unknown and solve linear equations; given the `residuals` that are left of these without them, the program
    /// computes them, by operations that nothing else uses; and `derivatives` are those of what the output of this name is,
    /// of t, the parameters, and components of y whose rates are inputs. Residuals are affine in accelerations and
    /// derivatives.
    pub fn taylor(&self, order: usize, most: usize) -> Option<Program> {
        let mut expansion = Expansion::of_solution(self, order);
        let mut outputs = Vec::new();
        for k in 0..order {
            outputs.extend(expansion.solve_order(k));
            if expansion.builder.len() > most {
                return None;
            }
        }
        Some(expansion.finish(outputs))
    }

    /// The same for quadratures: `rate` is what is integrated, and behind the parameters stand the coefficients of orders 1
    /// to `order` − 1 of y.
    pub fn quadrature(&self, order: usize, most: usize) -> Option<Program> {
        let (mut expansion, integrands) = Expansion::of_integrals(self, order);
        let mut outputs = Vec::new();
        for k in 0..order {
            expansion.advance(k, Which::All);
            let integrals = integrands.iter().map(|&rate| expansion.integral(rate, k));
            outputs.extend(integrals);
            if expansion.builder.len() > most {
                return None;
            }
        }
        Some(expansion.finish(outputs))
    }

    /// About how many operations an order of the series takes: only to compare programs of the same solution.
    pub fn series_length(&self) -> usize {
        Expansion::of_solution(self, TYPICAL_ORDER).length()
    }
}

const COEFFICIENTS: &str = "coefficients";

/// An order of the middle, in which products are sums of so many terms.
const TYPICAL_ORDER: usize = 6;
