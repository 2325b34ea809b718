//! Errors of SQLite in words.

use crate::StoreFailure;
use rusqlite::{Error, ErrorCode};
use std::path::Path;

/// Whether the file itself is damaged, so that other parts of it may still be read.
pub(crate) fn is_damage(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
        || matches!(
            error,
            Error::InvalidColumnType(..)
                | Error::FromSqlConversionFailure(..)
                | Error::IntegralValueOutOfRange(..)
                | Error::Utf8Error(..)
        )
}

/// A failure that ends the work.
pub(crate) fn refused(doing: &'static str, path: &Path, error: &Error) -> StoreFailure {
    let reason = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            "the file or its folder may not be written".to_owned()
        }
        Some(ErrorCode::CannotOpen) => "it cannot be opened here".to_owned(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program is using it".to_owned()
        }
        Some(ErrorCode::DatabaseCorrupt) => "the file is damaged".to_owned(),
        Some(ErrorCode::SystemIoFailure) => format!("the disk fails ({error})"),
        _ => error.to_string(),
    };
    StoreFailure::Refused { doing, path: path.display().to_string(), reason }
}
