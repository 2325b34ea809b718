//! A whole step of an explicit Runge–Kutta method as one program: the stages, their sums, the new state, its rate and the
//! sums of the error estimate. What a stage leaves for the next stays in registers.
//!
//! # Equations
//! $$k_i=f\Big(t+c_ih,\;y+h\sum_{j<i}a_{ij}k_j\Big),\qquad y_{new}=y+h\sum_{i\le s}b_ik_i,\qquad k_{s+1}=f(t_{new},y_{new}).$$
//! $k_1$ is given: it is the last slope of the step before.
//!
//! Products and sums of the stages are rounded one by one, in the order in which an integrator makes them: the program gives
//! the bits that stages one by one give.

use crate::builder::Builder;
use crate::program::{Operation, Program, ValueGroup};
use rustc_hash::FxHashSet;

/// The tableau of a step, as plain data.
#[derive(Clone, Copy, Debug)]
pub struct StageSums<'a> {
    /// One for each stage; the first is 0.
    pub c: &'a [f64],
    /// Row i has i entries; the first row is empty.
    pub a: &'a [&'a [f64]],
    /// One for each stage.
    pub b: &'a [f64],
    /// Weights of the error estimates; those with one entry more than there are stages reach the new slope.
    pub estimates: &'a [&'a [f64]],
}

impl Program {
    /// From the program of a rate, fused, which computes `rate` and `defect` from `t`, `y` and `parameters`: the program of
    /// a step. Its outputs are `y`, `rate`, then the `slopes` k₂ … k_s, the `estimates` $\sum e_ik_i$, and a `defect` that is
    /// 0 if all of it is finite and sound. Its inputs are `y`, `rate`, then as many numbers as there are other outputs, which
    /// are not read, so that the outputs of one step lie where the next one looks for its inputs; then `step` (t, h, t_new)
    /// and `parameters`.
    ///
    /// It must not be fused again.
    pub fn step(&self, sums: &StageSums<'_>) -> Program {
        let group = |name: &str| self.inputs.iter().find(|group| group.name == name);
        let len = |name: &str| group(name).map_or(0, |group| group.values.len());
        let mut builder = Builder::default();
        let y = builder.inputs("y", len("y"));
        let rate = builder.inputs("rate", len("y"));
        let others = (sums.b.len() - 1 + sums.estimates.len()) * y.len() + 1;
        builder.inputs("not read", others);
        let times = builder.inputs("step", 3);
        let parameters = builder.inputs("parameters", len("parameters"));
        let mut step = Step { of: self, builder, h: times[1], parameters, defect: Vec::new() };
        let mut slopes = vec![rate];
        for (&c, a) in sums.c.iter().zip(sums.a).skip(1) {
            let t = if c == 1.0 { times[2] } else { step.time(times[0], c) };
            let state = step.advanced(&y, a, &slopes);
            slopes.push(step.rate(t, &state));
        }
        let y_new = step.advanced(&y, sums.b, &slopes);
        let rate_new = step.rate(times[2], &y_new);
        slopes.push(rate_new.clone());
        let estimates = sums.estimates.iter().flat_map(|weights| {
            (0..y.len()).map(|i| step.sum(weights, &slopes, i)).collect::<Vec<_>>()
        });
        let estimates = estimates.collect();
        let defect = step.defect(&[y_new.as_slice(), &rate_new].concat());
        let inner = slopes[1..sums.b.len()].concat();
        let outputs = [
            ("y", y_new),
            ("rate", rate_new),
            ("slopes", inner),
            ("estimates", estimates),
            ("defect", vec![defect]),
        ];
        let outputs =
            outputs.map(|(name, values)| ValueGroup { name: name.to_owned(), values }).into();
        step.builder.finish(outputs)
    }
}

/// Whether the number has no fraction but its first bit.
fn is_power_of_two(number: f64) -> bool {
    number > 0.0 && number.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 1
}

/// A step as it is written.
struct Step<'a> {
    of: &'a Program,
    builder: Builder,
    h: u32,
    parameters: Vec<u32>,
    /// The defects of the rates so far.
    defect: Vec<u32>,
}

