// Package fuse computes an array's elements where its one reader reads them.
package fuse
