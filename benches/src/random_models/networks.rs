//! Masses on springs and dampers: in a row, with springs to the ground and across.

use super::{number, run, scaled, whole};
use catena::derivation::Random;
use std::fmt::Write;

/// Springs of constant stiffness.
pub(super) fn linear(random: &mut Random) -> String {
    network(random, false, false)
}

/// Springs that stiffen.
pub(super) fn cubic(random: &mut Random) -> String {
    network(random, true, false)
}

/// Both, with dampers.
pub(super) fn damped(random: &mut Random) -> String {
    let cubic = whole(random, 0, 1) == 1;
    network(random, cubic, true)
}

fn network(random: &mut Random, cubic: bool, damped: bool) -> String {
    let masses = whole(random, 1, 6);
    let (mut kinetic, mut potential, mut dissipation) =
        ("0".to_owned(), "0".to_owned(), "0".to_owned());
    let (mut coordinates, mut initial) = (String::new(), String::new());
    for i in 1..=masses {
        let _ = writeln!(coordinates, "x{i} = \"displacement, m\"");
        let _ = writeln!(initial, "x{i} = {}", number(random, -1.0, 1.0));
        let _ = writeln!(initial, "\"x{i}'\" = {}", number(random, -2.0, 2.0));
        let _ = write!(kinetic, " + 1/2*{}*x{i}'^2", scaled(random, 0.2, 5.0));
        let mut ends = vec![if i == 1 { "x1".to_owned() } else { format!("(x{i} - x{})", i - 1) }];
        if i > 2 && whole(random, 0, 2) == 0 {
            let other = whole(random, 1, i - 2);
            ends.push(format!("(x{i} - x{other})"));
        }
        for end in ends {
            let _ = write!(potential, " + 1/2*{}*{end}^2", scaled(random, 1.0, 400.0));
            if cubic {
                let _ = write!(potential, " + 1/4*{}*{end}^4", scaled(random, 1.0, 200.0));
            }
            if damped {
                let rate = end.replace(" -", "' -").replace(')', "')");
                let rate = if rate.contains('\'') { rate } else { format!("{rate}'") };
                let _ = write!(dissipation, " + 1/2*{}*{rate}^2", scaled(random, 0.05, 3.0));
            }
        }
    }
    let t_end = random.between(4.0, 12.0);
    format!(
        "[coordinates]\n{coordinates}[energy]\nkinetic = \"{kinetic}\"\npotential = \"{potential}\"\n\
         dissipation = \"{dissipation}\"\n[initial]\n{initial}{}",
        run(t_end)
    )
}
