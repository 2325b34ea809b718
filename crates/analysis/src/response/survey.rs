//! Steady responses at many points, side by side.

use super::settling::{Approach, Layout};
use super::{Point, Settling, Stop};
use catena_ensemble::{Engine, Task, Workload};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Points one after the other: each begins where the one before has settled.
pub(super) struct Course {
    /// Where the first one begins; the model's own start if absent.
    pub(super) start: Option<Vec<f64>>,
    /// How fast the slowest mode dies out, 1/s.
    pub(super) decay_rate: Option<f64>,
    pub(super) stations: Vec<Station>,
}

/// Courses by their number, with their points.
type Walked = Vec<(usize, Vec<Point>)>;

/// One point of a course.
pub(super) struct Station {
    /// What the engine varies, the frequency first.
    pub(super) values: Vec<f64>,
    /// Of the drive, s.
    pub(super) period: f64,
}

/// What all threads know.
pub(super) struct Survey<'a> {
    pub(super) engine: &'a Engine,
    pub(super) layout: Layout,
    pub(super) settling: Settling,
    /// rtol and atol of the integrator.
    pub(super) tolerances: [f64; 2],
    pub(super) threads: usize,
}

impl Survey<'_> {
    /// The points of all courses; none if it was stopped.
    pub(super) fn run(&self, courses: &[Course], stop: &Stop<'_>) -> Option<Vec<Vec<Point>>> {
        // the longest first, so that threads end together
        let mut order: Vec<usize> =
            (0..courses.len()).filter(|&at| !courses[at].stations.is_empty()).collect();
        order.sort_by_key(|&at| courses[at].stations.len());
        let waiting = Mutex::new(order);
        let total = courses.iter().map(|course| course.stations.len()).sum::<usize>().max(1);
        let arrived = AtomicUsize::new(0);
        let stopped = || stop(arrived.load(Ordering::Relaxed) as f64 / total as f64);
        let work = || {
            let places = (0..self.engine.lanes()).map(|_| None).collect();
            let mut surveyor = Surveyor {
                survey: self,
                courses,
                waiting: &waiting,
                arrived: &arrived,
                places,
                done: Vec::new(),
            };
            let finished = self.engine.runner().run(&mut surveyor, &stopped);
            finished.then_some(surveyor.done)
        };
        let useful = courses.len().div_ceil(self.engine.lanes()).max(1);
        let threads = self.threads.clamp(1, useful);
        let found: Vec<Option<Walked>> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut found = vec![work()];
            found.extend(others.into_iter().map(|thread| thread.join().unwrap_or(None)));
            found
        });
        let mut points: Vec<Vec<Point>> = courses.iter().map(|_| Vec::new()).collect();
        for (course, walked) in found.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten()
        {
            points[course] = walked;
        }
        Some(points)
    }
}

/// A thread's share.
struct Surveyor<'a> {
    survey: &'a Survey<'a>,
    courses: &'a [Course],
    /// The next one last.
    waiting: &'a Mutex<Vec<usize>>,
    /// How many points are done, of all threads.
    arrived: &'a AtomicUsize,
    places: Vec<Option<Walk>>,
    done: Walked,
}

/// A course under way.
struct Walk {
    course: usize,
    points: Vec<Point>,
    approach: Approach,
    /// Where the next leg begins.
    state: Option<Vec<f64>>,
}

impl Surveyor<'_> {
    fn approach(&self, course: usize, station: usize) -> Approach {
        let Survey { layout, settling, tolerances, .. } = *self.survey;
        let Course { stations, decay_rate, .. } = &self.courses[course];
        Approach::new(layout, settling, tolerances, stations[station].period, *decay_rate)
    }

    fn begin(&self) -> Option<Walk> {
        let course = self.waiting.lock().ok()?.pop()?;
        let state = self.courses[course].start.clone();
        Some(Walk { course, points: Vec::new(), approach: self.approach(course, 0), state })
    }
}

impl Workload for Surveyor<'_> {
    fn next(&mut self, place: usize, task: &mut Task) -> bool {
        let under_way = self.places[place].take().or_else(|| self.begin());
        let Some(mut walk) = under_way else { return false };
        let station = &self.courses[walk.course].stations[walk.points.len()];
        task.values.clone_from(&station.values);
        task.start.clone_from(&walk.state);
        task.times = Some(walk.approach.next_leg());
        self.places[place] = Some(walk);
        true
    }

    fn row(&mut self, place: usize, _t: f64, columns: &[f64]) {
        if let Some(walk) = &mut self.places[place] {
            walk.approach.add(columns);
        }
    }

    fn end(&mut self, place: usize, outcome: Result<(), String>) {
        let Some(mut walk) = self.places[place].take() else { return };
        let stations = &self.courses[walk.course].stations;
        let frequency = stations[walk.points.len()].values[0];
        let ended_early = || "the motion ended before its time, as at a terminal event".to_owned();
        let judged = outcome.and_then(|()| walk.approach.judge(frequency).ok_or_else(ended_early));
        let (point, finished) = judged.unwrap_or_else(|reason| {
            (Point::failed(frequency, self.survey.layout.outputs, reason), true)
        });
        // after a failure there is nowhere to go on from
        walk.state = (!point.state.is_empty()).then(|| point.state.clone());
        if finished {
            walk.points.push(point);
            self.arrived.fetch_add(1, Ordering::Relaxed);
            if walk.points.len() == stations.len() {
                self.done.push((walk.course, walk.points));
                return;
            }
            walk.approach = self.approach(walk.course, walk.points.len());
        }
        self.places[place] = Some(walk);
    }
}
