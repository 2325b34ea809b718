//! How fast the slowest mode dies out: what a transient has to wait for.

use crate::rest::{LinearModel, Modes, Rest, Stability};
use catena_model::Model;

/// The rate, 1/s, at which the slowest mode about rest dies out; none where the model does not rest, or does not come back to
/// rest.
pub(super) fn decay_rate(model: &Model) -> Option<f64> {
    let linear = Rest::nearest(model).and_then(LinearModel::new).ok()?;
    let modes = Modes::new(&linear).ok()?;
    let rates = modes.modes.iter().map(|mode| -mode.value.re);
    rates.reduce(f64::min).filter(|_| modes.stability() == Stability::Asymptotic)
}
