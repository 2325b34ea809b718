//! What was derived and compiled for a model, whatever its parameters and its start.

use crate::fault::Fault;
use catena::RunFailure;
use catena::ensemble::{StateFunction, StateQuantity};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A prepared model, shared by everything that was made of it.
pub(crate) struct Compiled {
    /// As it was prepared; nobody runs it.
    pub(crate) prepared: catena::Prepared,
    /// Workspaces that nobody runs at the moment.
    idle: Mutex<Vec<catena::Prepared>>,
    rate: OnceLock<Arc<StateFunction>>,
    functions: Mutex<HashMap<StateQuantity, Arc<StateFunction>>>,
}

impl Compiled {
    pub(crate) fn new(prepared: catena::Prepared) -> Compiled {
        let (idle, functions) = (Mutex::default(), Mutex::default());
        Compiled { prepared, idle, rate: OnceLock::new(), functions }
    }

    /// Lends a workspace: whoever comes while others are at work has one of his own.
    pub(crate) fn with_workspace<T>(&self, work: impl FnOnce(&mut catena::Prepared) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let mut workspace = known.unwrap_or_else(|| self.prepared.clone());
        let result = work(&mut workspace);
        idle().push(workspace);
        result
    }

    /// A function of the model, compiled when it is first asked for.
    pub(crate) fn function(&self, quantity: &StateQuantity) -> Result<Arc<StateFunction>, Fault> {
        let known = || self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(function) = known().get(quantity) {
            return Ok(function.clone());
        }
        let function = StateFunction::new(&self.prepared, quantity).map_err(RunFailure::from)?;
        Ok(known().entry(quantity.clone()).or_insert(Arc::new(function)).clone())
    }

    /// The rate of (q, v, z).
    pub(crate) fn rate(&self) -> Result<&StateFunction, Fault> {
        if let Some(rate) = self.rate.get() {
            return Ok(rate);
        }
        let compiled = self.function(&StateQuantity::Rate)?;
        Ok(self.rate.get_or_init(|| compiled))
    }
}
