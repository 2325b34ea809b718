//! Films on the way: what the page's player moves.

use catena::analysis::AnswerFilm;
use catena::figure::Figure;
use catena::{Animation, Film};
use serde_json::{Value, json};

/// The films of an animation with their clock; none if there is nothing to see.
pub(crate) fn film_set(animation: &Animation) -> Option<Value> {
    let player = animation.player()?;
    let mut set: Value = serde_json::from_str(&player.data()).ok()?;
    for (film, shown) in set["films"].as_array_mut()?.iter_mut().zip(&player.films) {
        film["svg"] = json!(shown.svg());
        film["label"] = json!(shown.label);
        film["verdict"] = json!(shown.verdict);
    }
    Some(set)
}

/// One pose as a film of one frame.
pub(crate) fn pose(title: &str, film: Film) -> Option<Value> {
    let films = vec![AnswerFilm { label: String::new(), film, verdict: None }];
    film_set(&Animation {
        title: title.to_owned(),
        about: String::new(),
        films,
        figure: None,
        clock: None,
        duration: None,
        speed: None,
    })
}

/// A figure as the page's plots read it.
pub(crate) fn figure(figure: &Figure) -> Value {
    serde_json::from_str(&figure.data()).unwrap_or(Value::Null)
}
