//! The formulas of the model, evaluated as written in twice the usual precision, and differenced.

use super::random::Random;
use catena_model::{Model, NamedFormula, Role, System};
use catena_symbolic::{DoubleDouble, Formula, FormulaNode, Number, Operator};

/// Step of the fourth-order differences. With a drive of ω rad/s the truncation is (ωh)⁴/30, so that
/// even 10⁴ rad/s leave nine digits; the noise is 10⁻³²/h².
const STEP: f64 = 1.0 / (1 << 20) as f64;
/// The least curvature that is told from rounding, as a part of a constraint's value: rounding leaves about 1e-19 of it.
const LEAST_CURVATURE: f64 = 1e-9;
/// Step of the sixth-order difference that gives the rate of a definition.
const RATE_STEP: f64 = 1.0 / (1 << 18) as f64;

/// A state at which functions are compared.
pub(super) struct SamplePoint {
    pub(super) t: f64,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) z: Vec<f64>,
}

impl SamplePoint {
    /// A state around the start of the model.
    pub(super) fn random(model: &Model, system: &System, random: &mut Random) -> SamplePoint {
        let mut q = vec![0.0; system.coordinates.len()];
        let parameters: Vec<f64> = model.parameter_values();
        let origin = Moving { t: 0.0.into(), q: vec![], v: vec![], z: vec![] };
        for entry in system.guess.iter().chain(&system.initial) {
            if let (Some(Role::Coordinate(at)), 0) = (system.names.role(&entry.name), entry.primes)
            {
                let value = Numeric::new(system, &parameters).value(&entry.formula, &origin);
                q[at] = value.to_f64();
            }
        }
        for value in &mut q {
            *value += random.between(-1.0, 1.0);
        }
        let v = random.several(q.len(), -2.0, 2.0);
        let z = random.several(system.states.len(), -2.0, 2.0);
        SamplePoint { t: random.between(0.0, 3.0), q, v, z }
    }
}

/// A point in twice the usual precision, on the move.
#[derive(Clone)]
struct Moving {
    t: DoubleDouble,
    q: Vec<DoubleDouble>,
    v: Vec<DoubleDouble>,
    z: Vec<DoubleDouble>,
}

impl Moving {
    fn new(point: &SamplePoint) -> Self {
        let exact = |values: &[f64]| values.iter().map(|&x| x.into()).collect();
        Moving { t: point.t.into(), q: exact(&point.q), v: exact(&point.v), z: exact(&point.z) }
    }

    /// The point a little later, with velocities held.
    fn later(&self, time: f64) -> Self {
        let time = DoubleDouble::from(time);
        let q = self.q.iter().zip(&self.v).map(|(&q, &v)| q + time * v).collect();
        Moving { t: self.t + time, q, v: self.v.clone(), z: self.z.clone() }
    }

    /// The point moved along a direction of the coordinates.
    fn with_positions(&self, direction: &[f64], change: f64) -> Self {
        let mut moved = self.clone();
        shift(&mut moved.q, direction, change);
        moved
    }

    /// The point moved along a direction of the velocities.
    fn with_velocities(&self, direction: &[f64], change: f64) -> Self {
        let mut moved = self.clone();
        shift(&mut moved.v, direction, change);
        moved
    }
}

fn shift(values: &mut [DoubleDouble], direction: &[f64], change: f64) {
    for (value, &component) in values.iter_mut().zip(direction) {
        *value = *value + DoubleDouble::from(component) * change.into();
    }
}

/// Evaluates formulas of a system with given parameters.
pub(super) struct Numeric<'a> {
    system: &'a System,
    parameters: Vec<DoubleDouble>,
}

type Energy<'a> = Option<&'a NamedFormula>;

impl<'a> Numeric<'a> {
    pub(super) fn new(system: &'a System, parameters: &[f64]) -> Self {
        let parameters = parameters.iter().map(|&value| value.into()).collect();
        Numeric { system, parameters }
    }

    /// aᵀ M b: the mixed difference of T along both directions.
    pub(super) fn mass(&self, point: &SamplePoint, a: &[f64], b: &[f64]) -> f64 {
        let at = Moving::new(point);
        let kinetic = self.system.kinetic.as_ref();
        // quadratic in the velocities, so that two points in each direction are exact
        let energy =
            |r: f64, s: f64| self.energy(kinetic, &at.with_velocities(a, r).with_velocities(b, s));
        let along = |r: f64| (energy(r, STEP) - energy(r, -STEP)) / (2.0 * STEP).into();
        ((along(STEP) - along(-STEP)) / (2.0 * STEP).into()).to_f64()
    }

