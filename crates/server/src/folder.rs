//! Model files of one folder: listed, read, and written without losing what somebody else wrote meanwhile. Nothing outside of
//! the folder can be named, and links are not followed.

use crate::answer::{self, Answer, Refused, empty, error, refused, whole, with_header};
use crate::ask;
use crate::file_name::FileName;
use crate::reply::{ErrorReply, bytes_in_words};
use crate::service::Service;
use catena::model::MAX_FILE_SIZE;
use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::http::request::Parts;
use serde_json::json;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;

/// The most files of a folder that are listed.
const MAX_LISTED: usize = 1000;

/// What model files are sent as.
const MODEL_TYPE: &str = "application/toml";

/// A folder whose model files may be read and written.
pub(crate) struct Folder {
    path: PathBuf,
    /// One writes at a time: between the look at what is there and the new file nobody comes.
    writing: Mutex<()>,
}

impl Folder {
    /// The folder itself, wherever links to it lead.
    pub(crate) fn open(path: &Path) -> std::io::Result<Folder> {
        let path = path.canonicalize()?;
        if !path.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        Ok(Folder { path, writing: Mutex::default() })
    }

    fn list(&self) -> std::io::Result<serde_json::Value> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name().to_str().and_then(|name| FileName::new(name).ok());
            // of a link this tells of the link, which is not a file
            let (Some(name), Ok(about)) = (name, entry.metadata()) else { continue };
            if about.is_file() {
                let modified =
                    about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                let seconds = modified.map(|time| time.as_secs());
                files.push((name, about.len(), seconds));
            }
        }
        files.sort();
        let more = files.len().saturating_sub(MAX_LISTED);
        let listed = files.iter().take(MAX_LISTED).map(|(name, size, modified)| {
            json!({ "name": name.as_str(), "size": size, "modified": modified })
        });
        let folder = self.path.file_name().map(|name| name.to_string_lossy());
        Ok(json!({ "folder": folder, "files": listed.collect::<Vec<_>>(), "more": more }))
    }

    fn read(&self, name: &FileName) -> Result<Vec<u8>, Unread> {
        let mut file = open_plain(&self.path.join(name.as_str()))?;
        if !file.metadata().is_ok_and(|about| about.is_file()) {
            return Err(Unread::NotPlain);
        }
        let mut bytes = Vec::new();
        let limit = MAX_FILE_SIZE as u64 + 1;
        (&mut file).take(limit).read_to_end(&mut bytes).map_err(Unread::Failed)?;
        if bytes.len() > MAX_FILE_SIZE {
            return Err(Unread::TooLarge);
        }
        Ok(bytes)
    }

    /// Writes a file if what is there is what the client has seen.
    fn write(&self, name: &FileName, bytes: &[u8], seen: &Seen) -> Result<bool, Unwritten> {
        let _alone = self.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let there = match self.read(name) {
            Ok(there) => Some(tag(&there)),
            Err(Unread::Missing) => None,
            Err(unread) => return Err(Unwritten::NotAllowed(unread)),
        };
        match (&there, seen) {
            (None, Seen::Nothing | Seen::Unsaid) => {}
            (Some(_), Seen::Any) => {}
            (Some(there), Seen::Tag(seen)) if there == seen => {}
            (Some(_), Seen::Unsaid) => return Err(Unwritten::Unsaid),
            _ => return Err(Unwritten::Modified),
        }
        catena::write(&self.path.join(name.as_str()), bytes).map_err(Unwritten::Failed)?;
        Ok(there.is_none())
    }
}

/// Opens a file for reading: no link, and nothing that would wait for somebody to write, like a pipe.
fn open_plain(path: &Path) -> Result<File, Unread> {
    let about = std::fs::symlink_metadata(path).map_err(Unread::from_error)?;
    if !about.is_file() {
        return Err(Unread::NotPlain);
    }
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    // what was a file a moment ago might be something else now
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    options.open(path).map_err(Unread::from_error)
}

/// Why a file was not read.
#[derive(Debug)]
enum Unread {
    Missing,
    /// A folder, a link, a device or a pipe.
    NotPlain,
    TooLarge,
    Failed(std::io::Error),
}

impl Unread {
    fn from_error(error: std::io::Error) -> Unread {
        match error.kind() {
            ErrorKind::NotFound => Unread::Missing,
            _ => Unread::Failed(error),
        }
    }

    fn answer(&self, name: &FileName) -> Answer {
        let name = name.as_str();
        match self {
            Unread::Missing => {
                let message = format!("there is no file `{name}` in the folder");
                refused(StatusCode::NOT_FOUND, &message, "/api/1/files lists what is there")
            }
            Unread::NotPlain => {
                let message = format!("`{name}` is not a plain file");
                let help = "folders, links and devices are neither read nor written here";
                refused(StatusCode::FORBIDDEN, &message, help)
            }
            Unread::TooLarge => too_large(name),
            Unread::Failed(cause) => {
                let message = format!("cannot read `{name}`: {cause}");
                refused(StatusCode::FORBIDDEN, &message, "look at its permissions")
            }
        }
    }
}

fn too_large(name: &str) -> Answer {
    let limit = bytes_in_words(MAX_FILE_SIZE as u64);
    let message = format!("`{name}` is larger than {limit}, the most that a model may have");
    error(StatusCode::PAYLOAD_TOO_LARGE, &ErrorReply::new("limit", message))
}

