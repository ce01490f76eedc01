// Package versions tests the promise of docs/ir.md that memc goes on reading files of older versions of the
// language to the same results. Each folder of testdata/versions holds the programs of one version, with inputs and
// results. A file there never changes: SHA256SUMS lists them.
package versions
