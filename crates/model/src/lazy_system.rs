//! A description of a model that is written down when somebody asks for it.

use crate::system::System;
use std::fmt;
use std::ops::Deref;
use std::panic::UnwindSafe;
use std::sync::{Arc, LazyLock};

/// How a system is written.
type Writer = Box<dyn FnOnce() -> System + Send + UnwindSafe>;

/// A system that may not be written yet. Clones share it until one is changed.
#[derive(Clone)]
pub struct LazySystem(State);

#[derive(Clone)]
enum State {
    Written(Arc<System>),
    Later(Arc<LazyLock<System, Writer>>),
}

impl LazySystem {
    /// The system that this function writes, if anybody asks for it.
    pub(crate) fn later(
        write: impl FnOnce() -> System + Send + UnwindSafe + 'static,
    ) -> LazySystem {
        let write: Writer = Box::new(write);
        LazySystem(State::Later(Arc::new(LazyLock::new(write))))
    }

    /// The system, to be changed.
    pub(crate) fn make_mut(&mut self) -> &mut System {
        if let State::Later(system) = &self.0 {
            *self = LazySystem::from(System::clone(system));
        }
        match &mut self.0 {
            State::Written(system) => Arc::make_mut(system),
            State::Later(_) => unreachable!("it was written above"),
        }
    }
}

impl From<System> for LazySystem {
    fn from(system: System) -> LazySystem {
        LazySystem(State::Written(Arc::new(system)))
    }
}

impl Deref for LazySystem {
    type Target = System;

    fn deref(&self) -> &System {
        match &self.0 {
            State::Written(system) => system,
            State::Later(system) => system,
        }
    }
}

impl fmt::Debug for LazySystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use crate::{CoordinateSet, Model, Setting, Source};

    fn read(text: &str, settings: &[&str]) -> Model {
        let settings: Vec<Setting> =
            settings.iter().map(|text| Setting((*text).to_owned())).collect();
        Model::read(Source::new("chain", text), &settings).unwrap()
    }

    const PLAIN: &str = "[chain]\nlinks = 3\n";
    /// An event makes the reader look at both sets.
    const WITH_EVENT: &str = "[chain]\nlinks = 3\n[events]\nfall = { when = \"theta1\" }\n";

    #[test]
    fn a_system_written_later_is_the_one_that_would_have_been_read() {
        let settings = ["theta1=0.3", "theta2'=-1", "guess.theta3=2"];
        let later = read(PLAIN, &settings);
        let mut now = read(WITH_EVENT, &settings);
        now.system_mut(CoordinateSet::Absolute).events.clear();
        let [later, now] = [&later, &now].map(|model| model.system(CoordinateSet::Absolute));
        assert_eq!(format!("{:?}", later.initial), format!("{:?}", now.initial));
        assert_eq!(format!("{:?}", later.guess), format!("{:?}", now.guess));
        assert_eq!(later.constraints, now.constraints);
        assert_eq!(later.quantities, now.quantities);
        assert_eq!(later.definition_rates, now.definition_rates);
        assert_eq!(later.names.role("lambda_joint2_x"), now.names.role("lambda_joint2_x"));
    }

    #[test]
    fn a_model_may_be_lent_to_what_may_panic() {
        fn is_safe<T: std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
        is_safe::<Model>();
    }

    #[test]
    fn a_change_is_of_one_clone_alone() {
        let model = read(PLAIN, &[]);
        let mut other = model.clone();
        other.system_mut(CoordinateSet::Absolute).constraints.clear();
        assert!(other.system(CoordinateSet::Absolute).constraints.is_empty());
        assert_eq!(model.system(CoordinateSet::Absolute).constraints.len(), 6);
    }
}
