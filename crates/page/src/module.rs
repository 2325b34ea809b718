//! Modules become one script: those that others import stand before them.
//!
//! What is understood is what the page's sources may use: `import { a, b } from "./x.js";` on one line, and `export` in front
//! of a function, a class or a constant at the beginning of a line. Anything else is an error, not a guess.

use thiserror::Error;

/// Why modules cannot be joined.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub(crate) enum JoinError {
    /// An import of a file that is not there.
    #[error("{importer} imports {path}, which is not there")]
    Missing {
        /// Its path.
        importer: String,
        /// What it names.
        path: String,
    },
    /// A module that needs itself.
    #[error("modules import each other in a circle: {}", circle.join(" → "))]
    Circle {
        /// Paths, the first one repeated at the end.
        circle: Vec<String>,
    },
    /// A name that the other module does not export.
    #[error("{importer} imports {name} from {path}, which does not export it")]
    Unknown {
        /// Its path.
        importer: String,
        /// What it wants.
        name: String,
        /// From where.
        path: String,
    },
    /// A line in a form that is not understood.
    #[error("{path}, line {line}: {reason}")]
    Form {
        /// Of the module.
        path: String,
        /// Counted from one.
        line: usize,
        /// What is wrong and what to write instead.
        reason: &'static str,
    },
}

const IMPORT_FORM: &str = "write imports as `import { a, b } from \"./x.js\";` on one line";
const EXPORT_FORM: &str = "write exports as `export function`, `export async function`, `export class` or `export const NAME =`";
const NO_DYNAMIC: &str = "modules are not loaded while the page runs: import at the top";
const NO_AWAIT: &str = "the page is one script, which cannot wait: await inside of a function";

/// One module, taken apart.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) path: String,
    /// Names and the path that they come from.
    imports: Vec<(Vec<String>, String)>,
    exports: Vec<String>,
    /// Without imports and the word `export`.
    pub(crate) body: String,
}

/// The modules that `entry` needs, those that others need before them. `text_of` gives the text of a path.
pub(crate) fn join(
    entry: &str,
    text_of: &dyn Fn(&str) -> Option<&'static str>,
) -> Result<Vec<Module>, JoinError> {
    let mut modules = Vec::new();
    gather(entry, entry, text_of, &mut Vec::new(), &mut modules)?;
    for module in &modules {
        module.check(&modules)?;
    }
    Ok(modules)
}

impl Module {
    /// What it imports: names, and which of the modules declares each.
    pub(crate) fn imports<'a>(
        &'a self,
        modules: &'a [Module],
    ) -> impl Iterator<Item = (&'a str, usize)> {
        self.imports.iter().flat_map(|(names, from)| {
            let source = modules.iter().position(|other| other.path == *from);
            names.iter().filter_map(move |name| Some((name.as_str(), source?)))
        })
    }

    /// Whether what it imports is exported.
    fn check(&self, modules: &[Module]) -> Result<(), JoinError> {
        for (name, source) in self.imports(modules) {
            let Module { path, exports, .. } = &modules[source];
            if !exports.iter().any(|known| known == name) {
                return Err(JoinError::Unknown {
                    importer: self.path.clone(),
                    name: name.to_owned(),
                    path: path.clone(),
                });
            }
        }
        Ok(())
    }
}

/// The paths of all modules that `entry` needs, itself included.
#[cfg(test)]
pub(crate) fn reached(
    entry: &str,
    text_of: &dyn Fn(&str) -> Option<&'static str>,
) -> Result<Vec<String>, JoinError> {
    Ok(join(entry, text_of)?.into_iter().map(|module| module.path).collect())
}

fn gather(
    path: &str,
    importer: &str,
    text_of: &dyn Fn(&str) -> Option<&'static str>,
    open: &mut Vec<String>,
    done: &mut Vec<Module>,
) -> Result<(), JoinError> {
    if done.iter().any(|module| module.path == path) {
        return Ok(());
    }
    if let Some(first) = open.iter().position(|other| other == path) {
        let mut circle = open[first..].to_vec();
        circle.push(path.to_owned());
        return Err(JoinError::Circle { circle });
    }
    let Some(text) = text_of(path) else {
        return Err(JoinError::Missing { importer: importer.to_owned(), path: path.to_owned() });
    };
    let module = read(path, text)?;
    open.push(path.to_owned());
    for (_, from) in &module.imports {
        gather(from, path, text_of, open, done)?;
    }
    open.pop();
    done.push(module);
    Ok(())
}

fn read(path: &str, text: &str) -> Result<Module, JoinError> {
    let mut module = Module {
        path: path.to_owned(),
        imports: Vec::new(),
        exports: Vec::new(),
        body: String::new(),
    };
    let mut in_comment = false;
    for (at, line) in text.lines().enumerate() {
        let wrong = |reason| JoinError::Form { path: path.to_owned(), line: at + 1, reason };
        let code = without_comments(line, &mut in_comment);
        if code.contains("import(") {
            return Err(wrong(NO_DYNAMIC));
        }
        if code.starts_with("await ") || code.starts_with("for await") {
            return Err(wrong(NO_AWAIT));
        }
        if starts_with_word(&code, "import") {
            module.imports.push(import(path, &code).ok_or_else(|| wrong(IMPORT_FORM))?);
        } else if starts_with_word(&code, "export") {
            module.exports.push(exported(&code).ok_or_else(|| wrong(EXPORT_FORM))?);
            module.body += &line["export ".len()..];
            module.body.push('\n');
        } else {
            module.body += line;
            module.body.push('\n');
        }
    }
    Ok(module)
}

