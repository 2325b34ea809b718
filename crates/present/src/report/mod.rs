//! One page about a model and its motion, to be handed on: it opens without a network, and prints.

mod forces;

use crate::Animation;
use crate::certificate::certificate_text;
use catena_analysis::table_figure;
use catena_derivation::Derivation;
use catena_figure::{Figure, Player, Scene, StillOptions, escaped, page_head};
use catena_model::{Film, Model};
use catena_simulation::{Diagnosis, Run};
use std::fmt::Write;

/// The poses in the picture that stands still, as parts of the motion: at no even distance, so that what turns evenly is
/// not seen in the same place again.
const POSES: [f64; 5] = [0.0, 0.137, 0.343, 0.671, 1.0];

/// How the page looks, besides what it shares with players.
const STYLE: &str = include_str!("report.css");

/// What a report is made of.
pub struct Report<'a> {
    /// The model.
    pub model: &'a Model,
    /// What is to be said about it before it moves.
    pub diagnosis: &'a Diagnosis,
    /// Its equations, if they were derived.
    pub derivation: Option<&'a Derivation>,
    /// Its motion, filmed.
    pub run: &'a Run,
    /// What is plotted of the motion.
    pub figure: Figure,
    /// The commands that lead to what is shown, the report's own first.
    pub commands: Vec<String>,
}

