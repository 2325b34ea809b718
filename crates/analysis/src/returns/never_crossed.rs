//! Why a section was not crossed: where its function stayed.

use crate::words::plain;
use crate::{Refusal, ReturnMap};
use catena_ensemble::PoincareSection;
use catena_formulation::OptionValues;
use catena_model::{CoordinateSet, Event, Model, NamedFormula, Place};
use catena_simulation::{Host, Prepared, RunOptions};

/// Rows at which the function is looked at.
const ROWS: f64 = 2000.0;

/// What is told where no motion crosses a section: the range of its function along the first motion. `longer` says how to
/// make motions longer.
pub(crate) fn never_crossed(
    model: &Model,
    formulation: (&'static catena_formulation::Entry, &OptionValues),
    run: &RunOptions,
    map: &ReturnMap,
    longer: &str,
) -> Refusal {
    let ReturnMap::Section(section) = map else {
        return Refusal::of_question("the motion ends before its first period", longer);
    };
    let how = match section.direction {
        1 => " upwards",
        -1 => " downwards",
        _ => "",
    };
    let [from, to] = [run.t_start, run.t_end].map(plain);
    let begin = format!("`{}` is not crossed{how} from {from} s to {to} s", section.text);
    let elsewhere = format!("take another {{section}}, or {longer}");
    match Seen::of(model, formulation, run, section) {
        Some(seen) if seen.is_crossed => Refusal::of_question(
            format!("{begin}: it is in the other direction only"),
            "take another {direction}, or both",
        ),
        Some(Seen { nearest: (value, t), .. }) if section.on_circle => {
            let [value, t] = [value.abs(), t].map(|it| plain(rounded(it)));
            let far =
                format!("{begin}: the angle comes no nearer to it than {value} rad, at {t} s");
            Refusal::of_question(far, elsewhere)
        }
        Some(Seen { low, high, nearest: (value, t), .. }) => {
            let [low, high, value, t] = [low, high, value, t].map(|it| plain(rounded(it)));
            Refusal::of_question(
                format!(
                    "{begin}: what is zero there stays between {low} and {high}, nearest to 0 with {value} at {t} s"
                ),
                elsewhere,
            )
        }
        None => Refusal::of_question(begin, elsewhere),
    }
}

fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// A section's function along a run; on the circle the distance from the place, rad.
struct Seen {
    low: f64,
    high: f64,
    /// The value nearest to 0, and its time, s.
    nearest: (f64, f64),
    /// Whether it is crossed at all, in whichever direction.
    is_crossed: bool,
}

impl Seen {
    const NOTHING: Seen = Seen {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        nearest: (f64::INFINITY, 0.0),
        is_crossed: false,
    };

    fn add(&mut self, value: f64, t: f64) {
        (self.low, self.high) = (self.low.min(value), self.high.max(value));
        if value.abs() < self.nearest.0.abs() {
            self.nearest = (value, t);
        }
    }

    fn of(
        model: &Model,
        (formulation, options): (&'static catena_formulation::Entry, &OptionValues),
        run: &RunOptions,
        section: &PoincareSection,
    ) -> Option<Seen> {
        let set: CoordinateSet = formulation.coordinates;
        let formula = section.formula.clone();
        let entry = NamedFormula {
            name: section.text.clone(),
            primes: 0,
            formula,
            place: Place::default(),
        };
        let watched = model.with_event(set, Event { entry, direction: 0, terminal: false }).ok()?;
        let mut prepared = Prepared::new(&watched, formulation, options.clone()).ok()?;
        let system = watched.system(set);
        let names: Vec<String> = system.coordinates.iter().map(|it| it.name.clone()).collect();
        let velocities = names.iter().map(|name| format!("{name}'"));
        let states = system.states.iter().map(|state| state.name.clone());
        let columns: Vec<String> = std::iter::once("t".to_owned())
            .chain(names.iter().cloned())
            .chain(velocities)
            .chain(states)
            .collect();
        let run = RunOptions {
            columns: Some(columns),
            every: run.duration() / ROWS,
            examine_rank: false,
            ..run.clone()
        };
        let mut evaluator = prepared.input().evaluator.clone();
        evaluator.set_parameters(&watched.parameter_values());
        let n = names.len();
        let mut seen = Seen::NOTHING;
        let mut look = |row: &[f64]| {
            let (q, rest) = row[1..].split_at(n);
            let (v, states) = rest.split_at(n);
            evaluator.set_state(row[0], q, v, states);
            let Some(&value) = evaluator.events().last() else { return };
            seen.add(section.distance(value), row[0]);
        };
        let (mut clock, mut cancelled) = (|| 0.0, |_| false);
        let section_number = system.events.len() - 1;
        let mut is_crossed = false;
        // one crossing is enough to know
        let mut meet = |event: usize, _: i8, _: &[f64]| {
            is_crossed |= event == section_number;
            !is_crossed
        };
        let mut host = Host {
            rows: Some(&mut look),
            events: Some(&mut meet),
            ..Host::new(&mut clock, &mut cancelled)
        };
        prepared.run(&run, &mut host).ok()?;
        seen.is_crossed = is_crossed;
        seen.low.is_finite().then_some(seen)
    }
}
