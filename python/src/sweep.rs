//! Sweeps: a plan that computes blocks, and what keeps them.

use crate::fault::Fault;
use crate::model::Model;
use crate::run::{named, plot_style, settings};
use crate::sweep_fault::of_sweep;
use crate::watch::beside;
use catena::ensemble::{Block, Spacing};
use catena::present::picture_bytes;
use catena::sweep::{
    Blocks, Chunk, Description, Found, InMemory, Plan, Store, SweepFailure, SweepRequest,
    SweepResult, SweepSink, SweptAxis, Watch, compute_blocks, export, fill, pack, sweep_picture,
    unpack,
};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A sweep that is ready to be computed.
#[pyclass(frozen, module = "catena._core")]
pub(crate) struct SweepPlan {
    plan: Plan,
}

/// The request for a sweep, from names and texts.
fn request(
    over: Vec<String>,
    measures: Vec<String>,
    times: Vec<(String, String)>,
    options: &[(String, String)],
) -> Result<SweepRequest, Fault> {
    let mut request =
        SweepRequest { over, measures, run: settings(options)?, ..Default::default() };
    for (key, text) in times {
        let time = match key.as_str() {
            "t_start" => &mut request.t_start,
            "t_end" => &mut request.t_end,
            "every" => &mut request.every,
            "after" => &mut request.after,
            "step" => &mut request.step,
            _ => return Err(Fault::of_request(format!("`{key}` is no time of a sweep"), None)),
        };
        *time = Some(text);
    }
    Ok(request)
}

/// The description of a sweep: its title, its settings, the axes with whether equal ratios separate their values, the measures.
type Said<'py> =
    (String, Vec<(String, String)>, Vec<(String, bool, Bound<'py, PyArray1<f64>>)>, Vec<String>);

/// The same from Python.
type Told = (String, Vec<(String, String)>, Vec<(String, bool, Vec<f64>)>, Vec<String>);

fn said<'py>(py: Python<'py>, description: &Description) -> Said<'py> {
    let Description { title, settings, axes, measures, .. } = description.clone();
    let axes = axes.into_iter().map(|axis| {
        let is_logarithmic = axis.spacing == Spacing::Logarithmic;
        (axis.name, is_logarithmic, PyArray1::from_vec(py, axis.values))
    });
    (title, settings, axes.collect(), measures)
}

/// Of each measure the median of the differences, the largest, and how many cells have a number in one precision alone.
type LossByMeasure = BTreeMap<String, (f64, f64, usize)>;

/// The part that is done.
fn part(watch: Watch) -> f64 {
    watch.done as f64 / watch.cells.max(1) as f64
}

#[pymethods]
impl SweepPlan {
    /// Checks everything that can be wrong, derives and compiles.
    #[new]
    fn new(
        py: Python<'_>,
        model: &Model,
        over: Vec<String>,
        measures: Vec<String>,
        times: Vec<(String, String)>,
        options: Vec<(String, String)>,
    ) -> PyResult<SweepPlan> {
        let request = request(over, measures, times, &options)?;
        let model = &model.model;
        let plan = py.detach(|| Plan::new(model, &request));
        Ok(SweepPlan { plan: plan.map_err(|failure| of_sweep(&failure.into()))? })
    }

    /// What two sweeps must have in common to be the same.
    fn description<'py>(&self, py: Python<'py>) -> Said<'py> {
        said(py, &self.plan.description)
    }

    /// Units of the axes, then of the measures; empty where the model does not say.
    #[getter]
    fn units(&self) -> Vec<&'static str> {
        let sweep = &self.plan.sweep;
        sweep.axis_units().into_iter().chain(sweep.measure_units()).collect()
    }

    /// Number of trajectories.
    #[getter]
    fn cells(&self) -> u64 {
        self.plan.description.blocks.cells
    }

    /// Number of blocks.
    #[getter]
    fn blocks(&self) -> u64 {
        self.plan.description.blocks.count()
    }

    /// Number of trajectories of a block; the last one may have fewer.
    #[getter]
    fn cells_of_a_block(&self) -> u64 {
        self.plan.description.blocks.size
    }

    /// Trajectories side by side on one core.
    #[getter]
    fn lanes(&self) -> usize {
        self.plan.sweep.lanes()
    }

    /// What computes here: the processor and its vector instructions.
    #[getter]
    fn processor(&self) -> &str {
        self.plan.sweep.processor()
    }

    /// What the device that was asked for is, or why the processor computes; nothing where none was.
    #[getter]
    fn device(&self) -> Option<String> {
        self.plan.sweep.device_words()
    }

    /// What single precision has cost; nothing for double precision.
    fn precision_loss(&self, py: Python<'_>, kept: &SweepStore) -> PyResult<Option<LossByMeasure>> {
        let plan = &self.plan;
        let loss =
            beside(py, None, |stop| plan.precision_loss(kept.lock().result(), &|| stop(0.0)))?;
        let names = plan.description.measures.iter().cloned();
        Ok(loss.map(|loss| {
            let told = loss.measures.iter().map(|it| (it.median, it.largest, it.one_sided));
            names.zip(told).collect()
        }))
    }

    /// Computes some blocks, as bytes for whoever keeps them.
    fn compute<'py>(
        &self,
        py: Python<'py>,
        blocks: Vec<u64>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let plan = &self.plan;
        let parcel = beside(py, progress, |stop| {
            let found = compute_blocks(plan, &blocks, threads, &mut |watch| stop(part(watch)))?;
            // nobody stops it without an error of Python's, which is raised in place of this
            Ok(pack(&plan.description, &found.unwrap_or_default()))
        })?;
        let parcel = parcel.map_err(|failure: SweepFailure| of_sweep(&failure))?;
        Ok(PyBytes::new(py, &parcel))
    }
}

