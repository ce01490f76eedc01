package explain

import (
	"context"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/internal/test/must"
)

// seen is what the script below reads off the page in a browser.
type seen struct {
	Before, After, Bound string
	Held                 int
	Stories, Refused     int
	Kernels              int
	Details              string
	Marked               int
	Failed               string
}

// look clicks a name, waits for the page, and writes down what it shows.
const look = `<pre id="seen"></pre><script>
window.onerror = m => { document.getElementById('seen').textContent = JSON.stringify({ Failed: String(m) }); };
document.querySelector('#code a[data-n="NAME"]').click();
setTimeout(() => {
  const all = document.querySelectorAll('#remarks tbody tr').length;
  document.getElementById('refused').click();
  const s = document.getElementById('summary').dataset;
  document.getElementById('seen').textContent = JSON.stringify({
    Before: s.before, After: s.after, Bound: s.bound, Stories: all,
    Held: document.querySelectorAll('#held-table tbody tr').length,
    Refused: document.querySelectorAll('#remarks tbody tr').length,
    Kernels: document.querySelectorAll('#kernel-table tbody tr').length,
    Details: document.getElementById('details').textContent,
    Marked: document.querySelectorAll('#code .on').length });
}, 100);
</script>`

var written = regexp.MustCompile(`(?s)<pre id="seen">(.*?)</pre>`)

// chromium loads a page of some width with a script at its end, and gives what the script writes down.
func chromium(t *testing.T, x *Explanation, script string, width int) []byte {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v: scripts/bootstrap --test installs it", err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	var page strings.Builder
	must.Do(t, x.WritePage(&page))
	text := strings.Replace(page.String(), "</body>", script+"</body>", 1)
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--window-size="+itoa(width)+",900", "--virtual-time-budget=20000", "--dump-dom", "file://"+path).Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	m := written.FindSubmatch(out)
	if m == nil || len(m[1]) == 0 {
		t.Fatalf("the page has shown nothing:\n%.2000s", out)
	}
	return []byte(html.UnescapeString(string(m[1])))
}

// browse gives what a page shows once a name is clicked.
func browse(t *testing.T, x *Explanation, name string) seen {
	t.Helper()
	var s seen
	must.Do(t, json.Unmarshal(chromium(t, x, strings.ReplaceAll(look, "NAME", name), 1600), &s))
	if s.Failed != "" {
		t.Fatalf("the page's script failed: %s", s.Failed)
	}
	return s
}

// What a browser shows is what --stats=json and --remarks=json say.
func TestPageInBrowser(t *testing.T) {
	for _, c := range []struct {
		path, name string
		sizes      map[string]int64
		details    []string
	}{
		{"examples/canny.ir", "smooth", map[string]int64{"h": 300, "w": 200}, []string{
			"An array [h][w]f32, h * w * 4 = 240 kB, in block m_grey", "one thread may still read `smooth` where another already writes `mag`", "(h * w * 4 bytes) reuses `m_grey`"}},
		{"testdata/reuse/loop/pos-two-blocks-for-nest.ir", "a0", map[string]int64{"n": 7, "steps": 3, "sweeps": 2}, []string{"An array [n]f32"}},
		{"benchmarks/LocVolCalib-chunks/LocVolCalib-chunks.ir", "varx", map[string]int64{"nx": 33, "ny": 64, "outer": 7}, []string{"in block m_varx"}},
		{"benchmarks/LocVolCalib/LocVolCalib.ir", "varx", map[string]int64{"nx": 32, "ny": 64, "outer": 7}, []string{"in block m_varx", "It is mentioned at line"}},
	} {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			x := explainFile(t, filepath.Join("..", "..", "..", c.path))
			x.Sizes = c.sizes
			s := browse(t, x, c.name)
			report := x.Functions[len(x.Functions)-1]
			for _, f := range x.Functions {
				if f.Name == "main" {
					report = f
				}
			}
			for _, peak := range []struct {
				what, got string
				want      func(map[string]int64) (int64, error)
			}{{"before", s.Before, report.Before.Peak.With(report.Derived).Bytes}, {"after", s.After, report.After.Peak.With(report.Derived).Bytes}, {"plan bound", s.Bound, report.Lower.With(report.Derived).Bytes}} {
				want := must.Get(peak.want(c.sizes))(t)
				if peak.got != itoa(int(want)) {
					t.Errorf("the peak %s is shown as %s, want %d", peak.what, peak.got, want)
				}
			}
			stories, refused := 0, 0
			for _, r := range x.report.Structured() {
				stories++
				if r.Refused {
					refused++
				}
			}
			if s.Stories != stories || s.Refused != refused {
				t.Errorf("%d stories and %d refusals are shown, want %d and %d", s.Stories, s.Refused, stories, refused)
			}
			if s.Kernels != len(x.Kernels) || s.Held == 0 || s.Marked == 0 {
				t.Errorf("%d kernels of %d, %d blocks at the peak, %d marked names", s.Kernels, len(x.Kernels), s.Held, s.Marked)
			}
			for _, want := range c.details {
				if !strings.Contains(s.Details, strings.ReplaceAll(want, "`", "")) {
					t.Errorf("the details do not say %q:\n%s", want, s.Details)
				}
			}
		})
	}
}
