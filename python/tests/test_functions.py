"""The derived functions on arrays: against closed forms, in every shape, and what is refused."""

from __future__ import annotations

import _thread
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import catena

Numbers = np.ndarray[Any, np.dtype[np.float64]]
G, M1, M2, L1, L2 = 9.81, 1.0, 2.0, 0.8, 1.1


@pytest.fixture(scope="module")
def double() -> catena.Prepared:
    return catena.load("double-pendulum", m1=M1, m2=M2, l1=L1, l2=L2).prepare()


@pytest.fixture(scope="module")
def four_bar() -> catena.Prepared:
    return catena.load("four-bar").prepare("multipliers")


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(18)


def near_start(prepared: catena.Prepared, random: np.random.Generator, count: int) -> tuple[Numbers, Numbers]:
    n = prepared.functions._sizes[0]
    y = prepared.y0[: 2 * n] + random.uniform(-0.3, 0.3, (count, 2 * n))
    return y[:, :n], y[:, n:]


def double_pendulum_by_hand(q: Numbers, v: Numbers) -> tuple[Numbers, Numbers]:
    """M and Q of two bobs on massless rods, angles from the downward vertical."""
    (a, b), (va, vb) = q.T, v.T
    mass = np.empty((len(q), 2, 2))
    mass[:, 0, 0] = (M1 + M2) * L1**2
    mass[:, 0, 1] = mass[:, 1, 0] = M2 * L1 * L2 * np.cos(a - b)
    mass[:, 1, 1] = M2 * L2**2
    forces = np.stack(
        [
            -M2 * L1 * L2 * vb**2 * np.sin(a - b) - (M1 + M2) * G * L1 * np.sin(a),
            M2 * L1 * L2 * va**2 * np.sin(a - b) - M2 * G * L2 * np.sin(b),
        ],
        axis=1,
    )
    return mass, forces


