//! The model language inside the program, and the words of the command line: help, completions, units, other names.

mod process;

use process::Folder;

fn help(topic: &str) -> String {
    Folder::new(topic).run(&["help", topic]).printed()
}

/// `[[body]]` or several of these, and nothing else.
fn is_heading(line: &str) -> bool {
    line.split(", ").all(|name| {
        let inside = name.strip_prefix('`').and_then(|name| name.strip_suffix('`'));
        inside.is_some_and(|name| !name.contains(['`', ' ']))
    })
}

/// The lines below each heading of the reference at the end of `catena help model`.
fn reference() -> Vec<(String, Vec<String>)> {
    let text = help("model");
    let (_, reference) = text.split_once("\nEvery key\n").expect("the reference");
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    for line in reference.lines() {
        match parts.last_mut() {
            _ if is_heading(line) => parts.push((line.to_owned(), Vec::new())),
            Some((_, lines)) => lines.push(line.to_owned()),
            None => {}
        }
    }
    parts
}

/// The keys that lines describe: two blanks, the key, a mark if it must be given, and what it means.
fn described(lines: &[String]) -> Vec<String> {
    let key = |line: &String| {
        let line = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
        let (key, meaning) = line.split_once(' ')?;
        let meaning = meaning.trim_start_matches(['*', ' ']);
        (meaning.chars().count() > 3).then(|| key.to_owned())
    };
    lines.iter().filter_map(key).collect()
}

#[test]
fn help_describes_every_key_that_the_reader_accepts_and_no_other() {
    let parts = reference();
    for section in catena::model::sections() {
        let heading = format!("`{}`", section.heading);
        let part = parts.iter().find(|(line, _)| line.split(", ").any(|name| name == heading));
        let (_, lines) = part.unwrap_or_else(|| panic!("`catena help model` lacks {heading}"));
        assert!(lines.iter().any(|line| line.len() > 10), "nothing is said about {heading}");
        let mut told = described(lines);
        let mut known: Vec<String> = section.keys.iter().map(|key| (*key).to_owned()).collect();
        told.sort();
        known.sort();
        assert_eq!(told, known, "the keys of {heading}: told, and read");
    }
    for kind in catena::model::JOINTS {
        let (_, lines) = parts.iter().find(|(line, _)| line == "`[[joint]]`").expect("joints");
        assert!(lines.join(" ").contains(&format!("`{}`", kind.name)), "{}", kind.name);
    }
}

#[test]
fn help_describes_every_function_and_every_unit() {
    let formulas = help("formulas");
    for function in catena::symbolic::Function::all() {
        assert!(formulas.contains(&format!("{}(", function.name())), "{}", function.name());
    }
    let units = help("units");
    let of_formulas = catena::symbolic::UNITS.iter().chain([&catena::symbolic::DEGREES]);
    for unit in of_formulas {
        let line =
            units.lines().find(|line| line.trim_start().starts_with(&format!("{} ", unit.name)));
        assert!(line.is_some(), "{}", unit.name);
    }
    let alone = units.lines().find(|line| line.contains("m, s, kg, N, rad")).expect("SI units");
    assert!(catena::symbolic::SI_UNITS.iter().all(|unit| alone.contains(unit.name)));
}

#[test]
fn topics_fit_a_terminal_and_begin_with_an_example_that_is_right() {
    for topic in ["model", "formulas", "units"] {
        for line in help(topic).lines() {
            assert!(line.chars().count() <= 80, "{topic}: {line}");
            assert!(!line.contains("**") && !line.contains("|--"), "{topic}: {line}");
        }
    }
    let example: Vec<String> = help("model")
        .lines()
        .skip_while(|line| !line.starts_with("    "))
        .take_while(|line| line.is_empty() || line.starts_with("    "))
        .map(|line| line.trim().to_owned())
        .collect();
    let folder = Folder::new("example");
    folder.write("swing.toml", example.join("\n"));
    assert!(folder.run(&["check", "swing.toml"]).printed().contains("The model can run."));
}

#[test]
fn help_knows_commands_questions_and_topics() {
    let folder = Folder::new("help");
    let all = folder.run(&["help"]).printed();
    for word in ["run", "derive", "completions", "catena help model", "catena help units"] {
        assert!(all.contains(word), "{word}: {all}");
    }
    assert!(folder.run(&["help", "run"]).printed().contains("--formulation"));
    assert!(folder.run(&["help", "analyze", "kinematics"]).printed().contains("--drive"));
    let message = folder.run(&["help", "modell"]).refused(2);
    assert!(message.contains("did you mean `catena help model`?"), "{message}");
}

