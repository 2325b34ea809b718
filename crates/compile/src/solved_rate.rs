//! The rate of a motion as one program: what solves for its accelerations, written into a function of the state.

use crate::builder::Builder;
use crate::functions::{Functions, Sizes};
use crate::program::{Program, ValueGroup};

impl Functions {
    /// From the fused program of a solution, which computes `accelerations`, `multipliers`, `state_rates`, `pivots` and their
    /// `diagonal` of the one line of inputs without reading accelerations or multipliers there: the program of ẏ = (v, v̇, ż),
    /// with ḣ behind it where work is carried along, and of a `defect`, which is NaN unless every pivot is greater than this
    /// part of its entry. Its operations are those of the solution and of the power: it gives their bits.
    pub fn solved_rate(&self, solution: &Program, tolerance: f64, with_work: bool) -> Program {
        let Sizes { coordinates: n, constraints: m, states: k, parameters: p } = self.sizes;
        let mut builder = Builder::default();
        let t = builder.inputs("t", 1);
        let y = builder.inputs("y", 2 * n + k + usize::from(with_work));
        // nothing depends on the work
        let state = &y[..2 * n + k];
        let parameters = builder.inputs("parameters", p);
        let unread = vec![builder.constant(0.0); n + m];
        let values = builder.append(solution, &[&t[..], state, &unread, &parameters].concat());
        let output = |name: &str| -> Vec<u32> {
            let group = solution.output(name).map(|at| &solution.outputs[at].values);
            group.into_iter().flatten().map(|&value| values[value as usize]).collect()
        };
        let [accelerations, multipliers] = ["accelerations", "multipliers"].map(output);
        let mut rate = [&y[n..2 * n], &accelerations, &output("state_rates")].concat();
        if with_work {
            let power = self.power_program();
            let line = [&t[..], state, &accelerations, &multipliers, &parameters].concat();
            let values = builder.append(&power, &line);
            rate.push(values[power.outputs[0].values[0] as usize]);
        }
        let outputs =
            [("rate", rate), ("pivots", output("pivots")), ("diagonal", output("diagonal"))];
        let outputs = outputs.map(|(name, values)| ValueGroup { name: name.to_owned(), values });
        builder.finish(outputs.into()).guarded(tolerance)
    }
}
