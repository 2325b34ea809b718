//! Columns of tables as NumPy arrays that share their memory.

use catena::simulation::{Column, ColumnValues, Table};
use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The columns of a table, by name: numbers as arrays that cannot be written, words as lists.
///
/// # Safety
/// The table lives in `owner`, which never changes it.
pub(crate) unsafe fn columns<'py>(
    table: &Table,
    owner: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(owner.py());
    for column in &table.columns {
        match &column.values {
            ColumnValues::Numbers(numbers) => {
                let view = ArrayView1::from(numbers.as_slice());
                // SAFETY: the caller's promise; the array keeps its owner alive
                let array = unsafe { PyArray1::borrow_from_array(&view, owner.clone()) };
                array.readwrite().make_nonwriteable();
                columns.set_item(&column.name, array)?;
            }
            ColumnValues::Words(words) => {
                columns.set_item(&column.name, PyList::new(owner.py(), words)?)?;
            }
        }
    }
    Ok(columns)
}

/// What the columns are measured in, by name; nothing where that is not known.
pub(crate) fn units<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let units = PyDict::new(py);
    for Column { name, unit, .. } in &table.columns {
        units.set_item(name, unit.as_ref())?;
    }
    Ok(units)
}
