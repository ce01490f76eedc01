package coalesce

import "fmt"

// A refusal says which condition a candidate fails, and how; Code is empty where
// it fails none.
type refusal struct{ Code, Why string }

func refuse(code, format string, args ...any) refusal {
	return refusal{code, fmt.Sprintf(format, args...)}
}

func (r refusal) refused() bool { return r.Code != "" }
