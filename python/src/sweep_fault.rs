//! What to do about a sweep that is refused, in the words of Python.

use crate::fault::Fault;
use catena::RunFailure;
use catena::ensemble::{self, SweepError};
use catena::sweep::{StoreFailure, SweepFailure};

/// A sweep that is refused, or a file that cannot be used.
pub(crate) fn of_sweep(failure: &SweepFailure) -> Fault {
    let message = failure.to_string();
    match failure {
        SweepFailure::Sweep(ensemble::SweepFailure::Run(failure)) => {
            let (message, help) = (failure.to_string(), failure.help());
            match failure.is_usage() {
                true => Fault::of_request(message, help),
                false => Fault::of_motion(message, help),
            }
        }
        SweepFailure::Store(store) if !store.is_usage() => Fault::of_file(message, of_store(store)),
        SweepFailure::Store(store) => Fault::of_request(message, of_store(store)),
        SweepFailure::Sweep(request) if request.is_usage() => {
            Fault::of_request(message, of_request(request))
        }
        SweepFailure::Sweep(request) => Fault::of_motion(message, of_request(request)),
        _ => Fault::of_motion(message, None),
    }
}

fn of_request(failure: &ensemble::SweepFailure) -> Option<String> {
    use ensemble::SweepFailure;
    let formula = "write a formula of numbers and parameters, as in \"50/f\"";
    let help = match failure {
        SweepFailure::Range(error) => return Some(error.help()),
        SweepFailure::BadTime { .. } => formula,
        SweepFailure::NothingAfter { .. } => "take a smaller `after`",
        SweepFailure::NoAxes => "say what to vary, as in over={\"theta1\": (0, 2, 100)}",
        SweepFailure::SetAndVaried { name, .. } => {
            return Some(format!(
                "leave `{name}` out of `over`, or take a model without this value"
            ));
        }
        SweepFailure::NeedsFile { .. } => {
            "name one, as in store=\"map.sweep\": what is finished survives whatever happens"
        }
        SweepFailure::Sweep(error) => return of_error(error, formula),
        _ => return None,
    };
    Some(help.to_owned())
}

fn of_error(error: &SweepError, formula: &str) -> Option<String> {
    Some(match error {
        SweepError::Run(error) => return RunFailure::Run(error.clone()).help(),
        SweepError::UnknownAxis { meant: Some(meant), .. } => format!("did you mean `{meant}`?"),
        SweepError::UnknownAxis { known, .. } => {
            format!("these can be varied: {}", known.join(", "))
        }
        SweepError::TooManyCells => "take fewer values of each axis".to_owned(),
        SweepError::UnknownName { .. } => formula.to_owned(),
        SweepError::Section(bad) => bad.cure.clone(),
        _ => return None,
    })
}

fn of_store(failure: &StoreFailure) -> Option<String> {
    let help = match failure {
        StoreFailure::Exists { .. } => "continue it with resume=True, or name another file",
        StoreFailure::Differs { .. } => "name another file, or ask for what the file holds",
        StoreFailure::Foreign { .. } | StoreFailure::Unreadable { .. } => {
            "nothing was changed; move it away or name another file"
        }
        StoreFailure::OtherFormat { .. } => "read it with the version of Catena that wrote it",
        StoreFailure::TooManyCells { most, .. } => {
            return Some(format!("take at most {most} cells"));
        }
        StoreFailure::NoRoom { fits, .. } => {
            return Some(format!("at most {fits} cells would fit"));
        }
        StoreFailure::Refused { doing: "write", .. } => {
            "what was committed before is kept: resume=True continues from there"
        }
        _ => return None,
    };
    Some(help.to_owned())
}
