//! A study as a folder: its page, and every figure, table and film as a file.

use crate::page::{overview_page, study_page};
use crate::{Block, Findings};
use catena::{WriteError, write, write_animation, write_table};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Writes a study to `DIR/STUDY`: the page is `index.html`, claims are in `claims.json`, and every figure, table and film
/// stands in a file of its own. Returns the path of the page. `command` is what the page says it was made by.
pub fn write_study(
    findings: &Findings,
    directory: &Path,
    command: &str,
) -> Result<PathBuf, WriteError> {
    let folder = directory.join(findings.study.name);
    make(&folder)?;
    for (_, section) in &findings.sections {
        for block in &section.blocks {
            write_file(block, &folder)?;
        }
    }
    write(&folder.join("claims.json"), findings.to_json().to_string().as_bytes())?;
    let page = folder.join("index.html");
    write(&page, study_page(findings, command).as_bytes())?;
    Ok(page)
}

/// Writes `DIR/index.html`, which leads to the studies that were written there. Returns its path.
pub fn write_overview(
    all: &[Findings],
    directory: &Path,
    command: &str,
) -> Result<PathBuf, WriteError> {
    make(directory)?;
    let page = directory.join("index.html");
    write(&page, overview_page(all, command).as_bytes())?;
    Ok(page)
}

fn make(folder: &Path) -> Result<(), WriteError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| WriteError::Unwritable { path: folder.display().to_string(), error })
}

fn write_file(block: &Block, folder: &Path) -> Result<(), WriteError> {
    let path = |file: &str, ending: &str| folder.join(format!("{file}.{ending}"));
    match block {
        Block::Figure { file, figure, .. } => write(&path(file, "svg"), figure.to_svg().as_bytes()),
        Block::Drawing { file, svg, .. } => write(&path(file, "svg"), svg.as_bytes()),
        Block::Table { file, table, .. } => write_table(table, &path(file, "csv")),
        Block::Film { file, animation, .. } => {
            write_animation(animation, &path(file, "html"), &mut |_| false).map(|_| ())
        }
        Block::Text(_) | Block::Formula(_) | Block::Equations(_) | Block::Derivation(_) => Ok(()),
    }
}

impl Findings {
    /// The claims and what they rest on, as one JSON object.
    pub fn to_json(&self) -> Value {
        let claims: Vec<Value> = self.claims().into_iter().map(|claim| claim.to_json()).collect();
        json!({
            "study": self.study.name,
            "publication": self.study.publication,
            "quick": self.quick,
            "settings": self.changes(),
            "seconds": self.seconds,
            "claims": claims,
        })
    }
}