def test_the_double_pendulum_has_the_mass_matrix_and_the_forces_of_the_textbook(
    double: catena.Prepared, random: np.random.Generator,
) -> None:
    q, v = random.uniform(-3, 3, (2, 50, 2))
    mass, forces = double_pendulum_by_hand(q, v)
    np.testing.assert_allclose(double.functions.M(0.0, q, v), mass, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(double.functions.Q(0.0, q, v), forces, rtol=1e-11, atol=1e-12)
    expected = np.linalg.solve(mass, forces[..., None])[..., 0]
    np.testing.assert_allclose(double.functions.accelerations(0.0, q, v), expected, rtol=1e-10, atol=1e-10)


def test_energies_are_those_of_the_bobs(double: catena.Prepared, random: np.random.Generator) -> None:
    q, v = random.uniform(-3, 3, (2, 20, 2))
    mass, _ = double_pendulum_by_hand(q, v)
    energies = double.functions.energies(0.0, q, v)
    np.testing.assert_allclose(energies.kinetic, np.einsum("ki,kij,kj->k", v, mass, v) / 2, rtol=1e-12)
    height = -(M1 + M2) * L1 * np.cos(q[:, 0]) - M2 * L2 * np.cos(q[:, 1])
    np.testing.assert_allclose(energies.potential, G * height, rtol=1e-12, atol=1e-12)


def test_the_jacobian_and_gamma_of_the_four_bar_are_the_slopes_of_its_constraints(
    four_bar: catena.Prepared, random: np.random.Generator,
) -> None:
    functions = four_bar.functions
    q, v = near_start(four_bar, random, 6)
    h = 1e-6
    slopes = np.stack(
        [(functions.Phi(0.0, q + h * e) - functions.Phi(0.0, q - h * e)) / (2 * h) for e in np.eye(q.shape[1])], axis=2
    )
    np.testing.assert_allclose(functions.Phi_q(0.0, q), slopes, atol=1e-8)
    # with v̇ = 0 the second time derivative of Φ is −γ
    h = 1e-4
    bend = (functions.Phi(h, q + h * v) - 2 * functions.Phi(0.0, q) + functions.Phi(-h, q - h * v)) / h**2
    np.testing.assert_allclose(functions.gamma(0.0, q, v), -bend, atol=1e-6)


def test_constraints_of_the_four_bar_are_those_of_its_links(
    four_bar: catena.Prepared, random: np.random.Generator,
) -> None:
    q, _ = near_start(four_bar, random, 4)
    at = {name: q[:, place] for place, name in enumerate(four_bar.names[:9])}
    first = at["x2"] - 0.4 / 2 * np.cos(at["theta2"])
    last = 0.4 * np.sin(at["theta2"]) + 0.9 * np.sin(at["theta3"]) - 0.8 * np.sin(at["theta4"])
    phi = four_bar.functions.constraints(0.0, q)
    assert phi.shape == (4, 8)
    np.testing.assert_allclose(phi[:, 0], first, atol=1e-14)
    np.testing.assert_allclose(phi[:, 7], last, atol=1e-14)
    np.testing.assert_allclose(four_bar.functions.Phi(0.0, four_bar.y0[:9]), 0, atol=1e-10)


def test_multipliers_and_accelerations_satisfy_the_equations(
    four_bar: catena.Prepared, random: np.random.Generator,
) -> None:
    functions = four_bar.functions
    q, v = near_start(four_bar, random, 10)
    acceleration, multiplier = functions.accelerations(0.0, q, v), functions.multipliers(0.0, q, v)
    jacobian = functions.Phi_q(0.0, q, v)
    left = np.einsum("kij,kj->ki", functions.M(0.0, q, v), acceleration) + np.einsum("kci,kc->ki", jacobian, multiplier)
    np.testing.assert_allclose(left, functions.Q(0.0, q, v), rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(
        np.einsum("kci,ki->kc", jacobian, acceleration), functions.gamma(0.0, q, v), rtol=1e-9, atol=1e-8
    )


def test_outputs_have_their_names_and_other_columns_come_when_they_are_named(double: catena.Prepared) -> None:
    q, v = np.array([[0.3, 0.5], [1.0, -1.0]]), np.array([[1.0, 2.0], [0.0, 0.5]])
    outputs = double.functions.outputs(0.0, q, v)
    assert list(outputs) == ["tip_x", "tip_y", "tension2"]
    np.testing.assert_allclose(outputs["tip_x"], L1 * np.sin(q[:, 0]) + L2 * np.sin(q[:, 1]), rtol=1e-14)
    named = double.functions.outputs(0.0, q, v, names=["theta1''", "x1"])
    np.testing.assert_allclose(named["theta1''"], double.functions.accelerations(0.0, q, v)[:, 0], rtol=1e-12)
    with pytest.raises(catena.RequestError, match="there is no column `tip_z`") as raised:
        double.functions.outputs(0.0, q, v, names=["tip_z"])
    assert "tip_x" in str(raised.value.help) or "tip_y" in str(raised.value.help)


def test_every_function_has_a_long_and_a_short_name(double: catena.Prepared) -> None:
    functions = catena.Functions
    assert functions.M is functions.mass_matrix and functions.Q is functions.forces
    assert functions.Phi is functions.constraints and functions.Phi_q is functions.constraint_jacobian


@pytest.mark.parametrize("name", ["mass_matrix", "forces", "accelerations", "energies"])
def test_one_state_and_many_have_the_same_bits(double: catena.Prepared, random: np.random.Generator, name: str) -> None:
    q, v = random.uniform(-3, 3, (2, 37, 2))
    function = getattr(double.functions, name)
    together = np.moveaxis(np.asarray(function(0.0, q, v)), -1, 0) if name == "energies" else function(0.0, q, v)
    for state in range(37):
        alone = function(0.0, q[state], v[state])
        if name == "energies":
            assert [float(value) for value in alone] == list(np.asarray(function(0.0, q, v))[:, state])
        else:
            assert np.array_equal(alone, together[state])


def test_threads_do_not_change_a_bit(double: catena.Prepared, random: np.random.Generator) -> None:
    q, v = random.uniform(-3, 3, (2, 20_000, 2))
    one, two = (double.functions.accelerations(0.0, q, v, threads=threads) for threads in (1, 2))
    assert np.array_equal(one, two)


def test_shapes_follow_those_of_the_states(double: catena.Prepared) -> None:
    functions, zero = double.functions, np.zeros(2)
    assert functions.M(0.0, zero).shape == (2, 2)
    assert functions.M(0.0, np.zeros((5, 2))).shape == (5, 2, 2)
    assert functions.Q(0.0, np.zeros((5, 2)), zero).shape == (5, 2)
    assert functions.Q(np.zeros(5), zero, zero).shape == (5, 2)
    assert functions.Q(0.0, np.zeros((3, 1, 2)), np.zeros((4, 2))).shape == (3, 4, 2)
    assert functions.Phi(0.0, np.zeros((5, 2))).shape == (5, 0)
    assert functions.multipliers(0.0, np.zeros((5, 2)), zero).shape == (5, 0)
    assert functions.Q(0.0, np.zeros((0, 2)), np.zeros((0, 2))).shape == (0, 2)
    assert functions.energies(0.0, zero, zero).kinetic.shape == ()


def test_times_of_their_own_count_for_each_state() -> None:
    functions = catena.load("triple-pendulum", eta0=0.5).prepare().functions
    times, q, v = np.array([0.0, 0.3, 0.7]), np.full(3, 0.2), np.zeros(3)
    each = [functions.Q(t, q, v) for t in times]
    assert np.array_equal(functions.Q(times, q, v), each)
    assert not np.array_equal(each[0], each[1])


def test_strides_and_types_do_not_matter(double: catena.Prepared, random: np.random.Generator) -> None:
    q, v = random.uniform(-3, 3, (2, 10, 2))
    functions = double.functions
    expected = functions.Q(0.0, q, v)
    wide = np.zeros((10, 7))
    wide[:, 1:5:3] = q
    assert np.array_equal(functions.Q(0.0, wide[:, 1:5:3], v), expected)
    assert np.array_equal(functions.Q(0.0, np.asfortranarray(q), v[::-1][::-1]), expected)
    assert np.array_equal(functions.Q(0.0, q.tolist(), v.tolist()), expected)
    narrow = q.astype(np.float32)
    assert np.array_equal(functions.Q(0.0, narrow, v), functions.Q(0.0, narrow.astype(float), v))
    whole = np.array([[1, 2], [0, -1]])
    assert np.array_equal(functions.Q(0, whole, whole), functions.Q(0.0, whole.astype(float), whole.astype(float)))
    swapped = q.astype(">f8")
    assert np.array_equal(functions.Q(0.0, swapped, v), expected)
    q.flags.writeable = False
    assert np.array_equal(functions.Q(0.0, q, v), expected)
    shifted = np.frombuffer(b"." + q.tobytes(), np.uint8)[1:].view(float).reshape(10, 2)
    assert not shifted.flags.aligned
    assert np.array_equal(functions.Q(0.0, shifted, v), expected)
    assert np.array_equal(double.rhs(0.0, shifted.reshape(-1)[:4]), double.rhs(0.0, q.reshape(-1)[:4]))


def test_results_are_written_into_the_array_that_is_given(double: catena.Prepared, random: np.random.Generator) -> None:
    q, v = random.uniform(-3, 3, (2, 10, 2))
    out = np.full((10, 2, 2), 7.0)
    assert double.functions.M(0.0, q, v, out=out) is out
    assert np.array_equal(out, double.functions.M(0.0, q, v))
    both = np.empty((10, 2))
    energies = double.functions.energies(0.0, q, v, out=both)
    assert np.shares_memory(energies.kinetic, both)


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.empty((10, 3)), r"`out` has the shape \(10, 3\), and the result has \(10, 2\)"),
        (np.empty((10, 2), np.float32), "numbers of the type float32, not float64"),
        (np.empty((10, 4))[:, ::2], "`out` is not contiguous"),
        (np.empty((2, 10)).T, "`out` is not contiguous"),
        ([[0.0, 0.0]] * 10, "`out` is no array but of the type `list`"),
        (np.broadcast_to(np.zeros((10, 2)), (10, 2)), "`out` cannot be written"),
        (np.zeros(161, np.uint8)[1:].view(float).reshape(10, 2), "`out` is not aligned"),
    ],
)
def test_an_array_that_cannot_take_the_results_is_refused(double: catena.Prepared, out: Any, words: str) -> None:
    with pytest.raises(catena.RequestError, match=words) as raised:
        double.functions.Q(0.0, np.zeros((10, 2)), np.zeros((10, 2)), out=out)
    assert raised.value.help == "give `numpy.empty((10, 2))`"


