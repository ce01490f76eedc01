package explain

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime/memtrace"
)

// page is what probe reads off a page.
type page struct {
	Failed             string
	Wide, Inner        int      // the width of the contents, and of the window
	Scale              float64  // of the charts' text
	Columns            int      // of the program
	Bright, Dark       string   // backgrounds
	Circles, Edges     []string // of the interference graph
	Graph              string
	Sliders            []string
	Stories            []struct{ Pass, Bytes string }
	Kernels            []string // their bytes
	Hit                []int    // the squares that are marked in the last picture
	Across             int      // squares a row
	Caption            string
	Details            string
	Held, Given, Heads string
	Over               []string // labels of a chart that lie over another one
	Apart              []string // heads that are not aligned as their numbers
	Raw                string   // what the list of codes shows with a backquote
}

// probe reads what TestPageFaults checks.
const probe = `<pre id="seen"></pre><script>
window.onerror = m => { document.getElementById('seen').textContent = JSON.stringify({ Failed: String(m) }); };
location.hash = 'main.NAME';
setTimeout(() => {
  const all = (q, f) => [...document.querySelectorAll(q)].map(f), text = q => all(q, e => e.textContent).join('\n');
  const chart = document.querySelector('#charts svg'), place = [...document.querySelectorAll('.place svg')].pop();
  const background = () => getComputedStyle(document.body).backgroundColor, root = document.documentElement;
  root.className = 'light'; const bright = background();
  document.getElementById('theme').click(); const dark = background();
  const apart = (p, q) => p.right <= q.left || q.right <= p.left || p.bottom <= q.top || q.bottom <= p.top;
  const over = [...document.querySelectorAll('#charts svg')].flatMap(s => { const t = [...s.querySelectorAll('text')]; return t.flatMap((a, k) => t.slice(k + 1).filter(b => !apart(a.getBoundingClientRect(), b.getBoundingClientRect())).map(b => a.textContent + ' / ' + b.textContent)); });
  const align = e => getComputedStyle(e).textAlign, skewed = [...document.querySelectorAll('table.rows tbody td.num')].map(e => e.closest('table').tHead.rows[0].cells[e.cellIndex]).filter(h => innerWidth > 700 && align(h) !== 'right').map(h => h.textContent);
  document.getElementById('seen').textContent = JSON.stringify({
    Over: over, Apart: skewed, Raw: all('#code-list dd', e => [...e.childNodes].filter(n => n.nodeName !== 'PRE' && n.textContent.includes('` + "`" + `')).map(n => n.textContent).join()).join(''),
    Wide: root.scrollWidth, Inner: innerWidth, Scale: chart ? chart.getBoundingClientRect().width / chart.viewBox.baseVal.width : 1,
    Columns: document.querySelectorAll('#code th').length, Bright: bright, Dark: dark, Graph: text('#picture'),
    Circles: all('#picture circle', e => e.dataset.n), Edges: all('#picture line', e => e.textContent), Sliders: all('#sliders code', e => e.textContent),
    Stories: all('#remarks tbody tr', e => ({ Pass: e.cells[0].textContent, Bytes: e.cells[4].textContent })),
    Kernels: all('#kernel-table tbody tr', e => e.cells[5].textContent),
    Hit: place ? place.dataset.hit.split(' ').map(Number) : [], Across: place ? Number(place.dataset.columns) : 0, Caption: text('.place figcaption'),
    Details: text('#details'), Held: text('#held-table'), Given: text('#given'), Heads: all('#remarks thead', e => getComputedStyle(e).display).join() });
}, 200);
</script>`

// column has arrays along a column of a matrix, and in threads; `half` follows from m.
const column = `
entry main [n] (m: i64, xs: [n]f32) : ([n]f32, f32) = {
  let half = m / 2
  let start = replicate (half, n) 1.0f32
  let col = map (i < half) { in xs[0] * f32(i) }
  let t = start with [(0, half), 3] = col
  let ys = map (j < n) {
    let own = replicate (half) xs[j]
    let s = own[half - 1] + own[0]
    in s
  }
  let z = t[0, 3]
  in (ys, z)
}
`

