//! How a name is written: Greek letters, indices and dots.

/// (name, letter, LaTeX command)
const GREEK: [(&str, char, &str); 34] = [
    ("alpha", 'α', r"\alpha"),
    ("beta", 'β', r"\beta"),
    ("gamma", 'γ', r"\gamma"),
    ("delta", 'δ', r"\delta"),
    ("epsilon", 'ε', r"\varepsilon"),
    ("zeta", 'ζ', r"\zeta"),
    ("eta", 'η', r"\eta"),
    ("theta", 'θ', r"\theta"),
    ("iota", 'ι', r"\iota"),
    ("kappa", 'κ', r"\kappa"),
    ("lambda", 'λ', r"\lambda"),
    ("mu", 'μ', r"\mu"),
    ("nu", 'ν', r"\nu"),
    ("xi", 'ξ', r"\xi"),
    ("omicron", 'ο', "o"),
    ("rho", 'ρ', r"\rho"),
    ("sigma", 'σ', r"\sigma"),
    ("tau", 'τ', r"\tau"),
    ("upsilon", 'υ', r"\upsilon"),
    ("phi", 'φ', r"\varphi"),
    ("chi", 'χ', r"\chi"),
    ("psi", 'ψ', r"\psi"),
    ("omega", 'ω', r"\omega"),
    ("Gamma", 'Γ', r"\Gamma"),
    ("Delta", 'Δ', r"\Delta"),
    ("Theta", 'Θ', r"\Theta"),
    ("Lambda", 'Λ', r"\Lambda"),
    ("Xi", 'Ξ', r"\Xi"),
    ("Pi", 'Π', r"\Pi"),
    ("Sigma", 'Σ', r"\Sigma"),
    ("Upsilon", 'Υ', r"\Upsilon"),
    ("Phi", 'Φ', r"\Phi"),
    ("Psi", 'Ψ', r"\Psi"),
    ("Omega", 'Ω', r"\Omega"),
];

/// A name taken apart: `theta12'` is θ with index 12 and one dot, `tip_x` is tip with index x.
pub(super) struct Name<'a> {
    base: &'a str,
    digits: &'a str,
    suffix: &'a str,
    dots: usize,
}

