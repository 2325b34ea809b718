//! The shaken triple pendulum over eight lanes, as one would write it by hand: the equations of [`crate::by_hand`] with
//! loops over lanes that the compiler turns into vector code.

use catena_compile::sines_and_cosines;

/// States side by side.
pub const LANES: usize = 8;

type Lane = [f64; LANES];

/// The pendulum's numbers: three bobs of 1 kg on rods of 1 m.
#[derive(Clone, Copy)]
pub struct TripleLanes {
    /// A and B of the equations.
    pub a: [[f64; 3]; 3],
    /// B
    pub b: [f64; 3],
    /// m/s²
    pub gravity: f64,
    /// N·m·s
    pub friction: f64,
    /// The pivot's amplitude in m and frequency in rad/s.
    pub pivot: [f64; 2],
}

impl TripleLanes {
    /// The ready system `triple-pendulum`.
    pub fn ready() -> TripleLanes {
        TripleLanes {
            a: [[3.0, 2.0, 1.0], [2.0, 2.0, 1.0], [1.0, 1.0, 1.0]],
            b: [3.0, 2.0, 1.0],
            gravity: 9.81,
            friction: 0.1,
            pivot: [0.05, std::f64::consts::PI],
        }
    }

    /// Classical Runge–Kutta steps of all lanes.
    pub fn steps(&self, y: &mut [Lane; 6], h: f64, count: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has the features
                return unsafe { self.steps_avx512(y, h, count) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor has the features
                return unsafe { self.steps_avx2(y, h, count) };
            }
        }
        self.all_steps(y, h, count);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,fma")]
    fn steps_avx512(&self, y: &mut [Lane; 6], h: f64, count: usize) {
        self.all_steps(y, h, count);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn steps_avx2(&self, y: &mut [Lane; 6], h: f64, count: usize) {
        self.all_steps(y, h, count);
    }

    #[inline(always)]
    fn all_steps(&self, y: &mut [Lane; 6], h: f64, count: usize) {
        for step in 0..count {
            let t = step as f64 * h;
            let k1 = self.rate(t, y);
            let k2 = self.rate(t + 0.5 * h, &moved(y, 0.5 * h, &k1));
            let k3 = self.rate(t + 0.5 * h, &moved(y, 0.5 * h, &k2));
            let k4 = self.rate(t + h, &moved(y, h, &k3));
            for i in 0..6 {
                for lane in 0..LANES {
                    let outer = k1[i][lane] + k4[i][lane];
                    let sum = 2.0_f64.mul_add(k2[i][lane] + k3[i][lane], outer);
                    y[i][lane] = (h / 6.0).mul_add(sum, y[i][lane]);
                }
            }
        }
    }

    #[inline(always)]
    fn rate(&self, t: f64, y: &[Lane; 6]) -> [Lane; 6] {
        let (mut sines, mut cosines) = ([0.0; 3 * LANES], [0.0; 3 * LANES]);
        sines_and_cosines(y[..3].as_flattened(), &mut sines, &mut cosines);
        let [amplitude, frequency] = self.pivot;
        let shake = -amplitude * frequency * frequency * (frequency * t).cos();
        let mut rate = [[0.0; LANES]; 6];
        rate[..3].copy_from_slice(&y[3..]);
        for lane in 0..LANES {
            let s = [0, 1, 2].map(|i| sines[i * LANES + lane]);
            let c = [0, 1, 2].map(|i| cosines[i * LANES + lane]);
            let w = [0, 1, 2].map(|i| y[3 + i][lane]);
            let mut m = [[0.0; 3]; 3];
            let (mut pull_cos, mut pull_sin) = ([0.0_f64; 3], [0.0_f64; 3]);
            for j in 0..3 {
                let (cw, sw) = (c[j] * w[j] * w[j], s[j] * w[j] * w[j]);
                for i in 0..3 {
                    pull_cos[i] = self.a[j][i].mul_add(cw, pull_cos[i]);
                    pull_sin[i] = self.a[j][i].mul_add(sw, pull_sin[i]);
                }
                for i in j..3 {
                    m[j][i] = self.a[j][i] * c[j].mul_add(c[i], s[j] * s[i]);
                }
            }
            let f = [
                self.friction * w[0],
                self.friction * (w[1] - w[0]),
                self.friction * (w[2] - w[1]),
            ];
            let joints = [f[1] - f[0], f[2] - f[1], -f[2]];
            let mut x = [0.0; 3];
            for i in 0..3 {
                let hang = self.gravity.mul_add(s[i], shake * c[i]);
                let pull = c[i].mul_add(pull_sin[i], -(s[i] * pull_cos[i]));
                x[i] = self.b[i].mul_add(-hang, pull) + joints[i];
            }
            let d0 = 1.0 / m[0][0];
            let (l1, l2) = (m[0][1] * d0, m[0][2] * d0);
            let m11 = l1.mul_add(-m[0][1], m[1][1]);
            let m12 = l1.mul_add(-m[0][2], m[1][2]);
            let d1 = 1.0 / m11;
            let l3 = m12 * d1;
            let m22 = l3.mul_add(-m12, l2.mul_add(-m[0][2], m[2][2]));
            let x1 = l1.mul_add(-x[0], x[1]);
            let x2 = l3.mul_add(-x1, l2.mul_add(-x[0], x[2]));
            let a2 = x2 / m22;
            let a1 = l3.mul_add(-a2, x1 * d1);
            let a0 = l2.mul_add(-a2, l1.mul_add(-a1, x[0] * d0));
            (rate[3][lane], rate[4][lane], rate[5][lane]) = (a0, a1, a2);
        }
        rate
    }
}

#[inline(always)]
fn moved(y: &[Lane; 6], h: f64, k: &[Lane; 6]) -> [Lane; 6] {
    let mut moved = *y;
    for (moved, k) in moved.iter_mut().zip(k) {
        for lane in 0..LANES {
            moved[lane] = h.mul_add(k[lane], moved[lane]);
        }
    }
    moved
}