// Each fault of the page that somebody found, on a wide and on a narrow screen.
func TestPageFaults(t *testing.T) {
	testdata := func(path string) func(*testing.T) *Explanation {
		return func(t *testing.T) *Explanation { return explainFile(t, filepath.Join("..", "..", "..", path)) }
	}
	text := func(program string) func(*testing.T) *Explanation {
		return func(t *testing.T) *Explanation { return explainText(t, program) }
	}
	for _, c := range []struct {
		name, click string
		make        func(*testing.T) *Explanation
		sizes       map[string]int64
		check       func(t *testing.T, x *Explanation, p page)
	}{
		{"canny", "smooth", testdata("examples/canny.ir"), nil, func(t *testing.T, x *Explanation, p page) {
			for _, s := range p.Stories {
				if (s.Pass == "lift" || s.Pass == "lower") && s.Bytes != "" {
					t.Errorf("a row of %s saves %s bytes", s.Pass, s.Bytes)
				}
			}
			if !slices.Contains(p.Circles, "m_smooth") || slices.Contains(p.Circles, "m_img") || !strings.Contains(p.Graph, "The caller keeps m_img") {
				t.Errorf("the graph has %v\n%s", p.Circles, p.Graph)
			}
			if strings.Contains(p.Details, "the caller keeps the block of one") {
				t.Errorf("a block has every parameter as neighbour:\n%s", p.Details)
			}
		}},
		{"branches", "ys", testdata("testdata/reuse/if/pos-conditional-last-use.ir"), nil, func(t *testing.T, x *Explanation, p page) {
			if len(p.Circles) < 2 {
				t.Errorf("the graph has %v", p.Circles)
			}
		}},
		{"groups", "a", testdata("testdata/groups/chain.ir"), nil, func(t *testing.T, x *Explanation, p page) {
			if slices.Contains(p.Circles, "m_a") || !strings.Contains(p.Graph, "memc explain --groups shows: m_a") {
				t.Errorf("blocks of groups are in the graph: %v\n%s", p.Circles, p.Graph)
			}
			if !slices.Equal(p.Kernels, []string{"4,004,000"}) { // what lies in the arena does not count
				t.Errorf("the kernels move %v", p.Kernels)
			}
		}},
		{"nothing to reuse", "b", text(strings.Replace(rows, "let c = map (k < n) { in b[n - 1 - k] - 1.0 }\n  let d = c[0]\n  in (c, d)", "let d = b[0] + a[0]\n  in (b, d)", 1)), nil, func(t *testing.T, x *Explanation, p page) {
			if len(p.Circles) != 2 || len(p.Edges) != 1 {
				t.Errorf("the graph has %v and %v", p.Circles, p.Edges)
			}
			if !strings.Contains(p.Given, "The arguments count here: 12 of these bytes. The blocks that the program allocates take 24 bytes at their peak") {
				t.Errorf("the measured run says %q", p.Given)
			}
		}},
		{"double buffer", "r", text("entry main [n] (xs: [n]f32, k: i64) : [n]f32 = {\n  let r = loop (z = xs) for l < k {\n    let z1 = map (j < n) { in z[n - 1 - j] + 1.0 }\n    in z1\n  }\n  in r\n}\n"), nil, func(t *testing.T, x *Explanation, p page) {
			if !strings.Contains(p.Held, "in turns z1, z, r") {
				t.Errorf("a double buffer holds\n%s", p.Held)
			}
		}},
		{"derived sizes", "t", text(column), map[string]int64{"m": 40, "n": 20}, func(t *testing.T, x *Explanation, p page) {
			if slices.Contains(p.Sliders, "half") || !slices.Contains(p.Sliders, "m") {
				t.Errorf("the sliders are %v", p.Sliders)
			}
			for _, s := range p.Stories {
				if len(s.Bytes) > 6 { // of sizes up to 40, none is as large as 1000 would make it
					t.Errorf("%s saves %s bytes", s.Pass, s.Bytes)
				}
			}
		}},
		{"a column", "col", text(column), map[string]int64{"m": 40, "n": 20}, func(t *testing.T, x *Explanation, p page) {
			if p.Across != 20 || len(p.Hit) != 20 || slices.ContainsFunc(p.Hit, func(k int) bool { return k%20 != 3 }) {
				t.Errorf("the column is drawn at %v of %d a row", p.Hit, p.Across)
			}
		}},
		{"a thread's array", "own", text(column), map[string]int64{"m": 40, "n": 20}, func(t *testing.T, x *Explanation, p page) {
			if p.Columns == 2 && !strings.Contains(p.Caption, "j = 0") { // one of the stages has it in a block of all threads
				t.Errorf("the array of a thread is drawn for %q", p.Caption)
			}
		}},
	} {
		for _, width := range []int{420, 1600} {
			if width < 700 && !slices.Contains([]string{"canny", "branches", "groups", "derived sizes"}, c.name) {
				continue // a browser takes seconds
			}
			t.Run(c.name+"/"+itoa(width), func(t *testing.T) {
				t.Parallel()
				x := c.make(t)
				x.Sizes = c.sizes
				x.Run = Measured([]memtrace.Event{
					{Action: memtrace.Allocate, Pointer: 1, Size: 12, Name: "argument `xs`"}, {Action: memtrace.Allocate, Pointer: 2, Size: 24, Name: "block `m_a`"}})
				var p page
				must.Do(t, json.Unmarshal(chromium(t, x, strings.ReplaceAll(probe, "NAME", c.click), width), &p))
				if p.Failed != "" {
					t.Fatalf("the page's script failed: %s", p.Failed)
				}
				if p.Wide > p.Inner || p.Scale < .95 {
					t.Errorf("%d pixels of %d, text at %.2f of its size", p.Wide, p.Inner, p.Scale)
				}
				if narrow := width < 700; narrow && p.Columns != 1 || narrow != (p.Heads == "none") {
					t.Errorf("%d columns, heads %q", p.Columns, p.Heads)
				}
				if len(p.Over) > 0 || len(p.Apart) > 0 || p.Raw != "" {
					t.Errorf("labels over one another: %v; heads apart from their numbers: %v; backquotes: %s", p.Over, p.Apart, p.Raw)
				}
				if p.Bright == p.Dark {
					t.Errorf("dark and light are %s", p.Dark)
				}
				c.check(t, x, p)
			})
		}
	}
}

// The kernels' bytes: an array of each thread counts for all of them.
func TestThreadsArraysCount(t *testing.T) {
	passes := must.Get(pipeline.Parse("explicit,lift,coalesce,lower,reuse"))(t) // without workers, they lie in one block
	x := must.Get(New(diag.NewFile("test.ir", column), passes))(t)
	x.Sizes = map[string]int64{"m": 40, "n": 20}
	seen := false
	for _, k := range x.Kernels {
		for _, m := range append(k.Reads, k.Writes...) {
			if m.Array != "own" {
				continue
			}
			if seen = true; !m.Each || m.Space != "" || x.bytes(m.Bytes) != 20*20*4 {
				t.Errorf("%s moves %d bytes of `own`: %+v", k.Name, x.bytes(m.Bytes), m)
			}
		}
	}
	if !seen {
		t.Error("no kernel touches `own`")
	}
}