def test_an_array_is_not_read_and_written_at_once(double: catena.Prepared) -> None:
    q = np.zeros((10, 2))
    with pytest.raises(catena.RequestError, match="`out` shares memory with what is given"):
        double.functions.Q(0.0, q, np.zeros((10, 2)), out=q)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0.0, np.zeros(3), np.zeros(2)), r"`q` has the shape \(3,\), and the model has 2 coordinates"),
        ((0.0, np.zeros(2), np.zeros((4, 1))), r"`v` has the shape \(4, 1\), and the model has 2 velocities"),
        ((0.0, 1.0, np.zeros(2)), r"`q` has the shape \(\), and the model has 2 coordinates"),
        ((0.0, np.zeros((3, 2)), np.zeros((4, 2))), "the numbers of states do not fit each other"),
        ((np.zeros(3), np.zeros((4, 2)), np.zeros(2)), "the numbers of states do not fit each other"),
        ((0.0, ["left", "right"], np.zeros(2)), "`q` is no array of real numbers"),
        ((0.0, np.zeros(2, complex), np.zeros(2)), "its numbers are of the type complex128"),
        ((0.0, None, np.zeros(2)), "`q` "),
        ((0.0, [[0.0, 1.0], [2.0]], np.zeros(2)), "`q` is no array of real numbers"),
        ((0.0, np.zeros(2), np.zeros(2), np.zeros(1)), "the model has no first-order states"),
    ],
)
def test_what_has_the_wrong_shape_or_type_is_refused(
    double: catena.Prepared, arguments: tuple[Any, ...], words: str,
) -> None:
    with pytest.raises(catena.RequestError, match=words):
        double.functions.Q(*arguments)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two"])
