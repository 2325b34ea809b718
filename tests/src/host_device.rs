//! A device that needs no GPU: the same source as C++, run by the processor.

use catena::ensemble::{Device, DeviceError, DeviceKernel, DeviceMemory};
use libloading::Library;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What [`Device::compile`] promises.
type Advance = unsafe extern "C" fn(u32, u32, *mut f64);

/// A device of few places, so that they are filled many times.
pub struct HostDevice {
    /// Places.
    pub places: usize,
}

impl Device for HostDevice {
    fn name(&self) -> String {
        "C++".to_owned()
    }

    fn places(&self) -> usize {
        self.places
    }

    fn compile(&self, source: &str) -> Result<Box<dyn DeviceKernel>, DeviceError> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("catena-device-{}-{number}", std::process::id());
        let folder = std::env::temp_dir();
        let [text, library] = ["cpp", "so"].map(|end| folder.join(format!("{name}.{end}")));
        std::fs::write(&text, source).unwrap();
        // products and sums are fused where the source says so and nowhere else
        let fused = if cfg!(target_arch = "x86_64") { "-mfma" } else { "-O1" };
        let compiled = Command::new("c++")
            .args(["-std=c++17", "-O1", fused, "-ffp-contract=off", "-shared", "-fPIC", "-o"])
            .args([&library, &text])
            .output()
            .expect("a C++ compiler is named c++");
        let errors = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{}: {errors}", text.display());
        // SAFETY: it was just written by the compiler, and nothing runs when it is loaded
        let loaded = unsafe { Library::new(&library) }.unwrap();
        for file in [text, library] {
            std::fs::remove_file(file).unwrap();
        }
        Ok(Box::new(Kernel(Arc::new(loaded))))
    }
}

struct Kernel(Arc<Library>);

impl DeviceKernel for Kernel {
    fn details(&self) -> String {
        "one after the other".to_owned()
    }

    fn memory(&self, numbers: usize, count: usize) -> Result<Box<dyn DeviceMemory>, DeviceError> {
        let numbers = vec![f64::NAN; numbers * count];
        Ok(Box::new(Memory { library: self.0.clone(), numbers, count }))
    }
}

struct Memory {
    library: Arc<Library>,
    numbers: Vec<f64>,
    count: usize,
}

impl DeviceMemory for Memory {
    fn write(&mut self, numbers: &[f64]) -> Result<(), DeviceError> {
        self.numbers.copy_from_slice(numbers);
        Ok(())
    }

    fn advance(&mut self, attempts: u32) -> Result<(), DeviceError> {
        // SAFETY: the source defines it with these arguments, and stays within the numbers of so many trajectories
        unsafe {
            let advance = self.library.get::<Advance>(b"catena_advance").unwrap();
            advance(self.count as u32, attempts, self.numbers.as_mut_ptr());
        }
        Ok(())
    }

    fn read(&mut self, first: usize, numbers: &mut [f64]) -> Result<(), DeviceError> {
        numbers.copy_from_slice(&self.numbers[first..first + numbers.len()]);
        Ok(())
    }
}
