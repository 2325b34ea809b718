//! Functions of a model over many states: the same numbers however many there are, and those of the formulation.

use catena::ensemble::{StateFunction, StateQuantity, StateRows, States};
use catena::formulation::{FORMULATIONS, find};
use catena::simulation::FormulationChoice;
use catena::{Model, Prepared};
use catena_tests::ready;

/// Numbers that look like chance, from −1 to 1.
fn scattered(len: usize) -> Vec<f64> {
    let mut number = 0.5;
    let next = |_| {
        number = (number * 997.0 + 0.1234) % 1.0;
        2.0 * number - 1.0
    };
    (0..len).map(next).collect()
}

/// q, v and z of some states, and their times.
struct Sample {
    sizes: [usize; 2],
    count: usize,
    times: Vec<f64>,
    joined: Vec<f64>,
}

impl Sample {
    fn new(prepared: &Prepared, count: usize) -> Sample {
        let system = prepared.system();
        let sizes = [system.coordinates.len(), system.states.len()];
        let mut prepared = prepared.clone();
        let parameters = prepared.model().parameter_values();
        let start =
            catena::simulation::Start::new(prepared.model(), prepared.formulation().coordinates);
        let start = prepared.assemble(&parameters, &start).unwrap();
        let start = [start.q, start.v, start.states].concat();
        let joined = scattered(count * start.len());
        let joined = joined.iter().enumerate().map(|(at, x)| start[at % start.len()] + 0.2 * x);
        Sample { sizes, count, times: scattered(count), joined: joined.collect() }
    }

    fn states(&self, from: usize, count: usize) -> States<'_> {
        let [n, k] = self.sizes;
        let stride = 2 * n + k;
        let rows = |first| StateRows { values: &self.joined[from * stride + first..], stride };
        States {
            count,
            times: &self.times[from..from + count],
            coordinates: rows(0),
            velocities: rows(n),
            states: rows(2 * n),
        }
    }

    fn all(&self, function: &StateFunction, parameters: &[f64], threads: usize) -> Vec<f64> {
        let mut out = vec![7.0; function.len() * self.count];
        let states = self.states(0, self.count);
        assert!(function.evaluate(parameters, &states, &mut out, threads, &|| false));
        out
    }
}

fn prepared(model: &Model, formulation: &str) -> Prepared {
    FormulationChoice::new(find(formulation).unwrap()).prepare(model).unwrap()
}

