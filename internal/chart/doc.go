// Package chart draws plots of measurements as SVG: lines over logarithmic axes,
// and bars side by side. It draws what benchmarks need and no more; colours differ
// for all eyes (Okabe and Ito's palette).
//
// It knows nothing of what is measured, and imports nothing of this module.
package chart
