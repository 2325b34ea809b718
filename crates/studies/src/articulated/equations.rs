//! The system, and the equations of both methods.

use super::chain::{Conditions, chain};
use crate::{Laboratory, Section, StudyError};
use catena::CoordinateSet;

/// Rods of the chain whose equations are written out.
const WRITTEN_OUT: usize = 2;

const AUGMENTED_LAGRANGIAN: &str = "\
(M + Φqᵀ α Φq) q̈ₖ₊₁ = M q̈ₖ − Φqᵀ α (−γ + 2 ξ ω Φ̇ + ω² Φ),    M q̈₀ = Q
λₖ₊₁ = λₖ + α (Φ̈ + 2 ξ ω Φ̇ + ω² Φ)ₖ₊₁,    λ₀ = 0,    Φ̈ = Φq q̈ − γ
until ‖q̈ₖ₊₁ − q̈ₖ‖ ≤ ε ‖q̈ₖ₊₁‖";

const INDEX_1: &str = "\
M q̈ + Φqᵀ λ = Q
Φq q̈ = γ − 2 ξ ω Φ̇ − ω² Φ";

const ABSOLUTE: &str = "\
q = (x₁, y₁, θ₁, …, xₙ, yₙ, θₙ),    M = diag(m, m, m l²/12, …),    Q = (0, −m g, 0, …)
Φᵢ = rᵢ − ½ l eᵢ − rᵢ₋₁ − ½ l eᵢ₋₁ = 0,    eᵢ: the direction of rod i
γᵢ = −½ l (θ̇ᵢ² eᵢ + θ̇ᵢ₋₁² eᵢ₋₁)";

const OUTWARD: &str = "\
Vᵢ = Cᵢ Vᵢ₋₁ + Sᵢ q̇ᵢ,    Vᵢ = (vᵢ, ωᵢ),    Dᵢ = Ċᵢ Vᵢ₋₁ + Ṡᵢ q̇ᵢ
Cᵢ = [ I  uᵢ^⊥ ; 0  1 ],    Sᵢ = [ sᵢ^⊥ ; 1 ],    (x, y)^⊥ = (−y, x)
Mᵢ = [ m I  m cᵢ^⊥ ; m (cᵢ^⊥)ᵀ  m l²/12 + m |cᵢ|² ],    Qᵢ = ( Fᵢ + m ωᵢ² cᵢ, cᵢ^⊥ · Fᵢ )";

const INWARD: &str = "\
Mₙ* = Mₙ,    Qₙ* = Qₙ,    Uᵢ = Sᵢᵀ Mᵢ* Sᵢ
Mᵢ₋₁* = Mᵢ₋₁ + Cᵢᵀ Mᵢ* Cᵢ − Cᵢᵀ Mᵢ* Sᵢ Uᵢ⁻¹ Sᵢᵀ Mᵢ* Cᵢ
Qᵢ₋₁* = Qᵢ₋₁ − Cᵢᵀ [ Mᵢ* ( Sᵢ Uᵢ⁻¹ Sᵢᵀ (Qᵢ* − Mᵢ* Dᵢ) + Dᵢ ) − Qᵢ* ]";

const OUTWARD_AGAIN: &str = "\
q̈ᵢ = Uᵢ⁻¹ Sᵢᵀ ( Qᵢ* − Mᵢ* (Cᵢ V̇ᵢ₋₁ + Dᵢ) ),    V̇ᵢ = Cᵢ V̇ᵢ₋₁ + Sᵢ q̈ᵢ + Dᵢ,    V̇₀ = 0";

const STEP_CONTROL: &str = "\
error = maxᵢ |eᵢ| / max(|yᵢ|, |yᵢ⁺|, 1)    for RelTol = AbsTol = tol; y⁺ is the state after the step
error ≤ tol:  accepted, h ← h / max(0.2, 1.25 (error/tol)^⅕); it does not grow right after a rejection
error > tol:  rejected, h ← h · max(0.1, 0.8 (tol/error)^⅕), and ½ h if that is rejected again
h ≤ T/10 in all steps of a run of length T
h ≤ grid and h ≤ 0.8 tol^⅕ / maxᵢ (|fᵢ| / max(|yᵢ|, 1)) in the first";

pub(super) fn run(lab: &Laboratory<'_>) -> Result<Section, StudyError> {
    let Conditions { links, alpha, omega, xi } = Conditions::of(lab);
    let mut section = Section::default();
    section.text(format!(
        "A chain of {links} equal uniform rods, linked by revolute joints without friction and pinned at the origin, falls for 5 s. \
         The study gives neither masses nor lengths, nor the start, nor the constants of its solver. Here m = 1 kg, l = 1 m, \
         g = 9.81 m/s², all rods horizontal and at rest, α = {alpha} kg, ω = {omega} rad/s, ξ = {xi}. Angles of Catena are measured from the \
         downward vertical, those of the study from the horizontal: a difference of 90° that changes no figure."
    ));
    section.text(
        "Absolute coordinates, for the augmented Lagrangian: three for each rod, tied together by two constraints for each joint. \
         With θ from the horizontal, eᵢ = (cos θᵢ, sin θᵢ):",
    );
    section.formula(ABSOLUTE);
    let model = chain(lab, WRITTEN_OUT)?;
    section.derivation(catena::derive(&model, CoordinateSet::Absolute)?);
    section.text(
        "The augmented Lagrangian (E. Bayo, J. García de Jalón, M. A. Serna, 1988) is a penalty that an iteration makes exact. The \
         matrix is factored once in each evaluation. ω and ξ stabilise the constraints; the study does not mention their values, and what it \
         reports is what happens without them.",
    );
    section.formula(AUGMENTED_LAGRANGIAN);
    section.text(
        "Its limit is the index-1 form with the same multipliers λ; −Φqᵀλ is the force of the joints. The iteration of \
         Catena ends at ε = 10⁻¹¹, so that α is a matter of speed.",
    );
    section.formula(INDEX_1);
    section.text(
        "Joint coordinates, for the recursive method: one angle for each rod, and no constraints. Written out by Lagrange's equations, two \
         rods are",
    );
    section.derivation(catena::derive(&model, CoordinateSet::Own)?);
    section.text(
        "The recursive method never sets up that matrix. It sweeps outward for velocities, inward for articulated inertias and \
         outward again for accelerations; the cost grows with the number of rods. uᵢ leads from the reference point of body i − 1 to \
         that of body i, sᵢ from joint i to it, cᵢ from it to the centre of mass, Fᵢ = (0, −m g).",
    );
    section.formula(OUTWARD);
    section.formula(INWARD);
    section.formula(OUTWARD_AGAIN);
    section.text(
        "Both are integrated by `ode45`, the pair of Dormand and Prince of order 5(4), with the step control of MATLAB:",
    );
    section.formula(STEP_CONTROL);
    Ok(section)
}
