//! a·b + c as the machine does it best.

/// a·b + c on the hot path of a motion: rounded once where processors fuse the two, which is everywhere but in WebAssembly.
/// There no instruction does, a call that emulates it costs some twenty times the two operations, and each of them is rounded.
pub trait MultiplyAdd {
    /// This number times a factor, plus a summand.
    fn multiply_add(self, factor: Self, summand: Self) -> Self;
}

impl MultiplyAdd for f64 {
    #[inline(always)]
    fn multiply_add(self, factor: f64, summand: f64) -> f64 {
        if cfg!(target_arch = "wasm32") {
            self * factor + summand
        } else {
            self.mul_add(factor, summand)
        }
    }
}
