//! What depends on the parameters alone is computed once, not at every state.

use crate::program::{Operation, Program, ValueGroup};

/// The name of the inputs that a prelude computes.
const HOISTED: &str = "hoisted";

impl Program {
    /// Two programs in the place of one: a prelude of the inputs in one group, and the rest, which finds the prelude's
    /// results behind its other inputs. Operations stay what they are, so that results keep their bits.
    ///
    /// # Panics
    /// If no group of inputs has this name.
    pub fn hoisted(&self, group: &str) -> (Program, Program) {
        let given = self.inputs.iter().find(|inputs| inputs.name == group);
        let given = &given.expect("a group of the inputs").values;
        let first = self.input_len() + self.constants.len();
        let early = self.fixed_by(group);
        let wanted = self.wanted(&early, first);
        (self.prelude(given, &early, &wanted, first), self.rest(&early, &wanted, first))
    }

    /// For each value whether it depends on the inputs of this group alone.
    pub(crate) fn fixed_by(&self, group: &str) -> Vec<bool> {
        let (inputs, constants) = (self.input_len(), self.constants.len());
        let first = inputs + constants;
        let mut fixed = vec![false; self.value_len()];
        let groups = self.inputs.iter().filter(|inputs| inputs.name == group);
        groups.flat_map(|inputs| &inputs.values).for_each(|&value| fixed[value as usize] = true);
        fixed[inputs..first].fill(true);
        for (position, operation) in self.operations.iter().enumerate() {
            fixed[first + position] = operation.operands().all(|value| fixed[value as usize]);
        }
        fixed
    }

    /// Early results that later operations or the outputs use.
    fn wanted(&self, early: &[bool], first: usize) -> Vec<u32> {
        let mut wanted = vec![false; self.value_len()];
        for (position, operation) in self.operations.iter().enumerate() {
            if !early[first + position] {
                operation.operands().for_each(|value| wanted[value as usize] = true);
            }
        }
        let outputs = self.outputs.iter().flat_map(|group| &group.values);
        outputs.for_each(|&value| wanted[value as usize] = true);
        let results = first..self.value_len();
        results.filter(|&value| early[value] && wanted[value]).map(|value| value as u32).collect()
    }

    fn prelude(&self, given: &[u32], early: &[bool], wanted: &[u32], first: usize) -> Program {
        let mut numbers = vec![0_u32; self.value_len()];
        let mut next = 0..;
        let constants = first - self.constants.len()..first;
        let kept = (first..self.value_len()).filter(|&value| early[value]);
        let order = given.iter().map(|&value| value as usize).chain(constants).chain(kept);
        order.zip(&mut next).for_each(|(value, number)| numbers[value] = number);
        let place = |value: u32| numbers[value as usize];
        let operations = self.operations.iter().zip(&early[first..]).filter(|(_, early)| **early);
        let inputs = (0..given.len() as u32).collect();
        let outputs = wanted.iter().map(|&value| place(value)).collect();
        Program {
            inputs: vec![ValueGroup { name: "given".into(), values: inputs }],
            constants: self.constants.clone(),
            operations: operations.map(|(operation, _)| operation.map(place)).collect(),
            outputs: vec![ValueGroup { name: HOISTED.into(), values: outputs }],
        }
    }

    fn rest(&self, early: &[bool], wanted: &[u32], first: usize) -> Program {
        let inputs = first - self.constants.len();
        let mut numbers = vec![0_u32; self.value_len()];
        let mut next = 0..;
        let kept = (first..self.value_len()).filter(|&value| !early[value]);
        let hoisted = wanted.iter().map(|&value| value as usize);
        let order = (0..inputs).chain(hoisted).chain(inputs..first).chain(kept);
        order.zip(&mut next).for_each(|(value, number)| numbers[value] = number);
        let place = |value: u32| numbers[value as usize];
        let operations = self.operations.iter().zip(&early[first..]).filter(|(_, early)| !**early);
        let operations: Vec<Operation> =
            operations.map(|(operation, _)| operation.map(place)).collect();
        let mut groups = self.inputs.clone();
        let values = (inputs as u32..).take(wanted.len()).collect();
        groups.push(ValueGroup { name: HOISTED.into(), values });
        let mut outputs = self.outputs.clone();
        let results = outputs.iter_mut().flat_map(|group| &mut group.values);
        results.for_each(|value| *value = place(*value));
        Program { inputs: groups, constants: self.constants.clone(), operations, outputs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;
    use crate::kernel::tests::outputs;
    use catena_symbolic::{Graph, parse};

    #[test]
    fn a_prelude_and_the_rest_give_the_bits_of_the_whole() {
        let mut graph = Graph::new();
        let state = [graph.symbol("x"), graph.symbol("y")];
        let given = [graph.symbol("a"), graph.symbol("b")];
        let texts = ["a*b*x + sin(a)*y", "a^2 + b/a", "x - y*b", "b", "cos(a*x + b^2)*sqrt(a)"];
        let roots: Vec<_> =
            texts.iter().map(|text| parse(text).unwrap().build_plain(&mut graph)).collect();
        let inputs: [(&str, &[_]); 2] = [("y", &state), ("parameters", &given)];
        let program = Program::lower(&graph, &inputs, &[("f", &roots)]).fused();
        let (prelude, rest) = program.hoisted("parameters");
        assert!(rest.operations.len() < program.operations.len());
        assert_eq!(
            prelude.operations.len() + rest.operations.len(),
            program.operations.len(),
            "nothing is computed twice or lost"
        );
        let point = [0.3, -1.2, 0.7, 2.9];
        let whole = outputs(&Kernel::new(&program), &point);
        let hoisted = outputs(&Kernel::new(&prelude), &point[2..]);
        let found = outputs(&Kernel::new(&rest), &[&point[..], &hoisted].concat());
        assert_eq!(found, whole);
    }
}
