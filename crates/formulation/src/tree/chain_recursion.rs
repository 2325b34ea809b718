//! The articulated-body recursion of a planar chain: accelerations in one pass up and one pass down.
//!
//! # Equations
//! Link i hangs in its joint with acceleration $A_i$ (gravity counted as an upward acceleration of the
//! pivot) and points along $e_i=(\sin\theta_i,-\cos\theta_i)$, $n_i=de_i/d\theta_i$. The force on it at the
//! joint is affine in $A_i$, $F_i=K_iA_i+k_i$, because that of the next one is: with
//! $A_{i+1}=A_i+\dot\omega_il_in_i-\omega_i^2l_ie_i$ the balance of moments about the joint gives
//! $$\dot\omega_i=\frac{\tau_i'-h_i\cdot A_i}{D_i},\quad h_i=m_ic_in_i+l_iK_{i+1}n_i,\quad
//!   D_i=I_i+l_i^2\,n_i\cdot K_{i+1}n_i,\quad
//!   \tau_i'=\tau_i-l_in_i\cdot(k_{i+1}-\omega_i^2l_iK_{i+1}e_i)$$
//! and the balance of forces
//! $$K_i=m_i+K_{i+1}-\frac{h_ih_i^T}{D_i},\qquad
//!   k_i=k_{i+1}+\frac{\tau_i'}{D_i}h_i-\omega_i^2(m_ic_ie_i+l_iK_{i+1}e_i).$$
//! $c$ is the distance of the centre of mass from the joint, $I$ the moment of inertia about the joint,
//! τ the torque of friction and of whatever else turns the link.
//!
//! # Reference
//! R. Featherstone, *The calculation of robot dynamics using articulated-body inertias*, 1983

use catena_compile::sines_and_cosines;
use catena_linear::MultiplyAdd;

/// Inertia smaller than this part of the link's own is made of rounding.
const SINGULARITY_TOLERANCE: f64 = 1e-13;

/// A link: what its motion depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    /// kg
    pub(crate) mass: f64,
    /// Distance from the joint to the centre of mass, m.
    pub(crate) centre: f64,
    /// Distance from the joint to the next one, m.
    pub(crate) length: f64,
    /// Moment of inertia about the joint, kg m².
    pub(crate) inertia: f64,
    /// Friction on the rate relative to the link before, N m s.
    pub(crate) friction: f64,
}

/// Forces in the joints as they depend on accelerations; the workspace of a recursion.
#[derive(Clone, Debug)]
pub(crate) struct ChainRecursion {
    links: Vec<Link>,
    has_friction: bool,
    sines: Vec<f64>,
    cosines: Vec<f64>,
    torques: Vec<f64>,
    passed: Vec<Passed>,
}

/// What the pass up leaves for the pass down.
#[derive(Clone, Copy, Debug, Default)]
struct Passed {
    hx: f64,
    hy: f64,
    /// τ'
    torque: f64,
    /// 1/D
    inverse: f64,
}

impl ChainRecursion {
    /// For these links, from the pivot on.
    pub(crate) fn new(links: Vec<Link>) -> ChainRecursion {
        let n = links.len();
        ChainRecursion {
            has_friction: links.iter().any(|link| link.friction != 0.0),
            sines: vec![0.0; n],
            cosines: vec![0.0; n],
            torques: vec![0.0; n],
            passed: vec![Passed::default(); n],
            links,
        }
    }

    /// Angular accelerations from absolute angles, rates and torques; `pivot` is the acceleration of the
    /// pivot with g added upwards. Returns the link that has no inertia, if there is one.
    pub(crate) fn accelerations(
        &mut self,
        angles: &[f64],
        rates: &[f64],
        torques: &[f64],
        pivot: [f64; 2],
        accelerations: &mut [f64],
    ) -> Result<(), usize> {
        sines_and_cosines(angles, &mut self.sines, &mut self.cosines);
        self.torques.copy_from_slice(torques);
        if self.has_friction {
            self.add_friction(rates);
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the processor has the features
            return unsafe { self.run_fused(rates, pivot, accelerations) };
        }
        self.run(rates, pivot, accelerations)
    }

    fn add_friction(&mut self, rates: &[f64]) {
        let mut before = 0.0;
        for i in 0..self.links.len() {
            let torque = self.links[i].friction * (rates[i] - before);
            self.torques[i] -= torque;
            if i > 0 {
                self.torques[i - 1] += torque;
            }
            before = rates[i];
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_fused(
        &mut self,
        rates: &[f64],
        pivot: [f64; 2],
        accelerations: &mut [f64],
    ) -> Result<(), usize> {
        self.run(rates, pivot, accelerations)
    }

    #[inline(always)]
    fn run(
        &mut self,
        rates: &[f64],
        pivot: [f64; 2],
        accelerations: &mut [f64],
    ) -> Result<(), usize> {
        let n = self.links.len();
        let (links, passed) = (&self.links[..n], &mut self.passed[..n]);
        let (sines, cosines) = (&self.sines[..n], &self.cosines[..n]);
        let (torques, rates) = (&self.torques[..n], &rates[..n]);
        // K and k of the link below; nothing hangs on the last one
        let (mut kxx, mut kxy, mut kyy) = (0.0_f64, 0.0_f64, 0.0_f64);
        let (mut kx, mut ky) = (0.0_f64, 0.0_f64);
        for i in (0..n).rev() {
            let Link { mass, centre, length, inertia, .. } = links[i];
            let (s, c) = (sines[i], cosines[i]);
            let square = rates[i] * rates[i];
            // l K n and l K e with n = (c, s), e = (s, −c)
            let knx = length * kxx.multiply_add(c, kxy * s);
            let kny = length * kxy.multiply_add(c, kyy * s);
            let kex = length * kxx.multiply_add(s, -(kxy * c));
            let key = length * kxy.multiply_add(s, -(kyy * c));
            let moment = mass * centre;
            let hx = moment.multiply_add(c, knx);
            let hy = moment.multiply_add(s, kny);
            let d = length.multiply_add(knx.multiply_add(c, kny * s), inertia);
            // written so that NaN is refused too
            let resists = d > SINGULARITY_TOLERANCE * inertia.max(mass * length * length);
            if !resists {
                return Err(i);
            }
            let inverse = 1.0 / d;
            let (px, py) = (square.multiply_add(-kex, kx), square.multiply_add(-key, ky));
            let torque = length.multiply_add(-px.multiply_add(c, py * s), torques[i]);
            let ratio = torque * inverse;
            kxx = (hx * inverse).multiply_add(-hx, kxx + mass);
            kxy = (hx * inverse).multiply_add(-hy, kxy);
            kyy = (hy * inverse).multiply_add(-hy, kyy + mass);
            kx = ratio.multiply_add(hx, (square * moment).multiply_add(-s, px));
            ky = ratio.multiply_add(hy, (square * moment).multiply_add(c, py));
            passed[i] = Passed { hx, hy, torque, inverse };
        }
        let [mut ax, mut ay] = pivot;
        for i in 0..n {
            let Passed { hx, hy, torque, inverse } = passed[i];
            let (s, c) = (sines[i], cosines[i]);
            let acceleration = inverse * hx.multiply_add(-ax, hy.multiply_add(-ay, torque));
            accelerations[i] = acceleration;
            let (along, square) = (acceleration * links[i].length, rates[i] * rates[i]);
            let inward = square * links[i].length;
            ax = along.multiply_add(c, inward.multiply_add(-s, ax));
            ay = along.multiply_add(s, inward.multiply_add(c, ay));
        }
        Ok(())
    }
}
