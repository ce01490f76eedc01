// Package lsp answers editors in the Language Server Protocol (version 3.17).
//
// Purpose. `memc lsp` reads requests from standard input and writes answers to standard output. Every answer
// comes from a package that another verb asks, too: errors from driver.Check, places of names from
// parser.Names, sentences about memory from explain.About, refusals from the passes' remarks.
//
// Algorithm. The server handles one message after the other, in their order. It keeps the text of every open
// document, and checks it after each change. Passes run beside that, when a document is opened or saved: their
// refusals stay as hints until the text changes. What hovering needs of memory is computed when it is asked
// for, once per text. A panic ends the message that it happened in, and no other.
//
// Framing and dispatch are sourcegraph/jsonrpc2's, which is maintained and needs nothing else. The messages'
// types are in protocol.go: libraries that have them all (go.lsp.dev/protocol, tliron/glsp) had no release
// since 2024, and bring 10 to 20 modules.
package lsp