def test_a_number_of_threads_is_a_whole_number_from_one_on(double: catena.Prepared, threads: Any) -> None:
    with pytest.raises(catena.RequestError, match="`threads` cannot be"):
        double.functions.Q(0.0, np.zeros(2), np.zeros(2), threads=threads)


def test_a_state_that_is_not_a_number_has_no_result_and_leaves_the_others_alone(
    double: catena.Prepared, random: np.random.Generator,
) -> None:
    q, v = random.uniform(-3, 3, (2, 20, 2))
    sound = double.functions.accelerations(0.0, q, v)
    q[7, 1] = np.nan
    found = double.functions.accelerations(0.0, q, v)
    assert np.isnan(found[7]).all()
    assert np.array_equal(np.delete(found, 7, 0), np.delete(sound, 7, 0))


def test_other_parameters_are_those_of_another_model(double: catena.Prepared, random: np.random.Generator) -> None:
    q, v = random.uniform(-3, 3, (2, 20, 2))
    shorter = double.functions(parameters={"l1": 0.5})
    fresh = catena.load("double-pendulum", m1=M1, m2=M2, l1=0.5, l2=L2).prepare().functions
    for name in ("M", "Q", "accelerations"):
        assert np.array_equal(getattr(shorter, name)(0.0, q, v), getattr(fresh, name)(0.0, q, v))
    assert not np.array_equal(shorter.M(0.0, q), double.functions.M(0.0, q))
    with pytest.raises(catena.ModelError, match="`l3`"):
        double.functions(parameters={"l3": 1.0})


def test_first_order_states_are_given_or_asked_for() -> None:
    prepared = catena.load("lorenz").prepare()
    assert prepared.names == ["x", "y", "z"]
    state = np.array([1.0, 2.0, 3.0])
    sigma, rho, beta = (prepared.model.parameters[name] for name in prepared.model.parameters)
    expected = [sigma * (2.0 - 1.0), 1.0 * (rho - 3.0) - 2.0, 1.0 * 2.0 - beta * 3.0]
    np.testing.assert_allclose(prepared.rhs(0.0, state), expected, rtol=1e-14)
    with pytest.raises(catena.RequestError, match="the model has first-order states: x, y, z"):
        prepared.functions.energies(0.0, np.zeros(0), np.zeros(0))
    assert prepared.functions.accelerations(0.0, np.zeros((4, 0)), np.zeros((4, 0)), np.zeros((4, 3))).shape == (4, 0)


