//! The stages of a Runge–Kutta method as source: a tableau is data here too. Weights of zero are left out.

use catena_compile::device_number;
use catena_integrator::ExplicitMethod;
use std::fmt::Write;

/// `stages`, `estimate` and `dense_slopes`, with what the rest of the source has to know of the method. Slopes of all stages
/// stand one behind the other, then that at the new state, then those for dense output alone.
pub(super) fn stages(method: &ExplicitMethod, len: usize) -> String {
    let (c, a, b) = method.stages();
    let (estimates, extra) = (method.estimates(), method.extra_stages());
    let last = b.len();
    let mut text = String::new();
    let mut define = |name: &str, value: usize| {
        let _ = writeln!(text, "#define {name} {value}");
    };
    define("ORDER", 0);
    define("KEPT", (last + 1) * len);
    define("INNER", (last + 1 + extra.len()) * len);
    define("DENSE_ROWS", 3 + method.dense_weights().len());
    define("ESTIMATES", estimates.len());
    text.push_str(include_str!("kernel/motion.cu"));

    text += "\nDEVICE void stages(Motion &m, real *slopes)\n{\n    real h = (real)m.h, z[N];\n";
    text += "    EACH(n, N) slopes[n] = m.rate[n];\n";
    for (i, (&c, weights)) in c.iter().zip(a).enumerate().skip(1) {
        let time = match c {
            1.0 => "m.t_new".to_owned(),
            c => format!("m.t + {c:e}*m.h"),
        };
        text += &advanced("z", weights);
        let _ = writeln!(text, "    rate_at(m, {time}, z, slopes + {i}*N);");
    }
    text += &advanced("m.y_new", b);
    text += "    rate_at(m, m.t_new, m.y_new, m.rate_new);\n";
    let _ = writeln!(text, "    EACH(n, N) slopes[{last}*N + n] = m.rate_new[n];\n}}");

    if !estimates.is_empty() {
        let arguments: Vec<String> = (0..estimates.len()).map(|i| format!("real *e{i}")).collect();
        let arguments = arguments.join(", ");
        let _ = writeln!(
            text,
            "\nDEVICE void estimate(const Motion &m, const real *slopes, {arguments})\n{{"
        );
        text += "    real h = (real)m.h;\n";
        for (i, weights) in estimates.iter().enumerate() {
            let _ = writeln!(text, "    EACH(n, N) e{i}[n] = h*({});", sum(weights));
        }
        text += "}\n";
    }

    text += "\nLARGE void dense_slopes(const Motion &m, real *slopes, real *dense)\n{\n";
    text += "    real h = (real)m.h, z[N];\n    (void)h; (void)z; (void)slopes; (void)dense;\n";
    for (i, (c, weights)) in extra.into_iter().enumerate() {
        text += &advanced("z", weights);
        let at = last + 1 + i;
        let _ = writeln!(text, "    rate_at(m, m.t + {c:e}*m.h, z, slopes + {at}*N);");
    }
    for (i, weights) in method.dense_weights().iter().enumerate() {
        let row = 3 + i;
        let _ = writeln!(text, "    EACH(n, N) dense[{row}*N + n] = h*({});", sum(weights));
    }
    text += "}\n\n";
    text + include_str!("kernel/runge_kutta.cu")
}

/// y + h Σ wk
fn advanced(target: &str, weights: &[f64]) -> String {
    format!("    EACH(n, N) {target}[n] = fma(h, {}, m.y[n]);\n", sum(weights))
}

/// Σ wk of component n, by fused multiply-adds from the first slope on.
fn sum(weights: &[f64]) -> String {
    let terms = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
    let sum = terms.fold(None, |sum: Option<String>, (at, &weight)| {
        let (weight, slope) = (device_number(weight), format!("slopes[{at}*N + n]"));
        Some(match sum {
            None => format!("{weight}*{slope}"),
            Some(sum) => format!("fma({weight}, {slope}, {sum})"),
        })
    });
    sum.unwrap_or_else(|| "(real)0".to_owned())
}
