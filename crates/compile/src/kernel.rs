//! A program made ready to run: native code or a WebAssembly module where the machine allows it, the
//! interpreter elsewhere.

use crate::code::Code;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::native::Width;
use crate::program::Program;
use std::ops::Deref;
use std::sync::Arc;

/// A compiled function of one state, constant and shared: clones and threads use the same [`Code`].
#[derive(Clone, Debug)]
pub struct Kernel {
    code: Arc<Code>,
}

impl Kernel {
    /// The fastest reader that this machine has, for the fused form of a program.
    pub fn new(program: &Program) -> Kernel {
        Kernel::of_fused(&program.fused())
    }

    /// The same for a program that is fused already, operation by operation as it is.
    pub fn of_fused(program: &Program) -> Kernel {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        if let Some(code) = Code::native(program, Width::One, 1) {
            return Kernel { code: Arc::new(code) };
        }
        #[cfg(target_arch = "wasm32")]
        return Kernel { code: Arc::new(Code::web(program)) };
        #[cfg(not(target_arch = "wasm32"))]
        Kernel { code: Arc::new(Code::interpreted(program)) }
    }

    /// The portable reader: slower, the same results to the last bit.
    pub fn interpreted(program: &Program) -> Kernel {
        Kernel { code: Arc::new(Code::interpreted(&program.fused())) }
    }
}

impl Deref for Kernel {
    type Target = Code;

    fn deref(&self) -> &Code {
        &self.code
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use catena_symbolic::{Function, Graph, parse};

    const FORMULAS: [&str; 15] = [
        "x - y*z",
        "-(x + y)/z",
        "x^2 + x^3 - x^-2 + x^7",
        "sqrt(x) + x^1.5 + 1/sqrt(y) + x^-2.5",
        "x^y + 2^z + x^0.3",
        "sin(x)*cos(y) - tan(z)/(1 + atan2(x, y))",
        "sin(x + cos(y + sin(z)))*cos(x + cos(y + sin(z)))",
        "min(x, y) + max(y, z) - abs(x - z)*sign(y - x)",
        "asin(x/40) - acos(y/40)*atan(z)",
        "sinc(x - 3/10) + dsinc(1, y)*dsinc(2, z - y) + dsinc(3, x - x)",
        "exp(-x) + log(1 + y) + sinh(z)*cosh(x)/tanh(y)",
        "1/x + 2/x - z/x",
        "3",
        "y",
        "pi*x",
    ];

    /// The formulas above, and every function there is.
    fn formulas() -> Vec<String> {
        let call = |function: Function| {
            let arguments = ["x/40", "y"][..function.arity()].join(", ");
            format!("{}({arguments})", function.name())
        };
        FORMULAS.into_iter().map(str::to_owned).chain(Function::all().map(call)).collect()
    }

    pub(crate) fn program() -> (Graph, Vec<catena_symbolic::Expr>, Program) {
        let mut graph = Graph::new();
        let symbols = [graph.symbol("x"), graph.symbol("y"), graph.symbol("z")];
        let roots: Vec<_> =
            formulas().iter().map(|text| parse(text).unwrap().build_plain(&mut graph)).collect();
        let program = Program::lower(&graph, &[("q", &symbols)], &[("f", &roots)]);
        (graph, roots, program)
    }

    pub(crate) fn outputs(kernel: &Kernel, inputs: &[f64]) -> Vec<f64> {
        let mut outputs = vec![f64::NAN; kernel.output_len()];
        let mut scratch = vec![f64::NAN; kernel.scratch_len()];
        kernel.run(inputs, &mut outputs, &mut scratch);
        outputs
    }

    #[test]
    fn programs_compute_what_the_graph_says() {
        let (graph, roots, program) = program();
        for point in [[0.3, 1.2, 0.7], [2.1, 0.4, 1.9]] {
            let expected = graph.evaluate(&roots, |name| match name {
                "x" => point[0],
                "y" => point[1],
                _ => point[2],
            });
            let values = outputs(&Kernel::interpreted(&program), &point);
            for ((value, expected), text) in values.into_iter().zip(expected).zip(formulas()) {
                let difference = (value - expected).abs() / expected.abs().max(1.0);
                let undefined = value.is_nan() && expected.is_nan();
                assert!(difference < 1e-14 || undefined, "{text}: {value} and {expected}");
            }
        }
    }

    #[test]
    fn native_code_and_interpreter_give_the_same_bits() {
        let (_, _, program) = program();
        let (native, portable) = (Kernel::new(&program), Kernel::interpreted(&program));
        assert!(native.is_native() || !cfg!(target_arch = "aarch64"));
        for i in 0..100 {
            let point = [0.1 + 0.03 * i as f64, 2.0 - 0.017 * i as f64, 0.5 + 0.01 * i as f64];
            let (a, b) = (outputs(&native, &point), outputs(&portable, &point));
            for ((a, b), text) in a.into_iter().zip(b).zip(formulas()) {
                assert_eq!(a.to_bits(), b.to_bits(), "{text}: {a} and {b}");
            }
        }
    }

    /// More values alive than registers: spills, reloads and calls in between.
    pub(crate) fn crowded_program() -> Program {
        let mut graph = Graph::new();
        let symbols: Vec<_> = (0..40).map(|i| graph.symbol(&format!("x{i}"))).collect();
        let mut text = String::from("0");
        for i in 0..40 {
            text += &format!(
                "+ x{i}*x{}*exp(x{}/50) - x{}/(x{i} + 3)",
                (i * 7) % 40,
                (i * 11) % 40,
                (i * 13) % 40
            );
        }
        let sum = parse(&text).unwrap().build_plain(&mut graph);
        let squares: Vec<_> = symbols.iter().map(|&x| graph.mul(x, x)).collect();
        let mut roots = graph.gradient(sum, &symbols);
        roots.push(sum);
        roots.extend(squares);
        Program::lower(&graph, &[("q", &symbols)], &[("f", &roots)])
    }

    #[test]
    fn many_live_values_survive_spilling_and_calls() {
        let program = crowded_program();
        let point: Vec<f64> = (0..40).map(|i| 0.5 + 0.1 * i as f64).collect();
        let (native, portable) = (Kernel::new(&program), Kernel::interpreted(&program));
        assert_eq!(outputs(&native, &point), outputs(&portable, &point));
    }

    #[test]
    fn differences_and_quotients_are_single_operations() {
        let mut graph = Graph::new();
        let symbols = [graph.symbol("x"), graph.symbol("y")];
        for (text, count) in
            [("x - y", 1), ("x/y", 1), ("-x", 1), ("x^2", 1), ("x^4", 2), ("1/x - y", 2)]
        {
            let root = parse(text).unwrap().build_plain(&mut graph);
            let program = Program::lower(&graph, &[("q", &symbols)], &[("f", &[root])]);
            assert_eq!(program.operations.len(), count, "{text}: {:?}", program.operations);
        }
    }
}
