//! Scripts and styles as a browser needs them, which is less than what their readers need: comments and space go, and
//! variables get short names.
//!
//! A script is taken apart into tokens ([`token`]), each name in it gets a role ([`role`]), and names of variables are
//! exchanged for shorter ones ([`names`]): one for one and everywhere, whatever scope they stand in, so that no scope can
//! go wrong. Properties, keys, and whatever is not declared in the script keep their names.

mod names;
mod role;
mod style;
mod token;
mod write;

pub(crate) use style::style;

/// A script that does the same with fewer letters. It must be written in the way of this page: a semicolon ends each
/// statement that does not end in a brace.
pub(crate) fn script(text: &str) -> String {
    let tokens = token::tokens(text);
    let roles = role::roles(&tokens);
    let short = names::short_names(&tokens, &roles);
    write::written(&tokens, &roles, &short)
}

#[cfg(test)]
mod tests {
    use super::script;

    #[test]
    fn comments_and_space_go_and_variables_are_short() {
        let text = "// about\n\n/** A sum.\n * @param {number} first */\nfunction sum(first, second) {\n    // why\n    return /** @type {any} */ (first) + second; // more\n}\n";
        assert_eq!(script(text), "function c(a,b){return(a)+b}");
    }

    #[test]
    fn texts_and_regular_expressions_stay() {
        for kept in [
            "x(\"// no /* comment */\");",
            "x('it\\'s // one');",
            "x(`// ${y(\"`\",{b:`/* ${1} */`})}\n   // indented\n`);",
            "x(/[/*\"]\\/\\/ '/.test(y));",
            "x(y.replace(/\"/g,\"//\"));",
            "if(x)return /'/.test(y);",
            "x(y/2/z,\"/\");",
            "x((y)/2+y[1]/3);",
        ] {
            assert_eq!(script(kept), kept);
        }
    }

    #[test]
    fn properties_and_keys_keep_their_names() {
        let text = "const element = { element: 1, value: element.element, make(element) { return element; }, get value() { return 2; } };\nelement?.value;\n";
        assert_eq!(
            script(text),
            "const a={element:1,value:a.element,make(a){return a},get value(){return 2}};a?.value;"
        );
    }

    #[test]
    fn shorthand_is_written_out_in_objects_and_in_patterns() {
        let text = "const width = 1, height = 2;\nlet f = (width) => ({ width, height: width });\nconst g = ({ width = 3, ...rest }) => { width = rest; width = f(width); };\n";
        let expected = "const a=1,height=2;let b=(a)=>({width:a,height:a});const c=({width:a=3,...rest})=>{a=rest;a=b(a)};";
        assert_eq!(script(text), expected);
    }

    #[test]
    fn a_question_is_no_key() {
        let text = "const first = 1;\nconst second = x ? first : { first: 2 };\nswitch (x) { case first: y(second); }\n";
        assert_eq!(script(text), "const a=1;const b=x?a:{first:2};switch(x){case a:y(b)}");
    }

    #[test]
    fn members_of_classes_keep_their_names() {
        let text = "class Shape {\n  #size = 1;\n  static of(size) { return new Shape(size); }\n  constructor(size) { this.size = size; }\n  get area() { return this.#size; }\n}\n";
        assert_eq!(
            script(text),
            "class b{#size=1;static of(a){return new b(a)}\nconstructor(a){this.size=a}\nget area(){return this.#size}}"
        );
    }

    #[test]
    fn keywords_can_be_keys() {
        let text = "const act = 1;\nx({ class: 2, default: 3, onclick: () => { act(); act.class(); } });\n";
        assert_eq!(script(text), "const a=1;x({class:2,default:3,onclick:()=>{a();a.class()}});");
    }

    #[test]
    fn blocks_are_no_objects() {
        let text = "const act = 1;\ntry { act(); } catch { act(1); } finally { act = 2; }\nif (x) { act = 3; } else { act = 4; }\n";
        let expected = "const a=1;try{a()}catch{a(1)}finally{a=2}\nif(x){a=3}else{a=4}";
        assert_eq!(script(text), expected);
    }

    #[test]
    fn what_the_browser_brings_keeps_its_name() {
        let text = "const name = document.title;\nconst status = (event) => event.target ?? window.name;\n";
        assert_eq!(
            script(text),
            "const name=document.title;const status=(event)=>event.target??window.name;"
        );
    }

    #[test]
    fn a_short_name_is_none_that_is_used() {
        let text = "const long = 1;\na(long, b);\n";
        assert_eq!(script(text), "const c=1;a(c,b);");
    }

    #[test]
    fn a_line_end_that_ends_a_statement_stays() {
        let text = "const f = () => {\n}\nconst g = 1\nx()\ny()\n";
        assert_eq!(script(text), "const a=()=>{}\nconst b=1\nx()\ny()");
    }
}
