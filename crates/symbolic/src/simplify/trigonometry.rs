//! Trigonometric identities on a sum whose terms are grouped by what moves.
//!
//! With A, B the coefficients (polynomials of the constants) and X any common factor:
//! - `A X cos a cos b ± A X sin a sin b = A X cos(a ∓ b)`
//! - `A X sin a cos b ± A X cos a sin b = A X sin(a ± b)`
//! - `A X cos² a − A X sin² a = A X cos 2a`
//! - `A X sin² a + B X cos² a = B X + (A − B) X sin² a` if that is shorter, so `A X` for A = B
//! - `A X − A X sin² a = A X cos² a`, and the other way round

use super::polynomial::{Monomial, Polynomial};
use super::{Groups, Work};
use crate::{Expr, Function, Node, Number};

/// A sine or cosine in a product: the function, the whole atom, the angle.
type Factor = (Function, Expr, Expr);

/// The groups that a rewriting changed, or that none fits; `None` if a number overflowed.
type Rewriting = Option<Option<Vec<Monomial>>>;

/// Identities are looked for in products of up to this many sines and cosines.
const MAX_FACTORS: usize = 5;

/// Applies the identities until none fits; `None` if a number overflowed.
pub(super) fn combine(work: &mut Work, groups: &mut Groups) -> Option<()> {
    let mut queue: Vec<Monomial> = groups.keys().cloned().collect();
    while let Some(monomial) = queue.pop() {
        work.simplifier.effort += monomial.factors().len();
        if !work.has_patience() {
            break;
        }
        if let Some(changed) = combine_with_partner(work, groups, &monomial)? {
            queue.extend(changed);
        }
    }
    Some(())
}

fn combine_with_partner(s: &mut Work, groups: &mut Groups, at: &Monomial) -> Rewriting {
    let mut factors: Vec<(Factor, Number)> = Vec::new();
    for &(atom, exponent) in at.factors() {
        if let Node::Call(function @ (Function::SIN | Function::COS), angle) = s.graph.node(atom)
            && exponent.as_integer().is_some_and(|exponent| exponent > 0)
        {
            factors.push(((function, atom, angle), exponent));
        }
    }
    // a product of many functions is nobody's angle difference, and its pairs are too many to try
    if factors.len() > MAX_FACTORS {
        return Some(None);
    }
    for (position, &(first, exponent)) in factors.iter().enumerate() {
        if exponent != Number::ONE
            && let Some(changed) = combine_squares(s, groups, at, first)?
        {
            return Some(Some(changed));
        }
        for &(second, _) in &factors[position + 1..] {
            if let Some(changed) = combine_products(s, groups, at, first, second)? {
                return Some(Some(changed));
            }
        }
    }
    Some(None)
}

fn other(function: Function) -> Function {
    if function == Function::SIN { Function::COS } else { Function::SIN }
}

/// `cos a cos b ± sin a sin b` and `sin a cos b ± cos a sin b`.
fn combine_products(
    s: &mut Work,
    groups: &mut Groups,
    at: &Monomial,
    (f, first, a): Factor,
    (h, second, b): Factor,
) -> Rewriting {
    let mut rest = at.clone();
    rest.raise(first, Number::MINUS_ONE)?;
    rest.raise(second, Number::MINUS_ONE)?;
    let mut partner = rest.clone();
    partner.raise(s.graph.call(other(f), a), Number::ONE)?;
    partner.raise(s.graph.call(other(h), b), Number::ONE)?;
    // sin a cos a is its own partner
    if partner == *at {
        return Some(None);
    }
    let (Some(coefficient), Some(partner_coefficient)) = (groups.get(at), groups.get(&partner))
    else {
        return Some(None);
    };
    let equal = coefficient == partner_coefficient;
    if !equal && coefficient.scale(Number::MINUS_ONE)? != *partner_coefficient {
        return Some(None);
    }
    let sign = if equal { Number::ONE } else { Number::MINUS_ONE };
    let (minus_b, plus_b) = (s.graph.scale(sign.negated(), b), s.graph.scale(sign, b));
    let plus_a = s.graph.scale(sign, a);
    let (function, angle, sign) = match [f, h].map(|function| function == Function::SIN) {
        [false, false] => (Function::COS, s.graph.add(a, minus_b), Number::ONE),
        [true, true] => (Function::COS, s.graph.add(a, minus_b), sign),
        [true, false] => (Function::SIN, s.graph.add(a, plus_b), Number::ONE),
        [false, true] => (Function::SIN, s.graph.add(b, plus_a), Number::ONE),
    };
    let product = coefficient.mul(&Polynomial::term(rest, sign))?;
    let product = product.mul(&s.trigonometric_call(function, angle)?)?;
    groups.remove(at);
    groups.remove(&partner);
    s.regroup(groups, &product).map(Some)
}

/// `sin²` beside `cos²`, or a square beside the term without it.
fn combine_squares(
    s: &mut Work,
    groups: &mut Groups,
    at: &Monomial,
    (f, atom, angle): Factor,
) -> Rewriting {
    let mut rest = at.clone();
    rest.raise(atom, Number::from(-2))?;
    let mut partner = rest.clone();
    partner.raise(s.graph.call(other(f), angle), Number::from(2))?;
    let Some(coefficient) = groups.get(at).cloned() else { return Some(None) };
    let negative = coefficient.scale(Number::MINUS_ONE)?;
    if let Some(partner_coefficient) = groups.get(&partner) {
        let sum = if *partner_coefficient == negative {
            let sign = if f == Function::COS { Number::ONE } else { Number::MINUS_ONE };
            let double = s.graph.scale(Number::from(2), angle);
            let product = coefficient.mul(&Polynomial::term(rest, sign))?;
            product.mul(&s.trigonometric_call(Function::COS, double)?)?
        } else {
            let difference = coefficient.add(&partner_coefficient.scale(Number::MINUS_ONE)?)?;
            if difference.len() >= coefficient.len() {
                return Some(None);
            }
            let constant = partner_coefficient.mul(&Polynomial::term(rest, Number::ONE))?;
            constant.add(&difference.mul(&Polynomial::term(at.clone(), Number::ONE))?)?
        };
        groups.remove(at);
        groups.remove(&partner);
        return s.regroup(groups, &sum).map(Some);
    }
    if groups.get(&rest) == Some(&negative) {
        groups.remove(at);
        groups.remove(&rest);
        let product = negative.mul(&Polynomial::term(partner, Number::ONE))?;
        return s.regroup(groups, &product).map(Some);
    }
    Some(None)
}
