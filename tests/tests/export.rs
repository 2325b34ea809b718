//! Exported sources compute what Catena computes: every function at random states with changed parameters, and the motion.
//! Needs a C compiler and python3; NumPy is installed into a virtual environment under `target` where there is none.

use catena::export::SourceName;
use catena::symbolic::Function;
use catena::{CoordinateSet, Model, RunSettings};
use catena_tests::exported::{
    Expected, ExportedFunction, GROUPS, Inputs, compile_c, expected, folder, functions, input_text,
    printed, python, random_inputs, rows, source,
};
use catena_tests::{driven_arm, ready, written, zoo};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Differences of functions, relative to their largest entries.
const FUNCTION_TOLERANCE: f64 = 1e-12;
/// States at which they are compared.
const STATES: usize = 100;

const AWKWARD: &str = include_str!("export/awkward.toml");

/// Constrained and free, driven, with first-order states, in both sets of coordinates.
fn models() -> Vec<(&'static str, Model, CoordinateSet)> {
    let own = CoordinateSet::Own;
    vec![
        ("four-bar", ready("four-bar", &[]), own),
        ("triple-pendulum", ready("triple-pendulum", &[]), own),
        ("slider-crank-bodies", ready("slider-crank-bodies", &[]), own),
        ("chain", ready("chain", &["links=10"]), own),
        ("absolute-chain", ready("chain", &["links=10"]), CoordinateSet::Absolute),
        ("lorenz", ready("lorenz", &[]), own),
        ("driven-arm", driven_arm(), own),
        ("awkward", written(AWKWARD), own),
    ]
}

/// A main that reads states and prints all functions.
fn c_frame(functions: &[ExportedFunction], inputs: &Inputs) -> String {
    let letters = ["t", "q", "v", "z", "a", "lambda", "p"];
    let mut text = "#define CATENA_NO_MAIN\n#include \"exported.c\"\n\
                    static void print(int count, const double *x)\n{\n    for (int i = 0; i < count; i++)\n        \
                    printf(\"%.17g \", x[i]);\n}\nint main(void)\n{\n    for (;;) {\n        Parameters parameters, *p = &parameters;\n        \
                    double values[sizeof parameters/sizeof(double) + 1];\n"
        .to_owned();
    for (letter, values) in letters.iter().zip(inputs).take(6).filter(|(_, v)| !v.is_empty()) {
        text += &format!("        double {letter}_list[{}];\n", values.len());
    }
    for (letter, values) in letters.iter().zip(inputs).filter(|(_, values)| !values.is_empty()) {
        let list = if *letter == "p" { "values".to_owned() } else { format!("{letter}_list") };
        text += &format!(
            "        for (int i = 0; i < {}; i++)\n            if (scanf(\"%lf\", &{list}[i]) != 1)\n                return 0;\n",
            values.len()
        );
    }
    text += "        memcpy(p, values, sizeof parameters);\n";
    let argument = |group: &String| match GROUPS.iter().position(|name| name == group) {
        Some(0) => "t_list[0]".to_owned(),
        Some(6) => "p".to_owned(),
        Some(at) => format!("{}_list", letters[at]),
        None => panic!("there is no group {group}"),
    };
    for function in functions {
        let mut arguments: Vec<String> = function.arguments.iter().map(argument).collect();
        text += &match (function.is_number, function.len) {
            (true, _) => format!(
                "        {{\n            double x = {}({});\n            print(1, &x);\n        }}\n",
                function.name,
                arguments.join(", ")
            ),
            (false, len) => {
                arguments.push("(void *)x".to_owned());
                format!(
                    "        {{\n            double x[{len}];\n            {}({});\n            print({len}, x);\n        }}\n",
                    function.name,
                    arguments.join(", ")
                )
            }
        };
    }
    let [_, q, _, z, _, lambda, _] = inputs.each_ref().map(Vec::len);
    if q > 0 {
        let states = if z > 0 { "z_list, " } else { "" };
        let multipliers = if lambda > 0 { ", lambda_list" } else { "" };
        text += &format!(
            "        if (accelerations(t_list[0], q_list, v_list, {states}p, a_list{multipliers}))\n            return 1;\n        \
             print({q}, a_list);\n"
        );
        if lambda > 0 {
            text += &format!("        print({lambda}, lambda_list);\n");
        }
    }
    text + "        putchar('\\n');\n    }\n}\n"
}

