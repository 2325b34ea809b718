//! Sine and cosine of several lanes as part of the code: the operations of [`crate::sine_cosine`] one by one, so that what
//! else is in registers stays there.
//!
//! Angles beyond the reach of the reduction are not looked after here. The code keeps the largest magnitude it met and tells
//! its caller, who then runs other code for the same program, which calls the library.

use super::allocate::Translator;
use super::assembler::{Instruction, Operand};
use crate::schedule::SineCosine;
use crate::sine_cosine::{COSINE, HALF_PI, MAX_REDUCED_ANGLE, ROUNDING_SHIFT, SINE};
use std::f64::consts::FRAC_2_PI;

/// What the operations need, in the order of [`Constant`].
pub(super) fn constants() -> Vec<f64> {
    let bits = [1, 1 << 63, !(1 << 63)].map(f64::from_bits);
    let others = [FRAC_2_PI, ROUNDING_SHIFT, HALF_PI[0], HALF_PI[1], 0.5, 1.0, MAX_REDUCED_ANGLE];
    others.into_iter().chain(bits).chain(SINE).chain(COSINE).collect()
}

/// The places of the constants; the coefficients stand behind them.
#[derive(Clone, Copy)]
enum Constant {
    TurnsPerAngle,
    Shift,
    HalfPi,
    RestOfHalfPi,
    Half,
    One,
    MaxAngle,
    LowestBit,
    Sign,
    Magnitude,
    Coefficients,
}

impl Translator<'_> {
    /// Nothing was met yet.
    pub(super) fn begin_angles(&mut self) {
        let largest = self.largest_angle();
        self.assembler.arithmetic(Instruction::XOR, largest, largest, Operand::Register(largest));
    }

    /// The answer of the code: whether an angle was too large.
    pub(super) fn answer_angles(&mut self) {
        let (largest, bound) = (self.largest_angle(), self.sine_constant(Constant::MaxAngle, 0));
        self.assembler.answer_greater(largest, bound);
    }

    fn sine_constant(&self, constant: Constant, behind: usize) -> Operand {
        self.own_constant(constant as usize + behind)
    }

    /// The sine and the cosine of an angle.
    pub(super) fn inline_sine_and_cosine(&mut self, member: &SineCosine) {
        use Constant::*;
        let x = self.in_register(member.angle, &[]);
        let mut taken = vec![x];
        let mut temporary = |translator: &mut Self| {
            let register = translator.free_register(&taken);
            taken.push(register);
            register
        };
        let [shifted, z, sine, cosine] = [(); 4].map(|()| temporary(self));
        let [near, lost] = [(); 2].map(|()| temporary(self));
        let angle_dies = self.dies(member.angle);
        let r = if angle_dies { x } else { temporary(self) };
        let largest = self.largest_angle();
        let one = self.sine_constant(One, 0);
        let at = |translator: &Self, constant| translator.sine_constant(constant, 0);
        let register = Operand::Register;
        let (multiply_add, multiply) = (Instruction::FUSED_213[0], Instruction::MULTIPLY);
        let subtract_product = Instruction::FUSED_231[2];

        macro_rules! emit {
            ($instruction:expr, $first:expr, $second:expr, $third:expr) => {{
                let third = $third;
                self.assembler.arithmetic($instruction, $first, $second, third);
            }};
        }

        // |x|, for the answer
        emit!(Instruction::AND, z, x, at(self, Magnitude));
        emit!(Instruction::MAXIMUM, largest, z, register(largest));
        // the quarter turns, and the angle without them
        let turns = at(self, TurnsPerAngle);
        self.assembler.load(shifted, turns);
        emit!(multiply_add, shifted, x, at(self, Shift));
        emit!(Instruction::SUBTRACT, z, shifted, at(self, Shift));
        self.assembler.load(r, register(x));
        emit!(subtract_product, r, z, at(self, HalfPi));
        emit!(subtract_product, r, z, at(self, RestOfHalfPi));
        emit!(multiply, z, r, register(r));
        // both polynomials
        for (polynomial, first) in [(sine, 0), (cosine, SINE.len())] {
            let highest = self.sine_constant(Coefficients, first + 5);
            self.assembler.load(polynomial, highest);
            for power in (0..5).rev() {
                let coefficient = self.sine_constant(Coefficients, first + power);
                emit!(multiply_add, polynomial, z, coefficient);
            }
        }
        emit!(multiply, near, r, register(z));
        emit!(multiply_add, sine, near, register(r));
        // half of z is exact, so that products with it may be fused
        self.assembler.load(near, one);
        emit!(subtract_product, near, z, at(self, Half));
        self.assembler.load(lost, one);
        emit!(Instruction::SUBTRACT, lost, lost, register(near));
        emit!(subtract_product, lost, z, at(self, Half));
        emit!(multiply, z, z, register(z));
        emit!(multiply_add, cosine, z, register(lost));
        emit!(Instruction::ADD, cosine, near, register(cosine));
        // which is which, and with which sign: the last two bits of the shifted number
        let (first, second) = (near, lost);
        let lowest = at(self, LowestBit);
        let spare = (z, lowest);
        self.assembler.exchange_if_odd([first, second], [sine, cosine], shifted, spare);
        let sign = at(self, Sign);
        self.assembler.shift_left(sine, shifted, 62);
        if member.cosine.is_some() {
            self.assembler.shift_left(z, shifted, 63);
            emit!(Instruction::XOR, z, z, register(sine));
            self.assembler.xor_masked(second, z, sign);
        }
        if member.sine.is_some() {
            self.assembler.xor_masked(first, sine, sign);
        }
        self.consume(member.angle);
        for (position, register) in [(member.sine, first), (member.cosine, second)] {
            if let Some(position) = position {
                let value = self.result_value(position);
                self.define(value, register);
            }
        }
    }
}
