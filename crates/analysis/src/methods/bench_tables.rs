//! The figures of a bench as tables that people read.

use super::bench::BenchOutcome;
use crate::fit::exponent;
use catena_model::power_of_ten;

/// A table: headings and rows.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchTable {
    /// Of the columns.
    pub headings: Vec<String>,
    /// As many cells as headings.
    pub rows: Vec<Vec<BenchCell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum BenchCell {
    /// Words.
    Text(String),
    /// A time, s.
    Seconds(f64),
    /// An error.
    Error(f64),
    /// A power.
    Exponent(f64),
    /// Nothing was measured, or the run failed.
    None,
}

/// Time against links, against tolerance, and against the error that was reached.
pub fn bench_tables(outcomes: &[BenchOutcome]) -> Vec<(String, BenchTable)> {
    let measured = Measured(outcomes);
    let mut tables = Vec::new();
    for every in measured.all(|o| o.outcome.every) {
        for integrator in measured.integrators() {
            let part: Vec<BenchOutcome> = outcomes
                .iter()
                .filter(|o| o.outcome.every == every && o.outcome.integrator == integrator)
                .cloned()
                .collect();
            let what = format!("{integrator}, rows every {every} s");
            tables.extend(Measured(&part).tables(&what));
        }
    }
    tables
}

struct Measured<'a>(&'a [BenchOutcome]);

impl Measured<'_> {
    fn tables(&self, what: &str) -> Vec<(String, BenchTable)> {
        let links = self.all(|o| o.links as f64);
        let tolerances = self.all(|o| o.outcome.tolerance);
        let (Some(&longest), Some(&tightest)) = (links.last(), tolerances.first()) else {
            return Vec::new();
        };
        let mut tables = Vec::new();
        if links.len() > 1 {
            let title =
                format!("Time against links at tolerance {} ({what})", power_of_ten(tightest));
            tables.push((title, self.against_links(&links, tightest)));
        }
        let title = format!("Time against tolerance, {longest} links ({what})");
        tables.push((title, self.against_tolerance(&tolerances, longest)));
        let title = format!("Time against error, {longest} links ({what})");
        tables.push((title, self.against_error(longest)));
        tables
    }

    /// All values of a quantity, each once, ascending.
    fn all(&self, value: fn(&BenchOutcome) -> f64) -> Vec<f64> {
        let mut values: Vec<f64> = self.0.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }

    fn formulations(&self) -> Vec<&'static str> {
        let order = catena_formulation::FORMULATIONS.iter().map(|entry| entry.name);
        order.filter(|name| self.0.iter().any(|o| o.outcome.formulation == *name)).collect()
    }

    fn integrators(&self) -> Vec<&'static str> {
        let order = catena_integrator::INTEGRATORS.iter().map(|entry| entry.name);
        order.filter(|name| self.0.iter().any(|o| o.outcome.integrator == *name)).collect()
    }

    fn find(&self, formulation: &str, links: f64, tolerance: f64) -> Option<&BenchOutcome> {
        self.0.iter().find(|o| {
            o.outcome.formulation == formulation
                && o.links as f64 == links
                && o.outcome.tolerance == tolerance
                && o.outcome.failure.is_none()
        })
    }

    fn time(&self, formulation: &str, links: f64, tolerance: f64) -> BenchCell {
        let found = self.find(formulation, links, tolerance);
        found.map_or(BenchCell::None, |o| BenchCell::Seconds(o.outcome.seconds))
    }

    fn headings(&self, first: &str) -> Vec<String> {
        let names = self.formulations().into_iter().map(str::to_owned);
        std::iter::once(first.to_owned()).chain(names).collect()
    }

    fn against_links(&self, links: &[f64], tolerance: f64) -> BenchTable {
        let mut rows = Vec::new();
        for &n in links {
            let mut row = vec![BenchCell::Text(n.to_string())];
            row.extend(self.formulations().iter().map(|name| self.time(name, n, tolerance)));
            rows.push(row);
        }
        let mut last = vec![BenchCell::Text("exponent".into())];
        for name in self.formulations() {
            let points: Vec<(f64, f64)> = links
                .iter()
                .filter_map(|&n| Some((n, self.find(name, n, tolerance)?.outcome.seconds)))
                .collect();
            last.push(exponent(&points).map_or(BenchCell::None, BenchCell::Exponent));
        }
        rows.push(last);
        BenchTable { headings: self.headings("links"), rows }
    }

    fn against_tolerance(&self, tolerances: &[f64], links: f64) -> BenchTable {
        let row = |&tolerance: &f64| {
            let mut row = vec![BenchCell::Text(power_of_ten(tolerance))];
            row.extend(self.formulations().iter().map(|name| self.time(name, links, tolerance)));
            row
        };
        BenchTable {
            headings: self.headings("tolerance"),
            rows: tolerances.iter().rev().map(row).collect(),
        }
    }

    /// The most exact first: what an error costs, whatever tolerance it took.
    fn against_error(&self, links: f64) -> BenchTable {
        let mut chosen: Vec<&BenchOutcome> = self
            .0
            .iter()
            .filter(|o| o.links as f64 == links && o.outcome.failure.is_none())
            .collect();
        chosen.sort_by(|a, b| b.outcome.error.error.total_cmp(&a.outcome.error.error));
        let row = |o: &&BenchOutcome| {
            vec![
                BenchCell::Text(o.outcome.formulation.to_owned()),
                BenchCell::Text(power_of_ten(o.outcome.tolerance)),
                match o.outcome.error.diverged {
                    true => BenchCell::Text("parts".into()),
                    false => BenchCell::Error(o.outcome.error.error),
                },
                BenchCell::Seconds(o.outcome.seconds),
                BenchCell::Text(o.outcome.statistics.evaluations.to_string()),
            ]
        };
        BenchTable {
            headings: ["formulation", "tolerance", "error", "time", "evaluations"]
                .map(str::to_owned)
                .to_vec(),
            rows: chosen.iter().map(row).collect(),
        }
    }
}
