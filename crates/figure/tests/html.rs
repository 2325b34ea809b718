//! Pages: one file that needs no network and says what the figure says.

use catena_figure::{Axis, Figure, Map, Maps, Panel, Series, plot_script, plot_style};

fn figure(points: usize) -> Figure {
    let x: Vec<f64> = (0..points).map(|at| at as f64 * 0.001).collect();
    let y: Vec<f64> = x.iter().map(|x| (7.0 * x).sin()).collect();
    let axes = || Panel::new("", Axis::linear("$t$, s"), Axis::linear("angle, rad"));
    Figure::new("A <pendulum>")
        .with(axes().with(Series::line("$θ̇_{1}$", x.clone(), y.clone())))
        .with(axes().with(Series::line("$θ_{2}$", x, y)))
}

/// Names of other places in a text, apart from the namespace that pages give to vector graphics.
fn assert_self_contained(page: &str) {
    let text = page.replace("http://www.w3.org/2000/svg", "");
    for way in
        ["http://", "https://", "//cdn", "@import", "<link", "src=", "url(", "fetch(", "import("]
    {
        assert!(!text.contains(way), "the page has `{way}`");
    }
}

#[test]
fn a_page_needs_no_network() {
    assert_self_contained(&figure(100).to_html());
    assert_self_contained(plot_script());
    assert_self_contained(plot_style());
}

#[test]
fn a_page_has_the_same_names_as_the_figure_and_a_title_that_is_escaped() {
    let page = figure(10).to_html();
    assert!(page.contains("<title>A &lt;pendulum&gt;</title>"));
    assert!(page.contains("\"name\":\"\\u003ci>θ̇\\u003c/i>\\u003csub>1\\u003c/sub>\""), "{page}");
    assert!(page.contains("\"label\":\"angle, rad\""));
    // whatever a model is called, it cannot end the script
    let named = Figure::new("</script><b>").with(Panel::default()).to_html();
    assert_eq!(named.matches("</script>").count(), 1);
}

#[test]
fn times_that_panels_share_are_written_once() {
    let data = figure(1000).data();
    assert_eq!(data.matches("0.998,").count(), 1, "one grid for both panels");
    assert_eq!(data.matches("\"grid\":0").count(), 2);
}

#[test]
fn long_series_are_thinned_to_what_a_screen_shows() {
    let data = figure(400_000).data();
    assert!(data.len() < 600_000, "{} bytes", data.len());
    assert!(data.len() > 20_000, "{} bytes are too few for 400 s of oscillations", data.len());
}

#[test]
fn curves_that_turn_back_have_no_value_at_a_cursor() {
    let path = Series::line("", [0.0, 1.0, 0.0], [0.0, 1.0, 2.0]);
    let data = Figure::from(Panel::default().with(path)).data();
    assert!(data.contains("\"function\":false"));
    assert!(figure(10).data().contains("\"function\":true"));
}

#[test]
fn maps_have_a_page_too() {
    let map = Map {
        title: "max:theta".into(),
        x: Axis::linear("a"),
        y: Axis::logarithmic("b"),
        x_edges: vec![0.0, 1.0, 2.0],
        y_edges: vec![1.0, 10.0],
        values: vec![3.0, f64::NAN],
        ..Map::default()
    };
    let page = Maps { title: "Sweep".into(), maps: vec![map], ..Maps::default() }.to_html();
    assert_self_contained(&page);
    assert!(page.contains("\"values\":[3,null]") && page.contains("\"xEdges\":[0,1,2]"));
    assert!(page.contains("\"log\":true,\"range\":[0,1]"), "decades from 1 to 10");
}