/// Why a file was not written.
#[derive(Debug)]
enum Unwritten {
    /// What has its name must not be touched.
    NotAllowed(Unread),
    /// A file is there, and the client does not say that it knows.
    Unsaid,
    /// What is there is not what the client has seen.
    Modified,
    Failed(catena::WriteError),
}

/// What the client says to have seen before it writes.
#[derive(Debug)]
enum Seen {
    /// `If-None-Match: *`
    Nothing,
    /// `If-Match: *`
    Any,
    /// `If-Match: "…"`
    Tag(String),
    Unsaid,
}

impl Seen {
    fn of(headers: &HeaderMap) -> Seen {
        let value = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        match (value(header::IF_MATCH), value(header::IF_NONE_MATCH)) {
            (Some("*"), _) => Seen::Any,
            (Some(tag), _) => Seen::Tag(tag.trim().to_owned()),
            (None, Some("*")) => Seen::Nothing,
            _ => Seen::Unsaid,
        }
    }
}

/// What tells one state of a file from another: `ETag`.
fn tag(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("\"{:x}-{:016x}\"", bytes.len(), hasher.finish())
}

/// `GET /api/1/files`
pub(crate) async fn list(folder: Option<&Arc<Folder>>) -> Answer {
    let Some(folder) = folder.cloned() else {
        let nothing = json!({ "folder": null, "files": [], "more": 0 });
        return answer::json(StatusCode::OK, nothing.to_string());
    };
    let listed = tokio::task::spawn_blocking(move || folder.list()).await;
    match listed.unwrap_or_else(|lost| Err(std::io::Error::other(lost))) {
        Ok(files) => answer::json(StatusCode::OK, files.to_string()),
        Err(cause) => {
            let message = format!("cannot list the folder: {cause}");
            refused(StatusCode::FORBIDDEN, &message, "look at its permissions")
        }
    }
}

/// `GET /api/1/files/NAME`
pub(crate) async fn get(folder: Option<&Arc<Folder>>, name: &str) -> Result<Answer, Refused> {
    let (folder, name) = named(folder, name)?;
    let asked = name.clone();
    let read = tokio::task::spawn_blocking(move || folder.read(&asked)).await;
    let read = read.unwrap_or_else(|lost| Err(Unread::Failed(std::io::Error::other(lost))));
    let bytes = read.map_err(|unread| unread.answer(&name))?;
    let tag = tag(&bytes);
    Ok(with_header(whole(StatusCode::OK, MODEL_TYPE, bytes), header::ETAG, &tag))
}

/// `PUT /api/1/files/NAME`
pub(crate) async fn put(
    service: &Service,
    head: &Parts,
    name: &str,
    body: Incoming,
) -> Result<Answer, Refused> {
    let (folder, name) = named(service.folder.as_ref(), name)?;
    ask::require_type(&head.headers, MODEL_TYPE)?;
    let bytes = ask::read(service, body).await?;
    if bytes.len() > MAX_FILE_SIZE {
        return Err(too_large(name.as_str()).into());
    }
    if std::str::from_utf8(&bytes).is_err() {
        let help = "write it in UTF-8";
        return Err(refused(StatusCode::BAD_REQUEST, "the model is not text", help).into());
    }
    let (seen, new_tag, asked) = (Seen::of(&head.headers), tag(&bytes), name.clone());
    let written = tokio::task::spawn_blocking(move || folder.write(&asked, &bytes, &seen)).await;
    let lost = |lost| Unwritten::NotAllowed(Unread::Failed(std::io::Error::other(lost)));
    let written = written.unwrap_or_else(|error| Err(lost(error)));
    let is_new = written.map_err(|unwritten| unwritten.answer(&name))?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::NO_CONTENT };
    Ok(with_header(empty(status), header::ETAG, &new_tag))
}

impl Unwritten {
    fn answer(&self, name: &FileName) -> Answer {
        let file = name.as_str();
        match self {
            Unwritten::NotAllowed(unread) => unread.answer(name),
            Unwritten::Unsaid => {
                let message = format!("`{file}` exists already");
                let help = "send `If-Match` with the ETag under which it was read";
                refused(StatusCode::PRECONDITION_REQUIRED, &message, help)
            }
            Unwritten::Modified => {
                let message = format!("`{file}` was modified meanwhile");
                let help = "read it again and join both, or write under another name";
                refused(StatusCode::PRECONDITION_FAILED, &message, help)
            }
            Unwritten::Failed(cause) => {
                let help = "look at the permissions of the folder";
                refused(StatusCode::FORBIDDEN, &cause.to_string(), help)
            }
        }
    }
}

/// The folder and a name that stays inside it.
fn named(folder: Option<&Arc<Folder>>, name: &str) -> Result<(Arc<Folder>, FileName), Refused> {
    let Some(folder) = folder else {
        let message = "this server has no folder of models";
        let help = "start it with one: catena serve FOLDER";
        return Err(refused(StatusCode::NOT_FOUND, message, help).into());
    };
    match FileName::from_path(name) {
        Ok(name) => Ok((Arc::clone(folder), name)),
        Err(wrong) => {
            let help = "a model file is named like four-bar.toml, without a folder";
            Err(refused(StatusCode::BAD_REQUEST, &wrong.to_string(), help).into())
        }
    }
}
