//! What becomes of attempts that did not simply lead to the next step.

use super::lane_control::LaneControl;
use super::lane_failure::LaneFailure;
use super::lane_steps::LaneSteps;
use crate::method::Failure;
use catena_linear::Aligned;

/// Whether the attempts of all lanes that run led somewhere. A defect is 0 or NaN.
pub(super) fn are_sound(steps: &LaneSteps, [state, rate]: &[Aligned; 2]) -> bool {
    let mut lanes = state.iter().zip(rate.iter()).enumerate();
    lanes.all(|(i, (state, rate))| !steps.is_running(i) || (*state == 0.0 && *rate == 0.0))
}

/// Ends lanes whose fixed step was the last, or led nowhere.
pub(super) fn end_fixed(
    steps: &mut LaneSteps,
    [state, rate]: &[Aligned; 2],
    failures: &mut [Option<LaneFailure>],
) {
    for (i, failure) in failures.iter_mut().enumerate() {
        if !steps.is_running(i) {
            continue;
        }
        if state[i] != 0.0 || rate[i] != 0.0 {
            steps.time[i] = steps.previous[i];
            *failure = Some(LaneFailure::NotFinite { time: steps.time[i] });
        } else if steps.time[i] != steps.end[i] && steps.done[i] >= steps.allowed[i] {
            *failure = Some(LaneFailure::StepLimit { time: steps.time[i], steps: steps.done(i) });
        }
        if failure.is_some() {
            steps.fail(i);
        } else if steps.time[i] == steps.end[i] {
            steps.finish(i);
        }
    }
}

/// Ends lanes that have come to their end, and shortens steps that were not accepted; returns whether a lane stopped. Errors
/// are relative to the tolerance; the defect of a state is 0 or NaN.
pub(super) fn settle(
    control: &mut LaneControl,
    steps: &mut LaneSteps,
    (errors, states): (&[f64], &[f64]),
    failures: &mut [Option<LaneFailure>],
) -> bool {
    let mut stopped = false;
    for (i, found) in failures.iter_mut().enumerate() {
        let (time, h, error) = (steps.time[i], steps.h[i].abs(), errors[i]);
        if !steps.is_running(i) || (steps.has_moved(i) && time != steps.end[i]) {
            continue;
        }
        if steps.has_moved(i) {
            steps.finish(i);
            stopped = true;
            continue;
        }
        let inaccurate = states[i] == 0.0 && error > 1.0;
        let failure = match inaccurate {
            true => Failure::Inaccurate { error },
            false => Failure::NotFinite { what: "", component: 0 },
        };
        *found = if steps.done[i] >= steps.allowed[i] {
            Some(LaneFailure::StepLimit { time, steps: steps.done(i) })
        } else if h > steps.span(i).floor() {
            steps.done[i] += 1.0;
            control.reject(i, h, &failure);
            None
        } else if inaccurate {
            Some(LaneFailure::StepTooSmall { time })
        } else {
            Some(LaneFailure::NotFinite { time })
        };
        if found.is_some() {
            steps.fail(i);
            stopped = true;
        }
    }
    stopped
}
