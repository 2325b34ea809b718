"""The same study with Catena, which says of every motion how far off it is, too."""

import numpy as np

import catena

BOBS, END, STARTS = 5, 5.0, np.linspace(0.2, 1.6, 8)


def study() -> tuple[np.ndarray, np.ndarray]:
    """Tips at the end, and the largest change of energy of each motion."""
    prepared = catena.load("pendulum-chain", links=BOBS, friction=0, eta0=0).prepare()
    tips, drifts = [], []
    for angle in STARTS:
        start = {f"theta{i + 1}": angle for i in range(BOBS)}
        run = prepared.run(t_end=END, every=0.01, rtol=1e-9, atol=1e-9, start=start)
        tips.append([run["tip_x"][-1], run["tip_y"][-1]])
        drifts.append(abs(run["energy"] - run["energy"][0]).max())
    return np.array(tips), np.array(drifts)
