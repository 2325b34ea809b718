"""The same study with Catena's equations in SciPy's integrator: for people who have one already."""

import numpy as np
from scipy.integrate import solve_ivp

import catena

BOBS, END, STARTS = 5, 5.0, np.linspace(0.2, 1.6, 8)


def study() -> tuple[np.ndarray, np.ndarray]:
    """Tips at the end, and the largest change of energy of each motion."""
    prepared = catena.load("pendulum-chain", links=BOBS, friction=0, eta0=0).prepare()
    tips, drifts = [], []
    for angle in STARTS:
        start = np.r_[np.full(BOBS, angle), np.zeros(BOBS)]
        times = np.linspace(0, END, 501)
        motion = solve_ivp(prepared.rhs, (0, END), start, method="DOP853", rtol=1e-9, atol=1e-9, t_eval=times)
        q, v = motion.y[:BOBS].T, motion.y[BOBS:].T
        kept = sum(prepared.functions.energies(motion.t, q, v))
        ends = prepared.functions.outputs(motion.t, q, v, names=["tip_x", "tip_y"])
        tips.append([ends["tip_x"][-1], ends["tip_y"][-1]])
        drifts.append(abs(kept - kept[0]).max())
    return np.array(tips), np.array(drifts)