impl<'a> Name<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        let undotted = name.trim_end_matches('\'');
        let dots = name.len() - undotted.len();
        let (head, suffix) = match undotted.split_once('_') {
            Some((head, suffix)) if !head.is_empty() && !suffix.is_empty() => (head, suffix),
            _ => (undotted, ""),
        };
        let base = head.trim_end_matches(|c: char| c.is_ascii_digit());
        // a name that is all digits behind its letters keeps at least one letter
        let base = if base.is_empty() { head } else { base };
        Name { base, digits: &head[base.len()..], suffix, dots }
    }

    fn greek(&self) -> Option<&'static (&'static str, char, &'static str)> {
        GREEK.iter().find(|(name, letter, _)| {
            *name == self.base || self.base.chars().eq(std::iter::once(*letter))
        })
    }

    fn letters(&self) -> String {
        self.greek().map_or_else(|| self.base.to_owned(), |(_, letter, _)| letter.to_string())
    }

    /// `θ̇₁`, `tip_x′`
    pub(super) fn text(&self) -> String {
        let letters = self.letters();
        let digits: String = self.digits.chars().map(subscript).collect();
        let suffix =
            if self.suffix.is_empty() { String::new() } else { format!("_{}", self.suffix) };
        // a dot is set on the first letter of a short name; a longer one takes a prime
        let mark = ["", "\u{307}", "\u{308}"].get(self.dots).copied();
        if let Some(mark) = mark
            && letters.chars().count() <= 2
            && suffix.is_empty()
        {
            let mut rest = letters.chars();
            let first: String = rest.next().into_iter().collect();
            return format!("{first}{mark}{}{digits}", rest.as_str());
        }
        format!("{letters}{digits}{suffix}{}", "′".repeat(self.dots))
    }

    /// `$θ̇_{1}$`, `$crank pin_{fx}$′`: what figures write in the line, lowered and slanted. Of words the last one is the
    /// index, and their numbers stay with them.
    pub(super) fn label(&self) -> String {
        let letters = self.letters();
        if letters.chars().count() > 1 {
            let (digits, suffix) = (self.digits, self.suffix);
            let (between, index) = suffix.rsplit_once('_').unwrap_or(("", suffix));
            let words = format!("{letters}{digits} {between}").replace('_', " ");
            let index = if index.is_empty() { String::new() } else { format!("_{{{index}}}") };
            return format!("${}{index}${}", words.trim_end(), "′".repeat(self.dots));
        }
        let mark = ["", "\u{307}", "\u{308}"].get(self.dots).copied();
        let primes = if mark.is_some() { String::new() } else { "′".repeat(self.dots) };
        let base = letters + mark.unwrap_or_default();
        let suffix = self.suffix.replace('_', " ");
        let parts = [self.digits, suffix.as_str()].into_iter().filter(|part| !part.is_empty());
        match parts.collect::<Vec<_>>().join(",").as_str() {
            "" => format!("${base}${primes}"),
            index => format!("${base}_{{{index}}}${primes}"),
        }
    }

    /// `\dot{\theta}_{1}`
    pub(super) fn latex(&self) -> String {
        let base = match self.greek() {
            Some((_, _, command)) => (*command).to_owned(),
            None if self.base.chars().count() == 1 && self.base != "_" => self.base.to_owned(),
            None => format!(r"\mathit{{{}}}", self.base.replace('_', r"\_")),
        };
        let dotted = match self.dots {
            0 => base,
            1 => format!(r"\dot{{{base}}}"),
            2 => format!(r"\ddot{{{base}}}"),
            n => format!("{{{base}^{{({n})}}}}"),
        };
        match self.index(|suffix| Name::new(suffix).latex()) {
            Some(index) => format!("{dotted}_{{{index}}}"),
            None => dotted,
        }
    }

    /// `<msub>…</msub>`, with an exponent `<msubsup>…</msubsup>`. A dot over a word would not be seen, so words take primes.
    pub(super) fn mathml(&self, exponent: Option<&str>) -> String {
        let letters = self.letters();
        let base = format!("<mi>{}</mi>", super::mathml::escape(&letters));
        if letters.chars().count() > 1 {
            return self.word_mathml(&base, exponent);
        }
        let dotted = match self.dots {
            0 => base,
            1 => format!("<mover accent=\"true\">{base}<mo stretchy=\"false\">˙</mo></mover>"),
            2 => format!("<mover accent=\"true\">{base}<mo stretchy=\"false\">¨</mo></mover>"),
            n => format!("<msup>{base}<mrow><mo>(</mo><mn>{n}</mn><mo>)</mo></mrow></msup>"),
        };
        match (self.mathml_index(), exponent) {
            (None, None) => dotted,
            (Some(index), None) => format!("<msub>{dotted}{index}</msub>"),
            (None, Some(exponent)) => format!("<msup>{dotted}{exponent}</msup>"),
            (Some(index), Some(exponent)) => {
                format!("<msubsup>{dotted}{index}{exponent}</msubsup>")
            }
        }
    }

    /// The same for a word. Its index stands at one height whether or not a letter goes below the line.
    fn word_mathml(&self, word: &str, exponent: Option<&str>) -> String {
        let primes = match self.dots {
            0 => String::new(),
            2 => "″".to_owned(),
            n => "′".repeat(n),
        };
        let base = match self.dots {
            0 => word.to_owned(),
            _ => {
                let space = "lspace=\"0\" rspace=\"0\"";
                format!("<mrow>{word}<mo class=\"prime\" {space}>{primes}</mo></mrow>")
            }
        };
        let name = match self.mathml_index() {
            Some(index) => format!("<msub><mpadded depth=\"0\">{base}</mpadded>{index}</msub>"),
            None => base,
        };
        match exponent {
            Some(exponent) if self.dots > 0 => {
                format!("<msup>{}{exponent}</msup>", super::mathml::fenced(&name))
            }
            Some(exponent) => format!("<msup>{name}{exponent}</msup>"),
            None => name,
        }
    }

    fn mathml_index(&self) -> Option<String> {
        let number = |digits: &str| format!("<mn>{digits}</mn>");
        match (self.digits, self.suffix) {
            ("", "") => None,
            (digits, "") => Some(number(digits)),
            ("", suffix) if is_phrase(suffix) => {
                Some(format!("<mtext>{}</mtext>", super::mathml::escape(&suffix.replace('_', " "))))
            }
            ("", suffix) => Some(Name::new(suffix).mathml(None)),
            (digits, suffix) => {
                let suffix = Name::new(suffix).mathml(None);
                Some(format!("<mrow>{}<mo>,</mo>{suffix}</mrow>", number(digits)))
            }
        }
    }

    fn index(&self, suffix: impl Fn(&str) -> String) -> Option<String> {
        match (self.digits, self.suffix) {
            ("", "") => None,
            (digits, "") => Some(digits.to_owned()),
            ("", text) => Some(suffix(text)),
            (digits, text) => Some(format!("{digits},{}", suffix(text))),
        }
    }
}

