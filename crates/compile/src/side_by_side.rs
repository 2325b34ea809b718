//! A program for several states in the place of one, so that none of them waits for its own results: while an operation on one
//! state is under way, the processor works on the others.

use crate::program::{Operation, Program, ValueGroup};

impl Program {
    /// The program of so many states: value i of state c is value i·`count` + c of it, among inputs and outputs too. The states
    /// have their constants in common.
    pub(crate) fn side_by_side(&self, count: usize) -> Program {
        let count = count as u32;
        let inputs = self.input_len() as u32;
        let constants = self.constants.len() as u32;
        let place = |value: u32, state: u32| match value.checked_sub(inputs) {
            None => value * count + state,
            Some(behind) if behind < constants => inputs * count + behind,
            Some(behind) => inputs * count + constants + (behind - constants) * count + state,
        };
        let operation = |operation: &Operation| {
            let operation = *operation;
            (0..count).map(move |state| operation.map(|value| place(value, state)))
        };
        let groups = |groups: &[ValueGroup]| {
            let group = |group: &ValueGroup| ValueGroup {
                name: group.name.clone(),
                values: group
                    .values
                    .iter()
                    .flat_map(|&value| (0..count).map(move |state| place(value, state)))
                    .collect(),
            };
            groups.iter().map(group).collect()
        };
        Program {
            inputs: groups(&self.inputs),
            constants: self.constants.clone(),
            operations: self.operations.iter().flat_map(operation).collect(),
            outputs: groups(&self.outputs),
        }
    }
}