/// Where blocks are kept.
enum Kept {
    File(Store),
    Memory(InMemory),
}

impl Kept {
    fn result(&self) -> &dyn SweepResult {
        match self {
            Kept::File(store) => store,
            Kept::Memory(memory) => memory,
        }
    }

    fn put(&mut self, blocks: &[Block]) -> Result<(), Fault> {
        match self {
            Kept::File(store) => store.put(blocks).map_err(|failure| of_sweep(&failure.into())),
            Kept::Memory(memory) => {
                let Ok(()) = memory.put(blocks);
                Ok(())
            }
        }
    }
}

/// The blocks that a sweep has found so far, in a file or in memory.
#[pyclass(frozen, module = "catena._core")]
pub(crate) struct SweepStore {
    kept: Mutex<Kept>,
}

impl SweepStore {
    fn of(kept: Kept) -> SweepStore {
        SweepStore { kept: Mutex::new(kept) }
    }

    /// To be called without the GIL: another thread may hold it for long.
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What `read` finds: numbers by cell and measure, which cells are there, those that failed, and who computed how many blocks.
type Contents<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<bool>>,
    Vec<(u64, String)>,
    BTreeMap<String, u64>,
);

#[pymethods]
impl SweepStore {
    /// A file for a sweep, new or continued, or the memory.
    #[staticmethod]
    fn begin(
        py: Python<'_>,
        plan: &SweepPlan,
        path: Option<PathBuf>,
        resume: bool,
    ) -> PyResult<SweepStore> {
        let description = plan.plan.description.clone();
        let cells = description.blocks.cells;
        let kept = py.detach(|| match path {
            Some(path) => Store::for_sweep(&path, description, Chunk::WHOLE, resume)
                .map(Kept::File)
                .map_err(SweepFailure::from),
            None => InMemory::new(description, Chunk::WHOLE)
                .map(Kept::Memory)
                .ok_or_else(|| catena::ensemble::SweepFailure::NeedsFile { cells }.into()),
        });
        Ok(SweepStore::of(kept.map_err(|failure| of_sweep(&failure))?))
    }

