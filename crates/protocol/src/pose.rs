//! A pose that a hand leads: where the mechanism goes when one of its points is pulled.

use crate::numbers::short_floats;
use crate::request::{ModelText, Request};
use crate::{Fault, Host, Workbench};
use catena::Setting;
use catena::model::{Anchor, Carrier};
use catena::simulation::{Drag, DragError, HoldKind};
use serde_json::{Map, Value, json};

/// The model that is being dragged: many poses are asked for, one after the other.
#[derive(Default)]
pub(crate) struct Dragged {
    last: Option<(ModelText, Drag)>,
}

pub(crate) fn pose(
    workbench: &mut Workbench,
    mut request: Request,
    host: &Host<'_>,
) -> Result<Value, Fault> {
    let text = request.take_model(host)?;
    let from = request.take_numbers("q")?;
    let grab = take_grab(&mut request)?;
    let to = request.take_point("to")?;
    request.finish()?;
    let is_known = matches!(&workbench.dragged.last, Some((known, _)) if *known == text);
    if !is_known {
        let model = workbench.read.right(text.clone())?;
        let drag = Drag::new(model).map_err(fault)?;
        workbench.dragged.last = Some((text, drag));
    }
    let Some((_, drag)) = &mut workbench.dragged.last else { return Err(Fault::cancelled()) };
    let from = from.unwrap_or_else(|| drag.start().to_vec());
    let outcome = drag.toward(&from, &grab, to).map_err(fault)?;
    let settings = drag.settings(&outcome.q);
    let held = outcome.held.map(|hold| {
        let kind = match hold.kind {
            HoldKind::DeadPoint => "dead-point",
            _ => "limit",
        };
        json!({ "kind": kind, "message": hold.message })
    });
    Ok(json!({
        "q": outcome.q,
        "reached": outcome.reached,
        "tracks": short_floats(&outcome.tracks),
        "held": held,
        "note": outcome.note,
        "start": { "set": pairs(settings) },
    }))
}

/// A point of something that moves: the tracks of what carries it, and where it is there.
fn take_grab(request: &mut Request) -> Result<Anchor, Fault> {
    let mut grab = request.take_request("grab")?;
    let tracks = grab.take_counts("tracks")?;
    let at = grab.take_point("at")?;
    grab.finish()?;
    let carrier = match tracks.as_slice() {
        [x, y, angle] => Carrier::Body([*x, *y, *angle]),
        [x, y] => Carrier::Point([*x, *y]),
        [] => Carrier::Ground,
        _ => {
            let help = "tracks of x and y of a point, or of x, y and angle of a body";
            return Err(Fault::of_request(format!("{} tracks carry nothing", tracks.len()), help));
        }
    };
    Ok(Anchor { carrier, at })
}

/// Settings as names and texts.
fn pairs(settings: Vec<Setting>) -> Value {
    let pairs = settings.into_iter().filter_map(|Setting(text)| {
        let (name, value) = text.split_once('=')?;
        Some((name.to_owned(), json!(value)))
    });
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn fault(error: DragError) -> Fault {
    Fault::refused(error.to_string(), None)
}
