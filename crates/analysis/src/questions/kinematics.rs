//! A mechanism led through its range: where its parts go, and what that takes.

use super::Analysis;
use crate::facts::columns_json;
use crate::panels::table_figure;
use crate::words::{Words, fixed, plain};
use crate::{
    Answer, AnswerFilm, AnswerFilms, ChangePoint, DeadPoint, Drive, DriveError, DrivePeriod,
    Driven, Question, Refusal, Watch, drive_watched, transmission,
};
use catena_model::{CoordinateSet, Kind, Model, OptionRow, Options, Track, wildcard};
use catena_simulation::{Column, RunError, Table, expand_columns, film_of_poses};
use serde_json::json;

/// The row of the catalogue.
pub(super) static KINEMATICS: Analysis = Analysis {
    name: "kinematics",
    summary: "positions, velocities and accelerations over the range of a drive, and its dead points",
    needs: "one degree of freedom to drive, or motors",
    options: OPTIONS,
    example: "four-bar --drive theta2 --columns theta4",
    moves: true,
    ..Analysis::answered_by(|question, watch| ask(&KINEMATICS, question, watch, motion_columns))
};

/// The row of the catalogue.
pub(super) static INVERSE: Analysis = Analysis {
    name: "inverse",
    summary: "the force or torque that drives the mechanism, and all forces in its joints",
    needs: "one degree of freedom to drive, or motors",
    options: OPTIONS,
    example: "slider-crank-bodies --drive crank_angle",
    moves: true,
    ..Analysis::answered_by(|question, watch| ask(&INVERSE, question, watch, force_columns))
};

static OPTIONS: &[&OptionRow] =
    &[&DRIVE, &FROM, &TO, &RATE, &POINTS, &TRANSMISSION, &COLUMNS, &AGAINST];
static DRIVE: OptionRow =
    OptionRow::new("drive", Kind::Word, "The coordinate that drives the mechanism")
        .value_name("COORDINATE")
        .default("the motors of the model");
static FROM: OptionRow =
    OptionRow::new("from", Kind::Number, "First value of the driven coordinate, or of the time")
        .value_name("VALUE")
        .any_unit()
        .default("where the mechanism starts");
static TO: OptionRow = OptionRow::new(
    "to",
    Kind::Number,
    "Last value of the driven coordinate, or of the time",
)
.value_name("VALUE")
.any_unit()
.default(
    "one turn past the first; for a length 2π m past it; for the time t_end of the model, a period of its motors or 2π s",
);
static RATE: OptionRow = OptionRow::new("rate", Kind::Number, "Rate of the driven coordinate, 1/s")
    .value_name("RATE")
    .unit("1/s")
    .default("1");
static POINTS: OptionRow =
    OptionRow::new("points", Kind::Count(0), "Number of points").value_name("N").default("361");
static TRANSMISSION: OptionRow = OptionRow::new(
    "transmission",
    Kind::Words,
    "Two angles, such as those of coupler and rocker: adds the transmission angle between them, folded to 0…90°",
)
.value_name("A,B");
static COLUMNS: OptionRow = OptionRow::new(
    "columns",
    Kind::Words,
    "Only these columns; * stands for any letters, as in B_*",
)
.value_name("A,B,...");
static AGAINST: OptionRow = OptionRow::new(
    "against",
    Kind::Word,
    "Draw against this column instead, such as tip_x for the path of a point",
)
.value_name("COLUMN");

/// More coordinates than this that turn back in a dead point are counted, not listed.
const MAX_LISTED_COORDINATES: usize = 4;

/// Which columns a question is about, where none are named.
type UsualColumns = fn(&Model, &Table) -> Vec<String>;

