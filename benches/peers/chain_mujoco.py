"""MuJoCo: the chain of rods, one evaluation and steps of RK4, in a C loop or called from Python."""

import ctypes
import tempfile
from pathlib import Path

import numpy as np

import chain
from compiled import DOUBLES, POINTER, doubles, library

try:
    import mujoco
except ImportError:
    mujoco = None


def model_text(links):
    """Nothing but joints and masses: no contacts, no constraints. Planar motion does not feel the inertia about y."""
    body = '<body pos="0 {} 0"><joint type="hinge" axis="0 0 1"/>'
    body += '<inertial pos="0 -0.5 0" mass="1" diaginertia="0.083333333333333333 1e-3 0.083333333333333333"/>'
    bodies = "".join(body.format(-1 if i > 0 else 0) for i in range(links)) + "</body>" * links
    flags = '<flag contact="disable" constraint="disable" island="disable"/>'
    option = f'<option gravity="0 {-chain.GRAVITY} 0" integrator="RK4">{flags}</option>'
    return f"<mujoco>{option}<worldbody>{bodies}</worldbody></mujoco>"


class Chain:
    """The library if it can be compiled; `loops` is None otherwise."""

    def __init__(self, links):
        self.links = links
        folder = Path(mujoco.__file__).parent
        shared = next(folder.glob("libmujoco.so*"), folder / "libmujoco.so")
        flags = [f"-I{folder}/include", str(shared), f"-Wl,-rpath,{folder}"]
        self.loops = library("mujoco.c", "gcc", flags)
        if self.loops is None:
            self.model = mujoco.MjModel.from_xml_string(model_text(links))
            self.data = mujoco.MjData(self.model)
            return
        self.loops.chain_new.restype = POINTER
        self.loops.chain_new.argtypes = [ctypes.c_char_p]
        many = [POINTER, DOUBLES, ctypes.c_int, ctypes.c_int, DOUBLES]
        self.loops.chain_forward.argtypes = self.loops.chain_minimal.argtypes = many
        self.loops.chain_steps.argtypes = [POINTER, DOUBLES, ctypes.c_double, ctypes.c_int]
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(model_text(links))
            file.flush()
            self.handle = self.loops.chain_new(file.name.encode())

    def loop(self, function):
        def evaluate(states, passes):
            accelerations = np.empty(self.links)
            function(self.handle, doubles(states), len(states), passes, doubles(accelerations))
            return accelerations

        return evaluate

    def from_python(self, states, passes):
        for _ in range(passes):
            for y in states:
                self.data.qpos, self.data.qvel = y[: self.links], y[self.links :]
                mujoco.mj_forward(self.model, self.data)
        return self.data.qacc

    def integrate(self, step, t_end):
        """The state, of relative angles, after it fell from the horizontal."""
        state = chain.relative(chain.horizontal(self.links))
        steps = round(t_end / step)
        if self.loops is not None:
            self.loops.chain_steps(self.handle, doubles(state), step, steps)
            return state
        self.model.opt.timestep = step
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos, self.data.qvel = state[: self.links], state[self.links :]
        mujoco.mj_step(self.model, self.data, steps)
        return np.concatenate([self.data.qpos, self.data.qvel])


def evaluations(links):
    """By name: a function of (states, passes), which returns the accelerations of the last state."""
    if mujoco is None:
        return {}
    model = Chain(links)
    if model.loops is None:
        return {"MuJoCo mj_forward, call from Python": model.from_python}
    return {
        "MuJoCo mj_forward, C loop": model.loop(model.loops.chain_forward),
        "MuJoCo only what accelerations need, C loop": model.loop(model.loops.chain_minimal),
    }
