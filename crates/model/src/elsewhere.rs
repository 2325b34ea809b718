//! Names that other programs and textbooks use for what model files call otherwise.

use catena_symbolic::GREEK_LETTERS;

/// Endings and beginnings by which derivatives are written elsewhere, with the primes that say the same.
const DOTTED_ENDINGS: [(&str, &str); 12] = [
    ("_ddot", "''"),
    ("ddot", "''"),
    ("_dotdot", "''"),
    ("_pp", "''"),
    ("_dot", "'"),
    ("dot", "'"),
    ("_dt", "'"),
    ("_prime", "'"),
    ("_vel", "'"),
    ("_acc", "''"),
    ("_p", "'"),
    ("_d", "'"),
];
const DOTTED_BEGINNINGS: [(&str, &str); 8] = [
    ("dd", "''"),
    ("d2", "''"),
    ("ddot_", "''"),
    ("der_", "'"),
    ("dot_", "'"),
    ("d_", "'"),
    ("d", "'"),
    ("v_", "'"),
];
/// Letters with dots that are one character.
const DOTTED_LETTERS: [(char, &str); 6] =
    [('ẋ', "x'"), ('ẏ', "y'"), ('ż', "z'"), ('ẍ', "x''"), ('ṙ', "r'"), ('ṡ', "s'")];

const SUPERSCRIPTS: [(char, char); 4] = [('²', '2'), ('³', '3'), ('⁴', '4'), ('¹', '1')];

/// What to write for a name that a model does not have, if it is one that means something elsewhere.
pub(crate) fn name_help(name: &str, known: &[String]) -> Option<String> {
    let is_known = |name: &str| known.iter().any(|other| other == name);
    let write = |text: &str| Some(format!("write `{text}`"));
    match name {
        "π" | "Pi" | "PI" | "π_" => return write("pi"),
        "e" | "E" => return Some("for the exponential function write `exp(x)`".to_owned()),
        "time" | "Time" | "TIME" => return Some("time is written `t`".to_owned()),
        "inf" | "Inf" | "oo" | "nan" | "NaN" => {
            return Some("a formula has finite numbers only".to_owned());
        }
        "g" | "gravity" => {
            return Some("gravity is a parameter: add g = 9.81 under [parameters]".to_owned());
        }
        _ => {}
    }
    // a power that looks like a part of the name
    if let Some((base, power)) = SUPERSCRIPTS
        .iter()
        .find_map(|(sign, digit)| name.strip_suffix(*sign).map(|base| (base, digit)))
    {
        return write(&format!("{base}^{power}"));
    }
    let typewritten = typewritten(name);
    if typewritten != name
        && (is_known(&typewritten) || is_known(typewritten.trim_end_matches('\'')))
    {
        return write(&typewritten);
    }
    let endings = DOTTED_ENDINGS
        .iter()
        .filter_map(|(ending, primes)| name.strip_suffix(ending).map(|base| (base, *primes)));
    let beginnings = DOTTED_BEGINNINGS
        .iter()
        .filter_map(|(beginning, primes)| name.strip_prefix(beginning).map(|base| (base, *primes)));
    // theta_dot1, thetadot1
    let inner =
        [("_dot", "'"), ("dot", "'"), ("_ddot", "''")].into_iter().filter_map(|(mark, primes)| {
            let (base, index) = name.split_once(mark)?;
            index
                .chars()
                .all(|digit| digit.is_ascii_digit())
                .then(|| (format!("{base}{index}"), primes))
        });
    let mut meant =
        endings.chain(beginnings).map(|(base, primes)| (base.to_owned(), primes)).chain(inner);
    let (base, primes) = meant.find(|(base, _)| is_known(base))?;
    let order = if primes == "'" { "a" } else { "the second" };
    Some(format!("{order} time derivative is written with primes: `{base}{primes}`"))
}

