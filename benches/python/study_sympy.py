"""A pendulum of five bobs from eight starts: Kane's method, `lambdify`, `solve_ivp`."""

import numpy as np
from scipy.integrate import solve_ivp
from sympy import lambdify, symbols
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

BOBS, END, STARTS = 5, 5.0, np.linspace(0.2, 1.6, 8)


def study() -> tuple[np.ndarray, np.ndarray]:
    """Tips at the end, and the largest change of energy of each motion."""
    q, u = dynamicsymbols(f"q:{BOBS}"), dynamicsymbols(f"u:{BOBS}")
    m, l, g = symbols("m l g")
    ground, pivot = ReferenceFrame("N"), Point("O")
    pivot.set_vel(ground, 0)
    bobs, weights, joint = [], [], pivot
    for i in range(BOBS):
        rod = ground.orientnew(f"B{i}", "Axis", [q[i], ground.z])
        rod.set_ang_vel(ground, u[i] * ground.z)
        end = joint.locatenew(f"P{i}", -l * rod.y)
        end.v2pt_theory(joint, ground, rod)
        bobs.append(Particle(f"M{i}", end, m))
        weights.append((end, -m * g * ground.y))
        joint = end
    kane = KanesMethod(ground, q, u, [q[i].diff() - u[i] for i in range(BOBS)])
    kane.kanes_equations(bobs, weights)
    heights = [bob.point.pos_from(pivot).dot(ground.y) for bob in bobs]
    energy = sum(bob.kinetic_energy(ground) + m * g * height for bob, height in zip(bobs, heights))
    tip = [joint.pos_from(pivot).dot(axis) for axis in (ground.x, ground.y)]
    values, constants = (*q, *u, m, l, g), (1.0, 1.0, 9.81)
    mass, forcing, energy, tip = (
        lambdify(values, expression, cse=True)
        for expression in (kane.mass_matrix_full, kane.forcing_full, energy, tip)
    )

    def rhs(t: float, y: np.ndarray) -> np.ndarray:
        return np.linalg.solve(mass(*y, *constants), forcing(*y, *constants)).ravel()

    tips, drifts = [], []
    for angle in STARTS:
        start = np.r_[np.full(BOBS, angle), np.zeros(BOBS)]
        times = np.linspace(0, END, 501)
        motion = solve_ivp(rhs, (0, END), start, method="DOP853", rtol=1e-9, atol=1e-9, t_eval=times)
        kept = energy(*motion.y, *constants)
        tips.append(tip(*motion.y[:, -1], *constants))
        drifts.append(abs(kept - kept[0]).max())
    return np.array(tips), np.array(drifts)
