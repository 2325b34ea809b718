//! Scripts and styles as a browser needs them, which is less than what their readers need: comments and space go, and
//! variables get short names.
//!
//! A script is taken apart into tokens ([`token`]), each name in it gets a role ([`role`]) and is looked up in the scopes
//! around it ([`scopes`]), and names of variables are exchanged for shorter ones ([`names`]). Properties, keys, and whatever
//! is not declared in the scripts keep their names.

mod names;
mod role;
mod scopes;
mod style;
mod token;
mod write;

pub(crate) use style::style;

use role::Reading;
use scopes::Scopes;
use token::Token;

/// One of the scripts that become one.
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    /// Names and the number of the script that declares them.
    pub(crate) imports: Vec<(&'a str, usize)>,
}

/// A script, taken apart.
struct Script<'a> {
    tokens: Vec<Token<'a>>,
    reading: Reading,
    scopes: Scopes<'a>,
    imports: Vec<(&'a str, usize)>,
}

/// A block that does the same as these scripts, one after the other, with fewer letters. They must be written in the way of
/// this page: a semicolon ends each statement that does not end in a brace.
pub(crate) fn scripts(sources: Vec<Source<'_>>) -> String {
    let scripts: Vec<Script<'_>> = sources.into_iter().map(Script::new).collect();
    let short = names::short_names(&scripts);
    let written = scripts
        .iter()
        .zip(&short)
        .map(|(script, short)| write::written(&script.tokens, &script.reading, short));
    format!("{{{}}}\n", written.collect::<Vec<_>>().join("\n"))
}

impl<'a> Script<'a> {
    fn new(Source { text, imports }: Source<'a>) -> Script<'a> {
        let tokens = token::tokens(text);
        let reading = role::read(&tokens);
        let scopes = scopes::scopes(&tokens, &reading);
        Script { tokens, reading, scopes, imports }
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, scripts};

    /// One script, without the braces around it.
    fn script(text: &str) -> String {
        let short = scripts(vec![Source { text, imports: Vec::new() }]);
        short[1..short.len() - 2].to_owned()
    }

    #[test]
    fn comments_and_space_go_and_variables_are_short() {
        let text = "// about\n\n/** A sum.\n * @param {number} first */\nfunction sum(first, second) {\n    // why\n    return /** @type {any} */ (first) + second; // more\n}\n";
        assert_eq!(script(text), "function e(e,t){return(e)+t}");
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
            "let e={element:1,value:e.element,make(e){return e},get value(){return 2}};e?.value;"
        );
    }

    #[test]
    fn shorthand_is_written_out_in_objects_and_in_patterns() {
        let text = "const width = 1, height = 2;\nlet f = (width) => ({ width, height: width });\nconst g = ({ width = 3, ...rest }) => { width = rest; width = f(width); };\n";
        let expected = "let r=1,n=2,e=e=>({width:e,height:e}),t=({width:t=3,...n})=>{t=n;t=e(t)};";
        assert_eq!(script(text), expected);
    }

    #[test]
    fn a_question_is_no_key() {
        let text = "const first = 1;\nconst second = x ? first : { first: 2 };\nswitch (x) { case first: y(second); }\n";
        assert_eq!(script(text), "let e=1,t=x?e:{first:2};switch(x){case e:y(t)}");
    }

    #[test]
    fn members_of_classes_keep_their_names() {
        let text = "class Shape {\n  #size = 1;\n  static of(size) { return new Shape(size); }\n  constructor(size) { this.size = size; }\n  get area() { return this.#size; }\n}\n";
        assert_eq!(
            script(text),
            "class e{#size=1;static of(t){return new e(t)}constructor(e){this.size=e}get area(){return this.#size}}"
        );
    }

    #[test]
    fn keywords_can_be_keys() {
        let text = "const act = 1;\nx({ class: 2, default: 3, onclick: () => { act(); act.class(); } });\n";
        assert_eq!(script(text), "let e=1;x({class:2,default:3,onclick:()=>{e();e.class()}});");
    }

    #[test]
    fn blocks_are_no_objects() {
        let text = "const act = 1;\ntry { act(); } catch { act(1); } finally { act = 2; }\nif (x) { act = 3; } else { act = 4; }\n";
        let expected = "let e=1;try{e()}catch{e(1)}finally{e=2}if(x){e=3}else{e=4}";
        assert_eq!(script(text), expected);
    }

    #[test]
    fn what_is_not_declared_keeps_its_name_and_no_other_gets_it() {
        let text = "const long = (wide) => e(wide, t);\nn(long, document.title);\n";
        assert_eq!(script(text), "let r=n=>e(n,t);n(r,document.title);");
        let text = "const old = (document) => document.body ?? window.title;\n";
        assert_eq!(script(text), "let e=e=>e.body??window.title;");
    }

    #[test]
    fn a_name_means_the_innermost_scope_that_declares_it() {
        for (text, expected) in [
            // in front of a block, the name is that of the function
            (
                "function f(list) { use(list); for (const list of lists) use(list); { const list = 1; use(list); } }",
                "function e(e){use(e);for(let e of lists)use(e);{let e=1;use(e)}}",
            ),
            // values of parameters do not know the body
            (
                "const list = 1;\nconst f = (given = [list]) => { const list = given; return list; };",
                "let e=1,t=(t=[e])=>{let e=t;return e};",
            ),
            // a body cannot declare its parameters again
            ("const f = (first) => { const second = 1; };", "let e=e=>{let t=1};"),
            ("try { x(); } catch (error) { let words = 1; }", "try{x()}catch(e){let t=1}"),
            // an arrow without braces ends where its expression does
            (
                "const f = x ? (name) => name in y : (other) => other, g = [(name) => name, 2];",
                "let e=x?e=>e in y:e=>e,t=[e=>e,2];",
            ),
            // a loop has what its head declares, and one statement
            (
                "for (const [key, { value = key }] of y) if (key) x(value); else x(key);\nx(`${y.map((key) => key)}, ${key}`);",
                "for(let[e,{value:t=e}]of y)if(e)x(t);else x(e);x(`${y.map(e=>e)}, ${key}`);",
            ),
        ] {
            assert_eq!(script(text), expected, "{text}");
        }
    }

    #[test]
    fn scripts_share_what_they_import_and_nothing_else() {
        let first = "const total = 1;\nfunction sum(list) { return list + total; }";
        let second = "const total = sum(2);\nx(total, CatenaPlots);";
        let short = scripts(vec![
            Source { text: first, imports: Vec::new() },
            Source { text: second, imports: vec![("sum", 0)] },
        ]);
        assert_eq!(short, "{let t=1;function e(e){return e+t}\nlet n=e(2);x(n,CatenaPlots);}\n");
    }

    #[test]
    fn a_line_end_that_ends_a_statement_stays() {
        let text = "const f = () => {\n}\nconst g = 1\nx()\ny()\n";
        assert_eq!(script(text), "let e=()=>{}\nlet t=1\nx()\ny()");
    }
}