impl Step<'_> {
    /// t + c h
    fn time(&mut self, t: u32, c: f64) -> u32 {
        let c = self.builder.constant(c);
        let part = self.builder.emit(Operation::Multiply(c, self.h));
        self.builder.emit(Operation::Add(t, part))
    }

    /// w k of a component; a factor of one is none.
    fn product(&mut self, weight: f64, value: u32) -> u32 {
        if weight == 1.0 {
            return value;
        }
        let weight = self.builder.constant(weight);
        self.builder.emit(Operation::Multiply(weight, value))
    }

    /// $\sum w_jk_j$ of a component.
    fn sum(&mut self, weights: &[f64], slopes: &[Vec<u32>], component: usize) -> u32 {
        let terms = weights.iter().zip(slopes).filter(|(weight, _)| **weight != 0.0);
        let mut sum = None;
        for (&weight, slope) in terms {
            let product = self.product(weight, slope[component]);
            sum = Some(match sum {
                Some(sum) => self.builder.emit(Operation::Add(sum, product)),
                None => product,
            });
        }
        sum.unwrap_or_else(|| self.builder.constant(0.0))
    }

    /// $y+h\sum w_jk_j$
    fn advanced(&mut self, y: &[u32], weights: &[f64], slopes: &[Vec<u32>]) -> Vec<u32> {
        let used: Vec<usize> = (0..weights.len()).filter(|&j| weights[j] != 0.0).collect();
        let component = |(i, &y): (usize, &u32)| {
            let change = match used[..] {
                // products with a power of two are exact, in whichever order: one for all components
                [slope] if is_power_of_two(weights[slope]) => {
                    let h = self.product(weights[slope], self.h);
                    self.builder.emit(Operation::Multiply(h, slopes[slope][i]))
                }
                _ => {
                    let sum = self.sum(weights, slopes, i);
                    self.builder.emit(Operation::Multiply(self.h, sum))
                }
            };
            self.builder.emit(Operation::Add(y, change))
        };
        y.iter().enumerate().map(component).collect()
    }

    /// The rate at a state, by the operations of its program.
    fn rate(&mut self, t: u32, y: &[u32]) -> Vec<u32> {
        let of = self.of;
        let mut inputs = vec![0; of.input_len()];
        for group in &of.inputs {
            let given = match group.name.as_str() {
                "t" => std::slice::from_ref(&t),
                "y" => y,
                _ => &self.parameters,
            };
            group.values.iter().zip(given).for_each(|(&at, &value)| inputs[at as usize] = value);
        }
        let values = self.builder.append(of, &inputs);
        let output = |name: &str| {
            let group = of.outputs.iter().find(|group| group.name == name);
            let numbers = group.map_or(&[][..], |group| &group.values);
            numbers.iter().map(|&value| values[value as usize]).collect::<Vec<u32>>()
        };
        self.defect.extend(output("defect"));
        output("rate")
    }

    /// 0 if these values are finite and nothing that led to them was unsound, else NaN.
    fn defect(&mut self, values: &[u32]) -> u32 {
        let zero = self.builder.constant(0.0);
        let mut defect = zero;
        for part in std::mem::take(&mut self.defect) {
            defect = self.builder.emit(Operation::Add(defect, part));
        }
        // positions change by velocities, which stand among both
        let mut seen = FxHashSet::default();
        for &value in values.iter().filter(|value| seen.insert(**value)) {
            defect = self.builder.emit(Operation::MultiplyAdd(value, zero, defect));
        }
        defect
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::outputs;
    use crate::{Aligned, InstructionSet, Kernel, LaneKernel};
    use catena_symbolic::{Graph, parse};

    /// x' = v, v' = −a sin x + b cos t − v |v|/(1 + x²), guarded by 1 + x².
    fn rate() -> Program {
        let mut graph = Graph::new();
        let names = ["t", "x", "v", "a", "b"];
        let [t, x, v, a, b] = names.map(|name| graph.symbol(name));
        let [slope, pivot] = ["-a*sin(x) + b*cos(t) - v*abs(v)/(1 + x^2)", "1 + x^2"]
            .map(|text| parse(text).unwrap().build_plain(&mut graph));
        let inputs: [(&str, &[_]); 3] = [("t", &[t]), ("y", &[x, v]), ("parameters", &[a, b])];
        let groups: [(&str, &[_]); 3] =
            [("rate", &[v, slope]), ("pivots", &[pivot]), ("diagonal", &[pivot])];
        Program::lower(&graph, &inputs, &groups).fused().guarded(1e-9)
    }

    /// Three stages, one of them half way, with an estimate that reaches the new slope.
    const SUMS: StageSums<'_> = StageSums {
        c: &[0.0, 0.5, 0.75],
        a: &[&[], &[0.5], &[0.0, 0.75]],
        b: &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0],
        estimates: &[&[-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -0.125]],
    };
    const PARAMETERS: [f64; 2] = [9.81, 0.7];

    /// The outputs of a step, stage by stage.
    fn stage_by_stage(t: f64, h: f64, y: [f64; 2]) -> Vec<f64> {
        let kernel = Kernel::of_fused(&rate());
        let slope = |t: f64, y: &[f64]| -> Vec<f64> {
            outputs(&kernel, &[&[t], y, &PARAMETERS].concat())[..2].to_vec()
        };
        let sum = |weights: &[f64], slopes: &[Vec<f64>], i: usize| {
            let terms = weights.iter().zip(slopes).filter(|(weight, _)| **weight != 0.0);
            terms.map(|(weight, slope)| weight * slope[i]).reduce(|sum, term| sum + term).unwrap()
        };
        let moved = |weights: &[f64], slopes: &[Vec<f64>]| -> Vec<f64> {
            (0..2).map(|i| y[i] + h * sum(weights, slopes, i)).collect()
        };
        let mut slopes = vec![slope(t, &y)];
        for (&c, a) in SUMS.c.iter().zip(SUMS.a).skip(1) {
            slopes.push(slope(t + c * h, &moved(a, &slopes)));
        }
        let y_new = moved(SUMS.b, &slopes);
        slopes.push(slope(t + h, &y_new));
        let estimates: Vec<f64> = (0..2).map(|i| sum(SUMS.estimates[0], &slopes, i)).collect();
        [y_new, slopes[3].clone(), slopes[1..3].concat(), estimates, vec![0.0]].concat()
    }

    #[test]
    fn a_step_at_once_gives_the_bits_of_its_stages_in_every_reader() {
        let step = rate().step(&SUMS);
        let (t, h) = (0.3, 0.01);
        let states: Vec<[f64; 2]> =
            (0..16).map(|i| [0.2 * f64::from(i) - 0.7, 1.1 - 0.3 * f64::from(i)]).collect();
        let line = |y: [f64; 2]| {
            let first = outputs(&Kernel::of_fused(&rate()), &[&[t], &y[..], &PARAMETERS].concat());
            [&y[..], &first[..2], &[f64::NAN; 7], &[t, h, t + h], &PARAMETERS].concat()
        };
        let single = Kernel::of_fused(&step);
        for &y in &states {
            assert_eq!(outputs(&single, &line(y)), stage_by_stage(t, h, y));
        }
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            let kernel = LaneKernel::of_fused(&step, set);
            let lanes = kernel.lanes();
            let mut inputs = Aligned::zeros(kernel.input_len());
            for (lane, &y) in states[..lanes].iter().enumerate() {
                let line = line(y);
                line.iter().enumerate().for_each(|(i, &value)| inputs[i * lanes + lane] = value);
            }
            let mut found = Aligned::zeros(kernel.output_len());
            kernel.run(&inputs, &mut found, &mut Aligned::zeros(kernel.scratch_len()));
            for (lane, &y) in states[..lanes].iter().enumerate() {
                let found: Vec<f64> = found.iter().skip(lane).step_by(lanes).copied().collect();
                assert_eq!(found, stage_by_stage(t, h, y), "{}, {lane}", set.name());
            }
        }
    }
}
