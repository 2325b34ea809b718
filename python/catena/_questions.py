"""Every question of the catalogue as a method. Written by `python -m catena._write_questions`; do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ._keywords import checked

if TYPE_CHECKING:
    from ._progress import Progress
    from .answer import Answer

Over = Mapping[str, Any] | Sequence[str] | str
"""What is varied: {"f": (1.0, 3.0, 200)}, {"f": [1.0, 1.5]} or texts as on the command line, as "f=1:3:200"."""


class Questions:
    """What can be asked of a model."""

    def ask(
        self, question: str, *, threads: int | None = None, progress: Progress = None, **options: Any
    ) -> Answer:
        raise NotImplementedError

    @checked
    def kinematics(
        self,
        *,
        drive: str | float | None = None,
        from_: float | str | None = None,
        to: float | str | None = None,
        rate: float | str | None = None,
        points: int | None = None,
        transmission: Sequence[str] | str | None = None,
        columns: Sequence[str] | str | None = None,
        against: str | float | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """positions, velocities and accelerations over the range of a drive, and its dead points.

        It needs one degree of freedom to drive, or motors.

        drive: The coordinate that drives the mechanism (default: the motors of the model)
        from_: First value of the driven coordinate, or of the time (default: where the mechanism starts)
        to: Last value of the driven coordinate, or of the time (default: one turn past the first; for a length 2π m
            past it; for the time t_end of the model, a period of its motors or 2π s)
        rate: Rate of the driven coordinate, 1/s (default: 1)
        points: Number of points (default: 361)
        transmission: Two angles, such as those of coupler and rocker: adds the transmission angle between them,
            folded to 0…90°
        columns: Only these columns; * stands for any letters, as in B_*
        against: Draw against this column instead, such as tip_x for the path of a point
        """
        return self.ask(
            "kinematics",
            drive=drive,
            from_=from_,
            to=to,
            rate=rate,
            points=points,
            transmission=transmission,
            columns=columns,
            against=against,
            threads=threads,
            progress=progress,
        )

    @checked
    def inverse(
        self,
        *,
        drive: str | float | None = None,
        from_: float | str | None = None,
        to: float | str | None = None,
        rate: float | str | None = None,
        points: int | None = None,
        transmission: Sequence[str] | str | None = None,
        columns: Sequence[str] | str | None = None,
        against: str | float | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """the force or torque that drives the mechanism, and all forces in its joints.

        It needs one degree of freedom to drive, or motors.

        drive: The coordinate that drives the mechanism (default: the motors of the model)
        from_: First value of the driven coordinate, or of the time (default: where the mechanism starts)
        to: Last value of the driven coordinate, or of the time (default: one turn past the first; for a length 2π m
            past it; for the time t_end of the model, a period of its motors or 2π s)
        rate: Rate of the driven coordinate, 1/s (default: 1)
        points: Number of points (default: 361)
        transmission: Two angles, such as those of coupler and rocker: adds the transmission angle between them,
            folded to 0…90°
        columns: Only these columns; * stands for any letters, as in B_*
        against: Draw against this column instead, such as tip_x for the path of a point
        """
        return self.ask(
            "inverse",
            drive=drive,
            from_=from_,
            to=to,
            rate=rate,
            points=points,
            transmission=transmission,
            columns=columns,
            against=against,
            threads=threads,
            progress=progress,
        )

    @checked
    def equilibrium(
        self,
        *,
        all: bool | None = None,
        starts: int | None = None,
        seed: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """where the system rests with its drive off, the constraint forces there, and stability.

        It needs forces that can balance.

        all: Search from random starts too, and list all distinct equilibria that are found
        starts: How many random starts (default: 100)
        seed: Seed of the random starts (default: 1)
        """
        return self.ask(
            "equilibrium",
            all=all,
            starts=starts,
            seed=seed,
            threads=threads,
            progress=progress,
        )

    @checked
    def linearize(
        self,
        *,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """mass, damping and stiffness about an equilibrium, and the linear model as a file.

        It needs a state of rest near the start.
        """
        return self.ask(
            "linearize",
            threads=threads,
            progress=progress,
        )

    @checked
    def modes(
        self,
        *,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """natural frequencies, damping and shapes about an equilibrium, and whether it is stable.

        It needs a state of rest near the start.
        """
        return self.ask(
            "modes",
            threads=threads,
            progress=progress,
        )

    @checked
    def spectrum(
        self,
        *,
        column: str | float | None = None,
        window: Literal["hann", "none", "blackman-harris"] | None = None,
        after: float | str | None = None,
        peaks: int | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        t_start: float | str | None = None,
        t_end: float | str | None = None,
        every: float | str | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        linear: bool | None = None,
        certify: bool | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """the frequencies that a column of a run is made of, with their amplitudes.

        It needs a run of several periods.

        column: The column whose frequencies are found (default: the first coordinate)
        window: How rows are weighted: hann is the usual choice, none is for a whole number of periods, blackman-
            harris for small peaks close to large ones (default: hann)
        after: Leave out everything before this time, s (default: the start)
        peaks: The largest number of peaks (default: 5)
        formulation: How constraints enter (see `catena list formulations`) (default: auto)
        integrator: How time advances (see `catena list integrators`) (default: auto)
        rtol: Relative tolerance (default: 1e-6)
        atol: Absolute tolerance (default: 1e-9)
        step: Fixed step, s
        first_step: Length of the first step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: 1e7)
        t_start: Start of the run, s (default: from the model, else 0)
        t_end: End of the run, s (default: from the model, else 10 s after the start)
        every: Distance of rows, from the start on, s (default: from the model, else 200 rows)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        linear: Run the linear model about the equilibrium nearest the start
        certify: Estimate the error with a second, more exact run however long it takes (short runs have it unasked)
        """
        return self.ask(
            "spectrum",
            column=column,
            window=window,
            after=after,
            peaks=peaks,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            step=step,
            first_step=first_step,
            max_step=max_step,
            max_steps=max_steps,
            t_start=t_start,
            t_end=t_end,
            every=every,
            with_=with_,
            linear=linear,
            certify=certify,
            threads=threads,
            progress=progress,
        )

    @checked
    def phase(
        self,
        *,
        x: str | float | None = None,
        y: str | float | None = None,
        after: float | str | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        t_start: float | str | None = None,
        t_end: float | str | None = None,
        every: float | str | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        linear: bool | None = None,
        certify: bool | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """one column of a run against another, such as an angle and its rate.

        It needs a run.

        x: The column along the horizontal axis (default: the first coordinate)
        y: The column along the vertical axis (default: the rate of x, or the next state)
        after: Leave out everything before this time, s (default: the start)
        formulation: How constraints enter (see `catena list formulations`) (default: auto)
        integrator: How time advances (see `catena list integrators`) (default: auto)
        rtol: Relative tolerance (default: 1e-6)
        atol: Absolute tolerance (default: 1e-9)
        step: Fixed step, s
        first_step: Length of the first step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: 1e7)
        t_start: Start of the run, s (default: from the model, else 0)
        t_end: End of the run, s (default: from the model, else 10 s after the start)
        every: Distance of rows, from the start on, s (default: from the model, else 200 rows)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        linear: Run the linear model about the equilibrium nearest the start
        certify: Estimate the error with a second, more exact run however long it takes (short runs have it unasked)
        """
        return self.ask(
            "phase",
            x=x,
            y=y,
            after=after,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            step=step,
            first_step=first_step,
            max_step=max_step,
            max_steps=max_steps,
            t_start=t_start,
            t_end=t_end,
            every=every,
            with_=with_,
            linear=linear,
            certify=certify,
            threads=threads,
            progress=progress,
        )

    @checked
    def poincare(
        self,
        *,
        section: str | float | None = None,
        direction: Literal["up", "down", "both"] | None = None,
        period: str | float | None = None,
        columns: Sequence[str] | str | None = None,
        over: Over | None = None,
        points: int | None = None,
        transient: int | None = None,
        after: float | str | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        t_start: float | str | None = None,
        t_end: float | str | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """motions as points: once in a period of the drive, or where they cross a section.

        It needs a drive with a period, or a section: an event or a formula.

        section: Look where an event happens or a formula is zero, as "theta1 = 0"; an angle that equals a constant
            is meant on the circle (default: the period of the drive, else the event `section`, else the only one)
        direction: Count crossings from below zero, from above, or both (default: that of the event; of a formula
            both)
        period: Look once in this time, a formula of the parameters, s; a drive must repeat after it (default: that
            of the drive)
        columns: Columns of the points; the first two are drawn against each other (default: a coordinate that the
            section leaves free, and its rate)
        over: A motion for each value of a parameter or a value at the start: NAME=FROM:TO:COUNT,
            NAME=FROM:TO:COUNT:log or NAME=VALUE,VALUE,...
        points: How many points are kept of each motion (default: 1000, or as many as there are until the end that
            is given)
        transient: How many points of each motion are left out at its beginning (default: 100 under a drive, none
            else)
        after: Leave out everything before this time, s (default: the start)
        formulation: How constraints enter (see `catena list formulations`) (default: auto)
        integrator: How time advances (see `catena list integrators`) (default: dop853)
        rtol: Relative tolerance (default: 1e-9)
        atol: Absolute tolerance (default: 1e-12)
        step: Fixed step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: no bound)
        t_start: Start of the run, s (default: from the model, else 0)
        t_end: End of the run, s (default: as long as the points take; on a section 100 times as long as a run at
            most)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        """
        return self.ask(
            "poincare",
            section=section,
            direction=direction,
            period=period,
            columns=columns,
            over=over,
            points=points,
            transient=transient,
            after=after,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            step=step,
            max_step=max_step,
            max_steps=max_steps,
            t_start=t_start,
            t_end=t_end,
            with_=with_,
            threads=threads,
            progress=progress,
        )

    @checked
    def bifurcation(
        self,
        *,
        over: Over | None = None,
        column: str | float | None = None,
        branches: Sequence[str] | str | None = None,
        transient: int | None = None,
        keep: int | None = None,
        tolerance: float | str | None = None,
        section: str | float | None = None,
        direction: Literal["up", "down", "both"] | None = None,
        period: str | float | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        device: Literal["cpu", "gpu"] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """orbits over a parameter: their points, jumps, coexisting branches and period doublings.

        It needs a drive with a period, or a section: an event or a formula.

        over: The parameter and its values: NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or NAME=VALUE,VALUE,...
        column: The column that is drawn (default: the rate of the first coordinate, or the first state)
        branches: Each value from where the one before has ended, or all from the model's own start: up, down, rest
            (default: up,down)
        transient: How many points of each motion are left out at its beginning (default: 200)
        keep: How many points of each motion are kept then (default: 100)
        tolerance: How far points a period apart may differ, relative to the size of the orbit (default: 1e-4)
        section: Look where an event happens or a formula is zero, as "theta1 = 0"; an angle that equals a constant
            is meant on the circle (default: the period of the drive, else the event `section`, else the only one)
        direction: Count crossings from below zero, from above, or both (default: that of the event; of a formula
            both)
        period: Look once in this time, a formula of the parameters, s; a drive must repeat after it (default: that
            of the drive)
        formulation: How constraints enter (see `catena list formulations`) (default: auto)
        integrator: How time advances (see `catena list integrators`) (default: dop853)
        rtol: Relative tolerance (default: 1e-9)
        atol: Absolute tolerance (default: 1e-12)
        step: Fixed step, s
        first_step: Length of the first step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: no bound)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        device: What moves the trajectories: the processor, or a GPU of NVIDIA; where there is none the processor
            does (default: cpu)
        """
        return self.ask(
            "bifurcation",
            over=over,
            column=column,
            branches=branches,
            transient=transient,
            keep=keep,
            tolerance=tolerance,
            section=section,
            direction=direction,
            period=period,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            step=step,
            first_step=first_step,
            max_step=max_step,
            max_steps=max_steps,
            with_=with_,
            device=device,
            threads=threads,
            progress=progress,
        )

    @checked
    def lyapunov(
        self,
        *,
        over: Over | None = None,
        after: float | str | None = None,
        exponents: int | None = None,
        copies: int | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        t_start: float | str | None = None,
        t_end: float | str | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """how fast neighbouring motions part: the spectrum of Lyapunov exponents, with errors and checks.

        It needs smooth equations.

        over: A motion for each value of a parameter or a start, or of two: NAME=FROM:TO:COUNT,
            NAME=FROM:TO:COUNT:log or NAME=VALUE,VALUE,...; the largest exponent alone unless more are asked for
        after: Leave out everything before this time, s (default: a tenth of the motion)
        exponents: How many exponents, the largest ones (default: all, of large systems 12)
        copies: How many motions that begin 1e-9 apart are run and averaged: in chaos they are soon independent of
            each other (default: 16, or 4 with constraints)
        formulation: How constraints enter (see `catena list formulations`) (default: minimal, or projection where
            there are constraints)
        integrator: How time advances (see `catena list integrators`) (default: dop853)
        rtol: Relative tolerance (default: 1e-9)
        atol: Absolute tolerance (default: 1e-12)
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: no bound)
        t_start: Start of the run, s (default: from the model, else 0)
        t_end: End of the run, s (default: 2000 periods of the drive, or 100 times as long as a run)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        """
        return self.ask(
            "lyapunov",
            over=over,
            after=after,
            exponents=exponents,
            copies=copies,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            max_step=max_step,
            max_steps=max_steps,
            t_start=t_start,
            t_end=t_end,
            with_=with_,
            threads=threads,
            progress=progress,
        )

    @checked
    def response(
        self,
        *,
        over: Over | None = None,
        columns: Sequence[str] | str | None = None,
        tolerance: float | str | None = None,
        refinements: int | None = None,
        branches: Sequence[str] | str | None = None,
        linear: bool | None = None,
        input: str | float | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        device: Literal["cpu", "gpu"] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """amplitudes against the frequency of the drive: from rest, up and down, with peaks.

        It needs a drive with a frequency among the parameters.

        over: The frequencies, then a parameter with a curve for each value: NAME=FROM:TO:COUNT,
            NAME=FROM:TO:COUNT:log or NAME=VALUE,VALUE,...
        columns: Amplitudes of these columns (default: the coordinates and states)
        tolerance: How far a settled motion may be from the steady one, relative to its amplitude (default: 1e-5)
        refinements: How many times the points around each peak are made four times as dense (default: 2)
        branches: From rest, or each frequency from where the one before has settled: rest, up, down (default: rest)
        linear: Small motions about rest instead: the complex transfer function from the drive to the columns
        input: What the drive moves, for small motions: a definition or output (default: found if only one depends
            on time alone)
        formulation: How constraints enter (see `catena list formulations`) (default: auto)
        integrator: How time advances (see `catena list integrators`) (default: dop853)
        rtol: Relative tolerance (default: 1e-9)
        atol: Absolute tolerance (default: 1e-12)
        step: Fixed step, s
        first_step: Length of the first step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: no bound)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        device: What moves the trajectories: the processor, or a GPU of NVIDIA; where there is none the processor
            does (default: cpu)
        """
        return self.ask(
            "response",
            over=over,
            columns=columns,
            tolerance=tolerance,
            refinements=refinements,
            branches=branches,
            linear=linear,
            input=input,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            step=step,
            first_step=first_step,
            max_step=max_step,
            max_steps=max_steps,
            with_=with_,
            device=device,
            threads=threads,
            progress=progress,
        )

    @checked
    def resonance(
        self,
        *,
        over: Over | None = None,
        columns: Sequence[str] | str | None = None,
        tolerance: float | str | None = None,
        refinements: int | None = None,
        branches: Literal["rest", "up", "down"] | None = None,
        peak: int | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        device: Literal["cpu", "gpu"] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """how a peak of the response moves and shrinks as a parameter changes.

        It needs a drive with a frequency among the parameters.

        over: The frequencies, then a parameter with a curve for each value: NAME=FROM:TO:COUNT,
            NAME=FROM:TO:COUNT:log or NAME=VALUE,VALUE,...
        columns: Amplitudes of these columns (default: the coordinates and states)
        tolerance: How far a settled motion may be from the steady one, relative to its amplitude (default: 1e-5)
        refinements: How many times the points around each peak are made four times as dense (default: 2)
        branches: From rest, or each frequency from where the one before has settled (default: rest)
        peak: The first, second, ... peak between these frequencies (default: the highest)
        formulation: How constraints enter (see `catena list formulations`) (default: auto)
        integrator: How time advances (see `catena list integrators`) (default: dop853)
        rtol: Relative tolerance (default: 1e-9)
        atol: Absolute tolerance (default: 1e-12)
        step: Fixed step, s
        first_step: Length of the first step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: no bound)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        device: What moves the trajectories: the processor, or a GPU of NVIDIA; where there is none the processor
            does (default: cpu)
        """
        return self.ask(
            "resonance",
            over=over,
            columns=columns,
            tolerance=tolerance,
            refinements=refinements,
            branches=branches,
            peak=peak,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            step=step,
            first_step=first_step,
            max_step=max_step,
            max_steps=max_steps,
            with_=with_,
            device=device,
            threads=threads,
            progress=progress,
        )

    @checked
    def classify(
        self,
        *,
        over: Over | None = None,
        period: str | float | None = None,
        periods: int | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """periodic, rotating, quasi-periodic or chaotic: a vote of independent indicators, also as a map.

        It needs a motion that goes on.

        over: Parameters or initial values of a map, two at most: NAME=FROM:TO:COUNT, NAME=FROM:TO:COUNT:log or
            NAME=VALUE,VALUE,...
        period: The period of the drive, s: a formula of parameters (default: found from the equations)
        periods: Periods after which a motion stays undecided (default: 32768 of one motion, 1024 in a map)
        formulation: How constraints enter (see `catena list formulations`) (default: minimal, or projection where
            there are constraints)
        integrator: How time advances (see `catena list integrators`) (default: dop853)
        rtol: Relative tolerance (default: 1e-7)
        atol: Absolute tolerance (default: 1e-10)
        step: Fixed step, s
        first_step: Length of the first step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: no bound)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        """
        return self.ask(
            "classify",
            over=over,
            period=period,
            periods=periods,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            step=step,
            first_step=first_step,
            max_step=max_step,
            max_steps=max_steps,
            with_=with_,
            threads=threads,
            progress=progress,
        )

    @checked
    def basins(
        self,
        *,
        over: Over | None = None,
        period: str | float | None = None,
        periods: int | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        device: Literal["cpu", "gpu"] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """which start leads where: attractors and their basins over two initial values.

        It needs a drive, damping and two initial values.

        over: The two initial values: NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,...
        period: The period of the drive, s: a formula of parameters (default: found from the equations)
        periods: Periods after which a start that has come to no attractor is examined by itself (default: 512)
        formulation: How constraints enter (see `catena list formulations`) (default: minimal, or projection where
            there are constraints)
        integrator: How time advances (see `catena list integrators`) (default: dop853)
        rtol: Relative tolerance (default: 1e-7)
        atol: Absolute tolerance (default: 1e-10)
        step: Fixed step, s
        first_step: Length of the first step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: no bound)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        device: What moves the trajectories: the processor, or a GPU of NVIDIA; where there is none the processor
            does (default: cpu)
        """
        return self.ask(
            "basins",
            over=over,
            period=period,
            periods=periods,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            step=step,
            first_step=first_step,
            max_step=max_step,
            max_steps=max_steps,
            with_=with_,
            device=device,
            threads=threads,
            progress=progress,
        )

    @checked
    def continuation(
        self,
        *,
        over: Over | None = None,
        of: Literal["periodic", "equilibrium"] | None = None,
        from_: Literal["settled", "hopf"] | None = None,
        columns: Sequence[str] | str | None = None,
        multiple: int | None = None,
        period: str | float | None = None,
        depth: int | None = None,
        points: int | None = None,
        formulation: str | float | None = None,
        integrator: str | float | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """periodic motions and equilibria over a parameter, through folds: stability, multipliers, bifurcations.

        It needs a drive, a limit cycle or an equilibrium.

        over: What is varied, from where the first motion is looked for to where it ends: NAME=FROM:TO, with a
            parameter, or `period` or `amplitude` of a conservative model
        of: What is followed: periodic motions, or states of rest with the drive off (default: motions, or rest
            where nothing swings)
        from_: Where motions begin: with the one the model settles to, or at the Hopf points of its equilibria
            (default: settled)
        columns: Amplitudes of these columns, or their values at rest (default: the coordinates and states)
        multiple: After how many periods of the drive the first motion repeats (default: 1)
        period: The period of the drive, s: a number or a formula of parameters (default: found from the equations)
        depth: Branches that leave others, at period doublings and branch points, are followed so many times in a
            row (default: 2)
        points: Points of one branch at most (default: 400)
        formulation: How constraints enter (see `catena list formulations`) (default: minimal, or projection with
            constraints)
        integrator: How time advances (see `catena list integrators`) (default: dop853)
        rtol: Relative tolerance (default: 1e-10)
        atol: Absolute tolerance (default: 1e-12)
        first_step: Length of the first step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: no bound)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        """
        return self.ask(
            "continuation",
            over=over,
            of=of,
            from_=from_,
            columns=columns,
            multiple=multiple,
            period=period,
            depth=depth,
            points=points,
            formulation=formulation,
            integrator=integrator,
            rtol=rtol,
            atol=atol,
            first_step=first_step,
            max_step=max_step,
            max_steps=max_steps,
            with_=with_,
            threads=threads,
            progress=progress,
        )

    @checked
    def compare(
        self,
        *,
        formulations: Sequence[str] | str | None = None,
        integrators: Sequence[str] | str | None = None,
        tolerances: Sequence[float] | str | None = None,
        rtol: float | str | None = None,
        atol: float | str | None = None,
        step: float | str | None = None,
        first_step: float | str | None = None,
        max_step: float | str | None = None,
        max_steps: int | None = None,
        t_start: float | str | None = None,
        t_end: float | str | None = None,
        every: float | str | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """one model moved in several ways: what each costs, how wrong it is, which to take.

        It needs a run.

        formulations: Only these formulations
        integrators: These integrators
        tolerances: These tolerances, relative and absolute alike
        rtol: Relative tolerance (default: 1e-6)
        atol: Absolute tolerance (default: 1e-9)
        step: Fixed step, s
        first_step: Length of the first step, s
        max_step: Longest step, s
        max_steps: Most steps, accepted and rejected (default: 1e7)
        t_start: Start of the run, s (default: from the model, else 0)
        t_end: End of the run, s (default: from the model, else 10 s after the start)
        every: Distance of rows, from the start on, s (default: from the model, else 200 rows)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        """
        return self.ask(
            "compare",
            formulations=formulations,
            integrators=integrators,
            tolerances=tolerances,
            rtol=rtol,
            atol=atol,
            step=step,
            first_step=first_step,
            max_step=max_step,
            max_steps=max_steps,
            t_start=t_start,
            t_end=t_end,
            every=every,
            with_=with_,
            threads=threads,
            progress=progress,
        )

    @checked
    def bench(
        self,
        *,
        links: Sequence[float] | str | None = None,
        formulations: Sequence[str] | str | None = None,
        integrators: Sequence[str] | str | None = None,
        tolerances: Sequence[float] | str | None = None,
        every: Sequence[float] | str | None = None,
        t_end: float | str | None = None,
        with_: Mapping[str, Any] | Sequence[str] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """chains of several lengths by several methods: time against tolerance, links and error.

        It needs a chain of links.

        links: Numbers of links (default: 2,4,8,16,20,40)
        formulations: Only these formulations
        integrators: These integrators
        tolerances: These tolerances, relative and absolute alike
        every: Distances of rows, s (default: 0.01)
        t_end: End of the run, s (default: 5)
        with_: An option of the formulation or integrator, such as omega=10 or norm=max
        """
        return self.ask(
            "bench",
            links=links,
            formulations=formulations,
            integrators=integrators,
            tolerances=tolerances,
            every=every,
            t_end=t_end,
            with_=with_,
            threads=threads,
            progress=progress,
        )

    @checked
    def penalty(
        self,
        *,
        integrator: str | float | None = None,
        t_end: float | str | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Answer:
        """which penalty factor is stable at which step, and a pair to take.

        It needs constraints.

        integrator: How time advances (see `catena list integrators`) (default: auto)
        t_end: End of the run, s (default: from the model, else 10 s after the start)
        """
        return self.ask(
            "penalty",
            integrator=integrator,
            t_end=t_end,
            threads=threads,
            progress=progress,
        )
