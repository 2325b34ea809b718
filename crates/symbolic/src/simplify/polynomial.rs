//! Sums of products of atoms: the normal form in which like terms meet.

use crate::Expr;
use crate::Number;
use crate::number::greatest_common_divisor;
use std::collections::BTreeMap;

/// A product of atoms with their exponents, sorted by atom; exponents are not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Monomial(Vec<(Expr, Number)>);

impl Monomial {
    pub(super) fn atom(atom: Expr, exponent: Number) -> Self {
        Monomial(vec![(atom, exponent)])
    }

    pub(super) fn factors(&self) -> &[(Expr, Number)] {
        &self.0
    }

    /// The product; `None` if an exponent overflows.
    pub(super) fn mul(&self, other: &Monomial) -> Option<Monomial> {
        let mut product = self.clone();
        for &(atom, exponent) in &other.0 {
            product.raise(atom, exponent)?;
        }
        Some(product)
    }

    /// Multiplies by `atom^exponent`.
    pub(super) fn raise(&mut self, atom: Expr, exponent: Number) -> Option<()> {
        match self.0.binary_search_by_key(&atom, |&(atom, _)| atom) {
            Ok(position) => {
                let sum = self.0[position].1.checked_add(exponent)?;
                if sum.is_zero() {
                    self.0.remove(position);
                } else {
                    self.0[position].1 = sum;
                }
            }
            Err(position) => self.0.insert(position, (atom, exponent)),
        }
        Some(())
    }

    /// The monomial to a power.
    pub(super) fn power(&self, exponent: Number) -> Option<Monomial> {
        let factors: Option<Vec<_>> =
            self.0.iter().map(|&(atom, e)| Some((atom, e.checked_mul(exponent)?))).collect();
        Some(Monomial(factors?))
    }

    /// The exponent of an atom, 0 if it does not occur.
    pub(super) fn exponent(&self, atom: Expr) -> Number {
        let position = self.0.binary_search_by_key(&atom, |&(atom, _)| atom);
        position.map_or(Number::ZERO, |position| self.0[position].1)
    }

    /// The atoms that both have, with the smaller exponent.
    pub(super) fn shared(&self, other: &Monomial) -> Monomial {
        let mut factors = Vec::new();
        for &(atom, exponent) in &self.0 {
            let other = other.exponent(atom);
            // 1/x and 1/x² share 1/x; x and 1/x share nothing
            let least =
                if exponent.is_negative() { exponent.max(other) } else { exponent.min(other) };
            if least.is_negative() == exponent.is_negative() && !least.is_zero() {
                factors.push((atom, least));
            }
        }
        Monomial(factors)
    }

    /// Splits into the atoms for which the predicate holds and the others.
    pub(super) fn split(&self, belongs: impl Fn(Expr) -> bool) -> (Monomial, Monomial) {
        let (first, second) = self.0.iter().partition(|&&(atom, _)| belongs(atom));
        (Monomial(first), Monomial(second))
    }
}

/// A sum of monomials with numeric coefficients, none of them zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Polynomial(BTreeMap<Monomial, Number>);

impl Polynomial {
    pub(super) fn term(monomial: Monomial, coefficient: Number) -> Self {
        let mut polynomial = Polynomial::default();
        if !coefficient.is_zero() {
            polynomial.0.insert(monomial, coefficient);
        }
        polynomial
    }

    pub(super) fn number(number: Number) -> Self {
        Self::term(Monomial::default(), number)
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (&Monomial, Number)> {
        self.0.iter().map(|(monomial, &coefficient)| (monomial, coefficient))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many atoms its longest product has, about.
    pub(super) fn atoms(&self) -> usize {
        self.0.keys().next_back().map_or(0, |monomial| monomial.0.len())
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The only term, if there is just one.
    pub(super) fn single(&self) -> Option<(&Monomial, Number)> {
        if self.len() == 1 { self.terms().next() } else { None }
    }

    /// Adds one term; `None` if a coefficient overflows.
    pub(super) fn accumulate(&mut self, monomial: Monomial, coefficient: Number) -> Option<()> {
        let sum =
            self.0.get(&monomial).copied().unwrap_or(Number::ZERO).checked_add(coefficient)?;
        if sum.is_zero() {
            self.0.remove(&monomial);
        } else {
            self.0.insert(monomial, sum);
        }
        Some(())
    }

    pub(super) fn add(&self, other: &Polynomial) -> Option<Polynomial> {
        let (longer, shorter) =
            if self.len() >= other.len() { (self, other) } else { (other, self) };
        longer.clone().plus(shorter)
    }

    /// The sum, in the place of this one: costs the terms of the other.
    pub(super) fn plus(mut self, other: &Polynomial) -> Option<Polynomial> {
        for (monomial, coefficient) in other.terms() {
            match self.0.get_mut(monomial) {
                None => drop(self.0.insert(monomial.clone(), coefficient)),
                Some(sum) => {
                    *sum = sum.checked_add(coefficient)?;
                    if sum.is_zero() {
                        self.0.remove(monomial);
                    }
                }
            }
        }
        Some(self)
    }

    pub(super) fn mul(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (left, a) in self.terms() {
            for (right, b) in other.terms() {
                product.accumulate(left.mul(right)?, a.checked_mul(b)?)?;
            }
        }
        Some(product)
    }

    pub(super) fn scale(&self, factor: Number) -> Option<Polynomial> {
        self.mul(&Polynomial::number(factor))
    }

    /// The atoms that all terms share.
    pub(super) fn common(&self) -> Monomial {
        let monomials = self.0.keys().cloned();
        monomials.reduce(|common, monomial| common.shared(&monomial)).unwrap_or_default()
    }

    /// Takes out the common factor: `content · common · rest`, where the rest has whole
    /// coefficients without a common divisor and its first one is positive.
    pub(super) fn factor(&self) -> Option<(Number, Monomial, Polynomial)> {
        let mut content = self.0.values().map(|c| c.abs()).reduce(common_measure)?;
        if self.0.values().next()?.is_negative() {
            content = content.negated();
        }
        let common = self.common();
        let inverse = Polynomial::term(common.power(Number::MINUS_ONE)?, content.power(-1)?);
        let rest = self.mul(&inverse)?;
        Some((content, common, rest))
    }
}

/// The largest number of which both are whole multiples (1 where there is none that is exact).
fn common_measure(a: Number, b: Number) -> Number {
    let (Number::Fraction(a, b), Number::Fraction(c, d)) = (a, b) else { return Number::ONE };
    let numerator = greatest_common_divisor(a.into(), c.into());
    let denominator = b as i128 / greatest_common_divisor(b.into(), d.into()) * d as i128;
    match (i64::try_from(numerator), i64::try_from(denominator)) {
        (Ok(numerator), Ok(denominator)) => Number::fraction(numerator, denominator),
        _ => Number::ONE,
    }
}
