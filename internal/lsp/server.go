package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"
)

// Options are what the command knows.
type Options struct {
	Version string
	Columns int       // of formatted lines
	Log     io.Writer // for panics and messages that break the protocol
	// Start begins work that takes long, such as the passes; nil: in a goroutine. Tests do the work at once.
	Start func(work func())
}

// ErrNoShutdown tells that the editor went without the request `shutdown`.
var ErrNoShutdown = errors.New("the editor ended the session without the request `shutdown`")

// Serve answers one editor, until it says `exit` or its stream ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opt Options) error {
	s := &server{opt: opt, log: log.New(opt.Log, "memc lsp: ", 0), open: map[string]*document{}}
	if opt.Start == nil {
		s.opt.Start = func(work func()) { go work() }
	}
	stream := jsonrpc2.NewBufferedStream(streams{in, out}, jsonrpc2.VSCodeObjectCodec{})
	conn := jsonrpc2.NewConn(ctx, stream, s, jsonrpc2.SetLogger(s.log))
	<-conn.DisconnectNotify()
	if s.state.Load() != ended {
		return ErrNoShutdown
	}
	return nil
}

// streams are an editor's two streams. They are the caller's to close.
type streams struct {
	io.Reader
	io.Writer
}

func (streams) Close() error { return nil }

const (
	fresh int32 = iota
	running
	ended
)

// A server holds the documents of one session.
type server struct {
	opt   Options
	log   *log.Logger
	state atomic.Int32 // fresh, running, ended
	slow  sync.Mutex   // one piece of long work is under way at a time

	mu   sync.Mutex // guards open, and orders what is shown of documents
	open map[string]*document
}

// document returns an open document, or nil.
func (s *server) document(uri string) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[uri]
}

// slowly does long work about a document, unless the document has changed before its turn.
func (s *server) slowly(d *document, work func()) {
	s.slow.Lock()
	defer s.slow.Unlock()
	if s.document(d.uri) == d {
		work()
	}
}

// attempt calls f, and returns a panic as an error.
func attempt(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	f()
	return nil
}

func failed(code int64, format string, args ...any) error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Codes of errors that jsonrpc2 has no names for.
const (
	notInitialized = -32002
	requestFailed  = -32803
)

// Handle implements jsonrpc2.Handler: it answers one message after the other, except for hovering, which may
// take long.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	answer := jsonrpc2.HandlerWithError(func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (result any, err error) {
		if broken := attempt(func() { result, err = s.message(ctx, conn, req) }); broken != nil {
			s.log.Printf("%s: %v", req.Method, broken)
			return nil, failed(jsonrpc2.CodeInternalError, "a bug in memc; its standard error says more")
		}
		return result, err
	}).SuppressErrClosed()
	if req.Method == "textDocument/hover" && s.state.Load() == running {
		s.opt.Start(func() { answer.Handle(ctx, conn, req) })
		return
	}
	answer.Handle(ctx, conn, req)
}

// message answers one message.
func (s *server) message(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "initialize":
		s.state.Store(running)
		return map[string]any{"capabilities": capabilities(), "serverInfo": map[string]any{"name": "memc", "version": s.opt.Version}}, nil
	case "shutdown":
		s.state.Store(ended)
		return nil, nil
	case "exit":
		return nil, conn.Close()
	}
	switch state := s.state.Load(); {
	case state == running:
	case req.Notif:
		return nil, nil
	case state == fresh:
		return nil, failed(notInitialized, "the session begins with `initialize`")
	default:
		return nil, failed(jsonrpc2.CodeInvalidRequest, "the session has ended")
	}
	var p params
	if req.Params != nil {
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			return nil, failed(jsonrpc2.CodeInvalidParams, "%v", err)
		}
	}
	if req.Notif {
		return nil, s.notified(ctx, conn, req.Method, &p)
	}
	answer, ok := answers[req.Method]
	if !ok {
		return nil, failed(jsonrpc2.CodeMethodNotFound, "memc does not answer `%s`", req.Method)
	}
	d := s.document(p.TextDocument.URI)
	if d == nil {
		return nil, failed(jsonrpc2.CodeInvalidParams, "%s is not open", p.TextDocument.URI)
	}
	return answer(s, d, &p)
}

// answers holds the requests about a document.
var answers = map[string]func(*server, *document, *params) (any, error){
	"textDocument/formatting":    (*server).format,
	"textDocument/definition":    (*server).definition,
	"textDocument/references":    (*server).references,
	"textDocument/prepareRename": (*server).prepareRename,
	"textDocument/rename":        (*server).rename,
	"textDocument/hover":         (*server).hover,
}

// notified follows what happens to documents in the editor. Other notifications need no answer.
func (s *server) notified(ctx context.Context, conn *jsonrpc2.Conn, method string, p *params) error {
	uri := p.TextDocument.URI
	switch method {
	case "textDocument/didOpen":
		d := newDocument(uri, p.TextDocument.Version, p.TextDocument.Text)
		s.take(ctx, conn, d)
		s.refuse(ctx, conn, d)
	case "textDocument/didChange":
		n := len(p.ContentChanges)
		if n == 0 || p.ContentChanges[n-1].Range != nil {
			return failed(jsonrpc2.CodeInvalidParams, "a change has the whole text")
		}
		s.take(ctx, conn, newDocument(uri, p.TextDocument.Version, p.ContentChanges[n-1].Text))
	case "textDocument/didSave":
		if d := s.document(uri); d != nil {
			s.refuse(ctx, conn, d)
		}
	case "textDocument/didClose":
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, uri)
		s.show(ctx, conn, publishDiagnostics{URI: uri, Diagnostics: []diagnostic{}})
	}
	return nil
}

// take makes a text the present one of its document, and shows what is wrong with it.
func (s *server) take(ctx context.Context, conn *jsonrpc2.Conn, d *document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[d.uri] = d
	s.show(ctx, conn, publishDiagnostics{d.uri, d.version, d.problems})
}

// refuse shows also what the passes refuse to do, once they have run.
func (s *server) refuse(ctx context.Context, conn *jsonrpc2.Conn, d *document) {
	s.opt.Start(func() {
		var refusals []diagnostic
		if err := attempt(func() { s.slowly(d, func() { refusals = d.refusals() }) }); err != nil {
			s.log.Printf("%s: %v", d.uri, err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.open[d.uri] == d && len(refusals) > 0 {
			s.show(ctx, conn, publishDiagnostics{d.uri, d.version, slices.Concat(d.problems, refusals)})
		}
	})
}

// show sends what is wrong with a document. The caller holds mu.
func (s *server) show(ctx context.Context, conn *jsonrpc2.Conn, p publishDiagnostics) {
	if err := conn.Notify(ctx, "textDocument/publishDiagnostics", p); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		s.log.Printf("%s: %v", p.URI, err)
	}
}
