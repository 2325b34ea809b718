//! The bits of a dozen runs, stored: a change of the house that is meant to leave results alone leaves every bit.
//!
//! The hashes were made before the rooms were rearranged. Where a method changes on purpose, its line changes with it.

use catena::RunSettings;
use catena_tests::ready;

/// Model, settings, formulation, integrator, tolerance, options, end, and the hash of all columns.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
    f64,
    &'static [&'static str],
    f64,
    u64,
);

const CASES: &[Case] = &[
    ("double-pendulum", &[], "minimal", "dopri5", 1e-6, &[], 10.0, 0x9f25_abdb_c7d4_6842),
    ("triple-pendulum", &["f=0.71"], "minimal", "dop853", 1e-9, &[], 20.0, 0x78c1_8d47_06bd_d1ac),
    ("triple-pendulum", &[], "minimal", "radau5", 1e-6, &[], 5.0, 0x7655_86ef_22b1_df88),
    ("chain", &["links=20"], "minimal", "tsit5", 1e-6, &[], 2.0, 0xde66_ef05_c7f9_0508),
    ("chain", &["links=20"], "recursive", "dop853", 1e-8, &[], 2.0, 0x3a0b_e2d1_6b2e_bc69),
    ("chain", &["links=8"], "multipliers", "bs23", 1e-5, &[], 1.0, 0xf724_3f24_b4d1_93c8),
    ("four-bar", &["theta2'=6"], "projection", "dopri5", 1e-6, &[], 5.0, 0x3f34_9921_ec0e_1272),
    (
        "four-bar",
        &["theta2'=6"],
        "baumgarte",
        "rk4",
        1e-6,
        &["step=0.002"],
        2.0,
        0xc3bb_8c2b_0190_831c,
    ),
    ("four-bar-bodies", &[], "null-space", "dop853", 1e-8, &[], 3.0, 0x2f83_68c7_a960_d15d),
    ("four-bar-bodies", &[], "recursive", "dopri5", 1e-6, &[], 3.0, 0xf16c_ce73_938a_f5b9),
    (
        "slider-crank-bodies",
        &[],
        "coordinate-partitioning",
        "dopri5",
        1e-6,
        &[],
        3.0,
        0x80b5_9d4d_2c43_9de1,
    ),
    ("slider-crank-bodies", &[], "ggl", "dopri5", 1e-6, &[], 3.0, 0x9ec4_501f_ac73_985a),
    (
        "n-four-bar",
        &[],
        "augmented-lagrangian",
        "rk4",
        1e-6,
        &["step=0.002"],
        2.0,
        0x39a2_c242_8699_1bfe,
    ),
    (
        "double-pendulum-cartesian",
        &[],
        "penalty",
        "implicit-midpoint",
        1e-6,
        &["step=0.001"],
        1.0,
        0x84ed_08ee_0e5e_dbf0,
    ),
    (
        "double-pendulum-cartesian",
        &[],
        "penalty-damped",
        "gauss4",
        1e-6,
        &["step=0.001"],
        1.0,
        0xd095_23f0_0d11_dc59,
    ),
    ("four-bar", &[], "", "generalized-alpha", 1e-6, &["step=0.005"], 2.0, 0xc4ce_4acf_2137_adc5),
];

#[test]
fn runs_have_the_bits_they_had() {
    let mut wrong = Vec::new();
    for &(name, settings, formulation, integrator, tolerance, options, t_end, expected) in CASES {
        let mut request = RunSettings {
            formulation: (!formulation.is_empty()).then(|| formulation.to_owned()),
            integrator: Some(integrator.to_owned()),
            rtol: Some(tolerance),
            atol: Some(tolerance),
            t_end: Some(t_end),
            every: Some(t_end / 50.0),
            ..RunSettings::default()
        };
        if let Some(step) = options.iter().find_map(|option| option.strip_prefix("step=")) {
            request.step = step.parse().ok();
        }
        let run = catena::run(&ready(name, settings), &request).expect(name);
        let mut hash = Fnv::default();
        for column in &run.table.columns {
            hash.add(column.name.as_bytes());
            column.numbers().iter().for_each(|value| hash.add(&value.to_bits().to_le_bytes()));
        }
        hash.add(&run.certificate.statistics.evaluations.to_le_bytes());
        if hash.0 != expected {
            wrong.push(format!("{name} {formulation} {integrator}: {:#018x}", hash.0));
        }
    }
    assert!(wrong.is_empty(), "other bits:\n{}", wrong.join("\n"));
}

/// FNV-1a (Fowler, Noll and Vo 1991).
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