impl Report<'_> {
    /// How a page looks whose body has the class `report`.
    pub fn style() -> String {
        format!("{}{STYLE}{}", Player::style(), Derivation::MATH_STYLE)
    }

    /// The page.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.model.title);
        let player =
            Animation::of_run(&self.model.title, self.run, Some(self.figure.clone())).player();
        let mut page = page_head(&self.model.title, &Report::style());
        page += "<body class=\"report\">\n<main class=\"page\">\n";
        let verdict = &self.run.certificate.verdict;
        let _ = writeln!(
            page,
            "<header><h1>{title}</h1><span class=\"verdict {0}\">{0}</span></header>\n<p class=\"lead\">{1}</p>",
            verdict.grade,
            escaped(self.model.description.trim())
        );
        self.write_mechanism(&mut page);
        self.write_motion(&mut page, player.as_ref());
        self.write_forces(&mut page);
        self.write_efforts(&mut page);
        self.write_energy(&mut page);
        self.write_quality(&mut page);
        self.write_parameters(&mut page);
        self.write_equations(&mut page);
        self.write_commands(&mut page);
        page += "</main>\n";
        if let Some(player) = player {
            page += &player.scripts();
        }
        page += "</body>\n</html>\n";
        page
    }

    /// Its picture, and what it consists of.
    fn write_mechanism(&self, page: &mut String) {
        page.push_str("<section><h2>The model</h2>\n");
        let start = self.run.film.as_ref().map(|film| first_frame(film.clone()));
        if let Some(scene) = start.and_then(|film| Scene::new("", film)) {
            let options = StillOptions { names: true, centres: true, ..StillOptions::default() };
            figure(page, &scene.still(&options), "The model at the start", "At the start");
        }
        let Diagnosis { coordinates, constraints, .. } = self.diagnosis;
        let freedom = self.diagnosis.freedom_by_rank();
        let plural = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            count => format!("{count} {what}s"),
        };
        let _ = writeln!(
            page,
            "<p>{}, {}, {} of freedom.</p>",
            plural(*coordinates, "coordinate"),
            plural(*constraints, "constraint"),
            plural(freedom, "degree")
        );
        for finding in &self.diagnosis.findings {
            let _ = writeln!(
                page,
                "<p class=\"finding\">{} <span>{}</span></p>",
                escaped(&finding.kind.message()),
                escaped(&finding.kind.help())
            );
        }
        page.push_str("</section>\n");
    }

    fn write_motion(&self, page: &mut String, player: Option<&Player>) {
        let start = self.run.start.t;
        let end = self.run.certificate.time;
        let _ = writeln!(
            page,
            "<section><h2>Motion from {} s to {} s</h2>",
            catena_model::plain(start),
            catena_model::plain_to(end, 6)
        );
        match player {
            Some(player) => {
                page.push_str(&player.body());
                // paper shows neither films nor plots that can be zoomed
                page.push_str("<div class=\"on-paper\">");
                figure(page, &self.figure.to_svg(), "The motion against time", "");
                page.push_str("</div>\n");
            }
            None => figure(page, &self.figure.to_svg(), "The motion against time", ""),
        }
        if let Some(film) = self.run.film.as_ref().filter(|film| film.len() > 1)
            && let Some(scene) = Scene::new("", film.clone())
        {
            let last = film.len() - 1;
            let frames = POSES.map(|part| (part * last as f64) as usize).to_vec();
            let svg =
                scene.still(&StillOptions { frames, trails: true, ..StillOptions::default() });
            let text =
                format!("{} poses, the last one strongest, with the paths of points", POSES.len());
            figure(page, &svg, "Poses of the motion", &text);
        }
        page.push_str("</section>\n");
    }

    fn write_forces(&self, page: &mut String) {
        let forces = forces::largest_forces(self.model, self.run);
        if forces.is_empty() {
            return;
        }
        page.push_str(
            "<section><h2>Forces in joints</h2>\n<p>On the second body of each joint; the largest first.</p>\n\
             <div class=\"legend\"><table><tr><th>joint</th><th>largest, N</th><th>at t, s</th><th>x, N</th><th>y, N</th>\
             <th>where, m</th></tr>\n",
        );
        for force in &forces {
            let number = |value: f64| catena_model::plain_to(value, 4);
            let place = force.place.map_or(String::new(), |[x, y]| {
                format!("({}, {})", catena_model::plain_to(x, 3), catena_model::plain_to(y, 3))
            });
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td><td class=\"number\">{place}</td></tr>",
                escaped(&force.joint),
                number(force.size),
                number(force.time),
                number(force.components[0]),
                number(force.components[1])
            );
        }
        page.push_str("</table></div>\n");
        let curves = forces::curves(&forces, self.run);
        figure(page, &curves.to_svg(), "Forces in joints against time", "The largest of them");
        page.push_str("</section>\n");
    }

    fn write_efforts(&self, page: &mut String) {
        let efforts = forces::largest_efforts(self.run);
        if efforts.is_empty() {
            return;
        }
        page.push_str(
            "<section><h2>Drives, springs and dampers</h2>\n<div class=\"legend\"><table><tr><th>name</th><th>largest</th>\
             <th></th><th>at t, s</th></tr>\n",
        );
        for (name, unit, value, time) in &efforts {
            let number = |value: f64| catena_model::plain_to(value, 4);
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td class=\"number\">{}</td><td>{unit}</td><td class=\"number\">{}</td></tr>",
                escaped(name),
                number(*value),
                number(*time)
            );
        }
        page.push_str("</table></div></section>\n");
    }

    fn write_energy(&self, page: &mut String) {
        let names = ["kinetic", "potential", "energy"].map(str::to_owned);
        let known = names.iter().all(|name| self.run.table.column(name).is_some());
        if self.model.own.coordinates.is_empty() || !known {
            return;
        }
        page.push_str("<section><h2>Energy</h2>\n");
        let curves = table_figure("", &self.run.table, "t", &names, true);
        figure(page, &curves.to_svg(), "Energies against time", "");
        let certificate = &self.run.certificate;
        let _ = writeln!(
            page,
            "<p>At the start {} J; with the work of forces and drives counted, it is kept to {:.1e} J.</p></section>",
            catena_model::plain_to(certificate.energy, 6),
            certificate.energy_residual
        );
    }

    fn write_quality(&self, page: &mut String) {
        let has_energy = !self.model.own.coordinates.is_empty();
        let text = certificate_text(self.run, true, has_energy, &|_, word| word.to_owned());
        page.push_str("<section><h2>How good it is</h2>\n<ul class=\"certificate\">\n");
        for line in text.lines() {
            let _ = writeln!(page, "<li>{}</li>", escaped(line));
        }
        page.push_str("</ul></section>\n");
    }

    fn write_parameters(&self, page: &mut String) {
        if let Some(derivation) = self.derivation {
            let legends = derivation.legends_html();
            let _ =
                writeln!(page, "<section><h2>Coordinates and parameters</h2>\n{legends}</section>");
        }
    }

    fn write_equations(&self, page: &mut String) {
        if let Some(derivation) = self.derivation {
            let _ = writeln!(
                page,
                "<section><h2>Equations of motion</h2>\n<details><summary>How they come about, and how they were checked</summary>\n\
                 {}</details></section>",
                derivation.equations_html()
            );
        }
    }

    fn write_commands(&self, page: &mut String) {
        let _ = writeln!(
            page,
            "<section><h2>Made by</h2>\n<p>Catena {}, model {:016x}:</p>\n<pre>{}</pre></section>",
            env!("CARGO_PKG_VERSION"),
            self.model.hash(),
            self.commands.iter().map(|command| escaped(command)).collect::<Vec<_>>().join("\n")
        );
    }
}

/// The first frame of a film alone.
fn first_frame(mut film: Film) -> Film {
    film.times.truncate(1);
    film.tracks.iter_mut().for_each(|track| track.truncate(1));
    film
}

fn figure(page: &mut String, svg: &str, label: &str, caption: &str) {
    page.push_str(&figure_sheet(svg, label, caption));
}

/// A drawing as a figure of a page; who cannot see it hears the label.
pub fn figure_sheet(svg: &str, label: &str, caption: &str) -> String {
    let label = format!("<svg aria-label=\"{}\" role=\"img\" ", escaped(label));
    let svg = svg.replacen(" role=\"img\"", "", 1).replacen("<svg ", &label, 1);
    let caption = match caption {
        "" => String::new(),
        caption => format!("<figcaption>{}</figcaption>", escaped(caption)),
    };
    format!("<figure class=\"sheet\">{svg}{caption}</figure>\n")
}
