//! A family of systems: a model and the parameter that is varied in it.

use super::ContinuationError;
use catena_model::Model;
use catena_symbolic::nearest;

/// A model and the parameter that is varied; others that are made of it follow.
#[derive(Clone, Debug)]
pub(super) struct Family {
    model: Model,
    /// The place of the parameter; none where nothing is varied but the motion itself.
    place: Option<usize>,
}

impl Family {
    pub(super) fn new(model: &Model, parameter: Option<&str>) -> Result<Family, ContinuationError> {
        let names = || model.parameters.iter().map(|parameter| parameter.entry.name.as_str());
        let place = |name: &str| {
            names().position(|known| known == name).ok_or_else(|| {
                ContinuationError::UnknownParameter {
                    name: name.to_owned(),
                    meant: nearest(name, names()).map(str::to_owned),
                    known: names().map(str::to_owned).collect(),
                }
            })
        };
        Ok(Family { place: parameter.map(place).transpose()?, model: model.clone() })
    }

    /// The model with a value of the parameter.
    pub(super) fn at(&mut self, value: f64) -> &Model {
        if let Some(place) = self.place {
            self.model.change_parameters(|at| (at == place).then_some(value));
        }
        &self.model
    }

    /// All parameters, in the order of the model.
    pub(super) fn values(&mut self, value: f64) -> Vec<f64> {
        self.at(value).parameter_values()
    }
}
