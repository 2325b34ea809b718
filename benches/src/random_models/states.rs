//! Models of first-order states alone.

use super::{number, run, scaled, whole};
use catena::derivation::Random;
use std::fmt::Write;

/// ż = A z with rotations that decay.
pub(super) fn linear(random: &mut Random) -> String {
    let count = whole(random, 2, 5);
    let (mut states, mut initial) = (String::from("[states]\n"), String::from("[initial]\n"));
    let mut turning = vec![vec![0.0; count]; count];
    for i in 0..count {
        for j in 0..i {
            turning[i][j] = random.between(-4.0, 4.0);
            turning[j][i] = -turning[i][j];
        }
        turning[i][i] = -random.between(0.0, 0.6);
    }
    for (i, row) in turning.iter().enumerate() {
        let terms: Vec<String> =
            row.iter().enumerate().map(|(j, entry)| format!("({entry:.4})*z{j}")).collect();
        let _ = writeln!(states, "z{i} = \"{}\"", terms.join(" + "));
        let _ = writeln!(initial, "z{i} = {}", number(random, -3.0, 3.0));
    }
    let t_end = random.between(3.0, 15.0);
    states + &initial + &run(t_end)
}

/// Prey and predators, a chemical clock, an epidemic, or an oscillator that excites itself.
pub(super) fn reactions(random: &mut Random) -> String {
    let (a, b) = (number(random, 0.5, 2.0), number(random, 0.3, 1.5));
    let (rates, start, t_end) = match whole(random, 0, 3) {
        0 => (
            vec![("u", format!("{a}*u - u*w")), ("w", format!("{b}*u*w - w"))],
            vec!["1.5", "0.7"],
            random.between(8.0, 25.0),
        ),
        1 => (
            vec![("u", format!("1 + u^2*w - ({a} + 2)*u")), ("w", format!("({a} + 1)*u - u^2*w"))],
            vec!["1.2", "2.1"],
            random.between(5.0, 15.0),
        ),
        2 => (
            vec![
                ("s", format!("-2*{a}*s*i")),
                ("i", format!("2*{a}*s*i - {b}*i")),
                ("r", format!("{b}*i")),
            ],
            vec!["0.99", "0.01", "0"],
            random.between(5.0, 20.0),
        ),
        _ => (
            vec![("u", "w".to_owned()), ("w", format!("{a}*(1 - u^2)*w - u"))],
            vec!["0.5", "0"],
            random.between(8.0, 20.0),
        ),
    };
    system(&rates, &start, t_end)
}

/// Lorenz's convection, Rössler's band.
pub(super) fn strange_attractor(random: &mut Random) -> String {
    let t_end = random.between(8.0, 30.0);
    if whole(random, 0, 1) == 0 {
        let rho = number(random, 20.0, 40.0);
        let rates = [
            ("x", "10*(y - x)".to_owned()),
            ("y", format!("x*({rho} - z) - y")),
            ("z", "x*y - 8/3*z".to_owned()),
        ];
        return system(&rates, &["1", "1.5", "20"], t_end);
    }
    let c = number(random, 4.0, 10.0);
    let rates = [
        ("x", "-y - z".to_owned()),
        ("y", "x + 0.2*y".to_owned()),
        ("z", format!("0.2 + z*(x - {c})")),
    ];
    system(&rates, &["1", "1", "0"], 3.0 * t_end)
}

/// Slow reactions beside fast ones, relaxation oscillations, heat in a rod.
pub(super) fn stiff(random: &mut Random) -> String {
    match whole(random, 0, 2) {
        0 => {
            let (slow, fast) = (scaled(random, 0.01, 0.1), scaled(random, 1e3, 1e4));
            let (a, b) = (
                format!("-{slow}*a + {fast}*b*c"),
                format!("{slow}*a - {fast}*b*c - 1000*{fast}*b^2"),
            );
            let rates = [("a", a), ("b", b), ("c", format!("1000*{fast}*b^2"))];
            system(&rates, &["1", "0", "0"], random.between(10.0, 100.0))
        }
        1 => {
            let mu = scaled(random, 20.0, 300.0);
            let rates = [("u", "w".to_owned()), ("w", format!("{mu}*(1 - u^2)*w - u"))];
            system(&rates, &["2", "0"], random.between(5.0, 40.0))
        }
        _ => {
            let conductivity = scaled(random, 100.0, 5000.0);
            let rates = [
                ("h1", format!("{conductivity}*(h2 - 2*h1 + sin(t))")),
                ("h2", format!("{conductivity}*(h1 - 2*h2 + h3)")),
                ("h3", format!("{conductivity}*(h2 - 2*h3 + h4)")),
                ("h4", format!("{conductivity}*(h3 - h4)")),
            ];
            system(&rates, &["0", "0.3", "0.1", "0"], random.between(3.0, 10.0))
        }
    }
}

fn system(rates: &[(&str, String)], start: &[&str], t_end: f64) -> String {
    let (mut states, mut initial) = (String::from("[states]\n"), String::from("[initial]\n"));
    for ((name, rate), start) in rates.iter().zip(start) {
        let _ = writeln!(states, "{name} = \"{rate}\"");
        let _ = writeln!(initial, "{name} = {start}");
    }
    states + &initial + &run(t_end)
}