fn function(prepared: &Prepared, quantity: StateQuantity) -> StateFunction {
    StateFunction::new(prepared, &quantity).unwrap()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

const QUANTITIES: [StateQuantity; 9] = [
    StateQuantity::MassMatrix,
    StateQuantity::Forces,
    StateQuantity::Constraints,
    StateQuantity::ConstraintJacobian,
    StateQuantity::Gamma,
    StateQuantity::Energies,
    StateQuantity::Rate,
    StateQuantity::Accelerations,
    StateQuantity::Multipliers,
];

#[test]
fn many_states_have_the_bits_of_each_alone() {
    for (model, formulation) in [
        ("triple-pendulum", "minimal"),
        ("four-bar", "baumgarte"),
        ("four-bar", "projection"),
        ("chain", "recursive"),
        ("four-bar-bodies", "recursive"),
    ] {
        let model = ready(model, &[]);
        let prepared = prepared(&model, formulation);
        let parameters = model.parameter_values();
        let sample = Sample::new(&prepared, 101);
        for quantity in QUANTITIES {
            let function = function(&prepared, quantity.clone());
            let all = sample.all(&function, &parameters, 2);
            let mut alone = vec![0.0; function.len()];
            for state in 0..sample.count {
                let one = sample.states(state, 1);
                function.evaluate(&parameters, &one, &mut alone, 1, &|| false);
                let together = &all[state * function.len()..][..function.len()];
                assert_eq!(bits(together), bits(&alone), "{quantity:?} with {formulation}");
            }
        }
    }
}

#[test]
fn accelerations_are_those_of_every_formulation() {
    for name in ["four-bar", "triple-pendulum", "four-bar-bodies", "chain"] {
        let model = ready(name, &[]);
        for entry in FORMULATIONS.iter().filter(|entry| (entry.refuses)(&model).is_none()) {
            let prepared = prepared(&model, entry.name);
            let parameters = model.parameter_values();
            let sample = Sample::new(&prepared, 9);
            let function = function(&prepared, StateQuantity::Accelerations);
            let all = sample.all(&function, &parameters, 1);
            let mut formulation = prepared.built(&parameters);
            let [n, k] = sample.sizes;
            let mut y = vec![0.0; formulation.state_len()];
            let mut rate = y.clone();
            for (state, row) in sample.joined.chunks(2 * n + k).enumerate() {
                formulation.begin(&parameters);
                formulation.pack(&row[..n], &row[n..2 * n], &row[2 * n..], &mut y);
                let found = formulation.derivative(sample.times[state], &y, &mut rate);
                let together = &all[state * n..][..n];
                if found.is_err() {
                    assert!(together.iter().all(|value| value.is_nan()), "{name}, {}", entry.name);
                    continue;
                }
                let size = together.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
                for (one, other) in together.iter().zip(formulation.accelerations()) {
                    let difference = (one - other).abs();
                    assert!(difference < 1e-8 * size, "{name}, {}: {difference}", entry.name);
                }
            }
        }
    }
}

#[test]
fn mass_times_acceleration_and_constraint_forces_are_the_forces() {
    let model = ready("four-bar", &[]);
    let prepared = prepared(&model, "multipliers");
    let parameters = model.parameter_values();
    let sample = Sample::new(&prepared, 20);
    let value = |quantity| sample.all(&function(&prepared, quantity), &parameters, 1);
    let [mass, forces] = [StateQuantity::MassMatrix, StateQuantity::Forces].map(value);
    let [accelerations, multipliers] =
        [StateQuantity::Accelerations, StateQuantity::Multipliers].map(value);
    let [jacobian, gamma] = [StateQuantity::ConstraintJacobian, StateQuantity::Gamma].map(value);
    let n = sample.sizes[0];
    let m = gamma.len() / sample.count;
    for state in 0..sample.count {
        let of = |values: &[f64], len: usize| values[state * len..][..len].to_vec();
        let (a, l) = (of(&accelerations, n), of(&multipliers, m));
        let (mass, jacobian) = (of(&mass, n * n), of(&jacobian, m * n));
        for i in 0..n {
            let inertia: f64 = (0..n).map(|j| mass[i * n + j] * a[j]).sum();
            let reaction: f64 = (0..m).map(|c| jacobian[c * n + i] * l[c]).sum();
            assert!((inertia + reaction - of(&forces, n)[i]).abs() < 1e-9 * (1.0 + inertia.abs()));
        }
        for c in 0..m {
            let found: f64 = (0..n).map(|i| jacobian[c * n + i] * a[i]).sum();
            assert!((found - of(&gamma, m)[c]).abs() < 1e-9 * (1.0 + found.abs()));
        }
    }
}

#[test]
fn other_parameters_need_no_other_function() {
    let model = ready("double-pendulum", &[]);
    let (other, prepared) = (ready("double-pendulum", &["l1=0.6"]), prepared(&model, "minimal"));
    let function = function(&prepared, StateQuantity::Accelerations);
    let sample = Sample::new(&prepared, 30);
    let varied = sample.all(&function, &other.parameter_values(), 2);
    let own = StateFunction::new(
        &FormulationChoice::new(find("minimal").unwrap()).prepare(&other).unwrap(),
        &StateQuantity::Accelerations,
    );
    assert_eq!(bits(&varied), bits(&sample.all(&own.unwrap(), &other.parameter_values(), 1)));
    assert_ne!(bits(&varied), bits(&sample.all(&function, &model.parameter_values(), 1)));
}

#[test]
fn a_state_without_numbers_has_no_result_and_leaves_its_neighbours_alone() {
    let model = ready("triple-pendulum", &[]);
    let prepared = prepared(&model, "minimal");
    let function = function(&prepared, StateQuantity::Accelerations);
    let mut sample = Sample::new(&prepared, 11);
    let sound = sample.all(&function, &model.parameter_values(), 1);
    sample.joined[5 * 6] = f64::NAN;
    let found = sample.all(&function, &model.parameter_values(), 1);
    assert!(found[15..18].iter().all(|value| value.is_nan()));
    assert_eq!(bits(&found[..15]), bits(&sound[..15]));
    assert_eq!(bits(&found[18..]), bits(&sound[18..]));
}

#[test]
fn columns_are_found_by_name_and_an_unknown_one_is_refused() {
    let model = ready("double-pendulum", &[]);
    let prepared = prepared(&model, "minimal");
    let names = ["theta1''", "energy"].map(str::to_owned).to_vec();
    let function = function(&prepared, StateQuantity::Columns(names));
    let sample = Sample::new(&prepared, 5);
    let found = sample.all(&function, &model.parameter_values(), 1);
    let value = |quantity| {
        let function = StateFunction::new(&prepared, &quantity).unwrap();
        sample.all(&function, &model.parameter_values(), 1)
    };
    let (accelerations, energies) =
        (value(StateQuantity::Accelerations), value(StateQuantity::Energies));
    for state in 0..5 {
        assert_eq!(found[2 * state], accelerations[2 * state]);
        let energy = energies[2 * state] + energies[2 * state + 1];
        assert!((found[2 * state + 1] - energy).abs() < 1e-12 * (1.0 + energy.abs()));
    }
    let unknown = StateFunction::new(&prepared, &StateQuantity::Columns(vec!["omega".to_owned()]));
    let message = unknown.err().map(|error| error.to_string());
    assert_eq!(message.as_deref(), Some("there is no column `omega`"));
}

#[test]
fn evaluation_ends_early_where_somebody_cancels_it() {
    let model = ready("double-pendulum", &[]);
    let prepared = prepared(&model, "minimal");
    let function = function(&prepared, StateQuantity::Forces);
    let sample = Sample::new(&prepared, 20_000);
    let mut out = vec![7.0; 40_000];
    let states = sample.states(0, sample.count);
    assert!(!function.evaluate(&model.parameter_values(), &states, &mut out, 2, &|| true));
    assert_eq!(out[39_999], 7.0);
}