def test_a_recursion_has_the_mass_matrix_of_the_derived_equations(random: np.random.Generator) -> None:
    chain = catena.load("chain", links=3)
    recursive, minimal = chain.prepare("recursive"), chain.prepare("minimal")
    q, v = random.uniform(-2, 2, (2, 12, 3))
    for name in ("M", "Q", "accelerations"):
        found, expected = (getattr(one.functions, name)(0.0, q, v) for one in (recursive, minimal))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    y = np.concatenate([q, v], axis=1).T
    np.testing.assert_allclose(recursive.rhs(0.0, y), minimal.rhs(0.0, y), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("formulation", ["projection", "recursive", "baumgarte", "null-space"])
def test_a_loop_of_bodies_accelerates_the_same_by_every_formulation(formulation: str) -> None:
    model = catena.load("four-bar-bodies")
    prepared, reference = model.prepare(formulation), model.prepare("multipliers")
    assert prepared.names == reference.names
    n = len(prepared.names) // 2
    q, v = prepared.y0[:n], prepared.y0[n:]
    found, expected = (one.functions.accelerations(0.0, q, v) for one in (prepared, reference))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def test_where_a_mass_is_missing_there_is_no_acceleration(double: catena.Prepared, random: np.random.Generator) -> None:
    q, v = random.uniform(-1, 1, (2, 20, 2))
    assert np.isnan(double.functions(parameters={"m1": 0, "m2": 0}).accelerations(0.0, q, v)).all()
    # with the lower bob alone it is the stretched pendulum that has none
    assert np.isfinite(double.functions(parameters={"m1": 0}).accelerations(0.0, q, v)).all()


@pytest.mark.parametrize("name", list(catena.systems()))
def test_every_ready_system_satisfies_its_equations_at_the_start(name: str) -> None:
    prepared = catena.load(name).prepare()
    functions = prepared.functions
    n, m, _ = functions._sizes
    y = prepared.y0
    state = (0.0, y[:n], y[n : 2 * n], y[2 * n :])
    forces, multiplier = functions.Q(*state), functions.multipliers(*state)
    acceleration = functions.accelerations(*state)
    left = functions.M(*state) @ acceleration + functions.Phi_q(*state).T @ multiplier
    assert multiplier.shape == (m,)
    np.testing.assert_allclose(left, forces, atol=1e-8 * (1 + np.abs(forces).max(initial=0)))
    np.testing.assert_allclose(prepared.rhs(0.0, y)[n : 2 * n], acceleration, rtol=1e-9, atol=1e-9)
    row = prepared.run(t_end=1e-3, certify=False).table
    for output, value in functions.outputs(*state).items():
        assert float(value) == pytest.approx(row[output][0], rel=1e-7, abs=1e-7 * (1 + np.abs(forces).max(initial=0)))


def test_threads_of_python_evaluate_different_models_at_once(
    double: catena.Prepared, four_bar: catena.Prepared, random: np.random.Generator,
) -> None:
    q, v = random.uniform(-3, 3, (2, 30_000, 2))
    p, w = near_start(four_bar, random, 30_000)
    work: dict[str, Callable[[], Numbers]] = {
        "double": lambda: double.functions.accelerations(0.0, q, v),
        "four-bar": lambda: four_bar.functions.accelerations(0.0, p, w),
    }
    expected = {name: evaluate() for name, evaluate in work.items()}
    wrong: list[str] = []

    def compare(name: str) -> None:
        for _ in range(3):
            if not np.array_equal(work[name](), expected[name]):
                wrong.append(name)

    threads = [threading.Thread(target=compare, args=(name,)) for name in list(work) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_functions_and_right_hand_sides_are_pickled(double: catena.Prepared) -> None:
    y = double.y0
    assert np.array_equal(pickle.loads(pickle.dumps(double.rhs))(0.0, y), double.rhs(0.0, y))
    functions = pickle.loads(pickle.dumps(double.functions(parameters={"l1": 0.3})))
    assert np.array_equal(functions.M(0.0, y[:2]), double.functions(parameters={"l1": 0.3}).M(0.0, y[:2]))


def test_ctrl_c_ends_a_long_evaluation(four_bar: catena.Prepared) -> None:
    functions = catena.load("four-bar").prepare("projection").functions
    q, v, times = four_bar.y0[:9], four_bar.y0[9:], np.zeros(250_000)
    threading.Timer(0.1, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            functions.accelerations(times, q, v)


def test_options_of_the_formulation_are_in_the_accelerations(random: np.random.Generator) -> None:
    model = catena.load("four-bar")
    soft, hard = (model.prepare("baumgarte", with_=[f"omega={omega}"]) for omega in (1, 10))
    n = 9
    y = soft.y0 + random.uniform(-0.05, 0.05, 2 * n)
    q, v = y[:n], y[n:]
    phi = soft.functions.Phi(0.0, q)
    jacobian, gamma = soft.functions.Phi_q(0.0, q), soft.functions.gamma(0.0, q, v)
    for prepared, omega in ((soft, 1.0), (hard, 10.0)):
        expected = gamma - 2 * omega * jacobian @ v - omega**2 * phi
        np.testing.assert_allclose(jacobian @ prepared.functions.accelerations(0.0, q, v), expected, atol=1e-8)


def test_no_states_have_no_rates() -> None:
    prepared = catena.load("double-pendulum").prepare()
    assert prepared.rhs(0.0, np.zeros((4, 0))).shape == (4, 0)
