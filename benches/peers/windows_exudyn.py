"""Exudyn: a row of n square windows of rigid rods in the plane, by its generalized-alpha."""

import math
import sys
from itertools import product
from typing import NamedTuple

import numpy as np

# the module without range checks; it has to be asked for before the first import
sys.exudynFast = True
try:
    import exudyn
    from exudyn.itemInterface import (
        LoadMassProportional,
        MarkerBodyMass,
        MarkerBodyPosition,
        NodeRigidBody2D,
        ObjectGround,
        ObjectJointRevolute2D,
        ObjectRigidBody2D,
    )
except ImportError:
    exudyn = None

GRAVITY = 9.81
INERTIA = 1 / 12
T_END = 10.0
# even steps that the ten seconds are cut into
STEPS = (4000, 5000, 6400, 8000, 9000, 10000, 11000, 12500, 16000, 20000, 25000, 32000)
FEWEST_OF_TWO = 4000
LINEAR_SOLVERS = ("EigenSparse", "EigenDense", "EXUdense")


class Choice(NamedTuple):
    """What can be chosen; these are Exudyn's defaults."""

    spectral_radius: float = 0.9
    newton_tolerance: float = 1e-8
    modified_newton: bool = True
    linear_solver: str = "EXUdense"
    # the trapezoidal rule with constraints of velocities in the place of generalized-alpha
    index2: bool = False

    def __str__(self):
        newton = "modified" if self.modified_newton else "full"
        method = "trapezoidal, index 2" if self.index2 else f"generalized-alpha, radius {self.spectral_radius:g}"
        return f"{method}, {newton} Newton to {self.newton_tolerance:.0e}, {self.linear_solver}"

    def settings(self, steps):
        """Nothing is written, printed or sensed; one thread."""
        settings = exudyn.SimulationSettings()
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = 2 * T_END
        settings.show.statistics = settings.show.computationTime = False
        settings.parallel.numberOfThreads = 1
        settings.linearSolver.solverType = getattr(exudyn.LinearSolverType, self.linear_solver)
        integration = settings.timeIntegration
        integration.endTime, integration.numberOfSteps = T_END, steps
        integration.verboseMode = 0
        integration.newton.useModifiedNewton = self.modified_newton
        integration.newton.relativeTolerance = self.newton_tolerance
        integration.generalizedAlpha.spectralRadius = self.spectral_radius
        integration.generalizedAlpha.useIndex2Constraints = self.index2
        integration.generalizedAlpha.useNewmark = self.index2
        return settings


DEFAULT = Choice()
TRAPEZOIDAL = DEFAULT._replace(index2=True)
# a radius of 1 damps nothing, and does not arrive
CHOICES = [Choice(*chosen) for chosen in product((0.9, 0.99), (1e-8, 1e-5, 1e-2), (True, False))]


class Kept(NamedTuple):
    """What was kept in all steps."""

    energy_error: float
    split: float
    angle: float


class Windows:
    """n + 1 uprights on the ground and n bars along their tops; the tips move to the right at 1 m/s."""

    def __init__(self, count):
        self.count = count
        self.container = exudyn.SystemContainer()
        self.system = self.container.AddSystem()
        ground = self.system.AddObject(ObjectGround())
        uprights = [self.rod([i, 0.5, math.pi / 2], [0.5, 0, -1]) for i in range(count + 1)]
        bars = [self.rod([i + 0.5, 1, 0], [1, 0, 0]) for i in range(count)]
        for i, upright in enumerate(uprights):
            self.joint((ground, i), (upright, -0.5))
        for i, bar in enumerate(bars):
            self.joint((uprights[i], 0.5), (bar, -0.5))
            self.joint((uprights[i + 1], 0.5), (bar, 0.5))
        self.system.Assemble()

    def rod(self, place, velocity):
        node = NodeRigidBody2D(referenceCoordinates=place, initialVelocities=velocity)
        body = ObjectRigidBody2D(mass=1.0, inertia=INERTIA, nodeNumber=self.system.AddNode(node))
        number = self.system.AddObject(body)
        mass = self.system.AddMarker(MarkerBodyMass(bodyNumber=number))
        self.system.AddLoad(LoadMassProportional(markerNumber=mass, loadVector=[0, -GRAVITY, 0]))
        return number

    def joint(self, *places):
        """Between points on the first axes of two bodies."""
        points = [MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0]) for body, x in places]
        markers = [self.system.AddMarker(point) for point in points]
        self.system.AddObject(ObjectJointRevolute2D(markerNumbers=markers))

    def integrate(self, choice, steps):
        """Counts of steps, and of evaluations, which it does not tell."""
        self.system.SolveDynamic(choice.settings(steps))
        return steps, None

    def state(self):
        """Energy, the largest difference between uprights, and the angle of the first."""
        data, uprights = self.system.systemData, self.count + 1
        # what is stored are displacements
        moved = data.GetODE2Coordinates().reshape(-1, 3)
        velocities = data.GetODE2Coordinates_t().reshape(-1, 3)
        heights = moved[:, 1] + np.where(np.arange(len(moved)) < uprights, 0.5, 1.0)
        kinetic = 0.5 * np.sum(velocities**2 * [1.0, 1.0, INERTIA])
        angles = math.pi / 2 + moved[:uprights, 2]
        return kinetic + GRAVITY * np.sum(heights), np.ptp(angles), angles[0]


def kept(count, choice, steps):
    """How well the row is kept, looked at after every step, or None if it does not arrive."""
    windows = Windows(count)
    states = [windows.state()]

    def look(system, time):
        states.append(windows.state())
        # a row that has lost its energy is not followed to the end
        return abs(states[-1][0] - states[0][0]) < 1.0

    windows.system.SetPostStepUserFunction(look)
    try:
        windows.integrate(choice, steps)
    except exudyn.SolverError:
        return None
    energies, splits, angles = np.array(states).T
    error = np.max(np.abs(energies - energies[0]))
    return Kept(error, np.max(splits), angles[-1]) if error < 1.0 else None


def fewest_steps(count, choice, wanted):
    """The fewest steps of the list that leave the wanted energy error, J, or the most there are; and what is kept."""
    # of second order, and n windows have n times the energy: fewer were not enough under any choice
    fewest = FEWEST_OF_TWO * math.sqrt(count / 2)
    for steps in STEPS:
        if steps >= fewest:
            found = kept(count, choice, steps)
            if found is not None and found.energy_error <= wanted:
                break
    return steps, found
