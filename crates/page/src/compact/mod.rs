//! Scripts and styles as a browser needs them, which is less than what their readers need: comments and space go, and
//! variables get short names.
//!
//! A script is taken apart into tokens ([`token`]), each name in it gets a role ([`role`]), and names of variables are
//! exchanged for shorter ones ([`names`]): those that a whole script knows in all of it, others in each of its statements
//! ([`statements`]), and there one for one, whatever scope they stand in. Properties, keys, and whatever is not declared in
//! the script keep their names.

mod names;
mod role;
mod statements;
mod style;
mod token;
mod write;

pub(crate) use style::style;

/// A script that does the same with fewer letters. It must be written in the way of this page: a semicolon ends each
/// statement that does not end in a brace.
pub(crate) fn script(text: &str) -> String {
    let tokens = token::tokens(text);
    let reading = role::read(&tokens);
    let short = names::short_names(&tokens, &reading.roles);
    write::written(&tokens, &reading, &short)
}

#[cfg(test)]
mod tests {
    use super::script;

    #[test]
    fn comments_and_space_go_and_variables_are_short() {
        let text = "// about\n\n/** A sum.\n * @param {number} first */\nfunction sum(first, second) {\n    // why\n    return /** @type {any} */ (first) + second; // more\n}\n";
        assert_eq!(script(text), "function A(a,b){return(a)+b}");
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
            "const A={element:1,value:A.element,make(A){return A},get value(){return 2}};A?.value;"
        );
    }

    #[test]
    fn shorthand_is_written_out_in_objects_and_in_patterns() {
        let text = "const width = 1, height = 2;\nlet f = (width) => ({ width, height: width });\nconst g = ({ width = 3, ...rest }) => { width = rest; width = f(width); };\n";
        let expected = "const A=1,height=2;let B=(A)=>({width:A,height:A});const C=({width:A=3,...a})=>{A=a;A=B(A)};";
        assert_eq!(script(text), expected);
    }

    #[test]
    fn a_question_is_no_key() {
        let text = "const first = 1;\nconst second = x ? first : { first: 2 };\nswitch (x) { case first: y(second); }\n";
        assert_eq!(script(text), "const A=1,B=x?A:{first:2};switch(x){case A:y(B)}");
    }

    #[test]
    fn members_of_classes_keep_their_names() {
        let text = "class Shape {\n  #size = 1;\n  static of(size) { return new Shape(size); }\n  constructor(size) { this.size = size; }\n  get area() { return this.#size; }\n}\n";
        assert_eq!(
            script(text),
            "class A{#size=1;static of(a){return new A(a)}\nconstructor(a){this.size=a}\nget area(){return this.#size}}"
        );
    }

    #[test]
    fn keywords_can_be_keys() {
        let text = "const act = 1;\nx({ class: 2, default: 3, onclick: () => { act(); act.class(); } });\n";
        assert_eq!(script(text), "const A=1;x({class:2,default:3,onclick:()=>{A();A.class()}});");
    }

    #[test]
    fn blocks_are_no_objects() {
        let text = "const act = 1;\ntry { act(); } catch { act(1); } finally { act = 2; }\nif (x) { act = 3; } else { act = 4; }\n";
        let expected = "const A=1;try{A()}catch{A(1)}finally{A=2}\nif(x){A=3}else{A=4}";
        assert_eq!(script(text), expected);
    }

    #[test]
    fn what_the_browser_brings_keeps_its_name() {
        let text = "const title = document.title;\nconst old = (document) => document.body ?? window.title;\n";
        assert_eq!(
            script(text),
            "const B=document.title,A=(document)=>document.body??window.title;"
        );
    }

    #[test]
    fn a_short_name_is_none_that_is_used() {
        let text = "const long = (wide) => a(wide, b);\nA(long);\n";
        assert_eq!(script(text), "const B=(c)=>a(c,b);A(B);");
    }

    #[test]
    fn statements_have_names_of_their_own_and_share_those_of_the_script() {
        let text = "const M1 = (() => {\nconst make = M0[2];\nfunction first(list) {\n  const total = make(list);\n  return total;\n}\nconst second = (total) => first(total, (list) => list);\nconst { list } = second();\nreturn [first, list];\n})();\n";
        assert_eq!(
            script(text),
            "const M1=(()=>{const B=M0[2];function A(list){const a=B(list);return a}\nconst C=(a)=>A(a,(list)=>list),{list}=C();return[A,list]})();"
        );
    }

    #[test]
    fn a_line_end_that_ends_a_statement_stays() {
        let text = "const f = () => {\n}\nconst g = 1\nx()\ny()\n";
        assert_eq!(script(text), "const A=()=>{}\nconst g=1\nx()\ny()");
    }
}
