// Package futharktest runs dumps of Futhark's memory IR in every way that memc runs a
// program, with the inputs and expected outputs in the same folder. The tests of
// import/futhark and the command scripts/futhark-samples share it.
//
// A folder of samples has, per sample NAME, the dumps NAME.STAGE.fut_gpu_mem and
// NAME.STAGE.fut_seq_mem, the values NAME.in and NAME.out for the entry main, and
// NAME.ENTRY.in and NAME.ENTRY.out for the other entries.
package futharktest
