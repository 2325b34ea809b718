"""Pinocchio: the chain of rods by its articulated-body algorithm."""

import ctypes
from pathlib import Path

import numpy as np

import chain
from compiled import DOUBLES, POINTER, doubles, library

try:
    import pinocchio
except ImportError:
    pinocchio = None

# the headers want these; so do the CMake files that come with them
DEFINITIONS = (
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
)


def evaluations(links):
    """By name: a function of (states, passes), which returns the accelerations of the last state.

    A C++ loop if the headers are there and a compiler is, which takes minutes the first time; else the call from
    Python, which is longer by what the call costs.
    """
    if pinocchio is None:
        return {}
    prefix = Path(pinocchio.__file__).parents[4]
    include = prefix / "include"
    flags = ["-std=c++17", *DEFINITIONS, f"-I{include}", f"-I{include}/eigen3"]
    flags += [f"-L{prefix}/lib", "-lpinocchio_default", f"-Wl,-rpath,{prefix}/lib"]
    loops = library("pinocchio.cpp", "g++", flags)
    if loops is None:
        return {"Pinocchio aba, call from Python": from_python(links)}
    loops.chain_new.restype = POINTER
    loops.chain_new.argtypes = [ctypes.c_int, ctypes.c_double]
    handle = loops.chain_new(links, chain.GRAVITY)

    def loop(function):
        function.argtypes = [POINTER, DOUBLES, ctypes.c_int, ctypes.c_int, DOUBLES]

        def evaluate(states, passes):
            accelerations = np.empty(links)
            function(handle, doubles(states), len(states), passes, doubles(accelerations))
            return accelerations

        return evaluate

    return {
        "Pinocchio aba LOCAL, C++ loop": loop(loops.chain_local),
        "Pinocchio aba WORLD, C++ loop": loop(loops.chain_world),
    }


def from_python(links):
    model = pinocchio.Model()
    model.gravity.linear = np.array([0.0, -chain.GRAVITY, 0.0])
    parent = 0
    for i in range(links):
        place = pinocchio.SE3.Identity()
        place.translation = np.array([0.0, -1.0 if i > 0 else 0.0, 0.0])
        parent = model.addJoint(parent, pinocchio.JointModelRZ(), place, f"joint{i}")
        rod = pinocchio.Inertia(1.0, np.array([0.0, -0.5, 0.0]), np.diag([1 / 12, 0.0, 1 / 12]))
        model.appendBodyToJoint(parent, rod, pinocchio.SE3.Identity())
    data, torques = model.createData(), np.zeros(links)

    def evaluate(states, passes):
        for _ in range(passes):
            for y in states:
                pinocchio.aba(model, data, y[:links], y[links:], torques)
        return data.ddq

    return evaluate
