//! Which functions of formulas a model calls, so that sources bring what their language lacks and nothing else.

use crate::exported_model::ExportedModel;
use catena_compile::Operation;

/// Whether any function of the model, or a parameter, calls this one.
pub(crate) fn uses(exported: &ExportedModel<'_>, name: &str) -> bool {
    let of_routines = exported.routines.iter().map(|routine| &routine.program);
    let of_parameters =
        exported.parameters.iter().filter_map(|p| Some(&p.formula.as_ref()?.program));
    of_routines.chain(of_parameters).flat_map(|program| &program.operations).any(|operation| {
        matches!(operation, Operation::Call(f, _) | Operation::Call2(f, ..) if f.name() == name)
    })
}

/// Whether sin(x)/x or one of its derivatives is called.
pub(crate) fn uses_sinc(exported: &ExportedModel<'_>) -> bool {
    uses(exported, "sinc") || uses(exported, "dsinc")
}
