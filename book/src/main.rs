//! Builds the book. Under the name `catena` it is the program, which the commands of the book call.

use catena_book::{Contents, Extent, Site, generated, root, run_all, written_chapters};
use std::process::ExitCode;

fn main() -> ExitCode {
    let own_name = std::env::args_os().next().unwrap_or_default();
    if std::path::Path::new(&own_name).file_stem().is_some_and(|name| name == catena_book::PROGRAM)
    {
        return catena_cli::main();
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let extent = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => Extent::Quick,
        ["--all"] => Extent::Everything,
        _ => {
            eprintln!("usage: book/build [--all]\n\n--all runs the slow commands as well");
            return ExitCode::from(2);
        }
    };
    match build(extent) {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn build(extent: Extent) -> Result<String, String> {
    let book = root().join("book");
    let failed = |error: std::io::Error| error.to_string();
    let written = written_chapters(&book).map_err(failed)?;
    let index = written.iter().find(|chapter| chapter.name == "index");
    let index = index.ok_or("book/index.md is missing: it says what is in the book")?;
    let catalogues = generated::catalogues()?;
    let mut contents = Contents::of_index(&index.markdown);
    contents.parts.extend(catalogues.iter().map(generated::Catalogue::part));
    let mut chapters = written.clone();
    chapters.extend(catalogues.into_iter().flat_map(|catalogue| catalogue.chapters));
    let executable = std::env::current_exe().map_err(failed)?;
    let outcomes = run_all(&chapters, &executable, extent).map_err(failed)?;
    let problems: Vec<&str> =
        outcomes.iter().flat_map(|outcome| &outcome.problems).map(String::as_str).collect();
    let folder = root().join("target/book");
    let pages = Site { contents: &contents, chapters: &chapters, outcomes: &outcomes }
        .write(&folder, &book)?;
    if !problems.is_empty() {
        return Err(format!(
            "the pages are there, but not all of them are right:\n{}",
            problems.join("\n\n")
        ));
    }
    let place = folder.canonicalize().unwrap_or(folder).join("index.html");
    Ok(format!("{pages} pages: open {}", place.display()))
}