/// Whether an index is made of several words: letters are indices of each other, words are read in a row.
fn is_phrase(suffix: &str) -> bool {
    suffix.contains('_') && suffix.split('_').all(|word| word.chars().count() > 1)
}

pub(super) fn subscript(digit: char) -> char {
    match digit {
        '0'..='9' => char::from_u32('₀' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn labels_of_figures_lower_indices_and_dot_single_letters() {
        for (name, label) in [
            ("theta1'", "$θ\u{307}_{1}$"),
            ("x''", "$x\u{308}$"),
            ("B_x'", "$B\u{307}_{x}$"),
            ("energy", "$energy$"),
            ("crank_pin_fx", "$crank pin_{fx}$"),
            ("lower1_angle'", "$lower1_{angle}$′"),
            ("lambda_phi1", "$λ_{phi1}$"),
            ("x3'''", "$x_{3}$′′′"),
        ] {
            assert_eq!(Name::new(name).label(), label);
        }
    }

    #[test]
    fn names_read_as_in_books() {
        assert_eq!(Name::new("theta1'").text(), "θ\u{307}₁");
        assert_eq!(Name::new("x2''").text(), "x\u{308}₂");
        assert_eq!(Name::new("eta0").text(), "η₀");
        assert_eq!(Name::new("tip_x'").text(), "tip_x′");
        assert_eq!(Name::new("theta12'").latex(), r"\dot{\theta}_{12}");
        assert_eq!(Name::new("joint1_x").latex(), r"\mathit{joint}_{1,x}");
        assert_eq!(Name::new("lambda_phi1").latex(), r"\lambda_{\varphi_{1}}");
        assert_eq!(Name::new("L").latex(), "L");
    }

    #[test]
    fn words_take_primes_and_letters_dots() {
        let rate = Name::new("crank_angle''").mathml(None);
        assert!(rate.contains("<mi>crank</mi>") && rate.contains('″'), "{rate}");
        assert!(!rate.contains("<mover"), "{rate}");
        let square = Name::new("crank_angle'").mathml(Some("<mn>2</mn>"));
        assert!(square.starts_with("<msup><mrow><mo") && square.contains(">(</mo>"), "{square}");
        assert!(Name::new("theta1'").mathml(None).contains('˙'));
        assert_eq!(
            Name::new("l1").mathml(Some("<mn>2</mn>")),
            "<msubsup><mi>l</mi><mn>1</mn><mn>2</mn></msubsup>"
        );
    }
}
