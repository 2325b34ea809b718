//! NVIDIA's GPUs: source becomes machine code by NVRTC at run time. Driver and compiler are looked for when they are asked for,
//! so that the program runs where there are none.

use super::{Device, DeviceError, DeviceKernel, DeviceMemory};
use cudarc::driver::sys::CUdevice_attribute_enum as Attribute;
use cudarc::driver::sys::CUfunction_attribute_enum as Need;
use cudarc::driver::sys::CUresult;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::{CompileError, CompileOptions, Ptx, compile_ptx_with_opts};
use std::sync::Arc;

/// Threads of a block: a trajectory needs many registers, and small blocks share them out best.
const BLOCK: u32 = 128;
/// Registers of a multiprocessor.
const REGISTERS: i32 = 65_536;
/// The part of its registers with which a kernel is still as fast, if one more block runs beside.
const WORTH_A_BLOCK: f64 = 0.85;
/// Trajectories for each multiprocessor: several times what runs at once, so that none of them waits.
const PLACES_PER_MULTIPROCESSOR: usize = 1024;
/// `libnvrtc.so`, `libnvrtc.so.12` and `libnvrtc.so.11` are the names that are tried.
const NO_COMPILER: &str = "an NVIDIA driver was found, but not its compiler NVRTC: install that of CUDA 12, or have \
    libnvrtc.so on LD_LIBRARY_PATH";
/// PTX of a compiler is read by drivers of its own time and later ones.
const DRIVER_TOO_OLD: &str = "its driver does not read what the NVRTC that was found writes: install the NVRTC of the \
    CUDA version that nvidia-smi shows, or a newer driver";

/// The first GPU.
pub(super) fn first() -> Result<Arc<dyn Device>, DeviceError> {
    // a driver would bring another C library along
    if cfg!(target_feature = "crt-static") {
        return Err(DeviceError::absent("a static program loads no driver"));
    }
    // SAFETY: both load a library and let it go again
    let (driver, compiler) = unsafe {
        (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present())
    };
    if !driver {
        return Err(DeviceError::absent("no NVIDIA driver was found"));
    }
    if !compiler {
        return Err(DeviceError::absent(NO_COMPILER));
    }
    let context = CudaContext::new(0).map_err(|error| DeviceError::absent(&told(&error)))?;
    Ok(Arc::new(Gpu { context }))
}

struct Gpu {
    context: Arc<CudaContext>,
}

impl Device for Gpu {
    fn name(&self) -> String {
        self.context.name().unwrap_or_else(|_| "GPU".to_owned())
    }

    fn places(&self) -> usize {
        let count = self.context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        count.map_or(1, |count| count.max(1) as usize) * PLACES_PER_MULTIPROCESSOR
    }

    fn compile(&self, source: &str) -> Result<Box<dyn DeviceKernel>, DeviceError> {
        let function = self.function(source, 1)?;
        let registers = function.num_regs().unwrap_or(0).max(1);
        let blocks = REGISTERS / (registers * BLOCK as i32);
        // what lacks few registers for one more block gets it
        let enough = REGISTERS / ((blocks + 1) * BLOCK as i32) / 8 * 8;
        let function = match f64::from(enough) >= WORTH_A_BLOCK * f64::from(registers) {
            true => self.function(source, blocks + 1)?,
            false => function,
        };
        Ok(Box::new(Kernel { context: self.context.clone(), function }))
    }
}

impl Gpu {
    /// Compiled so that this many blocks run at once on a multiprocessor.
    fn function(&self, source: &str, blocks: i32) -> Result<CudaFunction, DeviceError> {
        let capability = self.context.compute_capability().map_err(failed("say what it is"))?;
        let code = compiled(source, blocks, Some(capability));
        // an older compiler does not know a newer GPU, whose driver translates what it writes
        let code = code.or_else(|_| compiled(source, blocks, None))?;
        let module = self.context.load_module(code).map_err(not_loaded)?;
        module.load_function("catena_advance").map_err(failed("load its program"))
    }
}

