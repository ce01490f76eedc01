// Package irjson writes programs as JSON and reads them, for tools that do not want to write a parser.
//
//	text, err := irjson.Marshal(p)         // of any program, also after passes
//	p, err := irjson.ParseText(name, text) // as parser.ParseText reads text
//	schema := irjson.Schema()              // JSON Schema, draft 2020-12
//
//	let y = xs[i] + 1    is    {"pat": [{"name": "y"}], "op": {"kind": "compute", "e": {"kind": "binary",
//	                             "op": "+", "x": {"kind": "index", ..}, "y": {"kind": "lit", "text": "1"}}}}
//
// The JSON is the tree of the text, without positions and without the types that the text leaves out: both say the
// same, and each can be made from the other. The package derives it from ir's own types: a struct is an object, its
// fields have their Go names in lower case, and a value of an interface says its Go type in the field "kind". One
// list (fields.go) says what differs from that, and writing, reading and the schema follow it.
//
// Parse prints what it has read and parses the text. So it accepts nothing that the parser refuses, and messages
// have positions in that text. It compares both trees: a name such as "x + y" is refused, although it prints.
//
// Stable: what Schema accepts follows the promise of docs/ir.md ("Versions"). The package imports only ir, parser and
// ir/diag.
package irjson
