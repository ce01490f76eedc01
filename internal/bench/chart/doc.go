// Package chart draws plots of measurements as SVG: lines over logarithmic axes, and bars
// side by side. It draws what benchmarks need and no more. Its colours differ for all eyes
// (Okabe and Ito's palette).
//
// It does not know the meaning of its data, and imports nothing of this module.
package chart
