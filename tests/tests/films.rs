//! Films against the tables of the same runs: a frame shows where things are, and filming changes nothing.

use catena::model::{Anchor, Carrier, Film, PartShape, Track};
use catena::simulation::Run;
use catena::{CoordinateSet, FrameTimes, Model, RunSettings};
use catena_tests::{ready, written, zoo};

/// A point of a film in a frame, m.
fn place(film: &Film, Anchor { carrier, at: [x, y] }: Anchor, frame: usize) -> [f64; 2] {
    let value = |track: usize| film.tracks[track][frame];
    match carrier {
        Carrier::Ground => [x, y],
        Carrier::Point([tx, ty]) => [value(tx) + x, value(ty) + y],
        Carrier::Body([tx, ty, angle]) => {
            let (s, c) = value(angle).sin_cos();
            [value(tx) + x * c - y * s, value(ty) + x * s + y * c]
        }
    }
}

fn gap(film: &Film, [a, b]: [Anchor; 2], frame: usize) -> f64 {
    let ([x1, y1], [x2, y2]) = (place(film, a, frame), place(film, b, frame));
    (x1 - x2).hypot(y1 - y2)
}

fn filmed(model: &Model, settings: &RunSettings, frames: FrameTimes) -> Run {
    let run = catena::film_run(model, settings, &frames, &mut |_| false);
    run.unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

fn film(run: &Run) -> &Film {
    run.film.as_ref().expect("it was filmed")
}

fn trail(film: &Film) -> Anchor {
    let mut trails = film.sketch.parts.iter().rev().filter_map(|part| match part.shape {
        PartShape::Trail(at) => Some(at),
        _ => None,
    });
    trails.next().expect("something is watched")
}

/// Finds every bit of two runs the same, and all that they say about themselves but how long they took.
fn assert_same(one: &Run, other: &Run, what: &str) {
    assert!(one.table.names().eq(other.table.names()), "{what}: other columns");
    for name in one.table.names() {
        let [one, other] = [one, other].map(|run| run.table.column(name).unwrap_or_default());
        let differs = one.iter().zip(other).position(|(a, b)| a.to_bits() != b.to_bits());
        assert_eq!(differs, None, "{what}: the first row of `{name}` that differs");
        assert_eq!(one.len(), other.len(), "{what}: rows");
    }
    let said = |run: &Run| {
        let mut certificate = run.certificate.clone();
        (certificate.seconds, certificate.preparation_seconds) = (0.0, 0.0);
        format!("{certificate:#?} {:#?}", run.events)
    };
    let (one, other) = (said(one), said(other));
    let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    assert_eq!(differs, None, "{what}");
}

#[test]
fn every_ready_system_says_what_it_looks_like() {
    for system in catena::systems::SYSTEMS {
        let model = ready(system.name, &[]);
        for set in [CoordinateSet::Own, CoordinateSet::Absolute] {
            let sketch = model.sketch(set);
            assert!(!sketch.is_empty(), "{} in {set:?}", system.name);
            let moves = |carrier: Carrier| carrier != Carrier::Ground;
            let moving = sketch.parts.iter().any(|part| match &part.shape {
                PartShape::Link { carrier, .. } => moves(*carrier),
                PartShape::Line { points, .. } => points.iter().any(|at| moves(at.carrier)),
                PartShape::Bar(ends) => ends.iter().any(|at| moves(at.carrier)),
                PartShape::Disc { centre, .. } => moves(centre.carrier),
                PartShape::Trail(at) => moves(at.carrier),
                _ => false,
            });
            assert!(moving, "{} in {set:?} has something that moves", system.name);
        }
    }
}

/// The tracks of a film are formulas: with the columns of the same run in them they have the same values.
#[test]
fn the_frames_of_every_ready_system_show_what_its_rows_say() {
    for (name, model, set) in zoo(4) {
        let sketch = model.sketch(set);
        let formulas = sketch.tracks.iter().filter_map(|track| match track {
            Track::Formula(formula) => Some(formula),
            Track::Output(_) => None,
        });
        let mut names: Vec<String> = formulas
            .flat_map(|formula| formula.names().map(|(name, primes, _)| (name, primes)))
            .filter(|(name, _)| *name != "t" && model.parameter(name).is_none())
            .map(|(name, primes)| name.to_owned() + &"'".repeat(primes))
            .collect();
        names.sort_unstable();
        names.dedup();
        let columns: Vec<&str> = names.iter().map(String::as_str).collect();
        let (end, rows) = (0.8, 8);
        let settings =
            RunSettings::new().t_end(end).every(end / 8.0).columns(&columns).no_certify();
        let settings = match set {
            CoordinateSet::Absolute => settings.formulation("multipliers"),
            _ => settings,
        };
        let times = (0..=rows).map(|row| end * f64::from(row) / f64::from(rows)).collect();
        let run = filmed(&model, &settings, FrameTimes::At(times));
        let film = film(&run);
        assert_eq!(film.times, run.table.column("t").unwrap_or_default(), "{name}");
        for (track, values) in film.sketch.tracks.iter().zip(&film.tracks) {
            let Track::Formula(formula) = track else { continue };
            for (row, value) in values.iter().enumerate() {
                let expected = formula.evaluate(|known, primes| {
                    let column = known.to_owned() + &"'".repeat(primes);
                    let column = run.table.column(&column).map(|column| column[row]);
                    column.or(model.parameter(known)).unwrap_or(f64::NAN)
                });
                let error = (value - expected).abs();
                assert!(error <= 1e-9 * (1.0 + expected.abs()), "{name}: {error:e} in row {row}");
            }
        }
    }
}

/// Small swings of a pendulum of length l have the angle θ₀ cos(√(g/l) t), apart from θ₀³.
#[test]
fn a_pendulum_is_where_the_closed_form_puts_it() {
    let model = written(
        r#"
        parameters = { g = 9.81 }
        [chain]
        links = 1
        mass = 1
        length = 0.5
        shape = "bob"
        start = [0.001]
        "#,
    );
    let settings = RunSettings::new().t_end(3.0).tolerance(1e-10).no_certify();
    let run = filmed(&model, &settings, FrameTimes::Evenly(61));
    let film = film(&run);
    let bob = trail(film);
    assert_eq!(film.len(), 61);
    for frame in 0..film.len() {
        let angle = 0.001 * ((9.81_f64 / 0.5).sqrt() * film.times[frame]).cos();
        let [x, y] = place(film, bob, frame);
        let error = (x - 0.5 * angle.sin()).hypot(y + 0.5 * angle.cos());
        assert!(error < 1e-9, "{error:e} m at {} s", film.times[frame]);
    }
}

#[test]
fn filming_changes_no_bit_of_a_run() {
    let fixed = |settings: RunSettings| settings.step(0.002);
    let plain = |settings: RunSettings| settings.tolerance(1e-6);
    type Steps = fn(RunSettings) -> RunSettings;
    let cases: [(&str, &str, &str, Steps); 12] = [
        ("double-pendulum", "minimal", "dopri5", plain),
        ("chain", "recursive", "dop853", plain),
        ("chain", "multipliers", "rk4", fixed),
        ("four-bar", "projection", "tsit5", plain),
        ("four-bar-bodies", "null-space", "radau5", plain),
        ("four-bar-bodies", "recursive", "dopri5", plain),
        ("slider-crank-bodies", "augmented-lagrangian", "rk4", fixed),
        ("quick-return", "multipliers", "dopri5", plain),
        ("double-wishbone", "baumgarte", "dopri5", plain),
        ("elastic-pendulum", "minimal", "leapfrog", fixed),
        ("four-bar-bodies", "", "generalized-alpha", fixed),
        ("scissor-lift", "", "hht", fixed),
    ];
    for (system, formulation, integrator, steps) in cases {
        let model = ready(system, &[]);
        let settings = RunSettings::new().integrator(integrator);
        let settings = match formulation {
            // structural methods advance the constrained system itself
            "" => settings,
            formulation => settings.formulation(formulation),
        };
        let settings = steps(settings.t_end(1.0).every(0.05).no_certify());
        let bare = catena::run(&model, &settings)
            .unwrap_or_else(|error| panic!("{system}: {formulation}, {integrator}: {error}"));
        let run = filmed(&model, &settings, FrameTimes::Evenly(333));
        assert_eq!(film(&run).len(), 333, "{system} with {formulation} and {integrator}");
        assert_same(&run, &bare, &format!("{system}: {formulation}, {integrator}"));
    }
}

#[test]
fn filming_changes_no_bit_of_a_run_that_chooses_its_methods_and_is_certified() {
    for system in ["double-pendulum", "double-wishbone", "cart-pendulum", "lorenz"] {
        let model = ready(system, &[]);
        let settings = RunSettings::new().t_end(1.0);
        let bare = catena::run(&model, &settings).expect("it runs");
        let run = filmed(&model, &settings, FrameTimes::ToWatch);
        assert_same(&run, &bare, system);
        assert!(film(&run).len() > 100);
    }
}

#[test]
fn the_pins_of_assembled_mechanisms_are_closed() {
    for (name, model, _) in zoo(4) {
        let (film, failure) = catena::film_of_start(&model, 0.0);
        assert!(failure.is_none(), "{name}: {failure:?}");
        for part in &film.sketch.parts {
            if let PartShape::Pin { ends, .. } = part.shape {
                let gap = gap(&film, ends, 0);
                assert!(gap < 1e-9, "{name}: `{}` is open by {gap:e} m", part.name);
            }
        }
    }
}

#[test]
fn pins_that_cannot_close_are_open_by_what_the_message_says() {
    let model = written(include_str!("../browser/models/open-loop.toml"));
    let (film, failure) = catena::film_of_start(&model, 0.0);
    let Some(catena::simulation::AssemblyError::Unsatisfied { residuals, .. }) = failure else {
        panic!("a frame of 3 m is not spanned by 2.3 m: {failure:?}");
    };
    // 0.7 m are missing; the start goes half of the way from every side
    let gaps: f64 = ["O", "B", "C", "D"]
        .iter()
        .map(|joint| {
            let pin = film.sketch.parts.iter().find_map(|part| match part.shape {
                PartShape::Pin { ends, .. } if part.name == *joint => Some(ends),
                _ => None,
            });
            let gap = gap(&film, pin.expect("every joint has a pin"), 0);
            let residual = |axis: &str| {
                let name = format!("{joint}_{axis}");
                residuals.iter().find(|(other, _)| *other == name).map_or(0.0, |(_, value)| *value)
            };
            let said = residual("x").hypot(residual("y"));
            assert!((gap - said).abs() < 1e-9, "{joint}: {gap} m, and the message has {said} m");
            gap
        })
        .sum();
    assert!(gaps > 0.69, "the gaps together are at least what is missing: {gaps} m");
}

#[test]
fn a_chain_looks_the_same_in_every_set_of_coordinates() {
    let model = ready("chain", &["links=40"]);
    let settings = RunSettings::new().t_end(1.0).tolerance(1e-9).no_certify();
    let times = FrameTimes::Evenly(11);
    let one = filmed(&model, &settings.clone().formulation("recursive"), times.clone());
    let other = filmed(&model, &settings.formulation("multipliers"), times);
    let (one, other) = (film(&one), film(&other));
    assert_eq!(one.sketch.parts.len(), other.sketch.parts.len());
    for frame in 0..11 {
        let [[x1, y1], [x2, y2]] = [one, other].map(|film| place(film, trail(film), frame));
        let apart = (x1 - x2).hypot(y1 - y2);
        assert!(apart < 1e-4, "the tips are {apart:e} m apart at {} s", one.times[frame]);
    }
    assert!(other.constraint_error.len() == 11 && one.constraint_error.is_empty());
}

#[test]
fn a_pivot_that_is_moved_moves_in_the_film() {
    let model = written(
        r#"
        parameters = { a = 0.2 }
        [chain]
        links = 2
        mass = 1
        length = 1
        start = "hanging"
        [chain.pivot]
        x = "a*sin(3*t)"
        "#,
    );
    let run = filmed(&model, &RunSettings::new().t_end(2.0).no_certify(), FrameTimes::Evenly(21));
    let film = film(&run);
    let first = film.sketch.parts.iter().find_map(|part| match part.shape {
        PartShape::Pin { ends, .. } if part.name == "joint1" => Some(ends),
        _ => None,
    });
    let ends = first.expect("the first link has a pin");
    for frame in 0..21 {
        let [x, y] = place(film, ends[0], frame);
        let expected = 0.2 * (3.0 * film.times[frame]).sin();
        assert!((x - expected).abs() < 1e-12 && y == 0.0, "({x}, {y}) m in frame {frame}");
        assert!(gap(film, ends, frame) < 1e-9);
    }
}

#[test]
fn the_arrows_of_joints_are_the_columns_of_forces() {
    for (system, set, joints) in [
        ("four-bar-bodies", &[][..], &["O", "B", "C"][..]),
        ("quick-return", &[], &["slot", "wrist", "guide"]),
        ("chain", &["links=40"], &["joint1", "joint20", "joint40"]),
    ] {
        let model = ready(system, set);
        let names: Vec<String> =
            joints.iter().flat_map(|joint| ["fx", "fy"].map(|f| format!("{joint}_{f}"))).collect();
        let columns: Vec<&str> = names.iter().map(String::as_str).collect();
        let settings = RunSettings::new().t_end(1.0).every(0.125).columns(&columns).no_certify();
        let times = (0..=8).map(|row| 0.125 * f64::from(row)).collect();
        let run = filmed(&model, &settings, FrameTimes::At(times));
        let film = film(&run);
        for joint in joints {
            let force = film.sketch.parts.iter().find_map(|part| match part.shape {
                PartShape::Pin { force, .. } if part.name == *joint => force,
                _ => None,
            });
            let tracks = force.unwrap_or_else(|| panic!("{system}: `{joint}` has an arrow"));
            let largest = tracks.iter().flat_map(|track| &film.tracks[*track]);
            let largest = largest.fold(0.0, |most: f64, force| most.max(force.abs()));
            assert!(largest > 1e-3, "{joint} does something: {largest} N");
            for (track, axis) in tracks.into_iter().zip(["fx", "fy"]) {
                let column = run.table.column(&format!("{joint}_{axis}")).expect("a column");
                for (drawn, said) in film.tracks[track].iter().zip(column) {
                    let error = (drawn - said).abs();
                    assert!(error <= 1e-9 * (1.0 + said.abs()), "{system}, {joint}: {error:e} N");
                }
            }
        }
    }
}

#[test]
fn a_run_that_is_stopped_half_way_has_its_film_so_far() {
    let model = ready("double-pendulum", &[]);
    let settings = RunSettings::new().t_end(100.0).no_certify();
    let mut asked = 0;
    let run = catena::film_run(&model, &settings, &FrameTimes::Evenly(1001), &mut |_| {
        asked += 1;
        asked > 3
    });
    let run = run.expect("what is stopped is no failure");
    assert_eq!(run.certificate.stop, catena::simulation::StopReason::Cancelled);
    let film = film(&run);
    assert!(film.len() < 1001, "{} frames", film.len());
    assert!(film.times.iter().all(|time| *time <= run.certificate.time));
    assert!(film.tracks.iter().all(|track| track.len() == film.len()));
}

#[test]
fn a_run_that_fails_half_way_has_its_film_up_to_there() {
    // the square root ends at x = 1
    let model = written(
        r#"
        coordinates = { x = "mass" }
        initial = { x = 0, "x'" = 1 }
        energy = { kinetic = "1/2*x'^2" }
        forces = { x = "sqrt(1 - x)" }
        [draw]
        mass = { as = "disc", points = [["x", "0"]] }
        "#,
    );
    let run = filmed(&model, &RunSettings::new().t_end(4.0).no_certify(), FrameTimes::Evenly(401));
    assert!(matches!(run.certificate.stop, catena::simulation::StopReason::Failed { .. }));
    let film = film(&run);
    assert!(film.len() > 40 && film.len() < 400, "{} frames", film.len());
    let last = *film.tracks[0].last().expect("a frame");
    assert!(last > 0.9 && last <= 1.0 + 1e-6, "it came to x = {last}");
}

#[test]
fn thinned_films_keep_their_ends_and_held_ones_stand_still() {
    let model = ready("single-pendulum", &[]);
    let run = filmed(&model, &RunSettings::new().t_end(1.0).no_certify(), FrameTimes::Evenly(11));
    let film = film(&run);
    let thin = film.clone().thinned(4);
    assert_eq!(thin.times, [0, 4, 8, 10].map(|at| film.times[at]));
    assert_eq!(thin.tracks[0], [0, 4, 8, 10].map(|at| film.tracks[0][at]));
    assert_eq!(thin.energy_error.len(), 4);
    let longer: Vec<f64> = (0..20).map(|at| 0.1 * f64::from(at)).collect();
    let held = film.clone().held(&longer);
    assert_eq!(held.len(), 20);
    for track in 0..film.tracks.len() {
        assert_eq!(held.tracks[track][..11], film.tracks[track][..]);
        assert!(held.tracks[track][11..].iter().all(|value| value == &film.tracks[track][10]));
    }
}
