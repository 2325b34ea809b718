//! The vector instructions that move several states at once.

/// What computes several states at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// Eight numbers per register, on x86-64 with the instructions of Skylake.
    Avx512,
    /// Four numbers per register, on x86-64 with fused multiply-adds.
    Avx2,
    /// Two numbers per register, on every aarch64.
    Neon,
    /// Any processor, operation by operation.
    Portable,
}

impl InstructionSet {
    /// All of them, the fastest first.
    pub const ALL: [InstructionSet; 4] = [
        InstructionSet::Avx512,
        InstructionSet::Avx2,
        InstructionSet::Neon,
        InstructionSet::Portable,
    ];

    /// Lanes of the portable set.
    pub const PORTABLE_LANES: usize = 4;

    /// The fastest one this machine has.
    pub fn best() -> InstructionSet {
        let available = Self::ALL.into_iter().find(|set| set.is_available());
        available.unwrap_or(InstructionSet::Portable)
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let avx2 = || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        match self {
            InstructionSet::Portable => true,
            InstructionSet::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => avx2(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => {
                avx2()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The number of states it computes at once.
    pub fn lanes(self) -> usize {
        match self {
            InstructionSet::Avx512 => 8,
            InstructionSet::Avx2 => 4,
            InstructionSet::Neon => 2,
            InstructionSet::Portable => Self::PORTABLE_LANES,
        }
    }

    /// The name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            InstructionSet::Avx512 => "AVX-512",
            InstructionSet::Avx2 => "AVX2",
            InstructionSet::Neon => "NEON",
            InstructionSet::Portable => "portable",
        }
    }
}
