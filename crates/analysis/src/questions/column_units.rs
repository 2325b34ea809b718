//! What the columns of an answer are measured in.

use catena_derivation::{Equations, angles};
use catena_model::{CoordinateSet, Dimensions, Model};
use catena_simulation::Table;

/// The units of columns.
pub(super) fn units(model: &Model, set: CoordinateSet, columns: &[String]) -> Vec<&'static str> {
    let system = model.system(set);
    let is_angle = angles(&Equations::derive_without_mass_matrix(model, system), system);
    let dimensions = Dimensions::new(system, &is_angle);
    columns
        .iter()
        .map(|name| match name.as_str() {
            "t" => "s",
            "kinetic" | "potential" | "energy" => "J",
            name => dimensions.unit(name),
        })
        .collect()
}

/// A table with units: first those of `given` names, then those of the model, whose names may have one of these endings.
pub(super) fn with_units(
    mut table: Table,
    model: &Model,
    given: &[(&str, &'static str)],
    endings: &[&str],
) -> Table {
    let quantity = |name: &str| -> String {
        let bare = endings.iter().find_map(|ending| name.strip_suffix(ending));
        bare.unwrap_or(name).to_owned()
    };
    let quantities: Vec<String> = table.names().map(quantity).collect();
    let own = units(model, CoordinateSet::Own, &quantities);
    for (column, own) in table.columns.iter_mut().zip(own) {
        let given = given.iter().find(|(name, _)| *name == column.name);
        column.unit = given.map_or(own, |(_, unit)| *unit).into();
    }
    table
}
