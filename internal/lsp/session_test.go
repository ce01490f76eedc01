package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// TestSessions plays the sessions of testdata. Lines with `>` are what an editor sends; below each stands what
// the server answers. Marks like «a» in a text name the position behind them, and are no part of the text.
// Positions in answers count from 1. MEMC_GOLDEN=1 writes the answers into the files.
func TestSessions(t *testing.T) {
	files := must.Get(filepath.Glob("testdata/*.session"))(t)
	if len(files) == 0 {
		t.Fatal("no sessions")
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".session"), func(t *testing.T) {
			session := must.Get(txtar.ParseFile(path))(t)
			e := newEditor(t, func(work func()) { work() })
			var got strings.Builder
			for _, line := range strings.Split(string(session.Comment), "\n") {
				switch command, ok := strings.CutPrefix(line, "> "); {
				case strings.HasPrefix(line, "#"):
					got.WriteString("\n" + line + "\n")
				case ok:
					got.WriteString(line + "\n")
					for _, answer := range e.play(session, strings.Fields(command)) {
						got.WriteString("    " + strings.ReplaceAll(strings.TrimSuffix(answer, "\n"), "\n", "\n    ") + "\n")
					}
				}
			}
			if strings.Contains(got.String(), "> shutdown\n") {
				e.end(nil)
			} else {
				e.end(ErrNoShutdown)
			}
			text := strings.TrimPrefix(got.String(), "\n") + "\n"
			if os.Getenv("MEMC_GOLDEN") != "" {
				session.Comment = []byte(text)
				must.Do(t, os.WriteFile(path, txtar.Format(session), 0o666))
			} else if d := cmp.Diff(string(session.Comment), text); d != "" {
				t.Errorf("%s (-want +got):\n%s", path, d)
			}
		})
	}
}

// TestImpatience gives the server more than it can follow: texts change while passes run for hints, and for
// hovering. Every request has its answer. Run it with -race.
func TestImpatience(t *testing.T) {
	session := must.Get(txtar.ParseFile("testdata/memory.session"))(t)
	e := newEditor(t, nil)
	must.Do(t, e.call("initialize", map[string]any{}, nil))
	of := map[string]any{"uri": e.uri}
	p := map[string]any{"textDocument": of, "position": position{2, 7}}
	var hovers []jsonrpc2.Waiter
	for k := range 60 {
		e.take(session, []string{"chain.ir", "wrong.ir", "explicit.ir"}[k%3])
		of["text"] = e.file.Text
		must.Do(t, e.conn.Notify(context.Background(), "textDocument/didOpen", p))
		hovers = append(hovers, must.Get(e.conn.DispatchCall(context.Background(), "textDocument/hover", p))(t))
		must.Do(t, e.conn.Notify(context.Background(), "textDocument/didSave", p))
	}
	for _, h := range hovers {
		must.Do(t, h.Wait(context.Background(), nil))
	}
	must.Do(t, e.call("shutdown", nil, nil))
	must.Do(t, e.conn.Notify(context.Background(), "exit", nil))
	e.end(nil)
}

// An editor is the other end of a session.
type editor struct {
	t     *testing.T
	conn  *jsonrpc2.Conn
	log   bytes.Buffer // what the server complains of; read it after the end
	in    *io.PipeWriter
	ended chan error

	uri   string
	file  *diag.File
	marks map[string]int
	shown []publishDiagnostics // since the last answer
}

func newEditor(t *testing.T, start func(func())) *editor {
	e := &editor{t: t, ended: make(chan error, 1), uri: "file:///prog.ir"}
	toServer, in := io.Pipe()
	fromServer, out := io.Pipe()
	e.in = in
	go func() {
		e.ended <- Serve(context.Background(), toServer, out, Options{Version: "memc", Columns: 120, Log: &e.log, Start: start})
		toServer.Close()
		out.Close()
	}()
	stream := jsonrpc2.NewBufferedStream(streams{fromServer, in}, jsonrpc2.VSCodeObjectCodec{})
	e.conn = jsonrpc2.NewConn(context.Background(), stream, jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
		var p publishDiagnostics
		err := json.Unmarshal(*req.Params, &p)
		e.shown = append(e.shown, p)
		return nil, err
	}))
	return e
}

// end closes the editor's stream, and compares how the session ended.
func (e *editor) end(want error) {
	e.t.Helper()
	e.in.Close()
	if err := <-e.ended; !errors.Is(err, want) {
		e.t.Errorf("the session ends with %v, want %v", err, want)
	}
	if e.log.Len() > 0 {
		e.t.Errorf("the server complains:\n%s", e.log.String())
	}
}

func (e *editor) call(method string, params, result any) error {
	return e.conn.Call(context.Background(), method, params, result)
}

// notify sends a notification, and returns what the server shows because of it. Messages are handled in their
// order, so the answer to a request behind it comes after all that.
func (e *editor) notify(method string, params any) []publishDiagnostics {
	e.shown = nil
	must.Do(e.t, e.conn.Notify(context.Background(), method, params))
	var none *jsonrpc2.Error
	if err := e.call("test/nothing", nil, nil); !errors.As(err, &none) {
		e.t.Fatal(err)
	}
	return e.shown
}

var mark = regexp.MustCompile(`«([\w-]+)»`)