fn ask(
    row: &'static Analysis,
    question: &Question<'_>,
    watch: &Watch<'_>,
    usual: UsualColumns,
) -> Result<Answer, Refusal> {
    let (model, options) = (question.model, question.options);
    let points = options.count(&POINTS).unwrap_or(361) as usize;
    if points < 2 {
        return Err(Refusal::of_question("a range has at least 2 points", "write {points} 361"));
    }
    let coordinate = options.word(&DRIVE).map(str::to_owned);
    let end = range_end(model, options);
    let asked = meant_columns(model, options.words(&COLUMNS));
    let request = Drive {
        from: options.number(&FROM),
        to: end.value(),
        rate: options.number(&RATE).unwrap_or(1.0),
        points,
        coordinate,
        columns: asked.clone(),
    };
    let driven = drive_watched(model, &request, watch.stop).map_err(|error| refused(&error))?;
    let mut whole = driven.table.clone();
    match options.words(&TRANSMISSION) {
        [] => {}
        [first, second] => whole = with_transmission(whole, first, second)?,
        _ => {
            let help = "write {transmission} theta3,theta4";
            return Err(Refusal::of_question("a transmission angle lies between two angles", help));
        }
    }
    let first = whole.columns[0].name.clone();
    let mut columns = match asked.as_slice() {
        [] => usual(model, &whole),
        asked => matching_columns(&whole, asked)?,
    };
    // who asks for the angle wants to see it, whichever columns stand beside it
    if options.is_given(&TRANSMISSION) && !columns.iter().any(|name| name == TRANSMISSION_COLUMN) {
        columns.push(TRANSMISSION_COLUMN.to_owned());
    }
    let mut kept = vec![first.clone()];
    kept.extend(columns.iter().filter(|name| **name != first).cloned());
    let unknown = |name: &str| Refusal::unknown("column", name, whole.names());
    let chosen = whole.select(&kept).map_err(|name| unknown(&name))?;
    let against = options.word(&AGAINST).unwrap_or(&first);
    if whole.column(against).is_none() {
        return Err(unknown(against));
    }
    let mut answer = Answer::new(row.name, &model.title);
    answer.figure =
        table_figure(&model.title, &whole, against, &columns, options.is_given(&COLUMNS));
    let dead = |point: &DeadPoint| {
        let DeadPoint { at, turning_back, going_on } = point;
        json!({ "at": at, "turning_back": turning_back, "going_on": going_on })
    };
    let change = |point: &ChangePoint| json!({ "at": point.at, "decided": point.is_decided });
    answer.table = if options.is_given(&COLUMNS) { chosen.clone() } else { whole };
    answer.settings = json!({ "drive": first, "points": driven.table.len() });
    answer.result = json!({
        "columns": columns_json(&answer.table),
        "dead_points": driven.dead_points.iter().map(dead).collect::<Vec<_>>(),
        "change_points": driven.change_points.iter().map(change).collect::<Vec<_>>(),
    });
    say_range(&mut answer.words, &end, &driven);
    if question.is_filmed {
        answer.films = Some(film(model, &driven, against == first));
    }
    say_extremes(&mut answer.words, &chosen);
    say_change_points(&mut answer, &driven);
    say_dead_points(&mut answer, &driven);
    let known = driven.table.len();
    if known < points && driven.dead_points.is_empty() {
        answer.note_interruption(format!("{known} of {points} points are known"));
    }
    Ok(answer)
}

/// The names that are asked for: patterns mean the columns of a run that match, those of driven mechanisms alone are left to
/// their table.
fn meant_columns(model: &Model, asked: &[String]) -> Vec<String> {
    let meant = |name: &String| {
        let names = expand_columns(&model.own, std::slice::from_ref(name));
        names.unwrap_or_else(|_| vec![name.clone()])
    };
    asked.iter().flat_map(meant).collect()
}

/// The names of a table that are asked for, each once.
fn matching_columns(table: &Table, asked: &[String]) -> Result<Vec<String>, Refusal> {
    let mut columns: Vec<String> = Vec::new();
    for pattern in asked {
        let found: Vec<&str> =
            table.names().filter(|name| wildcard::matches(pattern, name)).collect();
        if found.is_empty() && wildcard::is_pattern(pattern) {
            let (pattern, known) = (pattern.clone(), table.names().map(str::to_owned).collect());
            return Err(RunError::NoMatchingColumn { pattern, known }.into());
        } else if found.is_empty() {
            return Err(Refusal::unknown("column", pattern, table.names()));
        }
        let new = found.into_iter().filter(|name| !columns.iter().any(|known| known == name));
        columns.extend(new.map(str::to_owned).collect::<Vec<_>>());
    }
    Ok(columns)
}

/// Seconds that it takes to watch a mechanism go through its range.
const FILM_DURATION: f64 = 8.0;

