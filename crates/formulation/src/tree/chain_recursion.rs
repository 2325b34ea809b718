//! The articulated-body recursion of a planar chain: accelerations in one pass up and one pass down.
//!
//! # Equations
//! Link i hangs in its joint with acceleration $A_i$ (gravity counted as an upward acceleration of the
//! pivot) and reaches along $e_i=l_i(\sin\theta_i,-\cos\theta_i)$, $n_i=de_i/d\theta_i$. The force on it at the
//! joint is affine in $A_i$, $F_i=K_iA_i+k_i$, because that of the next one is. A part $s_im_i$ of its mass at
//! the far end has its moment about the joint; with $A_{i+1}=A_i+\dot\omega_in_i-\omega_i^2e_i$ and
//! $K_i'=K_{i+1}+s_im_i$ the balance of moments about the joint gives
//! $$\dot\omega_i=\frac{\tau_i'-h_i\cdot A_i}{D_i},\quad h_i=K_i'n_i,\quad
//!   D_i=I_i-s_im_il_i^2+n_i\cdot K_i'n_i,\quad
//!   \tau_i'=\tau_i-n_i\cdot p_i,\quad p_i=k_{i+1}-\omega_i^2K_i'e_i$$
//! and the balance of forces
//! $$K_i=K_i'+(1-s_i)m_i-\frac{h_ih_i^T}{D_i},\qquad k_i=p_i+\frac{\tau_i'}{D_i}h_i.$$
//! $I$ is the moment of inertia about the joint, τ the torque of friction and of whatever else turns the link.
//!
//! Every link waits for the division of the one below, so what counts is the way from $1/D$ to the next one. It is a
//! single product and sum, for $D_{i-1}=I_{i-1}-s_{i-1}m_{i-1}l_{i-1}^2+n_{i-1}\cdot Mn_{i-1}-(n_{i-1}\cdot h_i)^2/D_i$
//! with $M=K_i'+(1-s_i)m_i+s_{i-1}m_{i-1}$ has everything else ready before.
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
    /// Distance from the joint to the centre of mass, as a part of the length.
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
    constants: Vec<Constants>,
    has_friction: bool,
    sines: Vec<f64>,
    cosines: Vec<f64>,
    torques: Vec<f64>,
    passed: Passed,
}

/// What the pass up needs of a link.
#[derive(Clone, Copy, Debug)]
struct Constants {
    length: f64,
    /// I − s m l²
    inertia: f64,
    /// From K' − h hᵀ/D of this link to K' of the one before: the rest of this mass and the part of that one.
    mass: f64,
    /// D must be larger.
    smallest: f64,
}

/// What the pass up leaves for the pass down. Each number has an array of its own: side by side, compilers would
/// shuffle them into registers together, on the way that everything waits for.
#[derive(Clone, Debug, Default)]
struct Passed {
    /// n
    across: [Vec<f64>; 2],
    /// −ω² e
    inward: [Vec<f64>; 2],
    /// h/D
    share: [Vec<f64>; 2],
    /// τ'/D
    turn: Vec<f64>,
}

impl Passed {
    fn new(links: usize) -> Passed {
        let vector = || [vec![0.0; links], vec![0.0; links]];
        Passed { across: vector(), inward: vector(), share: vector(), turn: vec![0.0; links] }
    }
}

impl Constants {
    fn of(links: &[Link]) -> Vec<Constants> {
        let far = |link: &Link| link.mass * link.centre;
        let mut before = 0.0;
        let constants = |link: &Link| {
            let square = link.length * link.length;
            let constants = Constants {
                length: link.length,
                inertia: link.inertia - far(link) * square,
                mass: (link.mass - far(link)) + before,
                smallest: SINGULARITY_TOLERANCE * link.inertia.max(link.mass * square),
            };
            before = far(link);
            constants
        };
        links.iter().map(constants).collect()
    }
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
            passed: Passed::new(n),
            constants: Constants::of(&links),
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
        let constants = &self.constants[..n];
        let (sines, cosines) = (&self.sines[..n], &self.cosines[..n]);
        let (torques, rates) = (&self.torques[..n], &rates[..n]);
        let accelerations = &mut accelerations[..n];
        let Passed { across, inward, share, turn } = &mut self.passed;
        let [across_x, across_y] = across.each_mut().map(|axis| &mut axis[..n]);
        let [inward_x, inward_y] = inward.each_mut().map(|axis| &mut axis[..n]);
        let [share_x, share_y] = share.each_mut().map(|axis| &mut axis[..n]);
        let turn = &mut turn[..n];
        let across = |i: usize| (constants[i].length * cosines[i], constants[i].length * sines[i]);
        let Some(last) = self.links.last() else { return Ok(()) };
        // K' and k; nothing hangs on the last link
        let far = last.mass * last.centre;
        let (mut xx, mut xy, mut yy) = (far, 0.0_f64, far);
        let (mut kx, mut ky) = (0.0_f64, 0.0_f64);
        let (mut nx, mut ny) = across(n - 1);
        let mut d = far.multiply_add(nx.multiply_add(nx, ny * ny), constants[n - 1].inertia);
        for i in (0..n).rev() {
            // written so that NaN is refused too
            let resists = d > constants[i].smallest;
            if !resists {
                return Err(i);
            }
            let inverse = 1.0 / d;
            let square = rates[i] * rates[i];
            let (bx, by) = (-(square * ny), square * nx);
            (across_x[i], across_y[i]) = (nx, ny);
            (inward_x[i], inward_y[i]) = (bx, by);
            let hx = xx.multiply_add(nx, xy * ny);
            let hy = xy.multiply_add(nx, yy * ny);
            let px = xx.multiply_add(bx, xy.multiply_add(by, kx));
            let py = xy.multiply_add(bx, yy.multiply_add(by, ky));
            let torque = nx.multiply_add(-px, ny.multiply_add(-py, torques[i]));
            let (sx, sy) = (hx * inverse, hy * inverse);
            (share_x[i], share_y[i]) = (sx, sy);
            turn[i] = torque * inverse;
            (kx, ky) = (torque.multiply_add(sx, px), torque.multiply_add(sy, py));
            // D of the link before, and K' on the way to it; behind the first link nobody asks
            let before = i.saturating_sub(1);
            (nx, ny) = across(before);
            let crossed = hx.multiply_add(nx, hy * ny);
            (xx, yy) = (xx + constants[i].mass, yy + constants[i].mass);
            let unshared = xx.multiply_add(nx * nx, constants[before].inertia)
                + xy.multiply_add(2.0 * (nx * ny), yy * (ny * ny));
            d = (crossed * crossed).multiply_add(-inverse, unshared);
            xx = (hx * hx).multiply_add(-inverse, xx);
            xy = (hx * hy).multiply_add(-inverse, xy);
            yy = (hy * hy).multiply_add(-inverse, yy);
        }
        let [mut ax, mut ay] = pivot;
        for i in 0..n {
            let acceleration = share_x[i].multiply_add(-ax, share_y[i].multiply_add(-ay, turn[i]));
            accelerations[i] = acceleration;
            ax = acceleration.multiply_add(across_x[i], ax + inward_x[i]);
            ay = acceleration.multiply_add(across_y[i], ay + inward_y[i]);
        }
        Ok(())
    }
}
