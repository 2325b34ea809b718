//! An analysis of one's own: a row with options and a function, asked like those of the catalogue.

use catena::analysis::{Analysis, Question, Watch};
use catena::model::run_settings::ONE_RUN;
use catena::model::{Kind, OptionRow};
use catena::{Answer, Model, Refusal};

static PERIOD: Analysis = Analysis {
    name: "period",
    summary: "the mean time between upward passages of a column through zero",
    needs: "a run",
    run_options: ONE_RUN,
    options: &[&COLUMN],
    example: "--column x --to 60",
    default_model: "",
    file_ending: None,
    parallel: false,
    ask,
};

static COLUMN: OptionRow = OptionRow::new("column", Kind::Word, "The column that oscillates")
    .value_name("COLUMN")
    .default("the first coordinate");

fn ask(question: &Question<'_>, watch: &Watch<'_>) -> Result<Answer, Refusal> {
    let column = match question.options.word(&COLUMN) {
        Some(name) => name.to_owned(),
        None => question.first_column()?,
    };
    let run = question.moved(vec![column.clone()], watch)?;
    let [times, values] = ["t", &column].map(|name| run.table.numbers(name).unwrap_or_default());
    let upward = (1..values.len()).filter(|&i| values[i - 1] < 0.0 && values[i] >= 0.0);
    // a straight line between two rows
    let passage = |i: usize| {
        let part = values[i - 1] / (values[i - 1] - values[i]);
        times[i - 1] + part * (times[i] - times[i - 1])
    };
    let passages: Vec<f64> = upward.map(passage).collect();
    let [first, .., last] = passages[..] else {
        let message = format!("{column} does not pass zero twice");
        return Err(Refusal::of_model(message, "run longer with {t_end}"));
    };
    let period = (last - first) / (passages.len() - 1) as f64;
    let mut answer = Answer::new(PERIOD.name, &question.model.title);
    answer.result = period.into();
    answer.table = catena::simulation::Table::default().with_numbers("t", "s", passages);
    answer.words.say(format!("{column} repeats after {period:.6} s"));
    Ok(answer)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let oscillator = Model::builder("Mass on a spring")
        .coordinate("x", "from where the spring is at ease")
        .kinetic("1/2*x'^2")
        .potential("1/2*9*x^2")
        .initial("x", 1)
        .initial("x'", 0)
        .build()?;
    let options = [("column", "x"), ("t_end", "20"), ("every", "0.01")];
    let answer = catena::ask_analysis(&PERIOD, &oscillator, &options, 1, &|_| false)?;
    print!("{}", answer.words.to_text());
    let period = answer.result.as_f64().expect("the answer is a number");
    assert!((period - std::f64::consts::TAU / 3.0).abs() < 1e-6);

    let refusal = catena::ask_analysis(&PERIOD, &oscillator, &[("t_end", "1")], 1, &|_| false);
    println!("over 1 s: {}", refusal.expect_err("that is no period"));
    Ok(())
}