    /// A file of a sweep, finished or not.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<SweepStore> {
        let opened = py.detach(|| Store::open(&path));
        Ok(SweepStore::of(Kept::File(opened.map_err(|failure| of_sweep(&failure.into()))?)))
    }

    /// The numbers of a sweep that were computed before.
    #[staticmethod]
    fn again(
        description: Told,
        values: PyReadonlyArray2<'_, f64>,
        computed: PyReadonlyArray1<'_, bool>,
        failures: Vec<(u64, String)>,
    ) -> PyResult<SweepStore> {
        let (title, settings, axes, measures) = description;
        let axes = axes.into_iter().map(|(name, is_logarithmic, values)| {
            let spacing = if is_logarithmic { Spacing::Logarithmic } else { Spacing::Linear };
            SweptAxis { name, spacing, values }
        });
        let (values, computed) = (values.as_array(), computed.as_array());
        let cells = values.nrows();
        let blocks = Blocks::new(cells as u64);
        let description = Description { title, settings, axes: axes.collect(), measures, blocks };
        let grid: usize = description.axes.iter().map(|axis| axis.values.len()).product();
        let shape = (grid, description.measures.len());
        if values.dim() != shape || computed.dim() != cells {
            return Err(Fault::of_request("the numbers belong to another sweep", None).into());
        }
        let mut memory = InMemory::of_any_size(description.clone(), Chunk::WHOLE);
        let blocks = (0..description.blocks.count()).map(|block| {
            let cells = description.blocks.cells_of(block);
            let rows = cells.clone().flat_map(|cell| values.row(cell as usize).to_vec());
            let failed = failures.iter().filter(|(cell, _)| cells.contains(cell)).cloned();
            let (values, failures) = (rows.collect(), failed.collect());
            Block { cells, values, failures, processor: String::new() }
        });
        let blocks = blocks.filter(|block| computed[block.cells.start as usize]);
        let Ok(()) = memory.put(&blocks.collect::<Vec<_>>());
        Ok(SweepStore::of(Kept::Memory(memory)))
    }

    /// Blocks that are missing or damaged.
    fn missing(&self, py: Python<'_>) -> Vec<u64> {
        py.detach(|| {
            let kept = self.lock();
            let result = kept.result();
            let is_missing = |block: &u64| !matches!(result.get(*block), Found::Sound(_));
            result.expected().filter(is_missing).collect()
        })
    }

    /// Computes everything that is missing with threads of this process, and returns for how many trajectories that was.
    fn fill(
        &self,
        py: Python<'_>,
        plan: &SweepPlan,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<u64> {
        let sweep = &plan.plan.sweep;
        let attempt = beside(py, progress, |stop| {
            let mut watch = |watch: Watch| stop(part(watch));
            match &mut *self.lock() {
                Kept::File(store) => fill(sweep, store, threads, &mut watch),
                Kept::Memory(memory) => {
                    catena::ensemble::fill::<_, catena::ensemble::SweepFailure>(
                        sweep, memory, threads, &mut watch,
                    )
                    .map_err(SweepFailure::from)
                }
            }
        })?;
        Ok(attempt.map_err(|failure| of_sweep(&failure))?.computed)
    }

    /// Keeps the blocks of a parcel; when this returns they are safe. Returns their numbers.
    fn keep(&self, py: Python<'_>, parcel: &[u8]) -> PyResult<Vec<u64>> {
        let kept = py.detach(|| -> Result<Vec<u64>, Fault> {
            let mut kept = self.lock();
            let blocks = unpack(kept.result().description(), parcel)
                .map_err(|bad| Fault::of_executor(bad.to_string(), None))?;
            kept.put(&blocks)?;
            let size = kept.result().description().blocks.size;
            Ok(blocks.iter().map(|block| block.cells.start / size).collect())
        });
        Ok(kept?)
    }

    /// Everything that is there.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Contents<'py>> {
        let (values, computed, failures, processors) = py.detach(|| {
            let kept = self.lock();
            let result = kept.result();
            let Description { measures, blocks, .. } = result.description();
            let (cells, count) = (blocks.cells as usize, measures.len());
            let mut values = Array2::from_elem((cells, count), f64::NAN);
            let mut computed = vec![false; cells];
            let mut failures = Vec::new();
            let mut processors: BTreeMap<String, u64> = BTreeMap::new();
            for number in result.expected() {
                let Found::Sound(block) = result.get(number) else { continue };
                let first = block.cells.start as usize;
                for (at, row) in block.values.chunks_exact(count).enumerate() {
                    computed[first + at] = true;
                    for (measure, &value) in row.iter().enumerate() {
                        values[[first + at, measure]] = value;
                    }
                }
                failures.extend(block.failures);
                *processors.entry(block.processor).or_default() += 1;
            }
            (values, computed, failures, processors)
        });
        let computed = PyArray1::from_vec(py, computed);
        Ok((values.into_pyarray(py), computed, failures, processors))
    }

    /// Writes the table: a row for each trajectory; the ending names the format.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| export(self.lock().result(), &path)).map_err(Fault::from)?;
        Ok(())
    }

    /// Curves over one axis or maps over two, as a file of this ending.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        ending: &str,
        style: Vec<(String, String)>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let style = plot_style(&style)?;
        let bytes = py.detach(|| -> Result<Vec<u8>, Fault> {
            let kept = self.lock();
            let axes = kept.result().description().axes.len();
            let picture = sweep_picture(kept.result(), &style).ok_or_else(|| {
                let help = "a picture has one axis or two; `.to_xarray()` has them all";
                Fault::of_request(format!("{axes} axes cannot be drawn"), Some(help.to_owned()))
            })?;
            Ok(picture_bytes(&*picture, &named(ending))?)
        });
        Ok(PyBytes::new(py, &bytes?))
    }

    /// What a file says about its sweep, finished or not.
    fn description<'py>(&self, py: Python<'py>) -> Said<'py> {
        let description = py.detach(|| self.lock().result().description().clone());
        said(py, &description)
    }
}