/// A program that does the same in Python.
fn python_frame(functions: &[ExportedFunction], inputs: &Inputs) -> String {
    let letters = ["t", "q", "v", "z", "a", "lam", "p"];
    let argument = |group: &String| {
        letters[GROUPS.iter().position(|name| name == group).expect("a known group")]
    };
    let mut text = "import sys\nimport numpy as np\nimport exported\n\nfor line in sys.stdin:\n    \
                    numbers = [float(word) for word in line.split()]\n    found = []\n    t = numbers[0]\n"
        .to_owned();
    let mut first = 1;
    for (letter, values) in letters.iter().zip(inputs).skip(1) {
        text += &format!("    {letter} = np.array(numbers[{first}:{}])\n", first + values.len());
        first += values.len();
    }
    text += "    p = exported.Parameters(*p.tolist())\n";
    for function in functions {
        let arguments: Vec<&str> = function.arguments.iter().map(argument).collect();
        text += &format!(
            "    found.append(np.ravel(exported.{}({})))\n",
            function.name,
            arguments.join(", ")
        );
    }
    let [_, q, _, z, _, lambda, _] = inputs.each_ref().map(Vec::len);
    if q > 0 {
        let states = if z > 0 { "z, " } else { "" };
        let call = format!("exported.accelerations(t, q, v, {states}p)");
        text += &match lambda {
            0 => format!("    found.append({call})\n"),
            _ => format!("    found.extend({call})\n"),
        };
    }
    text + "    print(*(f'{value:.17g}' for value in np.concatenate(found)))\n"
}

/// Runs a program on the states; what it prints.
fn answer(command: &mut Command, folder: &Path, inputs: &[Inputs]) -> Vec<Vec<f64>> {
    let states = folder.join("states.txt");
    std::fs::write(&states, input_text(inputs)).expect("the folder can be written");
    let states = std::fs::File::open(states).expect("it was just written");
    rows(&printed(command.stdin(states)))
}

/// No part differs by more than rounding.
fn agree(language: &str, name: &str, expected: &Expected, found: &[Vec<f64>]) {
    for (part, difference) in expected.differences(found) {
        assert!(difference <= FUNCTION_TOLERANCE, "{language}, {name}, {part}: {difference:e}");
    }
}

