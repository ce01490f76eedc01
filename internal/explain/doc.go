// Package explain gathers what the passes did to a program's memory, and why,
// for people: as one HTML page, as sentences about two names, and as a list of
// what is held at the peak.
//
// Purpose. Remarks, statistics and analyses each say one thing. This package puts
// them side by side: the text after every pass, the blocks over the program's
// points with their bytes, who interferes with whom, the story of every
// candidate, and what kernels read and write.
//
// Algorithm. New runs a pipeline and keeps the text after every pass that changed
// it. Each text is read again and analysed on its own (a Stage), so that every fact
// carries the line of the text it is shown with, whatever later passes do. Sizes
// stay expressions; the page evaluates them for the values that its reader chooses.
//
//	x, err := explain.New(file, pipeline.DefaultPasses())
//	err = x.WritePage(w)                   // memc explain prog.ir -o prog.html
//	text, err := x.Pair("smooth", "grey")  // memc explain prog.ir smooth grey
//
// Everything shown comes from the analyses that the passes themselves use; nothing
// is computed a second way. The package changes no program and decides nothing.
package explain
