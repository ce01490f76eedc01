// Package pipeline holds the one list of all passes, checks its order
// constraints, and runs pipelines: verify after every pass, count and time,
// print what the user asked to see.
//
//	passes, err := pipeline.Parse("explicit")
//	report, err := pipeline.Run(p, passes, pipeline.Options{Verify: true})
//
// The list is written down once (passes.go); a pipeline prints as the text it
// parses. A pass after which the program does not verify any more is a bug of
// memc's own, and reported as one.
//
// What a pass does is the business of the packages below transform; this one
// knows only their names. It must not import code generators or the runtime.
package pipeline
