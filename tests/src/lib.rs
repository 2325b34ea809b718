//! What the tests share: ready systems as models, and functions of a model at a state.

use catena::{CoordinateSet, Equations, Model, Setting, Source};

/// A ready system with settings.
pub fn ready(name: &str, settings: &[&str]) -> Model {
    let settings: Vec<Setting> = settings.iter().map(|text| Setting((*text).to_owned())).collect();
    catena::load(name, &settings).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A model written in a test.
pub fn written(text: &str) -> Model {
    catena::read(Source::new("test.toml", text), &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The functions of a model at a state, with the model's own parameters.
pub fn values(
    model: &Model,
    set: CoordinateSet,
    t: f64,
    q: &[f64],
    v: &[f64],
) -> catena::compile::Values {
    let system = model.system(set).expect("the model has these coordinates");
    let equations = Equations::derive(model, system);
    let parameters = model.parameters.iter().map(|parameter| parameter.value).collect();
    let mut dynamics = catena::compile::Dynamics::new(&equations, parameters);
    let states = vec![0.0; system.states.len()];
    dynamics.evaluate(t, q, v, &states).clone()
}
