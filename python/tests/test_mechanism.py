"""Mechanisms written with bodies and joints as objects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import catena
from catena import Mechanism

BOOK = Path(__file__).parents[2] / "book" / "models"


def four_bar() -> Mechanism:
    mechanism = Mechanism("Four-bar linkage, from bodies and joints")
    mechanism.parameters(g=9.81, L1=1.0, L2=0.4, L3=0.9, L4=0.8, m2=1.0, m3=2.25, m4=2.0)
    O, D = mechanism.ground.point("O", 0, 0), mechanism.ground.point("D", "L1", 0)
    crank = mechanism.body("crank", mass="m2", length="L2")
    coupler = mechanism.body("coupler", mass="m3", length="L3")
    rocker = mechanism.body("rocker", mass="m4", length="L4", angle="92 deg")
    mechanism.revolute("O", O, crank["A"])
    mechanism.revolute("B", crank["B"], coupler["A"])
    mechanism.revolute("C", coupler["B"], rocker["B"])
    mechanism.revolute("D", D, rocker["A"])
    mechanism.initial({crank.angle: "60 deg", f"{crank.angle}'": 0})
    mechanism.event("crank_level", crank.y, direction=1, terminal=False)
    mechanism.event("rocker_turns", f"{rocker.angle}'", direction=1, terminal=False)
    mechanism.run_defaults(t_end=10, every=0.05)
    return mechanism


def slider_crank() -> Mechanism:
    mechanism = Mechanism("Slider-crank, from bodies and joints")
    mechanism.parameters(g=9.81, r=0.1, l=0.3, m2=0.4, m3=0.5, c=0.0, torque=0.0)
    crank = mechanism.body("crank", mass=5.0, inertia=0.05)
    pin = crank.point("P", "r", 0)
    rod = mechanism.body("rod", mass="m2", length="l", angle="-14 deg")
    slider = mechanism.body("slider", mass="m3", inertia=0.001)
    mechanism.revolute("axle", (0, 0), crank)
    mechanism.revolute("crank_pin", pin, rod["A"])
    mechanism.revolute("wrist_pin", rod["B"], slider)
    mechanism.prismatic("guide", (0, 0), slider, axis=(1, 0), friction="c")
    mechanism.torque(crank, "torque")
    mechanism.initial({crank.angle: "45 deg", f"{crank.angle}'": 10})
    mechanism.event("outer_dead_centre", pin.y, direction=1, terminal=False)
    mechanism.event("inner_dead_centre", pin.y, direction=-1, terminal=False)
    mechanism.run_defaults(t_end=5, every=0.01)
    return mechanism


def scissor_lift() -> Mechanism:
    mechanism = Mechanism("Scissor lift")
    mechanism.size("n", 3)
    mechanism.parameters(
        g=9.81, L=1.0, m=2.0, load=10.0, stiffness=10000.0, free_length=0.71, damping=200.0, start="50 deg"
    )
    left = mechanism.body("left{i}", repeat="n", mass="m", length="L", angle="start")
    right = mechanism.body("right{i}", repeat="n", mass="m", length="L", angle="pi - start")
    platform = mechanism.body("platform", mass="load", inertia="load*L^2/12", centre=("L/2", 0.05))
    A = platform.point("A", 0, 0)
    platform.point("E", "L", 0)
    mechanism.revolute("foot", (0, 0), left.copy(1)["A"])
    mechanism.pin_in_slot("slide", (0, 0), right.copy(1)["A"], axis=(1, 0))
    mechanism.revolute("middle{i}", left, right, repeat="n")
    mechanism.revolute("west{i}", right["B"], left.copy("i+1")["A"], repeat="n-1")
    mechanism.revolute("east{i}", left["B"], right.copy("i+1")["A"], repeat="n-1")
    mechanism.revolute("hinge", right.copy("n")["B"], A)
    mechanism.pin_in_slot("rail", A, left.copy("n")["B"], axis=(1, 0))
    mechanism.spring(
        (0, 0), right.copy(1)["A"], name="foot_spring", stiffness="stiffness", length="free_length", damping="damping"
    )
    mechanism.initial({left.copy(1).angle: "start", f"{left.copy(1).angle}'": 0})
    mechanism.run_defaults(t_end=5, every=0.02)
    return mechanism


def row_of_windows() -> Mechanism:
    mechanism = Mechanism("Row of four-bar windows")
    mechanism.size("n", 2)
    mechanism.parameters(g=9.81, L=1.0, m=1.0)
    upright = mechanism.body("upright{i}", repeat="n+1", mass="m", length="L", angle="90 deg")
    bar = mechanism.body("bar{i}", repeat="n", mass="m", length="L")
    mechanism.revolute("foot{i}", ("{i-1}*L", 0), upright["A"], repeat="n+1")
    mechanism.revolute("left{i}", upright["B"], bar["A"], repeat="n")
    mechanism.revolute("right{i}", upright.copy("i+1")["B"], bar["B"], repeat="n")
    mechanism.initial({"upright1_angle": "90 deg", "upright1_angle'": "-1/L"})
    mechanism.run_defaults(t_end=10, every=0.02)
    return mechanism


def quick_return() -> Mechanism:
    mechanism = Mechanism("Quick-return mechanism")
    mechanism.parameters(g=9.81, omega=4.0, r=0.1, d=0.25, l=0.5, s=0.15, cut=200.0)
    O, Q = mechanism.ground.point("O", 0, 0), mechanism.ground.point("Q", 0, "-d")
    crank = mechanism.body("crank", mass=1.0, length="r")
    lever = mechanism.body("lever", mass=2.0, length="l", angle="70 deg")
    link = mechanism.body("link", mass=0.3, length="s", angle="10 deg")
    ram = mechanism.body("ram", mass=4.0, inertia=0.02, points={"A": (0, 0), "T": (0.3, 0)}, centre=(0.15, 0))
    pivot = mechanism.revolute("O", O, crank["A"])
    mechanism.revolute("Q", Q, lever["A"])
    mechanism.pin_in_slot("slot", lever["A"], crank["B"], axis=(1, 0))
    mechanism.revolute("head", lever["B"], link["A"])
    mechanism.revolute("wrist", link["B"], ram["A"])
    mechanism.prismatic("guide", (0, "l - d"), ram["A"], axis=(1, 0))
    mechanism.motor(pivot, name="drive", angle="-omega*t")
    mechanism.force(ram["T"], name="cutting", x=f"-cut/2*(1 + tanh({ram.x}'/0.02))")
    mechanism.run_defaults(t_end=5, every=0.01)
    return mechanism


def dwell_linkage() -> Mechanism:
    mechanism = Mechanism("Dwell linkage")
    mechanism.parameters(g=9.81, omega=5.0, u=0.05, c=0.125)
    ground = mechanism.ground
    for name, x, y in [("O", 0, 0), ("D", "2*u", 0), ("E", "-u", "4*u")]:
        ground.point(name, x, y)
    crank = mechanism.body("crank", mass=0.1, length="u")
    coupler = mechanism.body("coupler", mass=0.4, length="2*c", points={"M": ("c", 0)})
    rocker = mechanism.body("rocker", mass=0.2, length="c", angle="100 deg")
    arm = mechanism.body("arm", mass=0.3, length=0.3)
    mechanism.revolute("O", ground["O"], crank["A"])
    mechanism.revolute("A", crank["B"], coupler["A"])
    mechanism.revolute("M", coupler["M"], rocker["B"])
    mechanism.revolute("D", ground["D"], rocker["A"])
    mechanism.revolute("E", ground["E"], arm["A"])
    mechanism.pin_in_slot("slot", arm["A"], coupler["B"], axis=(1, 0))
    mechanism.motor("O", name="drive", angle="omega*t")
    mechanism.output("P_x", coupler["B"].x)
    mechanism.output("P_y", coupler["B"].y)
    mechanism.run_defaults(t_end=5, every=0.01)
    return mechanism


def double_wishbone() -> Mechanism:
    mechanism = Mechanism("Double-wishbone suspension")
    mechanism.parameters(
        g=9.81, bump=0.05, passes=1.0, width=0.04, m_car=300.0, m_wheel=35.0, m_upper=2.0, m_lower=4.0,
        stiffness=40000.0, damping=3000.0, tyre=200000.0, tyre_damping=200.0,
        R="0.3 + g*(m_car + m_wheel + m_upper + m_lower)/tyre",
        strut_load="g*(0.4*(m_car + m_upper + m_lower) - 0.2*(m_upper + m_lower))/0.25",
    )  # fmt: skip
    points = {"L": (0.2, 0.2), "U": (0.32, 0.45), "S": (0.45, 0.6)}
    chassis = mechanism.body("chassis", mass="m_car", inertia=20.0, centre=(0, 0.5), points=points, angle=0)
    upper = mechanism.body("upper", mass="m_upper", length=0.28)
    lower = mechanism.body("lower", mass="m_lower", length=0.4, points={"P": (0.25, 0)})
    points = {"L": (0, 0), "U": (0.25, 0), "W": (0.1, -0.1)}
    knuckle = mechanism.body("knuckle", mass="m_wheel", inertia=1.0, centre=(0.1, -0.05), points=points, angle="90 deg")
    mechanism.prismatic("heave", (0, 0.5), chassis, axis=(0, 1))
    mechanism.revolute("upper_inner", chassis["U"], upper["A"])
    mechanism.revolute("lower_inner", chassis["L"], lower["A"])
    mechanism.revolute("upper_ball", upper["B"], knuckle["U"])
    mechanism.revolute("lower_ball", lower["B"], knuckle["L"])
    mechanism.spring(
        lower["P"],
        chassis["S"],
        name="strut",
        stiffness="stiffness",
        length="0.4 + strut_load/stiffness",
        damping="damping",
    )
    W = knuckle["W"]
    mechanism.definition("road", "bump*exp(-((t - passes)/width)^2)")
    mechanism.definition("press", f"road + R - {W.y}")
    mechanism.definition("camber_angle", f"{knuckle.angle} - pi/2")
    mechanism.force(W, name="contact", y="max(0, tyre*press + tyre_damping*press')")
    mechanism.initial({chassis.y: 0.5, lower.angle: 0})
    mechanism.output("road", "road")
    mechanism.output("contact", "contact_y")
    mechanism.output("camber", "camber_angle")
    corner = (
        "{W}_x {a} 0.3*cos(knuckle_angle) {b} 0.08*sin(knuckle_angle)",
        "{W}_y {a} 0.3*sin(knuckle_angle) {c} 0.08*cos(knuckle_angle)",
    )
    signs = [("+", "+", "-"), ("+", "-", "+"), ("-", "-", "+"), ("-", "+", "-"), ("+", "+", "-")]
    mechanism.draw("tyre", [tuple(text.format(W=W, a=a, b=b, c=c) for text in corner) for a, b, c in signs])
    mechanism.draw("road", [("-0.3", "road"), ("1", "road")], as_="ground")
    mechanism.run_defaults(t_end=4, every=0.01)
    return mechanism


def desk_lamp() -> Mechanism:
    mechanism = Mechanism("Spring-balanced desk lamp")
    mechanism.parameters(
        g=9.81, l=0.4, m=0.2, m_elbow=0.15, m_head=0.1, bulb=0.3, designed=0.3, w=0.06, a=0.1, b=0.1,
        k_lower="g*l*(3*m + m_elbow + m_head + designed)/(a*b)", k_upper="g*l*(m + m_head + designed)/(a*b)",
        friction=0.1, push=2.0, lower="110 deg", upper="20 deg",
    )  # fmt: skip
    ground = mechanism.ground
    ground.point("F", "w/2", 0)
    ground.point("G", "-w/2", 0)
    ground.point("S", "w/2", "a")
    lower = mechanism.body("lower{i}", repeat=2, mass="m", length="l", points={"S": ("b", 0)}, angle="lower")
    elbow = mechanism.body("elbow", mass="m_elbow", inertia=0.0001, angle=0)
    for name, x, y in [("F", "w/2", 0), ("U", 0, "w/2"), ("D", 0, "-w/2"), ("G", "-w/2", 0), ("S", 0, "w/2 + a")]:
        elbow.point(name, x, y)
    upper = mechanism.body("upper{i}", repeat=2, mass="m", length="l", points={"S": ("b", 0)}, angle="upper")
    head = mechanism.body("head", mass="m_head", inertia=0.0001, points={"U": (0, "w/2"), "D": (0, "-w/2")}, angle=0)
    points = {"P": (0, 0), "A": (0.08, 0.08), "B": (0.08, -0.08)}
    shade = mechanism.body("shade", mass="bulb", inertia=0.001, points=points, centre=(0.06, 0), angle="-90 deg")
    lower1, lower2, upper1, upper2 = lower.copy(1), lower.copy(2), upper.copy(1), upper.copy(2)
    for name, first, second in [
        ("base1", ground["F"], lower1["A"]), ("base2", ground["G"], lower2["A"]), ("below1", lower1["B"], elbow["F"]),
        ("below2", lower2["B"], elbow["G"]), ("above1", elbow["U"], upper1["A"]), ("above2", elbow["D"], upper2["A"]),
        ("front1", upper1["B"], head["U"]), ("front2", upper2["B"], head["D"]),
    ]:  # fmt: skip
        mechanism.revolute(name, first, second, friction="friction")
    mechanism.revolute("pin", head, shade["P"], friction=0.002)
    mechanism.spring(ground["S"], lower1["S"], name="lower_spring", stiffness="k_lower")
    mechanism.spring(elbow["S"], upper1["S"], name="upper_spring", stiffness="k_upper")
    mechanism.force(head, name="hand", x="-push*exp(-((t - 0.5)/0.15)^2)")
    mechanism.initial({lower1.angle: "lower", upper1.angle: "upper", shade.angle: "-90 deg"})
    mechanism.run_defaults(t_end=5, every=0.02)
    return mechanism


BUILT: dict[str, Callable[[], Mechanism]] = {
    "four-bar-bodies": four_bar,
    "slider-crank-bodies": slider_crank,
    "scissor-lift": scissor_lift,
    "n-four-bar": row_of_windows,
    "quick-return": quick_return,
    "dwell-linkage": dwell_linkage,
    "double-wishbone": double_wishbone,
    "desk-lamp": desk_lamp,
}


def assert_moves_identically(built: catena.Model, other: catena.Model, t_end: float) -> None:
    ours, theirs = built.run(t_end=t_end), other.run(t_end=t_end)
    assert list(ours.table) == list(theirs.table)
    for name in ours.table:
        assert np.array_equal(ours[name], theirs[name]), name


def test_every_ready_mechanism_is_rebuilt_here() -> None:
    assert set(BUILT) == {name for name in catena.systems() if catena.load(name).about["kind"] == "mechanism"}


@pytest.mark.parametrize("name", BUILT)
def test_a_ready_mechanism_that_is_rebuilt_with_objects_moves_identically(name: str) -> None:
    tomllib = pytest.importorskip("tomllib")
    built, ready = BUILT[name]().model(), catena.load(name)
    ours, theirs = tomllib.loads(built.text), tomllib.loads(ready.text)
    del theirs["description"]
    for item in theirs.get("torque", []):
        item.setdefault("name", "torque1")
    assert ours == theirs
    assert_moves_identically(built, ready, 0.1)


def gear() -> Mechanism:
    mechanism = Mechanism("Two wheels, the second three times as large")
    r1, r2, t = sympy.symbols("r1 r2 t")
    mechanism.parameters({r1: 0.05, r2: 0.15})
    pinion = mechanism.body("pinion", mass=0.5, inertia=0.001)
    wheel = mechanism.body("wheel", mass=2, inertia=0.02)
    mechanism.revolute("axle1", (0, 0), pinion)
    mechanism.revolute("axle2", (r1 + r2, 0), wheel, friction=0.02)
    mechanism.gear("mesh", pinion, wheel, ratio=-r1 / r2, pressure_angle="20 deg")
    mechanism.torque(pinion, sympy.sin(3 * t) / 2, name="drive")
    mechanism.run_defaults(t_end=4)
    return mechanism


def rack() -> Mechanism:
    mechanism = Mechanism("A pinion drives a rack against a spring")
    pinion = mechanism.body("pinion", mass=1, inertia=0.002)
    bar = mechanism.body("rack", mass=1, inertia=0.01)
    T, H = bar.point("T", 0, 0), bar.point("H", 0.3, 0)
    mechanism.revolute("axle", (0, 0), pinion)
    mechanism.prismatic("guide", (0, -0.06), T, axis=(1, 0))
    mechanism.rack("teeth", pinion, T, axis=(1, 0), radius=0.06, pressure_angle="20 deg")
    mechanism.spring(H, (0.7, -0.06), name="coil", stiffness=200, length=0.4, damping=3)
    mechanism.torque(pinion, "sin(5*t)", name="drive")
    mechanism.run_defaults(t_end=4)
    return mechanism


def cam() -> Mechanism:
    mechanism = Mechanism("A cam lifts a valve by a roller")
    wheel = mechanism.body("cam", mass=1, inertia=0.001, points={"O": (0, 0)})
    valve = mechanism.body("valve", mass=0.3, inertia=0.0005, centre=(0, 0.06), points={"P": (0, 0), "T": (0, 0.14)})
    axle = mechanism.revolute("axle", (0, 0), wheel["O"])
    mechanism.prismatic("guide", (0, 0), valve["P"], axis=(0, 1))
    mechanism.cam_follower("contact", wheel["O"], valve["P"], profile="0.03 + 0.018*(1 + cos(phi))^2/4", radius=0.012)
    mechanism.spring(valve["T"], (0, 0.32), name="coil", stiffness=800, length=0.2)
    mechanism.motor(axle, name="drive", angle="6*t")
    mechanism.run_defaults(t_end=3)
    return mechanism


def flag() -> Mechanism:
    mechanism = Mechanism("A flag that a torsion spring turns back")
    flag = mechanism.body("flag", mass=0.5, length=0.3, angle="20 deg")
    mechanism.revolute("hinge", (0, 0), flag["A"])
    mechanism.torsion_spring(mechanism.ground, flag, name="back", stiffness=3, angle="90 deg", damping=0.02)
    mechanism.run_defaults(t_end=3)
    return mechanism


def hammer() -> Mechanism:
    mechanism = Mechanism("A hammer: a head welded to its handle")
    handle = mechanism.body("handle", mass=0.4, length=0.5, angle="10 deg")
    head = mechanism.body("head", mass=1.5, length=0.16)
    mechanism.revolute("pin", (0, 0), handle["A"])
    mechanism.weld("seam", handle["B"], head, angle="90 deg")
    mechanism.run_defaults(t_end=3)
    return mechanism


def plate() -> Mechanism:
    mechanism = Mechanism("A plate on two massless rods")
    plate = mechanism.body("plate", mass=3, inertia=0.05, points={"L": (-0.2, 0.05), "R": (0.2, 0.05)})
    mechanism.distance("rod", (-0.2, 0.6), plate["L"], length=0.5)
    mechanism.distance("link", (0.2, 0.6), plate["R"], length=0.5)
    mechanism.initial({plate.x: 0.25})
    mechanism.guess({plate.y: 0.1})
    mechanism.run_defaults(t_end=4)
    return mechanism


@pytest.mark.parametrize(
    ("name", "build"),
    [
        ("gear", gear),
        ("rack", rack),
        ("cam-follower", cam),
        ("torsion-spring", flag),
        ("weld", hammer),
        ("distance", plate),
    ],
)
def test_a_mechanism_of_the_book_that_is_rebuilt_moves_identically(name: str, build: Callable[[], Mechanism]) -> None:
    assert_moves_identically(build().model(), catena.load(BOOK / f"{name}.toml"), 0.2)


def test_parts_without_names_are_called_as_the_file_calls_them() -> None:
    mechanism = Mechanism("Block")
    block = mechanism.body("block", mass=1, inertia=1, free=True)
    spring = mechanism.spring(mechanism.ground, block, stiffness=10)
    turned = mechanism.torsion_spring("ground", block, stiffness=1)
    pushes = [mechanism.force(block, x=1), mechanism.force(block, y=f"-{block.y}'")]
    torque = mechanism.torque(block, "sin(t)", from_=mechanism.ground)
    assert [str(part) for part in (spring, turned, *pushes, torque)] == [
        "spring1", "torsion_spring1", "force1", "force2", "torque1",
    ]  # fmt: skip
    mechanism.generalized_force(block.angle, "-0.1*block_angle'")
    run = mechanism.model().run(t_end=0.1, columns=[f"{spring}_force", f"{torque}_power"])
    assert list(run.table) == ["t", "spring1_force", "torque1_power"]
    assert (repr(spring), repr(block), repr(mechanism)) == ("<spring spring1>", "<body block>", "<Mechanism 'Block'>")


def bodies() -> tuple[Mechanism, catena.Body, catena.Body]:
    mechanism = Mechanism("Two")
    return mechanism, mechanism.body("one", mass=1, length=1), mechanism.body("two", mass=1, length=1)


def test_mistakes_with_parts_are_said_where_they_are_made() -> None:
    mechanism, one, two = bodies()
    loose: Any = mechanism
    stranger = bodies()[1]
    pin = mechanism.revolute("P", one["A"], two["A"])
    cases: list[tuple[Callable[[], Any], str, str]] = [
        (lambda: one["C"], "the body `one` has no point `C`", "points: A, B"),
        (lambda: mechanism.ground["O"], "the ground has no point `O`", "there are no points"),
        (lambda: one.copy(1), "the body `one` has no copies", 'repeat="n"'),
        (
            lambda: mechanism.revolute("Q", one["B"], stranger["A"]),
            "<point one_A> is a part of another mechanism",
            "one mechanism",
        ),
        (lambda: mechanism.revolute("Q", one["B"], pin), "<revolute joint P> has no place of its own", 'body["A"]'),
        (lambda: mechanism.revolute("Q", one["B"], 3), "3 is neither a body nor a point", 'give body["A"]'),
        (lambda: loose.revolute("Q", one, two, fricton=1), "`revolute` has no keyword `fricton`", "`friction`"),
        (lambda: loose.body("b", mass=1, lenght=1), "`body` has no keyword `lenght`", "`length`"),
        (lambda: mechanism.body("b", mass=1), "the body `b` has neither a length nor an inertia", "uniform rod"),
        (lambda: mechanism.body("b", mass=float("nan"), length=1), "`mass` cannot be nan", "finite"),
        (lambda: mechanism.body("b", mass=[1, 2], length=1), "`mass` cannot be [1, 2]", "a number or a formula"),
        (lambda: mechanism.body("b", mass=True, length=1), "`mass` is a number or a formula, not True", ""),
        (lambda: loose.body("b", mass=1, length=1, centre=3), "`centre` is a pair, not 3", "(x, y)"),
        (
            lambda: mechanism.body("b", mass=1, length=1, points={"P": (1, 2, 3)}),
            "`P` is a pair, not (1, 2, 3)",
            "(x, y)",
        ),
        (lambda: loose.body("b", mass=1, length=1, free="yes"), "`free` is True or False, not 'yes'", ""),
        (lambda: mechanism.prismatic("Q", one, two, axis="x"), "`axis` is a pair, not 'x'", "(x, y)"),
        (lambda: mechanism.force(one), "a force needs its components", "x=..."),
        (lambda: mechanism.motor(pin), "a motor prescribes an angle or a position", "revolute"),
        (lambda: mechanism.motor(pin, angle=1, position=1), "a motor prescribes an angle or a position", "revolute"),
        (lambda: loose.body(3, mass=1, length=1), "`name` is a text, not 3", 'name="..."'),
        (
            lambda: mechanism.ground.point("Z", 0, 0) and mechanism.ground.point("Z", 0, 0),
            "the ground has a point `Z` already",
            "",
        ),
    ]
    for mistake, message, help in cases:
        with pytest.raises(catena.RequestError) as caught:
            mistake()
        assert message in caught.value.message
        assert help in (caught.value.help or "")


def test_mistakes_that_only_the_whole_shows_name_the_line_of_the_text() -> None:
    mechanism, one, two = bodies()
    mechanism.revolute("P", one["A"], two["A"])
    mechanism.motor("R", angle="t")
    with pytest.raises(catena.ModelError) as caught:
        mechanism.model()
    problem = caught.value.problems[0]
    assert problem.text in mechanism.to_toml().splitlines()
    assert "R" in problem.message and problem.source == "two"


def test_a_missing_keyword_is_a_type_error_as_everywhere_in_python() -> None:
    with pytest.raises(TypeError, match="mass"):
        Mechanism().body("b", length=1)  # type: ignore[call-arg]
