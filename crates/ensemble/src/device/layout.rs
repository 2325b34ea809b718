//! Where the numbers of a trajectory stand in the memory of a device.

use std::fmt::Write;

/// Rows that wait for the host take about this many numbers of each trajectory.
const NUMBERS_OF_ROWS: usize = 256;
/// Statistics of a column: as [`crate::measure::Gathered`] has them.
pub(super) const STATISTICS: usize = 6;
/// Energy, size of the energies, how far constraints are missed, size of the coordinates.
pub(super) const CHECKS: usize = 4;

/// Single numbers, in their order, each with its name in the source.
macro_rules! numbers {
    ($($number:ident $name:literal,)*) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Number { $($number,)* }

        const NUMBERS: &[(Number, &str)] = &[$((Number::$number, $name),)*];
    };
}

numbers! {
    Status "STATUS",
    Start "START",
    End "END",
    Time "TIME",
    Step "STEP",
    Longest "LONGEST",
    First "FIRST",
    LastError "LAST_ERROR",
    AfterRejection "AFTER_REJECTION",
    Bound "BOUND",
    LastStep "LAST_STEP",
    Done "DONE",
    Rejected "REJECTED",
    Allowed "ALLOWED",
    Count "COUNT",
    Every "EVERY",
    After "AFTER",
    NextRow "NEXT_ROW",
    Recorded "RECORDED",
    Crossed "CROSSED",
    Waiting "WAITING",
    Energy "ENERGY",
    Size "SIZE",
}

/// What a trajectory does; the source has the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Begins,
    Runs,
    /// Rows wait, and there is no room for more.
    IsFull,
    Arrived,
    NotFinite,
    StepTooSmall,
    StepLimit,
}

impl Status {
    /// Each with its name in the source, in the order of the numbers that stand for them.
    const ALL: [(Status, &'static str); 7] = [
        (Status::Begins, "BEGINS"),
        (Status::Runs, "RUNS"),
        (Status::IsFull, "IS_FULL"),
        (Status::Arrived, "ARRIVED"),
        (Status::NotFinite, "NOT_FINITE"),
        (Status::StepTooSmall, "STEP_TOO_SMALL"),
        (Status::StepLimit, "STEP_LIMIT"),
    ];

    pub(super) fn of_number(number: f64) -> Status {
        Status::ALL.get(number as usize).map_or(Status::NotFinite, |(status, _)| *status)
    }

    pub(super) fn number(self) -> f64 {
        f64::from(self as u8)
    }
}

/// Where the lists of numbers begin, and how many numbers there are in all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Components of a state, parameters that differ, columns and sections.
    pub(super) len: usize,
    pub(super) parameters: usize,
    pub(super) columns: usize,
    pub(super) sections: usize,
    /// Rows that wait for the host; 0 where they are reduced on the device.
    pub(super) room: usize,
}

impl Layout {
    /// For so many components, parameters, columns and sections.
    pub(super) fn new([len, parameters, columns, sections]: [usize; 4], measured: bool) -> Layout {
        let room = if measured { 0 } else { (NUMBERS_OF_ROWS / (columns + 2)).clamp(4, 64) };
        Layout { len, parameters, columns, sections, room }
    }

    /// Every list with its name and its length.
    fn lists(&self) -> [(&'static str, usize); 9] {
        let Layout { len, parameters, columns, sections, room } = *self;
        let measured = usize::from(room == 0);
        [
            ("Y", len),
            ("RATE", len),
            ("PARAMETERS", parameters),
            ("SIDES", sections),
            ("BEFORE", 2 * sections),
            ("CHECKS", CHECKS),
            ("GATHERED", measured * STATISTICS * columns),
            ("FIRST_CROSSING", measured * sections),
            ("ROWS", room * (columns + 2)),
        ]
    }

    /// Where a list begins.
    pub(super) fn first(&self, list: &str) -> usize {
        let before = self.lists().into_iter().take_while(|(name, _)| *name != list);
        NUMBERS.len() + before.map(|(_, len)| len).sum::<usize>()
    }

    /// How many numbers a trajectory has.
    pub(super) fn numbers(&self) -> usize {
        self.first("")
    }

    /// The same for the source.
    pub(super) fn definitions(&self) -> String {
        let mut text = String::new();
        let mut define = |name: &str, value: usize| {
            let _ = writeln!(text, "#define {name} {value}");
        };
        for &(number, name) in NUMBERS {
            define(&format!("AT_{name}"), number as usize);
        }
        for (name, _) in self.lists() {
            define(&format!("AT_{name}"), self.first(name));
        }
        define("N", self.len);
        define("P", self.parameters);
        define("C", self.columns);
        define("K", self.sections);
        define("ROOM", self.room);
        define("STATISTICS", STATISTICS);
        define("CHECKS", CHECKS);
        let statuses = Status::ALL.map(|(_, name)| name).join(", ");
        text + &format!("enum Status {{ {statuses} }};\n")
    }
}
