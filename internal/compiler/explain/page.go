package explain

import (
	_ "embed" // the page's parts
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/memc-lang/memc/internal/base/release"
)

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
)

// WritePage writes one HTML file that holds everything and loads nothing.
func (x *Explanation) WritePage(w io.Writer) error {
	data, err := json.Marshal(x) // escapes <, > and &, so it can stand in a script element
	if err != nil {
		return fmt.Errorf("the page's data: %w", err)
	}
	_, err = strings.NewReplacer(
		"{{memc}}", release.Name,
		"{{title}}", html.EscapeString(x.File),
		"{{css}}", pageCSS,
		"{{js}}", pageJS,
		"{{data}}", string(data),
	).WriteString(w, pageHTML)
	return err
}
