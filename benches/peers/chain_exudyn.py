"""Exudyn: the chain of rods as a KinematicTree, by its DOPRI5."""

import numpy as np

import chain

try:
    import exudyn
    from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree
except ImportError:
    exudyn = None

# steps are not longer than this, s
LONGEST_STEP = 0.1


class FallingChain:
    """From rest along the horizontal; coordinates are the angles to the link before."""

    def __init__(self, links):
        self.container = exudyn.SystemContainer()
        self.system = self.container.AddSystem()
        start = [float(q) for q in chain.relative(chain.horizontal(links))]
        node = NodeGenericODE2(
            referenceCoordinates=[0.0] * links,
            initialCoordinates=start[:links],
            initialCoordinates_t=start[links:],
            numberOfODE2Coordinates=links,
        )
        tree = ObjectKinematicTree(
            nodeNumber=self.system.AddNode(node),
            jointTypes=[exudyn.JointType.RevoluteZ] * links,
            linkParents=list(range(-1, links - 1)),
            jointTransformations=exudyn.Matrix3DList([np.eye(3)] * links),
            jointOffsets=exudyn.Vector3DList([[0, 0, 0]] + [[0, -1, 0]] * (links - 1)),
            linkInertiasCOM=exudyn.Matrix3DList([np.diag([1 / 12, 0, 1 / 12])] * links),
            linkCOMs=exudyn.Vector3DList([[0, -0.5, 0]] * links),
            linkMasses=[1.0] * links,
            gravity=[0, -chain.GRAVITY, 0],
        )
        self.system.AddObject(tree)
        self.system.Assemble()

    def integrate(self, tolerance, t_end):
        """Counts of steps, and of evaluations, which it does not tell."""
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.endTime = t_end
        settings.timeIntegration.numberOfSteps = round(t_end / LONGEST_STEP)
        settings.timeIntegration.automaticStepSize = True
        settings.timeIntegration.relativeTolerance = tolerance
        settings.timeIntegration.absoluteTolerance = tolerance
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        self.system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.DOPRI5)
        return self.system.sys["dynamicSolver"].it.currentStepIndex, None

    def tip_error(self, tolerance, at, reference):
        self.integrate(tolerance, at)
        angles = np.cumsum(self.system.systemData.GetODE2Coordinates())
        return np.linalg.norm(chain.tip(np.concatenate([angles, angles])) - reference)
