//go:build playground

// To build the compiler for browsers takes a minute with an empty cache, so `make test` does without: `make playground`
// builds the page, and runs this test on it.

package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/internal/test/must"
)

// seen is what the script below reads off the page.
type seen struct {
	Checked, Ran, Kernels, C, Wrong, Code, Stopped, Failed string
	Charts, Selected                                       int
	Fetched                                                []string
}

// use does what a reader does, and sends what the page shows to the test.
const use = `<script>
(async () => {
  const s = {}, text = id => $(id).hidden ? '' : $(id).textContent;
  const until = async (what, f) => {
    for (let k = 0; !f(); k++) {
      if (k > 600) throw new Error('waited for ' + what + ': ' + text('state'));
      await new Promise(r => setTimeout(r, 100));
    }
  };
  const press = async id => { $(id).click(); await until(id, () => / in \d+ ms$/.test(text('state')) && text('state').startsWith(id)); };
  onerror = m => { s.Failed = String(m); };
  try {
    await until('the first check', () => / in \d+ ms$/.test(text('state')));
    s.Checked = text('state') + ' ' + $('type').textContent;
    $('example').value = '2'; $('example').onchange();
    await until('the example', () => $('input').value.startsWith('[[1f32'));
    await press('run'); s.Ran = text('output');
    await press('compile'); s.Kernels = text('output');
    $('target').value = 'c'; $('target').onchange();
    await until('C', () => text('output').includes('int main('));
    s.C = text('output').slice(0, 200);
    await press('explain');
    await until('the charts', () => $('page').contentDocument.querySelectorAll('#charts svg').length > 0);
    s.Charts = $('page').contentDocument.querySelectorAll('#charts svg').length;
    $('text').value = 'entry main (x: i64) : i64 = {\n  in yy\n}';
    await press('check'); s.Wrong = text('messages');
    const links = document.querySelectorAll('#messages a');
    links[0].click(); s.Selected = $('text').selectionStart;
    links[1].click(); await until('the code', () => text('output').includes('Mended')); s.Code = text('output');
    $('text').value = 'entry main (x: i64) : i64 = {\n  let r = loop (a = x, go = true) while go { in (a + 1, go) }\n  in r\n}'.replace('let r', 'let (r, g)');
    await press('check');
    $('input').value = '1i64'; $('run').click();
    await until('a run', () => text('state').startsWith('run'));
    $('stop').click();
    await until('the stop', () => text('state') === 'stopped');
    await press('check'); s.Stopped = text('state');
  } catch (e) { s.Failed = String(e); }
  s.Fetched = performance.getEntriesByType('resource').map(r => r.name).filter(n => !/^(blob|data):/.test(n));
  await fetch('/seen', { method: 'POST', body: JSON.stringify(s) });
})();
</script>`

// What a reader can do on the page works in a browser, and the page loads nothing.
func TestPlaygroundInBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v: scripts/bootstrap --test installs it", err)
	}
	page := string(must.Get(os.ReadFile(os.Getenv("MEMC_PLAYGROUND")))(t))
	found := make(chan seen, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			_, _ = io.WriteString(w, strings.Replace(page, "</body>", use+"</body>", 1))
			return
		}
		var s seen
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
			s.Failed = err.Error()
		}
		found <- s
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	profile := must.Get(os.MkdirTemp("", "playground"))(t)
	defer func() { _ = os.RemoveAll(profile) }() // the browser may still write to it: no t.TempDir
	c := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+profile,
		"--window-size=1600,900", "--remote-debugging-port=0", server.URL)
	must.Do(t, c.Start())
	defer func() { cancel(); _ = c.Wait() }()
	var s seen
	select {
	case s = <-found:
	case <-ctx.Done():
		t.Fatal("the page has shown nothing")
	}
	if s.Failed != "" {
		t.Fatalf("the page's script failed: %s; it had shown %+v", s.Failed, s)
	}
	for _, c := range []struct{ what, got, want string }{
		{"the first check", s.Checked, "check: done in "}, {"run", s.Ran, "[[19.0f32, 22.0f32], [43.0f32, 50.0f32]]"},
		{"kernels", s.Kernels, "__kernel"}, {"C", s.C, "/*"},
		{"an error", s.Wrong, "program.ir:2:6: error[E101]: unknown name `yy`"}, {"its caret", s.Wrong, "\n      |      ^^\n"},
		{"its code", s.Code, "[E101] the name is unknown"}, {"a check after a stop", s.Stopped, "check: done in "},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%s shows %q, without %q", c.what, c.got, c.want)
		}
	}
	if s.Charts == 0 || s.Selected != 35 || len(s.Fetched) > 1 {
		t.Errorf("%d charts, the error selects from %d, and the page fetched %v", s.Charts, s.Selected, s.Fetched)
	}
}
