//! Polynomials with whole coefficients: roots with their multiplicities, exactly, and to thirty digits.
//!
//! Musser's algorithm takes a polynomial apart into factors without multiple roots, in whole numbers. Their roots are simple:
//! Aberth's iteration finds them and Newton's steps, with values in twice the usual precision, make them exact.

/// Coefficients, the constant first; the last is not 0.
pub(crate) type Polynomial = Vec<i128>;

/// A complex number.
pub(crate) type Pair = [f64; 2];

/// The product of two polynomials.
pub(crate) fn times(a: &[i128], b: &[i128]) -> Polynomial {
    let mut product = vec![0; a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            product[i + j] += a.checked_mul(*b).expect("coefficients stay small");
        }
    }
    trimmed(product)
}

/// The sum of two polynomials, the second with a sign.
pub(crate) fn plus(a: &[i128], b: &[i128], sign: i128) -> Polynomial {
    let at = |list: &[i128], i: usize| list.get(i).copied().unwrap_or(0);
    trimmed((0..a.len().max(b.len())).map(|i| at(a, i) + sign * at(b, i)).collect())
}

fn trimmed(mut a: Polynomial) -> Polynomial {
    while a.len() > 1 && a.last() == Some(&0) {
        a.pop();
    }
    a
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Divided by the common factor of all coefficients, the highest one positive.
fn primitive(a: &[i128]) -> Polynomial {
    let content = a.iter().copied().fold(0, gcd).max(1);
    let sign = a.last().map_or(1, |last| last.signum().min(0) * 2 + 1);
    trimmed(a.iter().map(|x| sign * x / content).collect())
}

fn derivative(a: &[i128]) -> Polynomial {
    let terms = a.iter().zip(0..).skip(1).map(|(x, i)| x * i).collect::<Vec<_>>();
    if terms.is_empty() { vec![0] } else { trimmed(terms) }
}

/// a/b, where b divides a and neither has a common factor in its coefficients: then all of it is whole.
fn quotient_of(a: &[i128], b: &[i128]) -> Polynomial {
    let (mut rest, mut found) = (a.to_vec(), vec![0; a.len() + 1 - b.len()]);
    for shift in (0..found.len()).rev() {
        found[shift] = rest[shift + b.len() - 1] / b[b.len() - 1];
        for (i, x) in b.iter().enumerate() {
            rest[shift + i] -= found[shift] * x;
        }
    }
    assert!(rest.iter().all(|x| *x == 0), "{b:?} divides {a:?}");
    found
}

/// A prime larger than any coefficient here.
const PRIME: i128 = (1 << 61) - 1;

/// The inverse of a residue, by Fermat.
fn inverse(a: i128) -> i128 {
    let (mut base, mut power, mut result) = (a.rem_euclid(PRIME), PRIME - 2, 1);
    while power > 0 {
        if power % 2 == 1 {
            result = result * base % PRIME;
        }
        (base, power) = (base * base % PRIME, power / 2);
    }
    result
}

/// By Euclid's algorithm in residues of a prime, where coefficients do not grow; the caller divides by it and sees whether
/// that comes out.
fn common_divisor(a: &[i128], b: &[i128]) -> Polynomial {
    let lead = a[a.len() - 1];
    let residues = |a: &[i128]| trimmed(a.iter().map(|x| x.rem_euclid(PRIME)).collect());
    let (mut a, mut b) = (residues(a), residues(b));
    while b != [0] {
        let scale = inverse(b[b.len() - 1]);
        while a.len() >= b.len() && a != [0] {
            let (shift, factor) = (a.len() - b.len(), a[a.len() - 1] * scale % PRIME);
            for (i, x) in b.iter().enumerate() {
                a[shift + i] = (a[shift + i] - factor * x % PRIME).rem_euclid(PRIME);
            }
            a = trimmed(a);
        }
        (a, b) = (b, a);
    }
    // whole again: its highest coefficient divides that of a
    let scale = inverse(a[a.len() - 1]) * lead.rem_euclid(PRIME) % PRIME;
    let whole = |x: &i128| {
        let residue = x * scale % PRIME;
        if residue > PRIME / 2 { residue - PRIME } else { residue }
    };
    primitive(&a.iter().map(whole).collect::<Vec<_>>())
}

/// Every root with its multiplicity.
pub(crate) fn roots(polynomial: &[i128]) -> Vec<(Pair, usize)> {
    // a, the part with all roots once, b with those that are double or more, and so on
    let mut all = Vec::new();
    let mut rest = primitive(polynomial);
    let mut once = {
        let shared = common_divisor(&rest, &derivative(&rest));
        quotient_of(&rest, &shared)
    };
    let mut multiplicity = 1;
    while once.len() > 1 {
        rest = quotient_of(&rest, &once);
        let more = common_divisor(&once, &rest);
        let exactly = quotient_of(&once, &more);
        all.extend(simple_roots(&exactly).into_iter().map(|root| (root, multiplicity)));
        (once, multiplicity) = (more, multiplicity + 1);
    }
    all
}

/// The roots of a polynomial that has none twice.
fn simple_roots(polynomial: &[i128]) -> Vec<Pair> {
    let degree = polynomial.len() - 1;
    let lead = polynomial[degree] as f64;
    let bound = polynomial.iter().map(|x| (*x as f64 / lead).abs()).fold(0.0, f64::max) + 1.0;
    let mut roots: Vec<Pair> = (0..degree)
        .map(|k| {
            let angle = 0.4 + 2.0 * std::f64::consts::PI * k as f64 / degree as f64;
            [0.5 * bound * angle.cos(), 0.5 * bound * angle.sin()]
        })
        .collect();
    let slope = derivative(polynomial);
    for _ in 0..500 {
        for k in 0..degree {
            let newton = quotient(
                value(polynomial, [roots[k], [0.0; 2]]),
                value(&slope, [roots[k], [0.0; 2]]),
            );
            let repulsion = (0..degree).filter(|&j| j != k).fold([0.0; 2], |sum, j| {
                let inverse =
                    quotient([1.0, 0.0], [roots[k][0] - roots[j][0], roots[k][1] - roots[j][1]]);
                [sum[0] + inverse[0], sum[1] + inverse[1]]
            });
            let product = multiplied(newton, repulsion);
            let step = quotient(newton, [1.0 - product[0], -product[1]]);
            roots[k] = [roots[k][0] - step[0], roots[k][1] - step[1]];
        }
    }
    roots.into_iter().map(|root| polished(polynomial, &slope, root)).collect()
}

/// Newton's steps that keep what they add in a second number; parts that vanish then are 0.
fn polished(polynomial: &[i128], slope: &[i128], root: Pair) -> Pair {
    let mut at = [root, [0.0; 2]];
    for _ in 0..6 {
        let step = quotient(value(polynomial, at), value(slope, at));
        at[1] = [at[1][0] - step[0], at[1][1] - step[1]];
        for part in 0..2 {
            (at[0][part], at[1][part]) = two_sum(at[0][part], at[1][part]);
        }
    }
    let size = at[0][0].hypot(at[0][1]);
    at[0].map(|part| if part.abs() < 1e-20 * size { 0.0 } else { part })
}

/// The value at high + low, summed in twice the usual precision.
fn value(polynomial: &[i128], [high, low]: [Pair; 2]) -> Pair {
    let x = [(high[0], low[0]), (high[1], low[1])];
    let mut sum = [(0.0, 0.0); 2];
    for coefficient in polynomial.iter().rev() {
        let (re, im) = (
            minus_long(times_long(sum[0], x[0]), times_long(sum[1], x[1])),
            plus_long(times_long(sum[0], x[1]), times_long(sum[1], x[0])),
        );
        let whole = *coefficient as f64;
        assert_eq!(whole as i128, *coefficient, "a coefficient has more than 53 bits");
        sum = [plus_long(re, (whole, 0.0)), im];
    }
    sum.map(|(high, low)| high + low)
}

type Long = (f64, f64);

fn two_sum(a: f64, b: f64) -> Long {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

fn plus_long(a: Long, b: Long) -> Long {
    let (high, error) = two_sum(a.0, b.0);
    let (low, rest) = two_sum(a.1, b.1);
    let (high, low) = two_sum(high, error + low);
    two_sum(high, low + rest)
}

fn minus_long(a: Long, b: Long) -> Long {
    plus_long(a, (-b.0, -b.1))
}

fn times_long(a: Long, b: Long) -> Long {
    let high = a.0 * b.0;
    let error = a.0.mul_add(b.0, -high);
    two_sum(high, error + (a.0 * b.1 + a.1 * b.0))
}

fn multiplied(a: Pair, b: Pair) -> Pair {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

fn quotient(a: Pair, b: Pair) -> Pair {
    let size = b[0] * b[0] + b[1] * b[1];
    if size == 0.0 {
        return [0.0; 2];
    }
    [(a[0] * b[0] + a[1] * b[1]) / size, (a[1] * b[0] - a[0] * b[1]) / size]
}

#[test]
fn roots_have_their_multiplicities() {
    // (x + 1)³ (x² + 2) (x − 5) x²
    let factors: [&[i128]; 7] = [&[1, 1], &[1, 1], &[1, 1], &[2, 0, 1], &[-5, 1], &[0, 1], &[0, 1]];
    let product = factors.iter().fold(vec![1], |product, factor| times(&product, factor));
    let mut found = roots(&product);
    found.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]).then(a.0[1].total_cmp(&b.0[1])));
    let root = 2.0_f64.sqrt();
    let expected =
        [([-1.0, 0.0], 3), ([0.0, -root], 1), ([0.0, 0.0], 2), ([0.0, root], 1), ([5.0, 0.0], 1)];
    assert_eq!(found, expected);
}