/// Products and sums are fused where the source says so and nowhere else.
fn compiled(source: &str, blocks: i32, capability: Option<(i32, i32)>) -> Result<Ptx, DeviceError> {
    let arch =
        capability.map(|(major, minor)| format!("--gpu-architecture=compute_{major}{minor}"));
    let bounds = [format!("-DBLOCK={BLOCK}"), format!("-DBLOCKS={blocks}")];
    let options = CompileOptions {
        fmad: Some(false),
        options: arch.into_iter().chain(bounds).collect(),
        ..CompileOptions::default()
    };
    compile_ptx_with_opts(source, options).map_err(|error| {
        let reason = match error {
            CompileError::CompileError { log, .. } => log.to_string_lossy().into_owned(),
            other => format!("{other:?}"),
        };
        DeviceError::Failed { doing: "compile its program", reason }
    })
}

struct Kernel {
    context: Arc<CudaContext>,
    function: CudaFunction,
}

impl DeviceKernel for Kernel {
    fn details(&self) -> String {
        let number = |need| self.function.get_attribute(need).unwrap_or(0);
        let registers = number(Need::CU_FUNC_ATTRIBUTE_NUM_REGS);
        let local = number(Need::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
        let blocks = self.function.occupancy_max_active_blocks_per_multiprocessor(BLOCK, 0, None);
        let threads = blocks.unwrap_or(0) * BLOCK;
        format!(
            "{registers} registers and {local} bytes of local memory each, {threads} at once on a multiprocessor"
        )
    }

    fn memory(&self, numbers: usize, count: usize) -> Result<Box<dyn DeviceMemory>, DeviceError> {
        self.context.bind_to_thread().map_err(failed("be used by a thread"))?;
        let stream = self.context.new_stream().map_err(failed("begin"))?;
        let memory = stream.alloc_zeros(numbers * count).map_err(failed("give memory"))?;
        let function = self.function.clone();
        Ok(Box::new(Memory { stream, function, memory, count: count as u32 }))
    }
}

struct Memory {
    stream: Arc<CudaStream>,
    function: CudaFunction,
    memory: CudaSlice<f64>,
    count: u32,
}

impl DeviceMemory for Memory {
    fn write(&mut self, numbers: &[f64]) -> Result<(), DeviceError> {
        self.stream.memcpy_htod(numbers, &mut self.memory).map_err(failed("take numbers"))
    }

    fn advance(&mut self, attempts: u32) -> Result<(), DeviceError> {
        let config = LaunchConfig {
            grid_dim: (self.count.div_ceil(BLOCK), 1, 1),
            block_dim: (BLOCK, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = self.stream.launch_builder(&self.function);
        launch.arg(&self.count).arg(&attempts).arg(&mut self.memory);
        // SAFETY: these are the arguments of `catena_advance`, which stays within the numbers of `count` trajectories
        unsafe { launch.launch(config) }.map(|_| ()).map_err(failed("move trajectories"))
    }

    fn read(&mut self, first: usize, numbers: &mut [f64]) -> Result<(), DeviceError> {
        let part = self.memory.slice(first..first + numbers.len());
        self.stream.memcpy_dtoh(&part, numbers).map_err(failed("give numbers back"))?;
        self.stream.synchronize().map_err(failed("move trajectories"))
    }
}

fn failed(doing: &'static str) -> impl Fn(DriverError) -> DeviceError {
    move |error| DeviceError::Failed { doing, reason: told(&error) }
}

/// A driver that is older than the compiler is no failure: the processor can compute.
fn not_loaded(error: DriverError) -> DeviceError {
    match error.0 {
        CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION | CUresult::CUDA_ERROR_INVALID_PTX => {
            DeviceError::unsuitable(DRIVER_TOO_OLD)
        }
        _ => failed("load its program")(error),
    }
}

fn told(error: &DriverError) -> String {
    let words = error.error_string().map(|words| words.to_string_lossy().into_owned());
    words.unwrap_or_else(|_| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_older_than_the_compiler_leaves_the_work_to_the_processor() {
        for code in [CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION, CUresult::CUDA_ERROR_INVALID_PTX]
        {
            let error = not_loaded(DriverError(code));
            assert!(!error.is_failure() && error.to_string().contains("newer driver"), "{error}");
        }
    }
}
