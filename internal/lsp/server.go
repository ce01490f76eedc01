package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"

	"github.com/sourcegraph/jsonrpc2"
)

// Options are what the command knows.
type Options struct {
	Version string
	Columns int       // of formatted lines
	Log     io.Writer // for panics and messages that break the protocol
}

// ErrNoShutdown tells that the editor went without the request `shutdown`.
var ErrNoShutdown = errors.New("the editor ended the session without the request `shutdown`")

// Serve answers one editor, until it says `exit` or its stream ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opt Options) error {
	s := &server{opt: opt, log: log.New(opt.Log, "memc lsp: ", 0), open: map[string]*document{}}
	stream := jsonrpc2.NewBufferedStream(streams{in, out}, jsonrpc2.VSCodeObjectCodec{})
	conn := jsonrpc2.NewConn(ctx, stream, jsonrpc2.HandlerWithError(s.handle).SuppressErrClosed(), jsonrpc2.SetLogger(s.log))
	<-conn.DisconnectNotify()
	if s.state != ended {
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

type state uint8

const (
	fresh state = iota
	running
	ended
)

// A server holds the documents of one session. One message is handled at a time.
type server struct {
	opt   Options
	log   *log.Logger
	state state
	open  map[string]*document
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

func (s *server) handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) (result any, err error) {
	if broken := attempt(func() { result, err = s.message(ctx, conn, req) }); broken != nil {
		s.log.Printf("%s: %v", req.Method, broken)
		return nil, failed(jsonrpc2.CodeInternalError, "a bug in memc; its standard error says more")
	}
	return result, err
}

// message answers one message.
func (s *server) message(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "initialize":
		s.state = running
		return map[string]any{"capabilities": capabilities(), "serverInfo": map[string]any{"name": "memc", "version": s.opt.Version}}, nil
	case "shutdown":
		s.state = ended
		return nil, nil
	case "exit":
		return nil, conn.Close()
	}
	switch {
	case s.state == running:
	case req.Notif:
		return nil, nil
	case s.state == fresh:
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
	d := s.open[p.TextDocument.URI]
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
		s.open[uri] = d
		return s.publish(ctx, conn, d, true)
	case "textDocument/didChange":
		n := len(p.ContentChanges)
		if n == 0 || p.ContentChanges[n-1].Range != nil {
			return failed(jsonrpc2.CodeInvalidParams, "a change has the whole text")
		}
		d := newDocument(uri, p.TextDocument.Version, p.ContentChanges[n-1].Text)
		s.open[uri] = d
		return s.publish(ctx, conn, d, false)
	case "textDocument/didSave":
		if d := s.open[uri]; d != nil {
			return s.publish(ctx, conn, d, true)
		}
	case "textDocument/didClose":
		delete(s.open, uri)
		return conn.Notify(ctx, "textDocument/publishDiagnostics", publishDiagnostics{URI: uri, Diagnostics: []diagnostic{}})
	}
	return nil
}

// publish sends what is wrong with a document, and with its passes' refusals if these are wanted.
func (s *server) publish(ctx context.Context, conn *jsonrpc2.Conn, d *document, refusals bool) error {
	found := d.problems()
	if refusals {
		if err := attempt(func() { found = append(found, d.refusals()...) }); err != nil {
			s.log.Printf("%s: %v", d.uri, err)
		}
	}
	return conn.Notify(ctx, "textDocument/publishDiagnostics", publishDiagnostics{d.uri, d.version, found})
}
