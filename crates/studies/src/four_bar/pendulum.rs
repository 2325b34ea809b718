//! The single pendulum by the study's method, against its closed form.

use super::conditions::{
    OUTPUT_STEP, PENDULUM_TIME, animation, column, parameter, pendulum_model, release_angle,
    study_method, tolerance_words, tolerances,
};
use super::swing::Swing;
use crate::digits::digits;
use crate::{Claim, Laboratory, Section, StudyError, Verdict};
use catena::figure::{Axis, Dash, Figure, Panel, Series};
use catena::model::fixed;
use catena::simulation::Table;
use catena::{FrameTimes, Model, Run};

/// An angle is right if its error is below this, rad: the absolute tolerance of the study.
const ANGLE_BOUND: f64 = 1e-6;
/// A curve is the path if it misses it nowhere by more than this, m: the absolute tolerance of the study.
const PATH_BOUND: f64 = 1e-6;
/// Both axes of Figure 13, m.
const SQUARE: [f64; 2] = [-5.0, 5.0];
/// Points of curves that are drawn from formulas.
const CURVE_POINTS: usize = 200;

/// The run of the study, and how far the centre is from curves of two kinds.
struct Swung {
    run: Run,
    swing: Swing,
    /// Half the length of the rod, m.
    radius: f64,
    /// y = c₀ + c₁ x + c₂ x², which fits the path best.
    parabola: [f64; 3],
}

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let model = pendulum_model(lab)?;
    let settings = study_method(tolerances(lab)).t_end(PENDULUM_TIME).every(OUTPUT_STEP);
    let run = lab.film(&model, &settings, &FrameTimes::ToWatch)?;
    let swung = Swung::new(&model, run, release_angle(lab)?);
    let mut section = Section::default();
    section.text(format!(
        "A uniform rod swings about its end. The method is that of the study: the system above is solved for accelerations, and `ode45` \
         moves coordinates and velocities at tolerances of {} (relative/absolute); the run took {} steps. The closed form has \
         Jacobi's elliptic functions; a full swing takes {} s, so that the run ends on the way back.",
        tolerance_words(tolerances(lab)),
        swung.run.certificate.statistics.steps,
        fixed(swung.swing.period(), 6)
    ));
    section.formula(
        "θ = 2 arcsin(k sn(K − ω₀ t)),   θ̇ = −2 k ω₀ cn(K − ω₀ t),   k = sin(θ₀/2),   ω₀² = 3g/(2l),   period 4K/ω₀",
    );
    section.figure(
        "figure-13",
        "Figure 13 of the study: the path of the centre, from its start to its end. The circle about the pin lies under it; the parabola is the \
         one that fits the path best",
        swung.path_figure(),
    );
    section.text(
        "The path is an arc: the pin holds the centre at half the length of the rod. The parabola that fits it best crosses it several times, \
         and parts from it beyond its ends.",
    );
    section.figure(
        "pendulum-motion",
        "The angle and the three velocities, which the study's script also plots; dots are the closed form",
        swung.motion_figure(),
    );
    section.figure(
        "pendulum-errors",
        "What is wrong with the run: its angle against the closed form, and the distances of the centre from the circle and from the parabola",
        swung.error_figure(),
    );
    section.table("pendulum", "The pendulum at its end", swung.end_table());
    let [circle, parabola] = swung.misfits();
    section.claim(path_claim(circle, parabola));
    section.claim(response_claim(&swung, tolerances(lab)));
    let mut film = animation("Single pendulum", "multipliers with ode45", vec![("", swung.run)]);
    film.speed = Some(0.5);
    section.film("pendulum-film", "The rod swings on an arc about its pin", film);
    Ok(section)
}

fn path_claim(circle: f64, parabola: f64) -> Claim {
    Claim::new("C2", "the pendulum moves in a parabola")
        .published("Figure 13")
        .measured(
            format!(
                "the centre stays on a circle about the pin to {} m; the best parabola misses it by {} m",
                digits(circle, 2),
                digits(parabola, 2)
            ),
            Verdict::of(parabola <= PATH_BOUND),
        )
        .because(
            "The centre is tied to the pin at a fixed distance, so its path is an arc; only for swings of a degree or so can the two not be told \
             apart at these tolerances.",
        )
}

