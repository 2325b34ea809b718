//! One model by several formulations, each derived and compiled once.

use catena_model::Model;
use catena_simulation::{FormulationChoice, Prepared, RunError};

/// Formulations of the model, each prepared when it is first asked for.
pub(crate) struct Preparations<'a> {
    model: &'a Model,
    prepared: Vec<(FormulationChoice, Prepared)>,
}

impl Preparations<'_> {
    pub(crate) fn new(model: &Model) -> Preparations<'_> {
        Preparations { model, prepared: Vec::new() }
    }

    pub(crate) fn of(&mut self, choice: &FormulationChoice) -> Result<&mut Prepared, RunError> {
        let same = |known: &FormulationChoice| {
            known.entry.name == choice.entry.name && known.options == choice.options
        };
        let at = match self.prepared.iter().position(|(known, _)| same(known)) {
            Some(at) => at,
            None => {
                self.prepared.push((choice.clone(), choice.prepare(self.model)?));
                self.prepared.len() - 1
            }
        };
        Ok(&mut self.prepared[at].1)
    }
}
