//! Inputs whose values are known become constants, and so does all that follows from them alone.

use crate::code::Code;
use crate::program::{Program, ValueGroup};

impl Program {
    /// The same program for inputs of a group of which some are known; the others stay, in their order. Operations stay what
    /// they are, so that results keep their bits.
    ///
    /// # Panics
    /// If no group of inputs has this name.
    pub fn specialised(&self, group: &str, known: &[Option<f64>]) -> Program {
        const KNOWN: &str = "known";
        let mut split = self.clone();
        let at = split.inputs.iter().position(|inputs| inputs.name == group);
        let given = &mut split.inputs[at.expect("a group of the inputs")].values;
        let all = given.iter().zip(known);
        let values = all.clone().filter(|(_, known)| known.is_some()).map(|(&value, _)| value);
        let numbers: Vec<f64> = known.iter().copied().flatten().collect();
        let of_known = ValueGroup { name: KNOWN.to_owned(), values: values.collect() };
        *given = all.filter(|(_, known)| known.is_none()).map(|(&value, _)| value).collect();
        split.inputs.push(of_known);
        let (prelude, rest) = split.hoisted(KNOWN);
        let code = Code::interpreted(&prelude);
        let mut computed = vec![0.0; code.output_len()];
        code.run(&numbers, &mut computed, &mut vec![0.0; code.scratch_len()]);
        rest.with_constants(KNOWN, &[numbers, computed].concat())
    }

    /// The group of this name and the one behind it, the last of all, become constants of these values.
    fn with_constants(&self, first: &str, values: &[f64]) -> Program {
        let at = self.inputs.iter().position(|inputs| inputs.name == first);
        let (kept, fixed) = self.inputs.split_at(at.unwrap_or(self.inputs.len()));
        let mut numbers = vec![0_u32; self.value_len()];
        let fixed = fixed.iter().flat_map(|group| &group.values);
        let inputs = kept.iter().flat_map(|group| &group.values);
        let others = self.input_len() as u32..self.value_len() as u32;
        let order = inputs.chain(fixed).copied().chain(others);
        order.zip(0..).for_each(|(value, number)| numbers[value as usize] = number);
        let place = |value: u32| numbers[value as usize];
        let placed = |groups: &[ValueGroup]| -> Vec<ValueGroup> {
            let moved = |group: &ValueGroup| ValueGroup {
                name: group.name.clone(),
                values: group.values.iter().map(|&value| place(value)).collect(),
            };
            groups.iter().map(moved).collect()
        };
        Program {
            inputs: placed(kept),
            constants: [values, &self.constants].concat(),
            operations: self.operations.iter().map(|operation| operation.map(place)).collect(),
            outputs: placed(&self.outputs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;
    use crate::kernel::tests::outputs;
    use catena_symbolic::{Graph, parse};

    #[test]
    fn known_inputs_become_constants_and_results_keep_their_bits() {
        let mut graph = Graph::new();
        let state = [graph.symbol("x"), graph.symbol("y")];
        let given = ["a", "b", "c"].map(|name| graph.symbol(name));
        let texts = ["a*b*x + sin(a)*y", "a^2 + b/c", "x - y*b", "c", "b", "cos(a*x + c^2)"];
        let roots: Vec<_> =
            texts.iter().map(|text| parse(text).unwrap().build_plain(&mut graph)).collect();
        let inputs: [(&str, &[_]); 2] = [("y", &state), ("parameters", &given)];
        let program = Program::lower(&graph, &inputs, &[("f", &roots)]).fused();
        let expected = outputs(&Kernel::of_fused(&program), &[0.3, -1.2, 0.7, 2.9, 1.1]);
        for known in 0..8_usize {
            let values = [0.7, 2.9, 1.1];
            let is_known = |i: usize| known & (1 << i) != 0;
            let part: Vec<_> = (0..3).map(|i| is_known(i).then_some(values[i])).collect();
            let left = (0..3).filter(|&i| !is_known(i)).map(|i| values[i]);
            let point: Vec<f64> = [0.3, -1.2].into_iter().chain(left).collect();
            let special = program.specialised("parameters", &part);
            assert_eq!(special.input_len(), point.len());
            assert_eq!(outputs(&Kernel::of_fused(&special), &point), expected, "{part:?}");
        }
        let all = program.specialised("parameters", &[Some(0.7), Some(2.9), Some(1.1)]);
        assert!(all.operations.len() < program.operations.len());
    }
}
