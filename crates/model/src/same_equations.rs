//! Whether what was derived from one model serves another.

use crate::{Model, NamedFormula, System};

impl Model {
    /// Whether both differ in values alone: those of parameters, at the start, of guesses and of the settings of a run. What
    /// was derived and compiled from one then serves the other, with the other's parameters and start.
    pub fn has_equations_of(&self, other: &Model) -> bool {
        let names = |model: &Model| -> Vec<String> {
            model.parameters.iter().map(|parameter| parameter.entry.name.clone()).collect()
        };
        let same = |one: Option<&System>, other: Option<&System>| match (one, other) {
            (Some(one), Some(other)) => same_system(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        names(self) == names(other)
            && same_system(&self.own, &other.own)
            && same(self.absolute.as_deref(), other.absolute.as_deref())
            && same(self.joint.as_deref(), other.joint.as_deref())
    }
}

/// The same but for the start.
fn same_system(one: &System, other: &System) -> bool {
    let formulas = |one: &[NamedFormula], other: &[NamedFormula]| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
    };
    let energies = |system: &System| -> Vec<Option<NamedFormula>> {
        vec![system.kinetic.clone(), system.potential.clone(), system.dissipation.clone()]
    };
    let same_energies = || {
        energies(one).iter().zip(&energies(other)).all(|(one, other)| match (one, other) {
            (Some(one), Some(other)) => same(one, other),
            (one, other) => one.is_none() && other.is_none(),
        })
    };
    let same_coordinates = || {
        let names = |system: &System| -> Vec<(String, Option<bool>)> {
            system.coordinates.iter().map(|it| (it.name.clone(), it.angle)).collect()
        };
        names(one) == names(other)
    };
    let same_events = || {
        one.events.len() == other.events.len()
            && one.events.iter().zip(&other.events).all(|(one, other)| {
                let ways = |event: &crate::Event| (event.direction, event.terminal);
                same(&one.entry, &other.entry) && ways(one) == ways(other)
            })
    };
    same_coordinates()
        && formulas(&one.definitions, &other.definitions)
        && same_energies()
        && formulas(&one.forces, &other.forces)
        && formulas(&one.states, &other.states)
        && formulas(&one.constraints, &other.constraints)
        && same_events()
        && formulas(&one.outputs, &other.outputs)
        && formulas(&one.quantities, &other.quantities)
        && one.drawings == other.drawings
}

/// The same name and formula, wherever they stand.
fn same(one: &NamedFormula, other: &NamedFormula) -> bool {
    (&one.name, one.primes) == (&other.name, other.primes)
        && one.formula.nodes() == other.formula.nodes()
}

#[cfg(test)]
mod tests {
    use crate::{Model, Setting, Source};

    const CHAIN: &str = "[chain]\nlinks = 3\nlength = 1\nmass = 1\n";

    fn read(settings: &[&str]) -> Model {
        let settings: Vec<Setting> =
            settings.iter().map(|text| Setting((*text).to_owned())).collect();
        Model::read(Source::new("chain", CHAIN), &settings).unwrap()
    }

    #[test]
    fn other_values_leave_the_equations_what_they_are() {
        let settings = ["length=0.5", "theta1=0.3", "theta2'=-1"];
        assert!(read(&settings).has_equations_of(&read(&[])));
        assert!(read(&["links=3"]).has_equations_of(&read(&[])));
    }

    #[test]
    fn another_size_makes_other_equations() {
        assert!(!read(&["links=4"]).has_equations_of(&read(&[])));
    }
}
