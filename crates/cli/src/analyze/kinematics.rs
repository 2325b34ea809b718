//! `catena analyze kinematics` and `catena analyze inverse`

use super::no_column;
use super::presentation::Presentation;
use crate::output::{table, yellow};
use crate::{FAILED, ModelArguments, WRONG_USAGE, report};
use catena::analysis::{Analysis, INVERSE};
use catena::simulation::{Column, Table, Values};
use catena::{Drive, DriveError, Driven};
use catena_symbolic::nearest;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(super) struct Kinematics {
    #[command(flatten)]
    model: ModelArguments,
    /// The coordinate that leads the mechanism; without it, the motors of the model
    #[arg(long, value_name = "COORDINATE")]
    drive: Option<String>,
    /// First value; where the mechanism starts if absent
    #[arg(long, allow_negative_numbers = true)]
    from: Option<f64>,
    /// Last value; a turn beyond the first if absent
    #[arg(long, allow_negative_numbers = true)]
    to: Option<f64>,
    /// Rate of the driven coordinate, 1/s
    #[arg(long, default_value = "1", allow_negative_numbers = true)]
    rate: f64,
    /// Number of points
    #[arg(long, default_value = "361")]
    points: usize,
    /// Two angles, such as coupler and rocker: the angle between them, folded to 0…90°, is how well force
    /// is transmitted
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    transmission: Vec<String>,
    /// Only these columns
    #[arg(long, value_delimiter = ',')]
    columns: Vec<String>,
    /// Draw against this column instead, such as tip_x for the curve of a point
    #[arg(long, value_name = "COLUMN")]
    against: Option<String>,
    #[command(flatten)]
    presentation: Presentation,
}

impl Kinematics {
    pub(super) fn attempt(&self, question: &'static Analysis) -> Result<ExitCode, ExitCode> {
        let model = self.model.load()?;
        self.presentation.check(catena::TABLE_FORMATS)?;
        if self.points < 2 {
            report::error("a range has at least 2 points", Some("write --points 361"));
            return Err(ExitCode::from(WRONG_USAGE));
        }
        let drive = Drive {
            coordinate: self.drive.clone(),
            from: self.from,
            to: self.to.or_else(|| self.drive.is_none().then_some(model.run.t_end).flatten()),
            rate: self.rate,
            points: self.points,
        };
        let driven = catena::drive(&model, &drive).map_err(|error| refused(&error))?;
        let mut result = driven.table.clone();
        let first = result.columns[0].name.clone();
        match self.transmission.as_slice() {
            [] => {}
            [_, _] => self.add_transmission(&mut result)?,
            _ => {
                report::error("two angles are between", Some("write --transmission theta3,theta4"));
                return Err(ExitCode::from(WRONG_USAGE));
            }
        }
        let columns = match self.columns.as_slice() {
            [] => usual_columns(question, &model, &result),
            columns => columns.to_vec(),
        };
        let mut kept = vec![first.clone()];
        kept.extend(columns.iter().filter(|name| **name != first).cloned());
        let chosen = result.select(&kept).map_err(|name| no_column(&name, &names(&result)))?;
        let against = self.against.clone().unwrap_or(first);
        if result.column(&against).is_none() {
            return Err(no_column(&against, &names(&result)));
        }
        let whole = if self.columns.is_empty() { &result } else { &chosen };
        let drawn = (against.as_str(), columns.as_slice());
        let answer = catena::kinematics_answer(question, &model, &driven, whole, drawn, &result);
        let text = extremes(&chosen) + &dead_points(&driven);
        let printed = self.presentation.present(&answer, &text)?;
        Ok(if driven.dead_points.is_empty() { printed } else { ExitCode::from(FAILED) })
    }

    fn add_transmission(&self, table: &mut Table) -> Result<(), ExitCode> {
        let angles: Vec<&[f64]> = self
            .transmission
            .iter()
            .map(|name| table.column(name).ok_or_else(|| no_column(name, &names(table))))
            .collect::<Result<_, _>>()?;
        let folded = catena::analysis::transmission(angles[0], angles[1]);
        table.columns.push(Column::of_numbers("transmission", "rad", folded));
        Ok(())
    }
}

fn names(table: &Table) -> Vec<String> {
    table.names().map(str::to_owned).collect()
}

/// What the question is about.
fn usual_columns(question: &Analysis, model: &catena::Model, table: &Table) -> Vec<String> {
    let definitions = &model.own.definitions;
    let is_definition = |name: &str| definitions.iter().any(|entry| entry.name == name);
    let force = |name: &str| name.starts_with("force_") || name.starts_with("lambda_");
    let names = table.names().skip(1);
    let motion_end = names.clone().position(force).unwrap_or(names.len());
    if question == &INVERSE {
        let behind = names.skip(motion_end).filter(|name| !name.starts_with("lambda_"));
        behind.filter(|name| !is_definition(name)).map(str::to_owned).collect()
    } else {
        names.take(motion_end).map(str::to_owned).collect()
    }
}

fn refused(error: &DriveError) -> ExitCode {
    let (help, code) = match error {
        DriveError::UnknownCoordinate { name, known } => {
            let near = nearest(name, known.iter().map(String::as_str));
            let near = near.map(|near| format!("did you mean `{near}`?"));
            (near.unwrap_or_else(|| format!("coordinates: {}", known.join(", "))), WRONG_USAGE)
        }
        DriveError::NothingDriven => {
            ("name one with --drive, as in --drive theta2".to_owned(), WRONG_USAGE)
        }
        DriveError::Undetermined { .. } => {
            ("a mechanism is led through its range with one degree of freedom".to_owned(), FAILED)
        }
        DriveError::Overdetermined { .. } => ("leave --drive out".to_owned(), WRONG_USAGE),
        _ => ("`catena check` says more about the model".to_owned(), FAILED),
    };
    report::error(&error.to_string(), Some(&help));
    ExitCode::from(code)
}

/// The smallest and the largest value of each column, and where.
fn extremes(result: &Table) -> String {
    let drive = result.columns[0].numbers();
    let mut rows = Vec::new();
    for Column { name, values, .. } in result.columns.iter().skip(1) {
        let Values::Numbers(column) = values else { continue };
        let order = |a: &usize, b: &usize| column[*a].total_cmp(&column[*b]);
        let rows_of = 0..column.len();
        let (Some(low), Some(high)) = (rows_of.clone().min_by(order), rows_of.max_by(order)) else {
            continue;
        };
        let number = |value: f64| format!("{value:.6}");
        rows.push(vec![
            name.clone(),
            number(column[low]),
            number(drive[low]),
            number(column[high]),
            number(drive[high]),
        ]);
    }
    let at = format!("at {}", result.columns[0].name.trim_start_matches("drive_"));
    table(&["", "smallest", &at, "largest", &at], &rows)
}

fn dead_points(driven: &Driven) -> String {
    let name = driven.table.columns[0].name.trim_start_matches("drive_");
    let line = |point: &catena::analysis::DeadPoint| {
        format!(
            "{} at {name} = {:.9}: it cannot lead the mechanism further; `{}` turns back there\n",
            yellow("dead point"),
            point.at,
            point.coordinate
        )
    };
    driven.dead_points.iter().map(line).collect()
}