/// The mechanism going through its range; forces are those of the table.
fn film(model: &Model, driven: &Driven, with_figure: bool) -> AnswerFilms {
    let table = &driven.table;
    let drive = &table.columns[0];
    let coordinates = model.own.coordinates.iter();
    let columns: Vec<&[f64]> =
        coordinates.map(|coordinate| table.column(&coordinate.name).unwrap_or_default()).collect();
    let times = table.column("t");
    let rows: Vec<(f64, Vec<f64>)> = (0..table.len())
        .map(|row| {
            let q = columns.iter().map(|column| column.get(row).copied().unwrap_or(0.0));
            (times.map_or(0.0, |times| times[row]), q.collect())
        })
        .collect();
    let poses = rows.iter().map(|(t, q)| (*t, q.as_slice(), &[][..]));
    let mut film = film_of_poses(model, CoordinateSet::Own, poses);
    for (track, values) in film.sketch.tracks.iter().zip(&mut film.tracks) {
        if let Track::Output(name) = track
            && let Some(column) = table.column(name)
        {
            values.copy_from_slice(column);
        }
    }
    film.times = drive.numbers().to_vec();
    let films = vec![AnswerFilm { label: String::new(), film, verdict: None }];
    let clock = Some([drive_name(drive).to_owned(), drive.unit.to_string()]);
    AnswerFilms { films, clock, duration: Some(FILM_DURATION), with_figure }
}

/// The column that `--transmission` adds.
const TRANSMISSION_COLUMN: &str = "transmission";

fn with_transmission(table: Table, first: &str, second: &str) -> Result<Table, Refusal> {
    let angle = |name: &str| {
        table.column(name).ok_or_else(|| Refusal::unknown("column", name, table.names()))
    };
    let folded = transmission(angle(first)?, angle(second)?);
    Ok(table.with_numbers(TRANSMISSION_COLUMN, "rad", folded))
}

/// Coordinates, velocities and accelerations: they stand behind the driven value.
fn motion_columns(model: &Model, table: &Table) -> Vec<String> {
    let count = 3 * model.own.coordinates.len();
    table.names().skip(1).take(count).map(str::to_owned).collect()
}

fn force_columns(model: &Model, table: &Table) -> Vec<String> {
    let is_definition = |name: &str| model.own.definitions.iter().any(|entry| entry.name == name);
    let forces = table.names().skip(1 + 3 * model.own.coordinates.len());
    let kept = forces.filter(|name| !name.starts_with("lambda_") && !is_definition(name));
    kept.map(str::to_owned).collect()
}

fn refused(error: &DriveError) -> Refusal {
    let message = error.to_string();
    match error {
        DriveError::UnknownCoordinate { name, known } => Refusal {
            message,
            ..Refusal::unknown("coordinate", name, known.iter().map(String::as_str))
        },
        DriveError::NothingDriven => {
            Refusal::of_question(message, "name one with {drive}, as in {drive} theta2")
        }
        DriveError::Undetermined { .. } => Refusal::of_model(
            message,
            "a mechanism is led through its range with one degree of freedom",
        ),
        DriveError::Overdetermined { .. } => Refusal::of_question(message, "leave {drive} out"),
        DriveError::StartsInChangePoint { .. } => {
            Refusal::of_model(message, "give a start a little away from this pose under [initial]")
        }
        _ => Refusal::of_model(message, "{check} says more about the model"),
    }
}

/// The smallest and the largest value of each column, and where.
fn say_extremes(words: &mut Words, table: &Table) {
    let drive = table.columns[0].numbers();
    let mut rows = Vec::new();
    for column in &table.columns[1..] {
        let values = column.numbers();
        let order = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
        let all = 0..values.len();
        let (Some(low), Some(high)) = (all.clone().min_by(order), all.max_by(order)) else {
            continue;
        };
        let ends = [values[low], drive[low], values[high], drive[high]];
        let numbers = ends.iter().map(|value| fixed(*value, 6));
        rows.push(std::iter::once(with_unit(&column.name, &column.unit)).chain(numbers).collect());
    }
    let at = format!("at {}", with_unit(drive_name(&table.columns[0]), &table.columns[0].unit));
    words.table(["", "smallest", &at, "largest", &at], rows);
}

