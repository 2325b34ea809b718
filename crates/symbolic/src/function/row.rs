//! What a function of formulas brings along.

use crate::{DoubleDouble, Expr, Graph, Interval};

/// A function with everything that the stages ask about it.
#[derive(Debug)]
pub struct FunctionRow {
    /// In formulas and in text; a word that no other row and no name of a model has.
    pub name: &'static str,
    /// How LaTeX and MathML write it.
    pub style: Style,
    /// What it computes.
    pub rules: Rules,
}

/// How a function is written where mathematics is typeset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A name before its arguments.
    Operator(OperatorName),
    /// |x|
    Bars,
    /// √x
    Root,
}

/// The name of an operator where mathematics is typeset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorName {
    /// In math mode, without an index or exponent: `\sin`, `\operatorname{sign}`.
    pub latex: &'static str,
    /// The text of the identifier.
    pub mathml: &'static str,
}

/// The rules of a function by the number of its arguments.
#[derive(Debug)]
pub enum Rules {
    /// f(x)
    One(Unary),
    /// f(x, y)
    Two(Binary),
}

/// A function of one argument.
#[derive(Debug)]
pub struct Unary {
    /// f(x) in `f64`; NaN outside of its domain.
    pub value: fn(f64) -> f64,
    /// f(x) in twice the usual precision. The derivation's check differences it, so that it must owe nothing to
    /// `slope`.
    pub precise_value: fn(DoubleDouble) -> DoubleDouble,
    /// f′(x) from x and f(x). It must be finite wherever f is smooth, and so must its own derivatives.
    pub slope: fn(&mut Graph, Expr, Expr) -> Expr,
    /// What becomes of a minus sign before x.
    pub symmetry: Symmetry,
    /// What stands in the graph in the place of a call: an exact value, a power. `None` where it stays a call.
    pub rewrite: fn(&mut Graph, Expr) -> Option<Expr>,
    /// The operation it is compiled to; without one compiled code calls `value`, lane by lane.
    pub intrinsic: Option<Intrinsic>,
    /// An interval with all of f(x) for the members of one.
    pub range: fn(Interval) -> Interval,
    /// What of it a long step of an integrator may miss.
    pub feature: Feature,
}

/// A function of two arguments. Compiled code calls its `value`, lane by lane.
#[derive(Debug)]
pub struct Binary {
    /// f(x, y) in `f64`; NaN outside of its domain.
    pub value: fn(f64, f64) -> f64,
    /// f(x, y) in twice the usual precision, which must owe nothing to `slopes`.
    pub precise_value: fn(DoubleDouble, DoubleDouble) -> DoubleDouble,
    /// ∂f/∂x and ∂f/∂y from x and y.
    pub slopes: [fn(&mut Graph, Expr, Expr) -> Expr; 2],
    /// What stands in the graph in the place of a call; `None` where it stays one.
    pub rewrite: fn(&mut Graph, Expr, Expr) -> Option<Expr>,
    /// An interval with all of f(x, y) for the members of two.
    pub range: fn(Interval, Interval) -> Interval,
    /// The expression at whose zeros f is not smooth, if there is one.
    pub switch: Option<fn(&mut Graph, Expr, Expr) -> Expr>,
}

/// What of a function a long step of an integrator may miss: where it changes, compared with its argument.
#[derive(Clone, Copy, Debug)]
pub enum Feature {
    /// It changes everywhere about as fast as its argument.
    Even,
    /// It repeats every 2π of its argument.
    Period,
    /// It changes by the factor e for every unit of its argument.
    Growth,
    /// The same for every unit of the size of its argument.
    GrowthBothWays,
    /// It passes from one level to another, this far away, while its argument passes through the order of 1.
    Step(f64),
    /// It is singular where its argument is zero.
    Pole,
    /// It is not smooth at the zeros of this expression of its argument.
    Switch(fn(&mut Graph, Expr) -> Expr),
    /// The same, with poles there, and it repeats itself behind each.
    Poles(fn(&mut Graph, Expr) -> Expr),
}

/// f(−x) compared with f(x).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Neither of the others.
    None,
    /// f(−x) = f(x)
    Even,
    /// f(−x) = −f(x), so that f(0) = 0.
    Odd,
}

/// An operation of compiled programs that is more than a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intrinsic {
    /// The sine of the batch that sines and cosines share.
    Sine,
    /// The cosine of that batch.
    Cosine,
    /// The processor's own square root.
    SquareRoot,
}

/// The style of most functions.
pub(super) const fn operator(latex: &'static str, mathml: &'static str) -> Style {
    Style::Operator(OperatorName { latex, mathml })
}

/// The rewriting of functions of one argument that are always calls.
pub(super) fn keep(_: &mut Graph, _: Expr) -> Option<Expr> {
    None
}

/// The rewriting of functions of two arguments that are always calls.
pub(super) fn keep_both(_: &mut Graph, _: Expr, _: Expr) -> Option<Expr> {
    None
}