fn starts_with_word(line: &str, word: &str) -> bool {
    line.strip_prefix(word).is_some_and(|rest| {
        !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$')
    })
}

/// What is left of a line when its block comments are taken out; `in_comment` is carried from line to line. Comments
/// that begin inside of a string are not told apart: the sources have none.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let mut code = String::new();
    let mut rest = line;
    loop {
        if *in_comment {
            let Some(end) = rest.find("*/") else { return code };
            *in_comment = false;
            rest = &rest[end + 2..];
        }
        match rest.find("/*") {
            // `"image/*"` and the like are no comments
            Some(start) if !rest[..start].ends_with(|c: char| c.is_alphanumeric()) => {
                code += &rest[..start];
                rest = &rest[start + 2..];
                *in_comment = true;
            }
            _ => break,
        }
    }
    let end = if rest.trim_start().starts_with("//") { 0 } else { rest.len() };
    code + &rest[..end]
}

/// `import { a, b } from "./x.js";` of a module in the same folder.
fn import(importer: &str, line: &str) -> Option<(Vec<String>, String)> {
    let inside = line.trim_end().strip_prefix("import { ")?.strip_suffix("\";")?;
    let (names, file) = inside.split_once(" } from \"./")?;
    let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
    let folder = importer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let plain = names.iter().all(|name| is_identifier(name)) && !file.contains(['/', '"']);
    plain.then(|| (names, format!("{folder}/{file}")))
}

fn exported(line: &str) -> Option<String> {
    let rest = line.strip_prefix("export ")?;
    let declared = ["async function ", "function ", "class ", "const "]
        .iter()
        .find_map(|kind| rest.strip_prefix(kind))?;
    let end = declared.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))?;
    is_identifier(&declared[..end]).then(|| declared[..end].to_owned())
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(files: &'static [(&str, &str)]) -> Result<Vec<Module>, JoinError> {
        join("script/app.js", &|path| {
            files.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
        })
    }

    fn message(files: &'static [(&str, &str)]) -> String {
        joined(files).expect_err("it cannot be joined").to_string()
    }

    #[test]
    fn what_is_imported_stands_in_front_of_its_importers() {
        let modules = joined(&[
            (
                "script/app.js",
                "import { b } from \"./b.js\";\nimport { a } from \"./a.js\";\na(b);\n",
            ),
            ("script/a.js", "export function a() {}\n"),
            ("script/b.js", "import { a } from \"./a.js\";\nexport const b = a();\n"),
        ])
        .expect("they can be joined");
        let found = modules.iter().map(|module| {
            let imports: Vec<(&str, usize)> = module.imports(&modules).collect();
            (module.path.as_str(), module.body.as_str(), imports)
        });
        let expected = [
            ("script/a.js", "function a() {}\n", vec![]),
            ("script/b.js", "const b = a();\n", vec![("a", 0)]),
            ("script/app.js", "a(b);\n", vec![("b", 1), ("a", 0)]),
        ];
        assert!(found.eq(expected));
    }

    #[test]
    fn types_in_comments_are_not_imports() {
        let script = joined(&[(
            "script/app.js",
            "/**\n * import them\n * @type {import(\"./t.js\").T}\n */\nconst x = /** @type {import(\"./t.js\").T} */ (1);\n// import()\n",
        )]);
        assert!(script.is_ok(), "{script:?}");
    }

    #[test]
    fn circles_are_refused() {
        let files = &[
            ("script/app.js", "import { a } from \"./a.js\";\n"),
            ("script/a.js", "import { b } from \"./b.js\";\nexport const a = 1;\n"),
            ("script/b.js", "import { a } from \"./a.js\";\nexport const b = 1;\n"),
        ];
        assert_eq!(
            message(files),
            "modules import each other in a circle: script/a.js → script/b.js → script/a.js"
        );
    }

    #[test]
    fn missing_modules_and_names_are_named() {
        assert_eq!(
            message(&[("script/app.js", "import { a } from \"./a.js\";\n")]),
            "script/app.js imports script/a.js, which is not there"
        );
        let files = &[
            ("script/app.js", "import { a } from \"./a.js\";\n"),
            ("script/a.js", "const a = 1;\n"),
        ];
        assert_eq!(
            message(files),
            "script/app.js imports a from script/a.js, which does not export it"
        );
    }

    #[test]
    fn other_forms_are_refused_with_the_line() {
        for (text, reason) in [
            ("\nimport a from \"./a.js\";\n", IMPORT_FORM),
            ("\nimport * as a from \"./a.js\";\n", IMPORT_FORM),
            ("\nimport { a as b } from \"./a.js\";\n", IMPORT_FORM),
            ("\nimport { a } from \"../a.js\";\n", IMPORT_FORM),
            ("\nimport {\n", IMPORT_FORM),
            ("\nexport default function () {}\n", EXPORT_FORM),
            ("\nexport { a };\n", EXPORT_FORM),
            ("\nexport let a = 1;\n", EXPORT_FORM),
            ("\nconst a = x ? import(\"./a.js\") : 1;\n", NO_DYNAMIC),
            ("\nawait a();\n", NO_AWAIT),
        ] {
            let files: &'static [(&str, &str)] = Box::leak(Box::new([("script/app.js", text)]));
            assert_eq!(message(files), format!("script/app.js, line 2: {reason}"), "{text}");
        }
    }
}
