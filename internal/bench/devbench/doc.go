// Package devbench measures several devices that work together: how fast blocks move between
// them, by peer copy and through the host; whether migrations overlap with kernels; and what a
// launch costs in a context of several devices, against one of a single device.
//
// docs/devices.md interprets the figures. The package uses the runtime alone: no pass, no
// parser. Every block that moved is read back and compared.
package devbench
