//! Operations that no output needs are left out.

use crate::program::Program;

impl Program {
    /// The same program without what nobody asks for.
    pub(crate) fn pruned(&self) -> Program {
        let first = self.value_len() - self.operations.len();
        let mut wanted = vec![false; self.value_len()];
        let outputs = self.outputs.iter().flat_map(|group| &group.values);
        outputs.for_each(|&value| wanted[value as usize] = true);
        for (position, operation) in self.operations.iter().enumerate().rev() {
            if wanted[first + position] {
                operation.operands().for_each(|operand| wanted[operand as usize] = true);
            }
        }
        let left_out: Vec<bool> = wanted[first..].iter().map(|wanted| !wanted).collect();
        self.without(&self.operations, &left_out, first)
    }
}
