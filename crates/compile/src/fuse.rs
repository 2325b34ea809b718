//! Products that are only added become fused multiply-adds: one operation, one rounding.

use crate::program::{Operation, Program};

impl Program {
    /// The same program with fused multiply-adds. All readers run this form, so that they agree to
    /// the last bit.
    pub fn fused(&self) -> Program {
        let first = self.input_len() + self.constants.len();
        let mut users = vec![0_usize; self.value_len()];
        for operation in &self.operations {
            operation.operands().for_each(|value| users[value as usize] += 1);
        }
        for &value in self.outputs.iter().flat_map(|group| &group.values) {
            users[value as usize] += 1;
        }
        let product_used_once = |value: u32| {
            let position = (value as usize).checked_sub(first)?;
            match self.operations[position] {
                Operation::Multiply(a, b) if users[value as usize] == 1 => Some((position, a, b)),
                _ => None,
            }
        };
        let mut absorbed = vec![false; self.operations.len()];
        let mut operations = self.operations.clone();
        for operation in &mut operations {
            let fused = match *operation {
                Operation::Add(x, y) => match (product_used_once(x), product_used_once(y)) {
                    (Some((at, a, b)), _) => Some((at, Operation::MultiplyAdd(a, b, y))),
                    (_, Some((at, a, b))) => Some((at, Operation::MultiplyAdd(a, b, x))),
                    _ => None,
                },
                Operation::Subtract(x, y) => match (product_used_once(x), product_used_once(y)) {
                    (_, Some((at, a, b))) => Some((at, Operation::NegatedMultiplyAdd(a, b, x))),
                    (Some((at, a, b)), _) => Some((at, Operation::MultiplySubtract(a, b, y))),
                    _ => None,
                },
                _ => None,
            };
            if let Some((position, fused)) = fused {
                absorbed[position] = true;
                *operation = fused;
            }
        }
        self.without(&operations, &absorbed, first)
    }

    /// The program without the absorbed operations, values numbered anew.
    pub(crate) fn without(
        &self,
        operations: &[Operation],
        absorbed: &[bool],
        first: usize,
    ) -> Program {
        let mut numbers: Vec<u32> = (0..first as u32).collect();
        let mut next = first as u32;
        for &absorbed in absorbed {
            numbers.push(next);
            next += u32::from(!absorbed);
        }
        let place = |value: u32| numbers[value as usize];
        let kept = operations.iter().zip(absorbed).filter(|(_, absorbed)| !**absorbed);
        let mut outputs = self.outputs.clone();
        for value in outputs.iter_mut().flat_map(|group| &mut group.values) {
            *value = place(*value);
        }
        Program {
            inputs: self.inputs.clone(),
            constants: self.constants.clone(),
            operations: kept.map(|(operation, _)| operation.map(place)).collect(),
            outputs,
        }
    }
}
