// Package explain shows people what the passes did to a program's memory, and why: as one
// HTML page, as sentences about two names, and as a list of the blocks held at the peak.
//
// Purpose. Remarks, statistics and analyses each say one thing. This package puts them side
// by side: the text after every pass, the blocks over the program's points with their bytes,
// the interference, the story of every candidate, and the arrays that kernels read and
// write.
//
// Algorithm. New runs a pipeline and keeps the text after every pass that changed it. It
// reads and analyses each text on its own (a Stage), so that every fact has the line of the
// text with which it is shown, whatever later passes do. Sizes stay expressions; the page
// evaluates them for the values that its reader chooses.
//
//	x, err := explain.New(file, pipeline.DefaultPasses())
//	err = x.WritePage(w)                   // memc explain prog.ir -o prog.html
//	text, err := x.Pair("smooth", "grey")  // memc explain prog.ir smooth grey
//
// All facts come from the analyses that the passes themselves use. The package changes no
// program and decides nothing.
package explain
