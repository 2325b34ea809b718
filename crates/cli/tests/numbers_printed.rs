//! Numbers are printed as people write them, by every command: no digits that rounding left behind, no sign before zero.

mod process;

use process::Folder;

/// Digits that no one reads: what has more of them shows how computers count.
const MAX_DIGITS: usize = 14;

/// A motion with ugly numbers: thirds, tenths and a start that is solved for.
const UGLY: &str = r#"title = "Ugly numbers"
[parameters]
a = "1/3"
b = 0.1
c = "a + b"
f = "3*0.1"
[coordinates]
x = "along the wire"
theta = "angle"
[energy]
kinetic = "1/2*c*x'^2 + 1/2*b*theta'^2"
potential = "1/2*3*x^2 - b*cos(theta)"
dissipation = "1/2*0.3*(x'^2 + theta'^2)"
[forces]
x = "b*cos(2*pi*f*t)"
[initial]
x = "-0.1*3"
theta = "0.1 + 0.2"
[events]
top = { when = "x" }
[run]
t_end = "2.1/3"
every = "0.7/7"
"#;

/// Numbers in a text that are not written as people would, each with its line.
fn ugly_numbers(text: &str) -> Vec<String> {
    let mut ugly = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        let mut before = ' ';
        while let Some(first) = rest.chars().next() {
            let sign = matches!(first, '-' | '−') && !(before.is_alphanumeric() || before == '_');
            let body = if sign { &rest[first.len_utf8()..] } else { rest };
            let is_number = body.starts_with(|c: char| c.is_ascii_digit())
                && !(before.is_alphanumeric() || matches!(before, '_' | '.' | '₀'..='₉'));
            if !is_number {
                before = first;
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let length =
                body.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(body.len());
            let number = body[..length].trim_end_matches('.');
            let digits = number.trim_start_matches(['0', '.']).replace('.', "");
            let is_hash = body[length..].starts_with(|c: char| c.is_ascii_alphabetic() && c != 'e');
            let negative_zero =
                sign && number.contains('.') | number.starts_with('0') && digits.is_empty();
            if digits.len() > MAX_DIGITS && !is_hash || negative_zero {
                ugly.push(format!("{number} in: {line}"));
            }
            before = '0';
            rest = &body[length..];
        }
    }
    ugly
}

#[test]
fn the_search_finds_what_it_looks_for() {
    assert_eq!(ugly_numbers("at 0.15000000000000002 s").len(), 1);
    assert_eq!(ugly_numbers("x = -0.000000 m").len(), 1);
    assert_eq!(ugly_numbers("x = −0 m, y = -0.0e0").len(), 2);
    let fine = "theta10 = -0.5, 1e-12, 0.000001, x-0.0, x_12345678901234567, 3 - 0.1";
    assert_eq!(ugly_numbers(fine), Vec::<String>::new());
}

#[test]
fn no_command_prints_digits_that_rounding_left_or_signs_of_zero() {
    let folder = Folder::new("numbers");
    folder.write("ugly.toml", UGLY);
    let commands = [
        "list",
        "list formulations",
        "list integrators",
        "list analyses",
        "list formats",
        "check ugly.toml",
        "check four-bar",
        "check double-wishbone",
        "check slider-crank --penalty",
        "derive ugly.toml",
        "run ugly.toml",
        "run ugly.toml --to 2*pi --every 0.1*3",
        "run ugly.toml --linear",
        "run ugly.toml --integrator rk4 --step 0.1/3",
        "run four-bar --to pi",
        "run slider-crank --to 1/3 --start 0.1*3",
        "run triple-pendulum --to 5",
        "run ugly.toml --to -1",
        "run ugly.toml --every 1/3e12",
        "run ugly.toml --set x=1/0",
        "compare ugly.toml",
        "bench --links 2,3 --tolerances 1/300 --to 1/3",
        "analyze equilibrium ugly.toml --all",
        "analyze equilibrium double-wishbone",
        "analyze modes ugly.toml",
        "analyze modes four-bar",
        "analyze linearize ugly.toml",
        "analyze response ugly.toml --over f=0.1:0.5:5 --over b=1/3,0.1*3",
        "analyze response ugly.toml --over f=0.1:0.5:5 --linear",
        "analyze resonance ugly.toml --over f=0.1:0.9:9 --over b=0.1*3,1/3",
        "analyze spectrum ugly.toml --to 20",
        "analyze phase ugly.toml --after 0.1*3",
        "analyze kinematics four-bar --drive theta2 --from 1/3 --to 0.1*3+1 --points 7",
        "analyze inverse slider-crank-bodies --drive crank_angle --points 7",
        "analyze penalty slider-crank",
        "sweep ugly.toml --over b=0.1:0.3:3 --to 2*pi --every 1/3",
        "sweep ugly.toml --over x=-0.3:0.3:3 --measure last:theta --measure max:x",
        "sweep ugly.toml --over b=0.3:0.1:3",
    ];
    let mut ugly = Vec::new();
    for command in commands {
        let arguments: Vec<&str> = command.split(' ').collect();
        let answer = folder.run(&arguments);
        for text in [&answer.output, &answer.message] {
            ugly.extend(ugly_numbers(text).iter().map(|found| format!("{command}: {found}")));
        }
    }
    assert!(ugly.is_empty(), "{}", ugly.join("\n"));
}
