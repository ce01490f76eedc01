package memtrace

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

var columns = []string{"Thread", "Time", "Action", "Pointer", "Size", "Stream", "Tag", "Line", "Name"}

const clock = "15:04:05.000000"

type csvSink struct{ w *csv.Writer }

// CSV writes events as lines.
func CSV(w io.Writer) Sink {
	s := &csvSink{csv.NewWriter(w)}
	s.line(columns...)
	return s
}

// line keeps no error: csv.Writer does, for Close.
func (s *csvSink) line(fields ...string) { _ = s.w.Write(fields) }

func (s *csvSink) Event(e Event) {
	s.line(strconv.FormatInt(e.Call, 10), e.Time.Format(clock), string(e.Action), fmt.Sprintf("%#x", e.Pointer),
		strconv.FormatInt(e.Size, 10), strconv.Itoa(e.Device), strconv.Itoa(e.Tag), e.Line, e.Name)
}

func (s *csvSink) Close() error {
	s.w.Flush()
	return s.w.Error()
}

// maxHead bounds the line of columns.
const maxHead = 1 << 16

// Read reads a trace in CSV, RMM's own included: columns are found by their
// names, and Tag, Line and Name may be missing.
func Read(r io.Reader) ([]Event, error) {
	buffered := bufio.NewReaderSize(r, maxHead)
	if head, _ := buffered.Peek(maxHead); len(head) == maxHead && !bytes.ContainsRune(head, '\n') {
		return nil, fmt.Errorf("no trace: the first line has more than %d characters", maxHead)
	}
	in := csv.NewReader(buffered)
	in.FieldsPerRecord = -1
	in.ReuseRecord = true
	head, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the trace is empty; expected a line of columns")
	}
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, name := range head {
		at[strings.TrimSpace(name)] = i
	}
	for _, name := range []string{"Action", "Pointer", "Size"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("the trace has no column %s; it has %s", name, strings.Join(head, ","))
		}
	}
	var events []Event
	for {
		rec, err := in.Read()
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return nil, err
		}
		e, err := parse(rec, at)
		if err != nil {
			line, _ := in.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		events = append(events, e)
	}
}

func parse(rec []string, at map[string]int) (e Event, err error) {
	field := func(name string) string {
		if i, ok := at[name]; ok && i < len(rec) {
			return strings.TrimSpace(rec[i])
		}
		return ""
	}
	e.Action = Action(field("Action"))
	if !slices.Contains([]Action{Allocate, Free, Failure}, e.Action) {
		return e, fmt.Errorf("action %q; expected allocate, free or allocate failure", e.Action)
	}
	if e.Size, err = strconv.ParseInt(field("Size"), 10, 64); err != nil || e.Size < 0 {
		return e, fmt.Errorf("size %q; expected a number of bytes", field("Size"))
	}
	if p := field("Pointer"); e.Action != Failure {
		if e.Pointer, err = strconv.ParseUint(p, 0, 64); err != nil {
			if e.Pointer, err = strconv.ParseUint(p, 16, 64); err != nil {
				return e, fmt.Errorf("pointer %q; expected a number", p)
			}
		}
	}
	// What RMM lacks, or writes otherwise, is not needed.
	e.Call, _ = strconv.ParseInt(field("Thread"), 10, 64)
	e.Tag, _ = strconv.Atoi(field("Tag"))
	e.Time, _ = time.Parse(clock, field("Time"))
	e.Line, e.Name = field("Line"), field("Name")
	return e, nil
}
