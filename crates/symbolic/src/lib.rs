//! Expressions as a hash-consed graph: parse, differentiate, simplify, print.

mod dependence;
mod differentiate;
mod domain;
mod double_double;
mod eliminate;
mod expr_map;
mod formula;
mod formula_text;
mod function;
mod graph;
mod greek;
mod interval;
mod nearest;
mod node_index;
mod notation;
mod number;
mod parse;
mod product_error;
mod simplify;
mod substitute;

pub use dependence::Dependence;
pub use differentiate::Jacobian;
pub use double_double::DoubleDouble;
pub use eliminate::{Factors, SparseVector};
pub use expr_map::ExprMap;
pub use formula::{Formula, FormulaNode, Operator, Span, primed};
pub use function::{
    Binary, FUNCTIONS, Feature, Function, FunctionRow, Intrinsic, OperatorName, Rules, Style,
    Symmetry, Unary,
};
pub use graph::{Expr, Graph, Node, Symbol};
pub use greek::GREEK_LETTERS;
pub use interval::Interval;
pub use nearest::nearest;
pub use notation::{Decimals, Notation, display_width, figure_label};
pub use number::Number;
pub use parse::{
    DEGREES, ParseError, ParseErrorKind, SI_UNITS, UNITS, Unit, Value, has_units, parse,
    parse_value,
};
pub use simplify::Simplifier;
