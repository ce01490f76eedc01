// Package pipeline has the one list of all passes, checks its order constraints, and runs
// pipelines: it verifies the result, counts, measures time, and prints what the user
// wants to see.
//
//	passes, err := pipeline.Parse("explicit")
//	report, err := pipeline.Run(p, passes, pipeline.Options{Verify: true})
//
// The list is in passes.go. A pipeline prints as the text from which it is parsed. If a
// program does not verify after a pass, that is a bug of memc, and is reported as one.
//
// The packages below transform do the work of the passes; this package knows only their
// names. It must not import code generators or the runtime.
package pipeline