fn response_claim(swung: &Swung, tolerances: [f64; 2]) -> Claim {
    let [end, exact] = swung.end_angles();
    let error = (end - exact).abs();
    Claim::new("C3", "the response of the pendulum is right")
        .published("curves, no numbers")
        .measured(
            format!(
                "θ({PENDULUM_TIME} s) = {} rad, closed form {} rad, error {} rad at tolerances of {}",
                fixed(end, 9),
                fixed(exact, 9),
                digits(error, 2),
                tolerance_words(tolerances)
            ),
            Verdict::of(error <= ANGLE_BOUND),
        )
        .because(
            "The equations are right and the run is short. Of the two tolerances the larger governs, as coordinates are of the \
             size 1: in the study that is the absolute one.",
        )
}

impl Swung {
    fn new(model: &Model, run: Run, release: f64) -> Swung {
        let swing = Swing::new(model, release);
        let parabola = fitted_parabola(column(&run, "xG"), column(&run, "yG"));
        Swung { run, swing, radius: 0.5 * parameter(model, "l"), parabola }
    }

    /// θ at the end: of the run, and of the closed form.
    fn end_angles(&self) -> [f64; 2] {
        let end = column(&self.run, "theta").last().copied().unwrap_or(f64::NAN);
        [end, self.swing.angle_and_rate(PENDULUM_TIME)[0]]
    }

    /// The distance of the centre from the circle and, upwards, from the parabola, m, on each row.
    fn distances(&self) -> [Vec<f64>; 2] {
        let path = || column(&self.run, "xG").iter().zip(column(&self.run, "yG"));
        let [c0, c1, c2] = self.parabola;
        [
            path().map(|(x, y)| (x.hypot(*y) - self.radius).abs()).collect(),
            path().map(|(x, y)| (y - c0 - x * (c1 + x * c2)).abs()).collect(),
        ]
    }

    fn misfits(&self) -> [f64; 2] {
        self.distances().map(|values| values.into_iter().fold(0.0, f64::max))
    }

    fn path_figure(&self) -> Figure {
        let axis = |label: &str| Axis { range: Some(SQUARE), ..Axis::linear(label) };
        let [x, y] = ["xG", "yG"].map(|name| column(&self.run, name));
        let along = |range: [f64; 2]| -> Vec<f64> {
            let part = |at: usize| at as f64 / CURVE_POINTS as f64;
            (0..=CURVE_POINTS).map(|at| range[0] + (range[1] - range[0]) * part(at)).collect()
        };
        let angles = along([0.0, 2.0 * std::f64::consts::PI]);
        let [c0, c1, c2] = self.parabola;
        let across = along(SQUARE);
        let mut panel = Panel::new("", axis("$x_{G}$, m"), axis("$y_{G}$, m"))
            .with(Series::line("path", x, y))
            .with(
                Series::line(
                    format!("circle of {} m", digits(self.radius, 3)),
                    angles.iter().map(|a| self.radius * a.sin()).collect::<Vec<_>>(),
                    angles.iter().map(|a| -self.radius * a.cos()).collect::<Vec<_>>(),
                )
                .dashed(Dash::Dotted),
            )
            .with(
                Series::line(
                    "best parabola",
                    across.clone(),
                    across.iter().map(|x| c0 + x * (c1 + x * c2)).collect::<Vec<_>>(),
                )
                .dashed(Dash::Dashed),
            );
        for (name, at) in [("start", x.first().zip(y.first())), ("end", x.last().zip(y.last()))] {
            if let Some((x, y)) = at {
                panel = panel.with(Series::marks(name, vec![*x], vec![*y]));
            }
        }
        panel.equal_scales = true;
        Figure::from(panel)
    }