// take makes a text of the session the editor's.
func (e *editor) take(session *txtar.Archive, name string) {
	k := slices.IndexFunc(session.Files, func(f txtar.File) bool { return f.Name == name })
	if k < 0 {
		e.t.Fatalf("the session has no text %q", name)
	}
	text := string(session.Files[k].Data)
	e.marks = map[string]int{}
	for m := mark.FindStringSubmatchIndex(text); m != nil; m = mark.FindStringSubmatchIndex(text) {
		e.marks[text[m[2]:m[3]]] = m[0]
		text = text[:m[0]] + text[m[1]:]
	}
	e.file = diag.NewFile("prog.ir", text)
}

// play sends what a line says, and returns the answers in words.
func (e *editor) play(session *txtar.Archive, words []string) []string {
	of := map[string]any{"uri": e.uri}
	p := map[string]any{"textDocument": of}
	switch words[0] {
	case "initialize", "shutdown":
		var result json.RawMessage
		return e.result(e.call(words[0], map[string]any{}, &result), func() []string { return []string{indented(e.t, result)} })
	case "open":
		e.take(session, words[1])
		of["text"], of["version"], of["languageId"] = e.file.Text, 1, "memc"
		return e.problems(e.notify("textDocument/didOpen", p))
	case "change":
		e.take(session, words[1])
		of["version"] = 2
		p["contentChanges"] = []any{map[string]any{"text": e.file.Text}}
		return e.problems(e.notify("textDocument/didChange", p))
	case "save":
		return e.problems(e.notify("textDocument/didSave", p))
	case "close":
		return e.problems(e.notify("textDocument/didClose", p))
	case "format":
		var edits []textEdit
		return e.result(e.call("textDocument/formatting", p, &edits), func() []string { return e.edits(edits) })
	}
	at, known := e.marks[words[1]]
	if !known {
		e.t.Fatalf("the text has no mark %q", words[1])
	}
	p["position"] = (&document{file: e.file}).position(at)
	return e.ask(words, p)
}

// ask sends a request about a position.
func (e *editor) ask(words []string, p map[string]any) []string {
	switch words[0] {
	case "definition":
		var l *location
		return e.result(e.call("textDocument/definition", p, &l), func() []string {
			if l == nil {
				return []string{"nothing"}
			}
			return []string{e.place(l.Range)}
		})
	case "references", "uses":
		p["context"] = map[string]any{"includeDeclaration": words[0] == "references"}
		var ls []location
		return e.result(e.call("textDocument/references", p, &ls), func() (out []string) {
			for _, l := range ls {
				out = append(out, e.place(l.Range))
			}
			return out
		})
	case "prepare":
		var r *textRange
		return e.result(e.call("textDocument/prepareRename", p, &r), func() []string {
			if r == nil {
				return []string{"nothing"}
			}
			return []string{e.place(*r)}
		})
	case "rename":
		p["newName"] = words[2]
		var w workspaceEdit
		return e.result(e.call("textDocument/rename", p, &w), func() []string { return e.edits(w.Changes[e.uri]) })
	case "hover":
		var h *hover
		return e.result(e.call("textDocument/hover", p, &h), func() []string {
			if h == nil {
				return []string{"nothing"}
			}
			return []string{e.place(h.Range), h.Contents.Value}
		})
	}
	e.t.Fatalf("unknown command %q", words)
	return nil
}

// result returns an error's words, or those of a result.
func (e *editor) result(err error, words func() []string) []string {
	if err != nil {
		return []string{err.Error()}
	}
	return words()
}

func indented(t *testing.T, raw json.RawMessage) string {
	var b bytes.Buffer
	must.Do(t, json.Indent(&b, raw, "", "  "))
	return b.String()
}

// within returns the offsets of a range.
func (e *editor) within(r textRange) (from, to int) {
	d := &document{file: e.file}
	return d.offset(r.Start), d.offset(r.End)
}

// place returns a range in words, with its text.
func (e *editor) place(r textRange) string {
	from, to := e.within(r)
	return fmt.Sprintf("%d:%d `%s`", r.Start.Line+1, r.Start.Character+1, e.file.Text[from:to])
}

func (e *editor) problems(all []publishDiagnostics) (out []string) {
	names := map[int]string{severityError: "error", severityWarning: "warning", severityHint: "hint"}
	for _, p := range all {
		if len(p.Diagnostics) == 0 {
			out = append(out, "no problems")
		}
		for _, d := range p.Diagnostics {
			code := ""
			if d.Code != "" {
				code = " [" + d.Code + "]"
			}
			out = append(out, fmt.Sprintf("%s%s at %s: %s", names[d.Severity], code, e.place(d.Range), strings.ReplaceAll(d.Message, "\n", "\n  ")))
			for _, r := range d.Related {
				out = append(out, "  "+e.place(r.Location.Range)+": "+r.Message)
			}
		}
	}
	return out
}

// edits returns the lines that edits change, as they are after it.
func (e *editor) edits(edits []textEdit) (out []string) {
	text := e.file.Text
	for _, edit := range slices.Backward(edits) {
		from, to := e.within(edit.Range)
		text = text[:from] + edit.NewText + text[to:]
	}
	if text == e.file.Text {
		return []string{"no edits"}
	}
	old := strings.Split(e.file.Text, "\n")
	for k, line := range strings.Split(text, "\n") {
		if k >= len(old) || old[k] != line {
			out = append(out, fmt.Sprintf("%d: %s", k+1, line))
		}
	}
	return out
}