#[test]
fn every_function_in_c_is_that_of_catena() {
    for (name, model, set) in models() {
        let folder = folder(&format!("c-{name}"));
        let functions = functions(&model, set);
        let inputs = random_inputs(&model, set, STATES);
        std::fs::write(folder.join("exported.c"), source(&model, set, "c")).unwrap();
        let frame = folder.join("frame.c");
        std::fs::write(&frame, c_frame(&functions, &inputs[0])).unwrap();
        let program = compile_c(&frame, &[]);
        let found = answer(&mut Command::new(program), &folder, &inputs);
        agree("c", name, &expected(&model, set, &functions, &inputs), &found);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn every_function_in_python_is_that_of_catena() {
    for (name, model, set) in models() {
        let folder = folder(&format!("python-{name}"));
        let functions = functions(&model, set);
        let inputs = random_inputs(&model, set, STATES);
        std::fs::write(folder.join("exported.py"), source(&model, set, "python")).unwrap();
        let frame = folder.join("frame.py");
        std::fs::write(&frame, python_frame(&functions, &inputs[0])).unwrap();
        let python = python(Path::new(env!("CARGO_TARGET_TMPDIR")));
        let found = answer(Command::new(python).arg(&frame), &folder, &inputs);
        agree("python", name, &expected(&model, set, &functions, &inputs), &found);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

/// Moves a model by Catena, tightly, and compares a table that a driver printed.
fn compare_motion(language: &str, name: &str, model: &Model, formulation: &str, table: &str) {
    let settings = RunSettings::new().formulation(formulation).tolerance(1e-12).no_certify();
    let run = catena::run(model, &settings).expect("the model runs");
    let mut lines = table.splitn(2, '\n');
    let header = lines.next().unwrap_or_default();
    let names: Vec<&str> = run.table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(header, names.join(","), "{language}, {name}");
    let found = rows(lines.next().unwrap_or_default());
    assert_eq!(found.len(), run.table.len(), "{language}, {name}: rows");
    for (at, column) in names.iter().enumerate() {
        let expected = run.table.column(column).expect("it is a column of numbers");
        let size = expected.iter().fold(1.0_f64, |size, value| size.max(value.abs()));
        for (row, expected) in found.iter().zip(expected) {
            let difference = (row[at] - expected).abs() / size;
            assert!(
                difference <= 1e-6,
                "{language}, {name}, {column} at {}: {difference:e}",
                row[0]
            );
        }
    }
}

/// Models with a formulation in whose coordinates they are exported, over their own spans: errors stay small there.
fn moving_models() -> Vec<(&'static str, Model, CoordinateSet, &'static str)> {
    let own = CoordinateSet::Own;
    let ten = || written(include_str!("export/ten_links.toml"));
    vec![
        ("four-bar", ready("four-bar", &[]), own, "projection"),
        ("triple-pendulum", ready("triple-pendulum", &[]), own, "minimal"),
        ("slider-crank-bodies", ready("slider-crank-bodies", &[]), own, "projection"),
        ("chain", ten(), own, "minimal"),
        ("absolute-chain", ten(), CoordinateSet::Absolute, "projection"),
        ("scissor-lift", ready("scissor-lift", &[]), own, "projection"),
        ("quick-return", ready("quick-return", &[]), own, "projection"),
        ("awkward", written(AWKWARD), own, "minimal"),
    ]
}

/// The same over their first second, for languages that take their time.
fn briefly_moving_models() -> Vec<(&'static str, Model, CoordinateSet, &'static str)> {
    let mut models = moving_models();
    for (_, model, ..) in &mut models {
        (model.run.t_end, model.run.every) = (Some(1.0), Some(0.1));
    }
    models
}

#[test]
fn drivers_in_c_print_the_motion_that_catena_finds() {
    for (name, model, set, formulation) in moving_models() {
        let folder = folder(&format!("c-motion-{name}"));
        let file = folder.join("exported.c");
        std::fs::write(&file, source(&model, set, "c")).unwrap();
        let table = printed(&mut Command::new(compile_c(&file, &[])));
        compare_motion("c", name, &model, formulation, &table);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn drivers_in_python_print_the_motion_that_catena_finds() {
    for (name, model, set, formulation) in briefly_moving_models() {
        let folder = folder(&format!("python-motion-{name}"));
        let file = folder.join("exported.py");
        std::fs::write(&file, source(&model, set, "python")).unwrap();
        let python = python(Path::new(env!("CARGO_TARGET_TMPDIR")));
        let table = printed(Command::new(python).arg(&file));
        compare_motion("python", name, &model, formulation, &table);
        std::fs::remove_dir_all(folder).unwrap();
    }
}

/// The value of a program by the rules that the JSON export states.
fn evaluated(program: &Value, inputs: &Inputs) -> Vec<f64> {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let mut values: Vec<f64> = inputs.iter().flatten().copied().collect();
    values.extend(list(&program["constants"]).iter().map(|value| value.as_f64().unwrap()));
    for operation in list(&program["operations"]) {
        let (name, operands) = operation.as_object().unwrap().iter().next().expect("an operation");
        let operands = operands.as_array().cloned().unwrap_or_else(|| vec![operands.clone()]);
        let at = |place: usize| values[operands[place].as_u64().expect("a number") as usize];
        let function = || Function::from_name(operands[0].as_str().unwrap()).expect("a function");
        values.push(match name.as_str() {
            "add" => at(0) + at(1),
            "subtract" => at(0) - at(1),
            "multiply" => at(0) * at(1),
            "divide" => at(0) / at(1),
            "negate" => -at(0),
            "power" => at(0).powf(at(1)),
            "squareroot" => at(0).sqrt(),
            "sine" => at(0).sin(),
            "cosine" => at(0).cos(),
            "call" => function().evaluate(at(1), 0.0),
            "call2" => function().evaluate(at(1), at(2)),
            other => panic!("`{other}` is not described"),
        });
    }
    let outputs = &program["outputs"][0]["values"];
    list(outputs).iter().map(|value| values[value.as_u64().unwrap() as usize]).collect()
}

/// The result of a function of the JSON export, matrices filled out.
fn filled(function: &Value, inputs: &Inputs) -> Vec<f64> {
    let found = evaluated(&function["program"], inputs);
    let shape: Vec<usize> = function["shape"]
        .as_array()
        .unwrap()
        .iter()
        .map(|len| len.as_u64().unwrap() as usize)
        .collect();
    let [rows, columns] = shape[..] else { return found };
    let mut matrix = vec![0.0; rows * columns];
    for (entry, value) in function["entries"].as_array().unwrap().iter().zip(found) {
        let [i, j] = [0, 1].map(|at| entry["place"][at].as_u64().unwrap() as usize);
        matrix[i * columns + j] = value;
        if function["symmetric"] == true {
            matrix[j * columns + i] = value;
        }
    }
    matrix
}

#[test]
fn programs_in_json_run_by_the_rules_that_it_states() {
    for (name, model, set) in models() {
        let document: Value = serde_json::from_str(&source(&model, set, "json")).unwrap();
        let functions = functions(&model, set);
        let inputs = random_inputs(&model, set, STATES);
        let expected = expected(&model, set, &functions, &inputs);
        let found: Vec<Vec<f64>> = inputs
            .iter()
            .zip(&expected.rows)
            .map(|(inputs, row)| {
                let functions = document["functions"].as_array().unwrap().iter();
                let mut found: Vec<f64> = functions.flat_map(|f| filled(f, inputs)).collect();
                // accelerations and multipliers are left to who reads the programs
                found.extend(&row[found.len()..]);
                found
            })
            .collect();
        agree("json", name, &expected, &found);
    }
}

#[test]
fn latex_is_a_document_whose_every_equation_can_be_typeset() {
    for (name, model, set) in models() {
        let text = source(&model, set, "latex");
        assert!(text.starts_with("\\documentclass") && text.ends_with("\\end{document}\n"), "{name}");
        let depth = text.chars().fold(0_i32, |depth, character| match character {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        });
        assert_eq!(depth, 0, "{name}: braces");
        let equations: Vec<&str> = text
            .split("\\[ ")
            .skip(1)
            .map(|rest| rest.split(" \\]").next().unwrap_or_default())
            .collect();
        assert!(equations.len() > 5, "{name}");
        for equation in equations {
            let storage = pulldown_latex::Storage::new();
            let parsed: Result<Vec<_>, _> = pulldown_latex::Parser::new(equation, &storage).collect();
            assert!(parsed.is_ok(), "{name}: {equation}");
            assert!(equation.is_ascii(), "{name}: {equation}");
        }
    }
}

#[test]
fn every_ready_system_is_exported_in_every_language() {
    for (name, model, set) in zoo(6) {
        for language in catena::export::LANGUAGES {
            let exported = catena::export::export(&model, set, language, SourceName::Model(&name));
            let text = exported.unwrap_or_else(|error| panic!("{name}, {}: {error}", language.name));
            assert!(!text.contains("@call"), "{name}, {}: a mark was left", language.name);
        }
    }
}

#[test]
fn the_awkward_model_calls_every_function_of_the_language() {
    for function in Function::all() {
        // derivatives of sinc come by themselves
        let called = function.name() == "dsinc" || AWKWARD.contains(&format!("{}(", function.name()));
        assert!(called, "{}", function.name());
    }
}

/// M of n links has n² entries: the source may grow like them, and like nothing worse.
#[test]
fn sources_grow_no_faster_than_the_mass_matrix() {
    let length = |links: &str, set: CoordinateSet| {
        source(&ready("chain", &[&format!("links={links}")]), set, "c").len()
    };
    let [ten, twenty] = ["10", "20"].map(|links| length(links, CoordinateSet::Own));
    assert!(twenty < 4 * ten && twenty < 300_000, "{ten}, {twenty}");
    let [ten, twenty] = ["10", "20"].map(|links| length(links, CoordinateSet::Absolute));
    assert!(twenty < 2 * ten + 20_000, "{ten}, {twenty}");
}

/// The same comparison in Octave: a script that reads states and prints all functions.
fn octave_frame(functions: &[ExportedFunction], inputs: &Inputs) -> String {
    let letters = ["t", "q", "v", "z", "a", "lambda", "parameters"];
    let mut text = "f = exported('functions');\ninputs = load('states.txt');\nfor k = 1:size(inputs, 1)\n  \
                    x = inputs(k, :)';\n  found = [];\n"
        .to_owned();
    let mut first = 0;
    for (letter, values) in letters.iter().zip(inputs) {
        text += &format!("  {letter} = x({}:{});\n", first + 1, first + values.len());
        first += values.len();
    }
    text += "  p = f.parameters;\n  names = fieldnames(p);\n  for i = 1:numel(names)\n    \
             p.(names{i}) = parameters(i);\n  end\n";
    let argument = |group: &String| match GROUPS.iter().position(|name| name == group) {
        Some(6) | None => "p",
        Some(at) => letters[at],
    };
    for function in functions {
        let arguments: Vec<&str> = function.arguments.iter().map(argument).collect();
        let call = format!("f.{}({})", function.name, arguments.join(", "));
        text += &format!("  part = {call}';\n  found = [found; part(:)];\n");
    }
    let [_, q, _, z, _, lambda, _] = inputs.each_ref().map(Vec::len);
    if q > 0 {
        let states = if z > 0 { "z, " } else { "" };
        let results = if lambda > 0 { "[a, lambda]" } else { "a" };
        let parts = if lambda > 0 { "a; lambda" } else { "a" };
        text += &format!("  {results} = f.accelerations(t, q, v, {states}p);\n  found = [found; {parts}];\n");
    }
    text + "  fprintf('%.17g ', found);\n  fprintf('\\n');\nend\n"
}

fn octave(folder: &Path, command: &str) -> Command {
    let mut octave = Command::new("octave-cli");
    octave.args(["--no-gui", "--quiet", "--eval", command]).current_dir(folder);
    octave
}

/// `tests/octave` runs this; Octave is a large package.
#[test]
#[ignore = "needs Octave: run tests/octave"]
fn functions_and_motions_in_octave_are_those_of_catena() {
    for (name, model, set) in models() {
        let folder = folder(&format!("octave-{name}"));
        let functions = functions(&model, set);
        let inputs = random_inputs(&model, set, STATES);
        std::fs::write(folder.join("exported.m"), source(&model, set, "octave")).unwrap();
        std::fs::write(folder.join("frame.m"), octave_frame(&functions, &inputs[0])).unwrap();
        let found = answer(&mut octave(&folder, "frame"), &folder, &inputs);
        agree("octave", name, &expected(&model, set, &functions, &inputs), &found);
        std::fs::remove_dir_all(folder).unwrap();
    }
    for (name, model, set, formulation) in briefly_moving_models() {
        let folder = folder(&format!("octave-motion-{name}"));
        std::fs::write(folder.join("exported.m"), source(&model, set, "octave")).unwrap();
        let table = printed(&mut octave(&folder, "exported"));
        compare_motion("octave", name, &model, formulation, &table);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
