//! Sine and cosine of several lanes as part of the code: the operations of [`crate::sine_cosine`] one by one, so that what
//! else is in registers stays there.
//!
//! Angles beyond the reach of the reduction are not looked after here. The code keeps the largest magnitude it met and tells
//! its caller, who then runs other code for the same program, which calls the library.

use super::assembler::{Assembler, Instruction, Width};
use crate::list_schedule::list_schedule;
use crate::native::allocate::{MachineCode, Translator};
use crate::native::processor::{AddressRegister, Operand, Processor};
use crate::program::{Operation, Program};
use crate::schedule::SineCosine;
use crate::sine_cosine::{COSINE, HALF_PI, MAX_REDUCED_ANGLE, ROUNDING_SHIFT, SINE};
use std::f64::consts::FRAC_2_PI;

/// Translates a program of several lanes that has sines or cosines. The code answers whether an angle was beyond its reach:
/// then its results mean nothing. `None` for others: one state alone has its angles side by side in a call.
pub(in crate::native) fn with_inline_sines(
    program: &Program,
    width: Width,
    stride: usize,
) -> Option<MachineCode> {
    let is_turned =
        |operation: &Operation| matches!(operation, Operation::Sine(_) | Operation::Cosine(_));
    if width == Width::One || !program.operations.iter().any(is_turned) {
        return None;
    }
    let stages = list_schedule(program);
    let mut translator = Translator::new(program, &stages, Assembler::new(width), stride);
    translator.constants.extend(constants());
    let largest = translator.reserve_register();
    translator.assembler.prologue();
    // nothing was met yet
    let register = Operand::Register(largest);
    translator.assembler.arithmetic(Instruction::XOR, largest, largest, register);
    translator.write(&stages, |translator, batch| {
        batch.iter().for_each(|member| translator.inline_sine_and_cosine(member));
    });
    let bound = translator.sine_constant(Constant::MaxAngle, 0);
    translator.assembler.answer_greater(largest, bound);
    Some(translator.end())
}

/// What the operations need, in the order of [`Constant`].
fn constants() -> Vec<f64> {
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

impl Translator<'_, Assembler> {
    fn sine_constant(&self, constant: Constant, behind: usize) -> Operand {
        let own = self.program.constants.len() + Assembler::CONSTANTS.len();
        let place = self.offset(own + constant as usize + behind);
        Operand::Memory(AddressRegister::Constants, place)
    }

    /// The sine and the cosine of an angle.
    fn inline_sine_and_cosine(&mut self, member: &SineCosine) {
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
        let largest = self.reserved.expect("the largest angle has a register");
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
        let magnitude = at(self, Magnitude);
        self.assembler.watch_magnitude(largest, x, (z, magnitude));
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
        emit!(Instruction::SUBTRACT, lost, near, one);
        emit!(Instruction::NEGATED_FUSED_231, lost, z, at(self, Half));
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
