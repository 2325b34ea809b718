//! What to do about a sweep that is refused, in terms of the command line.

use catena::RunFailure;
use catena::ensemble::{self, SweepError};
use catena::sweep::{StoreFailure, SweepFailure};

/// What the user can do about it.
pub(crate) fn help(failure: &SweepFailure) -> Option<String> {
    match failure {
        SweepFailure::Sweep(failure) => request_help(failure),
        SweepFailure::Store(failure) => store_help(failure),
        _ => None,
    }
}

fn request_help(failure: &ensemble::SweepFailure) -> Option<String> {
    use ensemble::SweepFailure;
    let formula = "write a formula of numbers and parameters, as in \"50/f\"";
    let help = match failure {
        SweepFailure::Range(error) => return Some(error.help()),
        SweepFailure::BadChunk(_) => "write I/N with 1 ≤ I ≤ N, as in --chunk 2/4",
        SweepFailure::BadTime { .. } => formula,
        SweepFailure::NothingAfter { .. } => "take a smaller --after",
        SweepFailure::NoAxes => "say what to vary, as in --over \"theta1=0:2:100\"",
        SweepFailure::SetAndVaried { name, setting } => {
            return Some(format!("leave out --set {setting}, or --over {name}"));
        }
        SweepFailure::NeedsFile { .. } => {
            "name one, as in -o map.sweep: what is finished survives whatever happens"
        }
        SweepFailure::Run(failure) => return failure.help(),
        SweepFailure::Sweep(error) => return sweep_help(error, formula),
        _ => return None,
    };
    Some(help.to_owned())
}

fn sweep_help(error: &SweepError, formula: &str) -> Option<String> {
    Some(match error {
        SweepError::Run(error) => return RunFailure::Run(error.clone()).help(),
        SweepError::UnknownAxis { meant: Some(meant), .. } => format!("did you mean `{meant}`?"),
        SweepError::UnknownAxis { known, .. } => {
            format!("these can be varied: {}", known.join(", "))
        }
        SweepError::TooManyCells => "take fewer values of each axis".to_owned(),
        SweepError::UnknownName { .. } => formula.to_owned(),
        SweepError::Section(bad) => bad.cure.clone(),
        SweepError::Device(_) => {
            "without --device the processor computes; what -o has kept is continued by --resume"
                .to_owned()
        }
        _ => return None,
    })
}

fn store_help(failure: &StoreFailure) -> Option<String> {
    let help = match failure {
        StoreFailure::Exists { .. } => "continue it with --resume, or name another file",
        StoreFailure::Taken { .. } => "a merged file is a new one: name another",
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
            "what was committed before is kept: --resume continues from there"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ensemble::DeviceError;

    #[test]
    fn what_a_gpu_leaves_unfinished_can_be_continued() {
        let reason = "out of memory".to_owned();
        let error = SweepError::Device(DeviceError::Failed { doing: "give memory", reason });
        let help = help(&SweepFailure::Sweep(ensemble::SweepFailure::Sweep(error)));
        assert!(help.is_some_and(|help| help.contains("--device") && help.contains("--resume")));
    }
}
