//! A model with one more event than its file has, for questions that bring a formula of their own.

use crate::context;
use crate::problem::Problem;
use crate::system::{CoordinateSet, Event, Model};
use crate::validate::Validator;
use rustc_hash::FxHashSet;

impl Model {
    /// The model with one more event in a set of coordinates, behind those it has. Its formula may contain what those of
    /// the file may.
    pub fn with_event(&self, set: CoordinateSet, event: Event) -> Result<Model, Problem> {
        let mut model = self.clone();
        let parameters: Vec<_> = self.parameters.iter().map(|it| it.entry.clone()).collect();
        let (mut problems, mut used) = (Vec::new(), FxHashSet::default());
        let system = model.system_mut(set);
        let mut validator =
            Validator { parameters: &parameters, system, problems: &mut problems, used: &mut used };
        validator.check_formula(&event.entry, context::EVENT);
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem);
        }
        system.events.push(event);
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use crate::{CoordinateSet, Event, Model, NamedFormula, Place, Source};
    use catena_symbolic::parse;

    fn model() -> Model {
        let text = "[parameters]\nl = 2\n[coordinates]\nq = \"\"\n[definitions]\nx = \"l*sin(q)\"\n\
                    [energy]\nkinetic = \"q'^2\"\n[outputs]\ntwice = \"2*q\"\n";
        Model::read(Source::new("test", text), &[]).expect("a model")
    }

    fn with(formula: &str) -> Result<Model, String> {
        let formula = parse(formula).expect("a formula");
        let entry =
            NamedFormula { name: "seen".into(), primes: 0, formula, place: Place::default() };
        let event = Event { entry, direction: 1, terminal: false };
        model().with_event(CoordinateSet::Own, event).map_err(|problem| problem.to_string())
    }

    #[test]
    fn an_event_may_be_a_formula_of_all_that_moves() {
        let model = with("x*x' + l*q' - t").expect("an event");
        assert_eq!(model.own.events.len(), 1);
    }

    #[test]
    fn names_of_an_event_are_looked_up_as_in_the_file() {
        assert_eq!(with("y - 1").err().as_deref(), Some("unknown name `y`"));
        let refused = "`q''` is an acceleration; an event cannot use it";
        assert_eq!(with("q''").err().as_deref(), Some(refused));
        assert!(with("twice").is_err(), "an output is no part of the state");
    }
}
