//! A folder for the files of one chapter, with the program within reach.

use crate::PROGRAM;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A temporary folder, removed in the end.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// An empty folder. The executable is found in it under the name of the program.
    pub fn new(chapter: &str, executable: &Path) -> std::io::Result<Scratch> {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("catena-book-{}-{number}-{chapter}", std::process::id());
        let scratch = Scratch { folder: std::env::temp_dir().join(name) };
        std::fs::create_dir_all(scratch.folder.join("bin"))?;
        std::fs::create_dir(scratch.work())?;
        link(executable, &scratch.folder.join("bin").join(PROGRAM))?;
        Ok(scratch)
    }

    /// Where commands run.
    pub fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// A file where commands run.
    pub fn file(&self, name: &str) -> PathBuf {
        self.work().join(name)
    }

    /// A line of the shell in the folder, without colours.
    pub fn shell(&self, line: &str) -> Command {
        let before = std::env::var_os("PATH").unwrap_or_default();
        let places = std::iter::once(self.folder.join("bin")).chain(std::env::split_paths(&before));
        let mut command = Command::new("sh");
        command
            .args(["-c", line])
            .current_dir(self.work())
            .env("PATH", std::env::join_paths(places).unwrap_or(before.clone()))
            .env("NO_COLOR", "1")
            .env_remove("CLICOLOR_FORCE")
            .env_remove("COLUMNS");
        command
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // a folder that stays behind is no reason to fail
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(unix)]
fn link(executable: &Path, name: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(executable, name)
}

#[cfg(not(unix))]
fn link(executable: &Path, name: &Path) -> std::io::Result<()> {
    std::fs::copy(executable, name.with_extension("exe")).map(|_| ())
}
