//! Pivots are watched by the program itself.

use crate::builder::Builder;
use crate::program::{Operation, Program, ValueGroup};
use catena_symbolic::Function;

/// The groups that [`Program::guarded`] replaces.
const PIVOTS: &str = "pivots";
const DIAGONAL: &str = "diagonal";

impl Program {
    /// A fused program with a `defect` in the place of its `pivots` and the `diagonal` entries they were left of: 0 if every
    /// pivot is greater than this part of its entry's magnitude, else NaN. It must not be fused again.
    pub fn guarded(&self, tolerance: f64) -> Program {
        let mut builder = Builder::default();
        let inputs: Vec<u32> = self
            .inputs
            .iter()
            .flat_map(|group| builder.inputs(&group.name, group.values.len()))
            .collect();
        let values = builder.append(self, &inputs);
        let fixed = self.fixed_by("parameters");
        let group = |name: &str| self.output(name).map_or(&[][..], |at| &self.outputs[at].values);
        let mut defect = builder.constant(0.0);
        for (&pivot, &entry) in group(PIVOTS).iter().zip(group(DIAGONAL)) {
            let part = builder.constant(tolerance);
            let [pivot_value, entry_value] = [pivot, entry].map(|at| values[at as usize]);
            let mut bounds = Vec::new();
            if fixed[entry as usize] {
                // computed once for a motion
                let magnitude = builder.emit(Operation::Call(Function::named("abs"), entry_value));
                bounds.push(builder.emit(Operation::Multiply(part, magnitude)));
            } else {
                bounds.push(builder.emit(Operation::Multiply(part, entry_value)));
                // a pivot that is greater than a part of itself is positive
                if pivot != entry {
                    let part = builder.constant(-tolerance);
                    bounds.push(builder.emit(Operation::Multiply(part, entry_value)));
                }
            }
            for bound in bounds {
                defect = builder.emit(Operation::Guard(pivot_value, bound, defect));
            }
        }
        let kept = self.outputs.iter().filter(|group| ![PIVOTS, DIAGONAL].contains(&&*group.name));
        let mut outputs: Vec<ValueGroup> = kept.cloned().collect();
        for value in outputs.iter_mut().flat_map(|group| &mut group.values) {
            *value = values[*value as usize];
        }
        outputs.push(ValueGroup { name: "defect".to_owned(), values: vec![defect] });
        builder.finish(outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;
    use crate::kernel::tests::outputs;
    use catena_symbolic::Graph;

    #[test]
    fn a_pivot_that_vanishes_relative_to_its_entry_is_a_defect() {
        let mut graph = Graph::new();
        let names = ["pivot", "entry", "given"];
        let [pivot, entry, given] = names.map(|name| graph.symbol(name));
        let inputs: [(&str, &[_]); 2] = [("y", &[pivot, entry]), ("parameters", &[given])];
        let groups: [(&str, &[_]); 3] = [
            ("rate", &[entry]),
            ("pivots", &[pivot, pivot, pivot]),
            ("diagonal", &[entry, given, pivot]),
        ];
        let program = Program::lower(&graph, &inputs, &groups).fused().guarded(0.1);
        let kernels = [Kernel::of_fused(&program), Kernel::interpreted(&program)];
        for (point, sound) in [
            ([1.0, 9.0, 9.0], true),
            ([1.0, -9.0, -9.0], true),
            ([1.0, 11.0, 9.0], false),
            ([1.0, -11.0, 9.0], false),
            ([1.0, 9.0, -11.0], false),
            ([-1.0, -9.0, -9.0], false),
            ([0.0, 0.0, 0.0], false),
            ([f64::INFINITY, 1.0, 1.0], false),
            ([f64::NAN, 1.0, 1.0], false),
        ] {
            for kernel in &kernels {
                let found = outputs(kernel, &point);
                let same = if sound { found[1] == 0.0 } else { found[1].is_nan() };
                assert!(same && found[0] == point[1], "{point:?}: {found:?}");
            }
        }
    }
}
