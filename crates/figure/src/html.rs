pub fn plot_script() -> &'static str {
    ""
}
pub fn plot_style() -> &'static str {
    ""
}
impl crate::Figure {
    pub fn data(&self) -> String {
        "null".into()
    }
}