#[test]
fn shells_and_man_get_what_they_need() {
    let folder = Folder::new("completions");
    for (shell, word) in
        [("bash", "complete -F"), ("zsh", "#compdef catena"), ("fish", "complete -c catena")]
    {
        let script = folder.run(&["completions", shell]).printed();
        assert!(script.contains(word) && script.contains("formulation"), "{shell}");
    }
    let manual = folder.run(&["man"]).printed();
    assert!(manual.contains(".TH catena 1"), "{}", &manual[..400]);
    for section in ["CATENA RUN", "CATENA ANALYZE MODES", "MODEL", "UNITS"] {
        assert!(manual.contains(&format!(".SH \"{section}\"")), "{section}");
    }
    assert!(folder.run(&["completions", "tcsh"]).refused(2).contains("possible values"));
}

/// Numbers that mean the same give the same answer.
#[test]
fn every_number_may_be_a_formula_with_a_unit() {
    let folder = Folder::new("units");
    let same = |plain: &str, with_units: &str| {
        let answer = |line: &str| {
            let words: Vec<String> = line.split(' ').map(|word| word.replace('_', " ")).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            folder.run(&words).printed()
        };
        assert_eq!(answer(plain), answer(with_units), "{with_units}");
    };
    let run = "run double-pendulum -o -";
    same(&format!("{run} --to 0.5 --every 0.1"), &format!("{run} --to 500_ms --every 0.1_s"));
    let swing = "run single-pendulum -o -";
    same(&format!("{swing} --to 60 --every 30"), &format!("{swing} --to 1_min --every 2*15_s"));
    same(&format!("{run} --to 1 --set l1=0.005"), &format!("{run} --to 1_s --set l1=5_mm"));
    same(&format!("{run} --to 1 --set m1=2"), &format!("{run} --to 1_s --set m1=2_kg"));
    same(&format!("{run} --to 1 --set theta1=pi/2"), &format!("{run} --to 1 --set theta1=90_deg"));
    same(&format!("{run} --to 1 --rtol 1e-8"), &format!("{run} --to 1 --rtol 1/1e8"));
    same(
        &format!("{run} --to 1 --integrator rk4 --step 0.01"),
        &format!("{run} --to 1 --integrator rk4 --step 10_ms"),
    );
    let led =
        "analyze kinematics slider-crank-bodies --drive crank_angle -o -".replace('_', "\u{1}");
    let led = |rest: &str| format!("{led} {rest}");
    let answer = |line: &str| {
        let words: Vec<String> =
            line.split(' ').map(|word| word.replace('_', " ").replace('\u{1}', "_")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        folder.run(&words).printed()
    };
    assert_eq!(
        answer(&led("--from 0 --to pi/2 --rate pi --points 5")),
        answer(&led("--from 0_deg --to 90_deg --rate 30_rpm --points 10/2"))
    );
    let sweep = |rest: &str| answer(&format!("sweep double-pendulum --export - {rest}"));
    assert_eq!(
        sweep("--over theta1=0:pi/2:3 --to 1 --every 0.1"),
        sweep("--over theta1=0_deg:90_deg:3 --to 1_s --every 100_ms")
    );
}

#[test]
fn a_unit_of_something_else_is_refused() {
    let folder = Folder::new("wrong units");
    for arguments in [
        &["run", "four-bar", "--to", "5 mm"][..],
        &["run", "four-bar", "--every", "3 kg"],
        &["run", "four-bar", "--rtol", "1 s"],
        &["run", "four-bar", "--max-steps", "3 s"],
        &["run", "four-bar", "--to", "10 sec"],
        &["run", "four-bar", "--to", "1/2 ms"],
        &["sweep", "four-bar", "--over", "L2=1 sec,2", "--to", "1"],
        &["sweep", "four-bar", "--over", "L2=1,2", "--to", "5 mm"],
    ] {
        let message = folder.run(arguments).refused(2);
        assert!(message.contains("tip: ") || message.contains("help: "), "{message}");
    }
}

#[test]
fn a_unit_in_a_file_is_the_number_in_si_units() {
    let folder = Folder::new("file units");
    let model = |length: &str| {
        format!(
            "title = \"Rod\"\n[[body]]\nname = \"rod\"\nmass = 1\nlength = {length}\nangle = 0.3\npoints = {{ P = [{length}, 0] }}\n\
             [[joint]]\nname = \"O\"\ntype = \"revolute\"\nbetween = [[0, 0], \"rod.A\"]\n\
             [[spring]]\nbetween = [[1, 1], \"rod.P\"]\nstiffness = 10\nlength = {length}\n"
        )
    };
    folder.write("decimal.toml", model("0.005"));
    folder.write("unit.toml", model("\"5 mm\""));
    let printed = |file: &str| folder.run(&["derive", file]).printed();
    assert_eq!(printed("decimal.toml"), printed("unit.toml"));
    let table = |file: &str| folder.run(&["run", file, "--to", "1", "-o", "-"]).printed();
    assert_eq!(table("decimal.toml"), table("unit.toml"));
}

#[test]
fn a_start_that_looks_like_degrees_is_questioned_and_the_run_goes_on() {
    let folder = Folder::new("degrees");
    let warned = |arguments: &[&str]| {
        let answer = folder.run(arguments);
        assert_eq!(answer.code, Some(0), "{}", answer.message);
        answer.message
    };
    let message = warned(&["run", "double-pendulum", "--to", "0.1", "--set", "theta1=90"]);
    assert!(message.contains("90 rad is 14.3 turns") && message.contains("`90 deg`"), "{message}");
    for quiet in ["theta1=90 deg", "theta1=3", "theta1'=90", "theta1=2*pi*3"] {
        let message = warned(&["run", "double-pendulum", "--to", "0.1", "--set", quiet]);
        assert!(!message.contains("turns"), "{quiet}: {message}");
    }
    let model = "[coordinates]\nphi = \"angle\"\nx = \"position\"\n[energy]\n\
                 kinetic = \"1/2*phi'^2 + 1/2*x'^2\"\npotential = \"-cos(phi) + x^2\"\n\
                 [initial]\nphi = 45\nx = 45\n";
    folder.write("file.toml", model);
    let message = warned(&["run", "file.toml", "--to", "0.1"]);
    assert_eq!(message.matches("45 rad is").count(), 1, "{message}");
    assert!(message.contains("file.toml:8:7"), "{message}");
    let swing = "[coordinates]\nphi = \"\"\nx = \"\"\n[definitions]\nsum = \"phi/2 + 0.1\"\n[energy]\n\
                 kinetic = \"1/2*phi'^2 + 1/2*x'^2\"\npotential = \"sin(sum) + phi^2 + sin(3*x*phi)\"\n";
    folder.write("swing.toml", swing);
    let message = warned(&["run", "swing.toml", "--to", "0.1", "--set", "phi=90", "--set", "x=90"]);
    assert_eq!(message.matches("turns").count(), 1, "springs do not hide an angle: {message}");
    assert!(message.contains("phi=90"), "{message}");
    let body = "[[body]]\nname = \"rod\"\nmass = 1\nlength = 1\nangle = 90\n\
                [[joint]]\nname = \"O\"\ntype = \"revolute\"\nbetween = [[0, 0], \"rod.A\"]\n\
                [[torsion-spring]]\nbetween = [\"ground\", \"rod\"]\nstiffness = 1\nangle = 30\n";
    folder.write("body.toml", body);
    let message = warned(&["run", "body.toml", "--to", "0.1"]);
    assert!(message.contains("90 rad is") && message.contains("30 rad is"), "{message}");
    let checked = folder.run(&["check", "body.toml"]).printed();
    assert!(checked.contains("did you mean `90 deg`?"), "{checked}");
}

#[test]
fn what_other_programs_write_in_a_file_is_answered_with_what_to_write_here() {
    let folder = Folder::new("elsewhere");
    let energies = |kinetic: &str, potential: &str| {
        format!(
            "[parameters]\nm = 1\n[coordinates]\nx = \"position\"\n[energy]\nkinetic = \"{kinetic}\"\n\
             potential = \"{potential}\"\n"
        )
    };
    let joint = |kind: &str| {
        format!(
            "[[body]]\nname = \"rod\"\nmass = 1\nlength = 1\n[[joint]]\nname = \"O\"\ntype = \"{kind}\"\n\
             between = [[0, 0], \"rod.A\"]\n"
        )
    };
    let right = "1/2*m*x'^2";
    let cases = [
        (energies("1/2*m*xdot^2", "x"), "`x'`"),
        (energies("1/2*m*x_dot^2", "x"), "`x'`"),
        (energies("1/2*m*dx^2", "x"), "`x'`"),
        (energies("1/2*m*diff(x, t)^2", "x"), "`x'`"),
        (energies("1/2*m*x'**2", "x"), "`^`"),
        (energies("1/2*m*x’^2", "x"), "`x'`"),
        (energies(right, "m*9.81*x + ln(x)"), "`log(x)`"),
        (energies(right, "2 kg*x"), "write `2`"),
        (energies(right, "cos(45 degrees)*x"), "`45 deg`"),
        (energies(right, "π*x"), "`pi`"),
        (energies(right, "x²"), "`x^2`"),
        (energies(right, "m*g*x"), "g = 9.81"),
        (energies(right, "x = 3"), "`left - (right)`"),
        (energies(right, "sin(time)*x"), "`t`"),
        (energies(right, "e^x"), "`exp(x)`"),
        (energies(right, "x") + "[simulation]\nt_end = 1\n", "`run`"),
        (energies(right, "x") + "[run]\ntstop = 1\n", "`t_end`"),
        (joint("slider"), "`prismatic`"),
        (joint("hinge"), "`revolute`"),
        (joint("fixed"), "`weld`"),
        (joint("slot"), "`pin-in-slot`"),
        (joint("rod"), "`distance`"),
    ];
    for (model, hint) in cases {
        folder.write("model.toml", &model);
        let message = folder.run(&["check", "model.toml"]).refused(1);
        assert!(message.contains(hint), "{hint}: {message}");
        assert!(message.contains("model.toml:"), "it points at the place: {message}");
    }
}

#[test]
fn equations_are_written_by_the_ending_of_the_file() {
    let folder = Folder::new("derive");
    for (file, beginning) in [
        ("eq.tex", "\\documentclass"),
        ("eq.md", "#"),
        ("eq.html", "<!"),
        ("eq.json", "{"),
        ("eq.txt", ""),
    ] {
        let said = folder.run(&["derive", "single-pendulum", "-o", file]).printed();
        assert!(said.contains(file), "{said}");
        let text = folder.text(file);
        assert!(text.trim_start().starts_with(beginning) && !text.contains('\u{1b}'), "{file}");
    }
    assert_eq!(
        folder.run(&["derive", "single-pendulum", "--format", "tex"]).printed(),
        folder.text("eq.tex")
    );
    let refused = folder.run(&["derive", "single-pendulum", "-o", "eq.pdf"]).refused(2);
    assert!(refused.contains(".tex"), "{refused}");
    folder.write("own.txt", "[coordinates]\nx = \"\"\n[energy]\nkinetic = \"x'^2\"\n");
    folder.run(&["derive", "own.txt", "-o", "own.txt"]).refused(2);
    assert!(folder.text("own.txt").starts_with("[coordinates]"), "an input is never replaced");
    folder.run(&["derive", "single-pendulum", "-o", "x.tex", "--format", "html"]).refused(2);
}

#[test]
fn a_dash_prints_the_table_and_leaves_the_words_to_standard_error() {
    let folder = Folder::new("dash");
    let answer = folder.run(&["run", "four-bar", "--to", "1", "--columns", "theta2", "-o", "-"]);
    assert_eq!(answer.code, Some(0));
    folder.run(&["run", "four-bar", "--to", "1", "--columns", "theta2", "-o", "x.csv"]).printed();
    assert_eq!(answer.output, folder.text("x.csv"));
    assert!(answer.message.contains("reached 1 s"), "{}", answer.message);
    let piped = folder.shell("$CATENA run four-bar --to 1 -o - 2>/dev/null | head -1").printed();
    assert!(piped.starts_with("t,"), "{piped}");
    let modes = folder.run(&["analyze", "modes", "four-bar", "-o", "-"]);
    assert!(modes.output.lines().next().is_some_and(|line| line.contains(',')), "{}", modes.output);
    folder.run(&["run", "four-bar", "-o", "-", "--json"]).refused(2);
}

#[test]
fn branches_are_called_by_one_word_and_the_other_still_works() {
    let folder = Folder::new("branches");
    for question in ["response", "resonance"] {
        let help = folder.run(&["analyze", question, "--help"]).printed();
        assert!(help.contains("--branches") && !help.contains("--branch "), "{help}");
        let asked = ["analyze", question, "triple-pendulum", "--over", "f=g", "--branch", "up"];
        let message = folder.run(&asked).refused(2);
        assert!(message.contains("f=g"), "the flag is read, the range is not: {message}");
    }
}

#[test]
fn a_model_that_is_not_there_is_answered_with_the_one_that_is() {
    let folder = Folder::new("models");
    folder.write("cart.toml", "[coordinates]\nx = \"\"\n[energy]\nkinetic = \"x'^2\"\n");
    for (name, hint) in [
        ("cart", "`cart.toml`"),
        ("Double_Pendulum", "`double-pendulum`"),
        ("four-bar.toml", "`four-bar`"),
        ("doublependulum", "`double-pendulum`"),
    ] {
        let message = folder.run(&["run", name]).refused(2);
        assert!(message.contains(hint), "{message}");
    }
}
