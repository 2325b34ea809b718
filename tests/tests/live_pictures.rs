//! Pictures that fill while questions are answered: they grow, they end as the picture of the answer, and looking changes
//! nothing.

use catena::analysis::{Watch, find};
use catena::figure::Figure;
use catena::{Answer, LivePicture};
use catena_tests::ready;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A point of a panel, by its bits.
type Place = (usize, [u64; 2]);

/// How often each point is drawn, on all curves of a figure.
fn points(figure: &Figure) -> BTreeMap<Place, usize> {
    let mut points = BTreeMap::new();
    for (panel, shown) in figure.panels.iter().enumerate() {
        for series in &shown.series {
            let pairs = series.x.iter().zip(&series.y);
            for (x, y) in pairs.filter(|(x, y)| x.is_finite() && y.is_finite()) {
                *points.entry((panel, [x.to_bits(), y.to_bits()])).or_default() += 1;
            }
        }
    }
    points
}

fn asked(
    question: &str,
    model: &str,
    options: &[(&str, &str)],
    threads: usize,
    picture: Option<&LivePicture<'_>>,
) -> Answer {
    // a second goes by whenever the work is looked at
    let seconds = AtomicU64::new(0);
    let now = || seconds.load(Ordering::Relaxed) as f64;
    let stop = |_| {
        seconds.fetch_add(1, Ordering::Relaxed);
        false
    };
    let watch = Watch { clock: &now, stop: &stop, threads, picture };
    let analysis = find(question).expect("a question of the catalogue");
    let answer = catena::ask_seen(analysis, &ready(model, &[]), options, false, &watch);
    answer.unwrap_or_else(|refusal| panic!("{question}: {refusal}"))
}

/// Asks with somebody looking, and finds that the pictures grow into that of the answer.
fn fills(question: &str, model: &str, options: &[(&str, &str)]) {
    for threads in [1, 2] {
        let seen: Mutex<Vec<BTreeMap<Place, usize>>> = Mutex::new(Vec::new());
        let show = |figure: &Figure| seen.lock().unwrap().push(points(figure));
        let picture = LivePicture::new(&show);
        let answer = asked(question, model, options, threads, Some(&picture));
        let seen = seen.lock().unwrap();
        let counts: Vec<usize> = seen.iter().map(|points| points.values().sum()).collect();
        assert!(counts.len() >= 2, "{question}: {} pictures on {threads} threads", counts.len());
        assert!(counts.is_sorted(), "{question} shrinks: {counts:?}");
        assert!(counts.last() > counts.first(), "{question} does not grow: {counts:?}");
        let drawn = points(&answer.figure);
        for (place, count) in seen.last().unwrap() {
            let kept = drawn.get(place).copied().unwrap_or(0);
            assert!(kept >= *count, "{question} loses a point on {threads} threads: {place:?}");
        }
        let unseen = asked(question, model, options, threads, None);
        // as text, because what is not a number is not equal to itself
        let [one, other] = [&answer, &unseen].map(|answer| format!("{:?}", answer.figure));
        assert_eq!(one, other, "{question}: somebody looked");
        assert_eq!(answer.result, unseen.result, "{question}: somebody looked");
    }
}

#[test]
fn a_response_fills_point_by_point() {
    fills("response", "triple-pendulum", &[("over", "f=0.2:0.5:7"), ("over", "R=0.5,1")]);
}

#[test]
fn a_bifurcation_diagram_fills_column_by_column() {
    let options = [("over", "drive=1:1.05:4"), ("transient", "20"), ("keep", "8")];
    fills("bifurcation", "driven-pendulum", &options);
}

#[test]
fn a_section_fills_point_by_point() {
    fills("poincare", "double-pendulum", &[("points", "40")]);
}

#[test]
fn a_map_of_classes_and_a_curve_of_them_fill_cell_by_cell() {
    // several blocks of lanes for each thread
    let one = [("over", "drive=0.9:1.5:96"), ("periods", "64")];
    fills("classify", "driven-pendulum", &one);
    let two = [("over", "drive=0.9:1.5:12"), ("over", "tune=0.5:0.9:8"), ("periods", "64")];
    fills("classify", "driven-pendulum", &two);
}

#[test]
fn basins_fill_start_by_start() {
    // enough of them that several pictures are drawn on the way
    let options = [("over", "theta=-3:3:60"), ("over", "theta'=-2:2:60"), ("periods", "64")];
    let seen: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let show = |figure: &Figure| seen.lock().unwrap().push(points(figure).len());
    let picture = LivePicture::new(&show);
    let answer = asked("basins", "driven-pendulum", &options, 2, Some(&picture));
    let counts = seen.lock().unwrap();
    assert!(counts.len() >= 2 && counts.is_sorted(), "{counts:?}");
    let unseen = asked("basins", "driven-pendulum", &options, 2, None);
    assert_eq!(answer.figure, unseen.figure);
    assert_eq!(answer.result, unseen.result);
}

#[test]
fn exponents_fill_with_time_and_their_maps_cell_by_cell() {
    fills("lyapunov", "double-pendulum", &[("t_end", "60"), ("copies", "2")]);
    fills("lyapunov", "driven-pendulum", &[("over", "drive=0.9:1.5:96"), ("t_end", "60")]);
}

#[test]
fn a_followed_curve_fills_point_by_point() {
    fills("continuation", "driven-pendulum", &[("over", "drive=0.5:0.95"), ("depth", "0")]);
}

#[test]
fn a_comparison_fills_way_by_way() {
    let seen: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let show = |figure: &Figure| {
        let all = points(figure);
        seen.lock().unwrap().push(all.values().sum());
    };
    let picture = LivePicture::new(&show);
    let options = [("t_end", "0.5"), ("formulations", "multipliers,projection,baumgarte")];
    let answer = asked("compare", "four-bar", &options, 1, Some(&picture));
    let counts = seen.lock().unwrap();
    assert!(counts.len() >= 2 && counts.is_sorted(), "{counts:?}");
    assert!(points(&answer.figure).values().sum::<usize>() >= *counts.last().unwrap());
}

#[test]
fn nobody_is_shown_more_than_ten_pictures_a_second() {
    let (seen, ticks) = (AtomicU64::new(0), AtomicU64::new(0));
    // a hundredth of a second each time
    let now = || ticks.fetch_add(1, Ordering::Relaxed) as f64 * 0.01;
    let show = |_: &Figure| {
        seen.fetch_add(1, Ordering::Relaxed);
    };
    let picture = LivePicture::new(&show);
    let watch = Watch { clock: &now, picture: Some(&picture), ..Watch::UNSEEN };
    let analysis = find("poincare").expect("a question of the catalogue");
    let model = ready("double-pendulum", &[]);
    catena::ask_seen(analysis, &model, &[("points", "200")], false, &watch).expect("an answer");
    let (seen, seconds) = (seen.into_inner() as f64, ticks.into_inner() as f64 * 0.01);
    assert!(seen > 1.0 && seen <= 1.0 + 10.0 * seconds, "{seen} pictures in {seconds} s");
}
