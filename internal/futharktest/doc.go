// Package futharktest runs dumps of Futhark's memory IR in every way that memc
// runs a program, against inputs and expected outputs that lie beside them. The
// tests of import/futhark and the command scripts/futhark-samples share it.
//
// A directory of samples holds, per sample NAME, dumps NAME.STAGE.fut_gpu_mem
// and NAME.STAGE.fut_seq_mem, and values NAME.in with NAME.out for the entry
// main, NAME.ENTRY.in with NAME.ENTRY.out for the others.
package futharktest