    /// wᵀ Q, and the size of the terms it is made of: where they cancel, the difference can only be
    /// small compared with them.
    pub(super) fn force(&self, point: &SamplePoint, w: &[f64]) -> [f64; 2] {
        let at = Moving::new(point);
        let system = self.system;
        let along =
            |entry: Energy| slope(|s: f64| self.energy(entry, &at.with_positions(w, s))).to_f64();
        let friction = |s: f64| self.energy(system.dissipation.as_ref(), &at.with_velocities(w, s));
        let momentum = |s: f64| {
            let (kinetic, later) = (system.kinetic.as_ref(), at.later(s));
            let energy = |a: f64| self.energy(kinetic, &later.with_velocities(w, a));
            (energy(STEP) - energy(-STEP)) / (2.0 * STEP).into()
        };
        let mut terms = vec![
            along(system.kinetic.as_ref()),
            -along(system.potential.as_ref()),
            -slope(friction).to_f64(),
            -slope(momentum).to_f64(),
        ];
        for entry in &system.forces {
            let moved = match system.names.role(&entry.name) {
                Some(Role::Coordinate(i)) => w[i],
                Some(Role::Definition(i)) => {
                    let formula = &system.definitions[i].formula;
                    slope(|s: f64| self.value(formula, &at.with_positions(w, s))).to_f64()
                }
                _ => 0.0,
            };
            if moved != 0.0 {
                terms.push(moved * self.value(&entry.formula, &at).to_f64());
            }
        }
        [terms.iter().sum(), terms.iter().map(|term| term.abs()).sum()]
    }

    /// Φq w
    pub(super) fn jacobian(&self, point: &SamplePoint, w: &[f64]) -> Vec<f64> {
        let at = Moving::new(point);
        let along = |entry: &NamedFormula| {
            slope(|s: f64| self.value(&entry.formula, &at.with_positions(w, s))).to_f64()
        };
        self.system.constraints.iter().map(along).collect()
    }

    /// γ of each constraint, and the size of its three terms.
    pub(super) fn gamma(&self, point: &SamplePoint) -> Vec<[f64; 2]> {
        let at = Moving::new(point);
        let gamma = |entry: &NamedFormula| {
            let along = |moved: &dyn Fn(f64) -> Moving| {
                curvature(|s: f64| self.value(&entry.formula, &moved(s)))
            };
            let whole = along(&|s| at.later(s));
            let positions = along(&|s| at.with_positions(&point.v, s));
            let time = along(&|s| Moving { t: at.t + s.into(), ..at.clone() });
            let mixed = whole - positions - time;
            let terms = positions.abs() + mixed.abs() + time.abs();
            // a constraint that is straight has no curvature but what rounding leaves of its value
            let value = self.value(&entry.formula, &at).to_f64().abs();
            [-whole, terms.max(LEAST_CURVATURE * value)]
        };
        self.system.constraints.iter().map(gamma).collect()
    }

    fn energy(&self, entry: Energy, at: &Moving) -> DoubleDouble {
        entry.map_or(DoubleDouble::ZERO, |entry| self.value(&entry.formula, at))
    }

    /// The value of a formula; definitions that it uses are evaluated once for all.
    fn value(&self, formula: &Formula, at: &Moving) -> DoubleDouble {
        let needed = self.needed_definitions(formula);
        let definitions = self.definitions(&needed, at);
        let rated = formula.names().any(|(name, primes, _)| {
            primes > 0 && matches!(self.system.names.role(name), Some(Role::Definition(_)))
        }) || needed.iter().any(|&i| self.uses_rates(i));
        let rates = if rated { self.rates(&needed, at) } else { Vec::new() };
        self.evaluate(formula, at, &definitions, &rates)
    }

    fn uses_rates(&self, definition: usize) -> bool {
        self.system.definitions[definition].formula.names().any(|(_, primes, _)| primes > 0)
    }

