//! The workbench as a WebAssembly module.

#[link(wasm_import_module = "catena")]
unsafe extern "C" {
    /// Seconds since some fixed moment.
    safe fn clock() -> f64;
}

/// Room for bytes.
#[unsafe(no_mangle)]
pub extern "C" fn catena_alloc(len: usize) -> *mut u8 {
    Box::leak(vec![0_u8; len].into_boxed_slice()).as_mut_ptr()
}

static mut REPLY: String = String::new();

fn run(request: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut words = request.split(' ');
    let _ = words.next();
    let name = words.next().unwrap();
    let t0 = clock();
    let model = catena::load(name, &[]).map_err(|e| e.to_string())?;
    let mut settings = catena::RunSettings::new();
    for pair in words {
        let (key, value) = pair.split_once('=').unwrap();
        let option = catena::model::RUN_OPTIONS.iter().find(|o| o.row.key == key).unwrap();
        option.set_text(&mut settings, value).map_err(|e| e.to_string())?;
    }
    let mut c = || clock();
    let mut stop = |_| false;
    let run =
        catena::run_on(&model, &settings, &mut catena::simulation::Host::new(&mut c, &mut stop))
            .map_err(|e| e.to_string())?;
    let t1 = clock();
    let table = &run.table;
    let text = catena::csv_text(table);
    let last = text.lines().last().unwrap_or_default().to_owned();
    Ok(format!(
        "{} {:?} {}",
        t1 - t0,
        [run.certificate.preparation_seconds, run.certificate.seconds],
        last
    ))
}

/// Answers.
#[unsafe(no_mangle)]
pub extern "C" fn catena_answer(request: *const u8, len: usize) -> usize {
    let request = unsafe { std::slice::from_raw_parts(request, len) };
    let request = std::str::from_utf8(request).unwrap();
    let reply = run(request).unwrap_or_else(|error| error.to_string());
    unsafe {
        REPLY = reply;
        #[allow(static_mut_refs)]
        {
            REPLY.len()
        }
    }
}

/// Where the reply is.
#[unsafe(no_mangle)]
pub extern "C" fn catena_reply() -> *const u8 {
    #[allow(static_mut_refs)]
    unsafe {
        REPLY.as_ptr()
    }
}