    fn motion_figure(&self) -> Figure {
        let time = column(&self.run, "t");
        let dots: Vec<f64> = time.iter().copied().step_by(time.len().div_ceil(25).max(1)).collect();
        let exact: Vec<[f64; 2]> = dots.iter().map(|t| self.swing.angle_and_rate(*t)).collect();
        let of = |pick: &dyn Fn(&[f64; 2]) -> f64| exact.iter().map(pick).collect::<Vec<_>>();
        let panels: [(&str, &str, Vec<f64>); 4] = [
            ("theta", "$θ$, rad", of(&|[angle, _]| *angle)),
            ("theta'", "$θ̇$, rad/s", of(&|[_, rate]| *rate)),
            ("xG'", "$ẋ_{G}$, m/s", of(&|[angle, rate]| self.radius * rate * angle.cos())),
            ("yG'", "$ẏ_{G}$, m/s", of(&|[angle, rate]| self.radius * rate * angle.sin())),
        ];
        panels.into_iter().fold(Figure::default(), |figure, (name, label, exact)| {
            figure.with(
                Panel::new("", Axis::linear("$t$, s"), Axis::linear(label))
                    .with(Series::line("run", time, column(&self.run, name)))
                    .with(Series::marks("closed form", dots.clone(), exact)),
            )
        })
    }

    fn error_figure(&self) -> Figure {
        let time = column(&self.run, "t");
        let angles = column(&self.run, "theta").iter().zip(time);
        let errors: Vec<f64> =
            angles.map(|(angle, t)| (angle - self.swing.angle_and_rate(*t)[0]).abs()).collect();
        let [circle, parabola] = self.distances();
        let axis = || Axis::linear("$t$, s");
        Figure::default()
            .with(
                Panel::new("", axis(), Axis::logarithmic("error of $θ$, rad"))
                    .with(Series::line("error", time, errors)),
            )
            .with(
                Panel::new("", axis(), Axis::logarithmic("distance, m"))
                    .with(Series::line("from the circle", time, circle))
                    .with(Series::line("from the parabola", time, parabola)),
            )
    }

    fn end_table(&self) -> Table {
        let end = |name: &str| column(&self.run, name).last().copied().unwrap_or(f64::NAN);
        let [x, y] = self.swing.centre(PENDULUM_TIME);
        let [angle, rate] = self.swing.angle_and_rate(PENDULUM_TIME);
        let rows = [
            ("θ, rad", end("theta"), angle),
            ("θ̇, rad/s", end("theta'"), rate),
            ("xG, m", end("xG"), x),
            ("yG, m", end("yG"), y),
        ];
        Table::default()
            .with_words("at the end", rows.map(|(name, ..)| name.to_owned()).to_vec())
            .with_words("run", rows.map(|(_, run, _)| fixed(run, 9)).to_vec())
            .with_words("closed form", rows.map(|(.., exact)| fixed(exact, 9)).to_vec())
            .with_numbers("error", "", rows.map(|(_, run, exact)| (run - exact).abs()).to_vec())
    }
}

/// Least squares for y = c₀ + c₁ x + c₂ x²: normal equations, by Cramer's rule.
fn fitted_parabola(x: &[f64], y: &[f64]) -> [f64; 3] {
    let mean = |power: i32, weight: &dyn Fn(usize) -> f64| -> f64 {
        let terms = x.iter().enumerate().map(|(at, x)| x.powi(power) * weight(at));
        terms.sum::<f64>() / x.len().max(1) as f64
    };
    let s: [f64; 5] = std::array::from_fn(|power| mean(power as i32, &|_| 1.0));
    let r: [f64; 3] = std::array::from_fn(|power| mean(power as i32, &|at| y[at]));
    let matrix = [[s[0], s[1], s[2]], [s[1], s[2], s[3]], [s[2], s[3], s[4]]];
    let whole = determinant(&matrix);
    std::array::from_fn(|at| {
        let mut replaced = matrix;
        for (row, right) in replaced.iter_mut().zip(r) {
            row[at] = right;
        }
        determinant(&replaced) / whole
    })
}

fn determinant([a, b, c]: &[[f64; 3]; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_parabola_give_it_back() {
        let x: Vec<f64> = (0..20).map(|at| 0.3 * f64::from(at) - 2.0).collect();
        let y: Vec<f64> = x.iter().map(|x| 1.0 - 0.5 * x + 2.0 * x * x).collect();
        let found = fitted_parabola(&x, &y);
        assert!(
            found.iter().zip([1.0, -0.5, 2.0]).all(|(found, right)| (found - right).abs() < 1e-10)
        );
    }
}