    /// Definitions that a formula needs, directly or through others, in order.
    fn needed_definitions(&self, formula: &Formula) -> Vec<usize> {
        let mut needed = vec![false; self.system.definitions.len()];
        let mark = |formula: &Formula, needed: &mut Vec<bool>| {
            for (name, _, _) in formula.names() {
                if let Some(Role::Definition(at)) = self.system.names.role(name) {
                    needed[at] = true;
                }
            }
        };
        mark(formula, &mut needed);
        // a definition uses earlier ones only, so one pass backwards finds them all
        for at in (0..needed.len()).rev() {
            if needed[at] {
                mark(&self.system.definitions[at].formula, &mut needed);
            }
        }
        (0..needed.len()).filter(|&at| needed[at]).collect()
    }

    fn definitions(&self, needed: &[usize], at: &Moving) -> Vec<DoubleDouble> {
        let mut values = vec![DoubleDouble::ZERO; self.system.definitions.len()];
        for &definition in needed {
            let formula = &self.system.definitions[definition].formula;
            let rates =
                if self.uses_rates(definition) { self.rates(needed, at) } else { Vec::new() };
            values[definition] = self.evaluate(formula, at, &values, &rates);
        }
        values
    }

    /// Rates of the definitions that depend on positions and time: a difference along the motion.
    fn rates(&self, needed: &[usize], at: &Moving) -> Vec<DoubleDouble> {
        let positional: Vec<usize> =
            needed.iter().copied().filter(|&i| !self.uses_rates(i)).collect();
        let at_step = |steps: f64| self.definitions(&positional, &at.later(steps * RATE_STEP));
        let [one, two, three] = [1.0, 2.0, 3.0].map(|k| [at_step(k), at_step(-k)]);
        let number = DoubleDouble::from;
        let rate = |i: usize| {
            let [one, two, three] = [&one, &two, &three].map(|[ahead, back]| ahead[i] - back[i]);
            (number(45.0) * one - number(9.0) * two + three) / number(60.0 * RATE_STEP)
        };
        (0..self.system.definitions.len()).map(rate).collect()
    }

    fn evaluate(
        &self,
        formula: &Formula,
        at: &Moving,
        definitions: &[DoubleDouble],
        rates: &[DoubleDouble],
    ) -> DoubleDouble {
        let mut values: Vec<DoubleDouble> = Vec::with_capacity(formula.nodes().len());
        for node in formula.nodes() {
            let value = match *node {
                FormulaNode::Number(Number::Fraction(a, b)) => DoubleDouble::ratio(a, b),
                FormulaNode::Number(Number::Real(value)) => value.into(),
                FormulaNode::Pi => DoubleDouble::PI,
                FormulaNode::Name(ref name, primes) => {
                    match (self.system.names.role(name), primes) {
                        (Some(Role::Time), 0) => at.t,
                        (Some(Role::Parameter(i)), 0) => self.parameters[i],
                        (Some(Role::Coordinate(i)), 0) => at.q[i],
                        (Some(Role::Coordinate(i)), 1) => at.v[i],
                        (Some(Role::State(i)), 0) => at.z[i],
                        (Some(Role::Definition(i)), 0) => definitions[i],
                        (Some(Role::Definition(i)), 1) => rates[i],
                        _ => f64::NAN.into(),
                    }
                }
                FormulaNode::Negate(x) => -values[x],
                FormulaNode::Degrees(x) => values[x] * DoubleDouble::PI / 180.0.into(),
                FormulaNode::Binary(operator, x, y) => {
                    let (x, y) = (values[x], values[y]);
                    match operator {
                        Operator::Add => x + y,
                        Operator::Subtract => x - y,
                        Operator::Multiply => x * y,
                        Operator::Divide => x / y,
                        Operator::Power => x.power(y),
                    }
                }
                FormulaNode::Call(function, x, y) => {
                    let y = y.map_or(DoubleDouble::ZERO, |y| values[y]);
                    function.evaluate_precisely(values[x], y)
                }
            };
            values.push(value);
        }
        values.pop().unwrap_or(DoubleDouble::ZERO)
    }
}

/// First derivative at 0.
fn slope(f: impl Fn(f64) -> DoubleDouble) -> DoubleDouble {
    let (near, far) = (f(STEP) - f(-STEP), f(2.0 * STEP) - f(-2.0 * STEP));
    (near * 8.0.into() - far) / (12.0 * STEP).into()
}

/// Second derivative at 0.
fn curvature(f: impl Fn(f64) -> DoubleDouble) -> f64 {
    let (near, far) = (f(STEP) + f(-STEP), f(2.0 * STEP) + f(-2.0 * STEP));
    let difference = near * 16.0.into() - far - f(0.0) * 30.0.into();
    (difference / (12.0 * STEP * STEP).into()).to_f64()
}