/// The name as it is typed: Greek letters by name, indices as digits, typeset primes as apostrophes.
fn typewritten(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        match character {
            '₀'..='₉' => text.push(char::from(b'0' + (character as u32 - '₀' as u32) as u8)),
            '’' | '′' | '‘' | '´' | 'ʹ' | 'ʼ' => text.push('\''),
            '″' => text.push_str("''"),
            _ => match (
                GREEK_LETTERS.iter().find(|(letter, _)| *letter == character),
                DOTTED_LETTERS.iter().find(|(letter, _)| *letter == character),
            ) {
                (Some((_, name)), _) => text.push_str(name),
                (_, Some((_, dotted))) => text.push_str(dotted),
                _ => text.push(character),
            },
        }
    }
    text
}

/// Keys and sections of other programs, in lower case and without separators, and what they are called here. Of several
/// meanings the first that the section knows is meant.
const KEYS: &[(&[&str], &[&str])] = &[
    (&["constants", "params", "variables", "constant"], &["parameters"]),
    (&["dofs", "q", "generalizedcoordinates", "states"], &["coordinates", "states"]),
    (&["expressions", "functions", "auxiliary", "kinematics"], &["definitions"]),
    (&["lagrangian", "energies"], &["energy"]),
    (&["loads", "generalizedforces", "inputs"], &["forces", "force"]),
    (&["loop", "holonomic", "closure", "equations"], &["constraints"]),
    (&["initialconditions", "ic", "ics", "x0", "q0", "y0", "init"], &["initial"]),
    (&["simulation", "solver", "time", "settings", "options"], &["run"]),
    (&["sensors", "results", "plot", "columns"], &["outputs"]),
    (&["animation", "graphics", "drawing", "shapes", "visual"], &["draw"]),
    (&["link", "links", "bodies", "part", "rigidbody", "rod", "bar"], &["body", "links"]),
    (&["joints", "constraint", "connection", "pair"], &["joint"]),
    (&["springs", "damper", "dampers", "springdamper"], &["spring"]),
    (&["rotationalspring", "torsionalspring", "torsionspring"], &["torsion-spring"]),
    (&["moment", "moments", "torques"], &["torque"]),
    (&["actuator", "driver", "drive", "motion", "motors"], &["motor"]),
    (&["frame", "world", "base", "fixed"], &["ground"]),
    (&["name", "heading"], &["title"]),
    (&["t", "ke", "kineticenergy"], &["kinetic"]),
    (&["v", "u", "pe", "potentialenergy"], &["potential"]),
    (&["d", "damping", "rayleigh"], &["dissipation", "damping"]),
    (
        &["tend", "tfinal", "tf", "tstop", "stoptime", "endtime", "duration", "end", "to", "tmax"],
        &["t_end"],
    ),
    (&["tstart", "start", "starttime", "begin", "t0"], &["t_start"]),
    (&["dt", "timestep", "h", "stepsize"], &["step"]),
    (&["outputstep", "interval", "sampling", "saveat", "dtout"], &["every"]),
    (&["method", "scheme", "algorithm"], &["integrator"]),
    (&["tol", "tolerance", "reltol"], &["rtol"]),
    (&["abstol"], &["atol"]),
    (&["maxdt", "hmax"], &["max_step"]),
    (&["m"], &["mass"]),
    (&["l"], &["length"]),
    (&["j", "i", "izz", "jzz", "ixx", "momentofinertia"], &["inertia"]),
    (&["com", "cg", "cog", "cm", "centerofmass", "center", "centreofmass"], &["centre"]),
    (&["markers", "nodes"], &["points"]),
    (&["theta", "rotation", "orientation", "phi"], &["angle"]),
    (&["speed", "omega", "rate", "rpm", "velocity", "w"], &["angle"]),
    (&["k", "c"], &["stiffness", "friction"]),
    (&["b", "dampingcoefficient"], &["damping", "friction"]),
    (&["freelength", "restlength", "l0", "naturallength"], &["length"]),
    (&["freeangle", "restangle"], &["angle"]),
    (&["bodies", "body1", "body2", "from", "to", "connects", "ends"], &["between"]),
    (&["body", "at", "point", "applied"], &["on"]),
    (&["kind", "jointtype"], &["type"]),
    (&["direction", "guide"], &["axis"]),
    (&["magnitude", "torque", "m"], &["value"]),
    (&["fx"], &["x"]),
    (&["fy"], &["y"]),
    (&["condition", "expression", "trigger"], &["when"]),
    (&["stop", "final"], &["terminal"]),
    (&["number", "count", "copies"], &["repeat"]),
];

