//! The command line of a bench: `[--json] [TABLE ...]`.

use crate::table::Table;

/// How a table is measured.
pub type Measure = fn() -> Table;

/// Measures the tables that the command line names, or all, and prints them. With `--json` it prints one object; `more`
/// are fields of it, as JSON, that other programs check themselves against.
pub fn main(tables: &[(&str, Measure)], more: fn() -> Vec<String>) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let named: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    if let Some(unknown) = named.iter().find(|name| !tables.iter().any(|table| table.0 == **name)) {
        let known: Vec<&str> = tables.iter().map(|table| table.0).collect();
        eprintln!("there is no table `{unknown}`: {}", known.join(", "));
        std::process::exit(2);
    }
    let mut fields = Vec::new();
    for (name, measure) in tables {
        if !named.is_empty() && !named.contains(name) {
            continue;
        }
        let table = measure();
        match json {
            true => fields.push(format!("{name:?}: {}", table.json())),
            false => println!("{}", table.text()),
        }
    }
    if json {
        fields.extend(more());
        println!("{{{}}}", fields.join(",\n"));
    }
}
