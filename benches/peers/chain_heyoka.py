"""heyoka: the chain of rods by Taylor series."""

from time import perf_counter

import numpy as np

import chain

try:
    import heyoka
except ImportError:
    heyoka = None
else:
    heyoka.set_nthreads(1)  # it would share many states out to all cores

# by symmetry most orders of the Taylor series vanish at the horizontal start, and the step rule is misled by them
CAUTIOUS_UNTIL, CAUTIOUS_STEP = 0.1, 0.01


def symbols(links):
    names = [f"q{i}" for i in range(links)] + [f"v{i}" for i in range(links)]
    variables = heyoka.make_vars(*names)
    return variables[:links], variables[links:]


class FallingChain:
    """From rest along the horizontal, by the recursion."""

    def __init__(self, links, tolerance, compact):
        q, v = symbols(links)
        sin, cos = [heyoka.sin(x) for x in q], [heyoka.cos(x) for x in q]
        equations = list(zip(q, v)) + list(zip(v, chain.recursion(sin, cos, v)))
        self.start = chain.horizontal(links)
        begun = perf_counter()
        self.taylor = heyoka.taylor_adaptive(equations, self.start, tol=tolerance, compact_mode=compact)
        self.ready_after = perf_counter() - begun

    def integrate(self, t_end):
        """Counts of steps, and of evaluations, which it has none of."""
        self.taylor.time = 0.0
        self.taylor.state[:] = self.start
        first = self.taylor.propagate_until(CAUTIOUS_UNTIL, max_delta_t=CAUTIOUS_STEP)
        second = self.taylor.propagate_until(t_end)
        return first[3] + second[3], None

    def tip_error(self, at, reference):
        self.integrate(at)
        return np.linalg.norm(chain.tip(self.taylor.state) - reference)