/// What a key or a section is called here, if the place knows one of that meaning.
pub(crate) fn key_meant<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let written = plain(name);
    if let Some(same) = known.iter().find(|key| plain(key) == written) {
        return Some(same);
    }
    KEYS.iter()
        .filter(|(names, _)| names.contains(&written.as_str()))
        .flat_map(|(_, meanings)| *meanings)
        .find_map(|meaning| known.iter().find(|key| key == meaning))
        .map(String::as_str)
}

/// Types of joints as others call them.
const JOINT_TYPES: &[(&[&str], &str)] = &[
    (&["pin", "hinge", "rotational", "rotation", "rotary", "pivot", "revolution", "r"], "revolute"),
    (&["slider", "sliding", "translational", "translation", "linear", "guide", "p"], "prismatic"),
    (&["fixed", "rigid", "clamp", "fix", "welded", "lock"], "weld"),
    (&["slot", "pinslot", "pininslot", "slotpin", "inline"], "pin-in-slot"),
    (&["rod", "link", "bar", "cable", "tie", "strut", "coupler", "masslesslink"], "distance"),
    (&["gears", "gearpair", "belt", "chain", "mesh"], "gear"),
    (&["rackandpinion", "rackpinion", "pinion"], "rack"),
    (&["cam", "follower", "camfollower"], "cam-follower"),
];

/// What a type of joint is called here.
pub(crate) fn joint_type_meant(name: &str) -> Option<&'static str> {
    let written = name.to_lowercase().replace(['_', '-', ' '], "");
    let written = written.strip_suffix("joint").unwrap_or(&written);
    JOINT_TYPES.iter().find(|(names, _)| names.contains(&written)).map(|(_, meant)| *meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::JOINTS;

    #[test]
    fn derivatives_are_found_under_their_other_names() {
        let known: Vec<String> = ["x", "theta1", "s", "mu"].map(str::to_owned).into();
        for (name, meant) in [
            ("xdot", "`x'`"),
            ("x_dot", "`x'`"),
            ("dx", "`x'`"),
            ("xddot", "`x''`"),
            ("thetadot1", "`theta1'`"),
            ("theta1_dot", "`theta1'`"),
            ("ẋ", "`x'`"),
            ("θ₁", "`theta1`"),
            ("x′", "`x'`"),
            ("x²", "`x^2`"),
            ("π", "`pi`"),
            ("time", "`t`"),
            ("μ", "`mu`"),
        ] {
            let help = name_help(name, &known).unwrap_or_else(|| panic!("{name}"));
            assert!(help.contains(meant), "{name}: {help}");
        }
        assert_eq!(name_help("ydot", &known), None);
        assert_eq!(name_help("wind", &known), None);
    }

    #[test]
    fn joints_are_found_under_their_other_names() {
        for (_, meant) in JOINT_TYPES {
            assert!(JOINTS.iter().any(|kind| kind.name == *meant), "{meant}");
        }
        assert_eq!(joint_type_meant("Slider"), Some("prismatic"));
        assert_eq!(joint_type_meant("hinge joint"), Some("revolute"));
        assert_eq!(joint_type_meant("pin_slot"), Some("pin-in-slot"));
        assert_eq!(joint_type_meant("screw"), None);
    }

    #[test]
    fn a_key_is_meant_only_where_it_exists() {
        let run: Vec<String> = ["t_end", "step", "rtol"].map(str::to_owned).into();
        assert_eq!(key_meant("t_stop", &run), Some("t_end"));
        assert_eq!(key_meant("dt", &run), Some("step"));
        assert_eq!(key_meant("tEnd", &run), Some("t_end"));
        assert_eq!(key_meant("method", &run), None);
    }
}
