//! The vector instructions that move several states at once.

/// What computes several states at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// Eight numbers per register, on x86-64 with the instructions of Skylake.
    Avx512,
    /// Two registers of those: while the results of one are awaited there is work on the other. They need as many states.
    Avx512Pairs,
    /// Four numbers per register, on x86-64 with fused multiply-adds.
    Avx2,
    /// Two registers of those.
    Avx2Pairs,
    /// Two numbers per register, on every aarch64.
    Neon,
    /// Any processor, operation by operation.
    Portable,
}

impl InstructionSet {
    /// All of them, the fastest for a few states first.
    pub const ALL: [InstructionSet; 6] = [
        InstructionSet::Avx512,
        InstructionSet::Avx512Pairs,
        InstructionSet::Avx2,
        InstructionSet::Avx2Pairs,
        InstructionSet::Neon,
        InstructionSet::Portable,
    ];

    /// Lanes of the portable set.
    pub const PORTABLE_LANES: usize = 4;

    /// The fastest one this machine has for a few states.
    pub fn best() -> InstructionSet {
        let available = Self::ALL.into_iter().find(|set| set.is_available());
        available.unwrap_or(InstructionSet::Portable)
    }

    /// The fastest one this machine has for so many states on each core.
    pub fn best_for(states: u64) -> InstructionSet {
        let best = Self::best();
        let pairs = match best {
            InstructionSet::Avx512 => InstructionSet::Avx512Pairs,
            InstructionSet::Avx2 => InstructionSet::Avx2Pairs,
            _ => best,
        };
        if states >= pairs.lanes() as u64 { pairs } else { best }
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let avx2 = || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        #[cfg(target_arch = "x86_64")]
        let avx512 = || is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
        match self {
            InstructionSet::Portable => true,
            InstructionSet::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 | InstructionSet::Avx2Pairs => avx2(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 | InstructionSet::Avx512Pairs => avx2() && avx512(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The number of states it computes at once.
    pub fn lanes(self) -> usize {
        match self {
            InstructionSet::Avx512Pairs => 16,
            InstructionSet::Avx512 | InstructionSet::Avx2Pairs => 8,
            InstructionSet::Avx2 => 4,
            InstructionSet::Neon => 2,
            InstructionSet::Portable => Self::PORTABLE_LANES,
        }
    }

    /// The name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            InstructionSet::Avx512 => "AVX-512",
            InstructionSet::Avx512Pairs => "AVX-512 in pairs",
            InstructionSet::Avx2 => "AVX2",
            InstructionSet::Avx2Pairs => "AVX2 in pairs",
            InstructionSet::Neon => "NEON",
            InstructionSet::Portable => "portable",
        }
    }
}
