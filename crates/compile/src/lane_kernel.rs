//! A program for several states side by side: as vector code where the machine allows it.

use crate::code::Code;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::native::Width;
use crate::program::Program;
use catena_linear::InstructionSet;
use std::ops::Deref;
use std::sync::Arc;

/// A compiled function of several states: value i of all lanes stands at i·lanes. Every lane gets the bits that
/// [`crate::Kernel`] computes for it alone. Clones and threads use the same [`Code`].
#[derive(Clone, Debug)]
pub struct LaneKernel {
    code: Arc<Code>,
}

impl LaneKernel {
    /// The fused form of a program with an instruction set; the portable one stands in where the machine does not allow
    /// it.
    pub fn new(program: &Program, set: InstructionSet) -> LaneKernel {
        LaneKernel::of_fused(&program.fused(), set)
    }

    /// The same for a program that is fused already, operation by operation as it is.
    #[cfg_attr(
        not(any(target_arch = "x86_64", target_arch = "aarch64")),
        expect(unused_variables, reason = "there is one set")
    )]
    pub fn of_fused(program: &Program, set: InstructionSet) -> LaneKernel {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        if let Some(code) =
            Width::of(set).and_then(|width| Code::native(program, width, set.lanes()))
        {
            return LaneKernel { code: Arc::new(code) };
        }
        LaneKernel { code: Arc::new(Code::interpreted_in_lanes(program)) }
    }
}

impl Deref for LaneKernel {
    type Target = Code;

    fn deref(&self) -> &Code {
        &self.code
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;
    use crate::kernel::tests::{crowded_program, outputs, program};
    use catena_linear::Aligned;

    fn each_lane_gets_the_bits_of_a_single_state(program: &Program) {
        let single = Kernel::new(program);
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            let kernel = LaneKernel::new(program, set);
            let lanes = kernel.lanes();
            assert_eq!(lanes, set.lanes());
            let mut inputs = Aligned::zeros(kernel.input_len());
            // the last angle is beyond the reach of the fast sine
            let point = |lane: usize, i: usize| {
                0.1 + 0.37 * ((lane * 7 + i * 3) % 11) as f64 + if lane == 3 { 2e5 } else { 0.0 }
            };
            for (at, input) in inputs.iter_mut().enumerate() {
                *input = point(at % lanes, at / lanes);
            }
            let mut found = Aligned::zeros(kernel.output_len());
            kernel.run(&inputs, &mut found, &mut Aligned::zeros(kernel.scratch_len()));
            for lane in 0..lanes {
                let point: Vec<f64> = (0..single.input_len()).map(|i| point(lane, i)).collect();
                for (i, expected) in outputs(&single, &point).into_iter().enumerate() {
                    let found = found[i * lanes + lane];
                    let same = found.to_bits() == expected.to_bits();
                    assert!(
                        same || (found.is_nan() && expected.is_nan()),
                        "{}, {i}, {lane}",
                        set.name()
                    );
                }
            }
        }
    }

    /// Functions and derivatives of x and y, undefined where y is negative or x is not a number.
    #[test]
    fn what_has_no_value_has_none_in_every_reader() {
        let mut graph = catena_symbolic::Graph::new();
        let symbols = [graph.symbol("x"), graph.symbol("y")];
        let mut roots = Vec::new();
        for text in [
            "min(x, log(y))",
            "max(log(y), x)",
            "sqrt(y)^4 + 0*x",
            "x*sqrt(y)*sqrt(y)",
            "max(0/0, x)",
        ] {
            let root = catena_symbolic::parse(text).unwrap().build_plain(&mut graph);
            roots.push(root);
            roots.extend((!text.contains("0/0")).then(|| graph.derivative(root, symbols[1])));
        }
        let program = Program::lower(&graph, &[("q", &symbols)], &[("f", &roots)]);
        let undefined = [1.0, -2.0];
        for kernel in [Kernel::new(&program), Kernel::interpreted(&program)] {
            let found = outputs(&kernel, &undefined);
            assert!(found.iter().all(|value| value.is_nan()), "{found:?}");
        }
        assert!(
            graph
                .evaluate(&roots, |name| undefined[usize::from(name == "y")])
                .iter()
                .all(|v| v.is_nan())
        );
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            let kernel = LaneKernel::new(&program, set);
            let lanes = kernel.lanes();
            let mut inputs = Aligned::zeros(kernel.input_len());
            inputs.iter_mut().enumerate().for_each(|(at, input)| *input = undefined[at / lanes]);
            let mut found = Aligned::zeros(kernel.output_len());
            kernel.run(&inputs, &mut found, &mut Aligned::zeros(kernel.scratch_len()));
            assert!(found.iter().all(|value| value.is_nan()), "{}: {found:?}", set.name());
        }
    }

    /// Too long to stand side by side with itself: registers of states take turns.
    #[test]
    fn long_programs_give_each_lane_the_bits_of_a_single_state() {
        let mut graph = catena_symbolic::Graph::new();
        let symbols = [graph.symbol("x"), graph.symbol("y")];
        let terms = (1..200).map(|i| format!("{i}*y*sin({i}*x/70)/(y + {i}) + x*cos(y + {i})"));
        let text = terms.collect::<Vec<String>>().join(" + ");
        let root = catena_symbolic::parse(&text).unwrap().build_plain(&mut graph);
        let program = Program::lower(&graph, &[("q", &symbols)], &[("f", &[root, symbols[0]])]);
        assert!(program.fused().operations.len() > 1_000);
        each_lane_gets_the_bits_of_a_single_state(&program);
    }

    #[test]
    fn every_instruction_set_gives_each_lane_the_bits_of_a_single_state() {
        let (_, _, program) = program();
        each_lane_gets_the_bits_of_a_single_state(&program);
        each_lane_gets_the_bits_of_a_single_state(&crowded_program());
    }
}