/// Where a range ends, and who says so.
enum RangeEnd {
    /// The question, or `t_end` of a model that motors move.
    Named(f64),
    /// The motors begin again.
    Period(f64),
    /// Nobody.
    Open,
}

impl RangeEnd {
    fn value(&self) -> Option<f64> {
        match self {
            RangeEnd::Named(end) | RangeEnd::Period(end) => Some(*end),
            RangeEnd::Open => None,
        }
    }
}

fn range_end(model: &Model, options: &Options) -> RangeEnd {
    if let Some(end) = options.number(&TO) {
        return RangeEnd::Named(end);
    }
    if options.is_given(&DRIVE) {
        return RangeEnd::Open;
    }
    if let Some(end) = model.run.t_end {
        return RangeEnd::Named(end);
    }
    let from = options.number(&FROM).or(model.run.t_start).unwrap_or(0.0);
    let period = DrivePeriod::find(model).and_then(|period| period.at(&model.parameter_values()));
    period.map_or(RangeEnd::Open, |period| RangeEnd::Period(from + period))
}

/// Where a range without a natural end was ended: a whole turn needs no word.
fn say_range(words: &mut Words, end: &RangeEnd, driven: &Driven) {
    match end {
        RangeEnd::Named(_) => return,
        RangeEnd::Period(end) => {
            words.say(format!(
                "no end is named: one period of the drive, until t = {} s",
                fixed(*end, 4)
            ));
            return;
        }
        RangeEnd::Open if driven.driven_by_angle => return,
        RangeEnd::Open => {}
    }
    let first = &driven.table.columns[0];
    let Some(from) = first.numbers().first() else { return };
    let to = fixed(from + std::f64::consts::TAU, 4);
    words.say(format!(
        "no end is named: {} is led from {} to {to}, 2π past its start",
        with_unit(drive_name(first), &first.unit),
        fixed(*from, 4),
    ));
}

/// "tip_x, m"
fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name}, {unit}") }
}

/// What is driven, as the model names it.
fn drive_name(column: &Column) -> &str {
    column.name.trim_start_matches("drive_")
}

/// "crank_angle = 1.570796327 (90°)"
fn driven_value(driven: &Driven, at: f64) -> String {
    let name = drive_name(&driven.table.columns[0]);
    match driven.driven_by_angle {
        true => {
            let degrees = (1e6 * at.to_degrees()).round() / 1e6;
            format!("{name} = {} ({}°)", fixed(at, 9), plain(degrees))
        }
        false => format!("{name} = {}", fixed(at, 9)),
    }
}

fn say_change_points(answer: &mut Answer, driven: &Driven) {
    for ChangePoint { at, is_decided } in &driven.change_points {
        let place = driven_value(driven, *at);
        let text = match is_decided {
            true => format!(
                "at {place} branches of the motion cross; shown is the one whose velocities are continuous, \
                 and forces are not determined there"
            ),
            false => format!(
                "at {place} branches of the motion touch with the same velocities: nothing decides which one \
                 the mechanism takes; shown is the one whose accelerations are continuous"
            ),
        };
        answer.words.remark("change point", text.as_str());
        if !is_decided {
            answer.shortfall = Some(format!("change point: {text}"));
        }
    }
}

fn say_dead_points(answer: &mut Answer, driven: &Driven) {
    for DeadPoint { at, turning_back, going_on } in &driven.dead_points {
        let mut text =
            format!("at {} it cannot drive the mechanism further", driven_value(driven, *at));
        let mut names: Vec<String> = turning_back.iter().map(|name| format!("`{name}`")).collect();
        if names.len() > MAX_LISTED_COORDINATES {
            let more = names.len() - MAX_LISTED_COORDINATES;
            names.truncate(MAX_LISTED_COORDINATES);
            names.push(format!("{more} more"));
        }
        match names.as_slice() {
            [] => {}
            [name] => text += &format!("; {name} turns back there"),
            [names @ .., last] => {
                text += &format!("; {} and {last} turn back there", names.join(", "));
            }
        }
        if let Some(name) = going_on.as_ref().filter(|_| !names.is_empty()) {
            text += &format!(", `{name}` goes on");
        }
        answer.words.remark("dead point", text.as_str());
        answer.shortfall = Some(format!("dead point: {text}"));
    }
}
