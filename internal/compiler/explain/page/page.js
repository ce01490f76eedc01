'use strict';
const D = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const el = (tag, attrs, ...kids) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) if (v !== undefined && v !== false) e.setAttribute(k, v === true ? '' : v);
  e.append(...kids.filter(k => k !== undefined && k !== null));
  return e;
};
const svg = (tag, attrs, ...kids) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [k, v] of Object.entries(attrs || {})) e.setAttribute(k, v);
  e.append(...kids);
  return e;
};
const fill = (e, ...kids) => { e.replaceChildren(...kids); return e; };

// Sizes are numbers, names, or [operator, operands..]; see size.go.
const values = { ...D.sizes };
const value = name => values[name] ?? 1000;
const BITS = { '&': (a, b) => a & b, '|': (a, b) => a | b, '^': (a, b) => a ^ b, '<<': (a, b) => a << (b & 63n), '>>': (a, b) => a >> (b & 63n) };
function ev(s, of = value) {
  if (typeof s === 'number') return s;
  if (typeof s === 'string') return of(s);
  if (s[0] === 'if') return ev(ev(s[1], of) ? s[2] : s[3], of);
  const [op, a, b] = [s[0], ev(s[1], of), ev(s[2], of)];
  if (BITS[op]) return Number(BigInt.asIntN(64, BITS[op](BigInt(Math.trunc(a)), BigInt(Math.trunc(b)))));
  switch (op) {
    case '==': return a === b;
    case '!=': return a !== b;
    case '<': return a < b;
    case '<=': return a <= b;
    case '>': return a > b;
    case '>=': return a >= b;
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return b ? Math.trunc(a / b) : 0;
    case '%': return b ? a % b : 0;
    case 'min': return Math.min(a, b);
    case 'max': return Math.max(a, b);
  }
  return 0;
}
const bytes = s => Math.max(0, ev(s));
const greatest = sums => sums.reduce((m, s) => Math.max(m, ev(s)), 0);
const LEVEL = { '|': .2, '^': .3, '&': .4, '<<': .8, '>>': .8, '==': .5, '!=': .5, '<': .5, '<=': .5, '>': .5, '>=': .5, '+': 1, '-': 1, '*': 2, '/': 2, '%': 2 };
function show(s, level = 0) {
  if (!Array.isArray(s)) return String(s);
  const [op, a, b] = s;
  if (op === 'if') return `(if ${show(a)} then ${show(b)} else ${show(s[3])})`;
  if (!LEVEL[op]) return `${op}(${show(a)}, ${show(b)})`;
  const t = `${show(a, LEVEL[op])} ${op} ${show(b, LEVEL[op] + 1)}`;
  return LEVEL[op] < level ? `(${t})` : t;
}
function namesOf(s, into) {
  if (typeof s === 'string') into.add(s);
  else if (Array.isArray(s)) s.slice(1).forEach(x => namesOf(x, into));
}
function human(n) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
  let k = 0, x = n;
  while (x >= 1000 && k < units.length - 1) { x /= 1000; k++; }
  return k === 0 ? `${n} B` : `${x.toPrecision(3)} ${units[k]}`;
}
const grouped = n => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
const hue = text => { let h = 0; for (const c of text) h = (h * 31 + c.codePointAt(0)) >>> 0; return (h * 137.508) % 360; };
const colour = text => `hsl(${hue(text).toFixed(0)} 55% 62%)`;

// State: the function, the selected name, the visible stages.
let fn = '', name = '';
const factsOf = (stage, f = fn) => stage.funcs.find(x => x.name === f);
const explicit = D.stages.find(s => s.funcs.some(f => Object.keys(f.blocks).length || f.chart)) || D.stages[0];
const last = D.stages[D.stages.length - 1];
const reuse = D.stages.findIndex(s => s.pass === 'reuse'); // -1 where the pass changed nothing
const beforeReuse = reuse > 0 ? D.stages[reuse - 1] : D.stages.find(s => (s.unchanged || []).includes('reuse')) || last;
const title = s => s.pass === '' ? 'as written' : 'after ' + [s.pass, ...(s.unchanged || [])].join(', ');
const visible = new Set([explicit, last]);
// On a narrow screen one stage is shown, and tables become lists.
const narrow = matchMedia('(max-width: 700px)');
const shownStages = () => { const v = D.stages.filter(s => visible.has(s)); return narrow.matches ? v.slice(-1) : v; };
const blockOf = (stage, n) => { const f = factsOf(stage); return f && (f.arrays[n] ? f.arrays[n].block : f.blocks[n] ? n : ''); };
const link = n => el('a', { class: 'n', href: `#${fn}.${n}`, 'data-n': n }, n);
const coded = text => text.split(/(`[^`]+`)/).map(t => t.startsWith('`') ? el('code', {}, t.slice(1, -1)) : t);
const quoted = text => text.split(/(`[^`]+`)/).map(t => t.startsWith('`') ? link(t.slice(1, -1)) : t);

// ---- the program ----
const WORD = /[A-Za-z_][A-Za-z0-9_']*/g;
function known() {
  const out = new Set();
  for (const s of D.stages) { const f = factsOf(s); if (f) { Object.keys(f.arrays).forEach(n => out.add(n)); Object.keys(f.blocks).forEach(n => out.add(n)); } }
  return out;
}
function codeCell(text, names) {
  const indent = text.length - text.trimStart().length;
  const td = el('td', { style: `padding-left:calc(.5rem + ${indent + 4}ch);text-indent:-4ch` });
  text = text.trimStart();
  const comment = text.indexOf('--');
  const code = comment >= 0 ? text.slice(0, comment) : text;
  let at = 0;
  for (const m of code.matchAll(WORD)) {
    if (!names.has(m[0])) continue;
    td.append(code.slice(at, m.index));
    const a = link(m[0]);
    a.tabIndex = -1; // there are thousands: the keyboard goes by "Find a name"
    td.append(a);
    at = m.index + m[0].length;
  }
  td.append(code.slice(at));
  if (comment >= 0) td.append(el('span', { class: 'dim' }, text.slice(comment)));
  return td;
}
function program() {
  const names = known(), stages = shownStages();
  fill($('columns'), ...D.stages.map(s => {
    const box = el('input', { type: 'checkbox' });
    box.checked = stages.includes(s);
    box.onchange = () => { if (narrow.matches) visible.clear(); box.checked || narrow.matches ? visible.add(s) : visible.delete(s); program(); mark(); details(); };
    return el('label', { title: s.doc }, box, ' ' + title(s) + ' ');
  }));
  const rows = new Map();
  stages.forEach((s, k) => {
    const f = factsOf(s);
    if (!f) return;
    for (let l = f.from; l <= f.to; l++) {
      const r = s.rows[l - 1];
      if (!rows.has(r)) rows.set(r, []);
      rows.get(r)[k] = l;
    }
  });
  const body = el('tbody');
  const only = $('changed').checked && stages.length > 1;
  for (const r of [...rows.keys()].sort((a, b) => a - b)) {
    const cells = rows.get(r), texts = stages.map((s, k) => cells[k] ? s.lines[cells[k] - 1] : undefined);
    const same = texts.every(t => t === texts[0]);
    if (only && same) continue;
    const tr = el('tr', {});
    stages.forEach((s, k) => {
      if (texts[k] === undefined) { tr.append(el('td', { class: 'l' }), el('td')); return; }
      const td = codeCell(texts[k], names);
      if (!same && k > 0 && texts[k] !== texts[k - 1]) td.className = 'c';
      tr.append(el('td', { class: 'l', 'data-line': `${D.stages.indexOf(s)}:${cells[k]}` }, String(cells[k])), td);
    });
    body.append(tr);
  }
  const head = el('tr', {}, ...stages.map(s => el('th', { colspan: 2, scope: 'col', title: s.doc }, title(s))));
  const columns = stages.flatMap(() => [el('col', { class: 'l' }), el('col')]);
  fill($('code'), el('colgroup', {}, ...columns), el('thead', {}, head), body);
}

// ---- memory over the program ----
// W is the width of a chart: that of its place, so that labels keep their size.
let W = 1100;
const H = 236, LEFT = 66, BOTTOM = 40;
const fit = e => { W = Math.max(300, Math.min(1100, e.clientWidth || W)); };
function chartOf(stage) { const f = factsOf(stage); return f && f.chart; }
const heldAt = (c, k) => c.blocks.filter(b => b.from >= 0 && b.from <= k && k <= b.to);
// totals gives the bytes of every segment.
function totals(c) {
  const step = new Array(c.segments.length + 1).fill(0);
  for (const b of c.blocks) if (b.from >= 0) { step[b.from] += bytes(b.size); step[b.to + 1] -= bytes(b.size); }
  let now = 0;
  return c.segments.map((s, k) => (now += step[k]) + (s.kept === undefined ? 0 : bytes(s.kept)));
}
function peakAt(c) {
  const t = totals(c);
  return t.reduce((best, n, k) => n > t[best] ? k : best, 0);
}
function frame(label, top) {
  const y = n => H - BOTTOM - n / top * (H - BOTTOM - 14);
  const g = svg('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': label });
  for (let k = 0; k <= 4; k++) {
    const n = top * k / 4;
    g.append(svg('line', { class: 'axis', x1: LEFT, x2: W, y1: y(n), y2: y(n) }), svg('text', { x: LEFT - 6, y: y(n) + 4, 'text-anchor': 'end' }, human(Math.round(n))));
  }
  return { g, y };
}
function bar(g, x, y, w, h, n, text) {
  const r = svg('rect', { class: 'blk' + (n === name ? ' sel' : ''), x, y, width: Math.max(w, .5), height: Math.max(h, .5), fill: colour(n), 'data-n': n, tabindex: -1 });
  r.append(svg('title', {}, text));
  g.append(r);
  if (w > 7 * n.length && h > 12) g.append(svg('text', { class: 'in', x: x + 4, y: y + h / 2 + 4 }, n));
}
function chart(stage, top, caption) {
  const c = chartOf(stage), at = peakAt(c), n = Math.max(1, c.segments.length), dx = (W - LEFT) / n;
  const most = greatest(c.peak), label = `${caption}: peak ${grouped(most)} bytes`;
  const { g, y } = frame(label, top);
  if (c.segments.length) g.append(svg('rect', { class: 'at', x: LEFT + at * dx, y: 0, width: dx, height: H - BOTTOM }));
  // Blocks are stacked as they were allocated; what lies above one that ends comes down.
  // Of very many only the largest are drawn one by one, above the sum of the others.
  const drawn = new Set(c.blocks.filter(b => b.from >= 0 && bytes(b.size) > 0).sort((a, b) => bytes(b.size) - bytes(a.size) || (b.to - b.from) - (a.to - a.from)).slice(0, 60));
  const others = totals({ segments: c.segments.map(() => ({})), blocks: c.blocks.filter(b => !drawn.has(b)) });
  const starts = c.segments.map(() => []);
  for (const b of c.blocks) if (drawn.has(b)) starts[b.from].push(b);
  const rect = (o, to) => bar(g, LEFT + o.from * dx, y(o.low + o.size), (to - o.from) * dx, y(o.low) - y(o.low + o.size), o.name, o.text);
  let stack = [], below = { from: 0, low: 0, size: 0, name: 'other blocks', text: 'blocks that are too many to be drawn' };
  c.segments.forEach((s, k) => {
    if (others[k] !== below.size) {
      if (below.size > 0) rect(below, k);
      below = { ...below, from: k, size: others[k] };
    }
    let low = others[k];
    const kept = [];
    for (const o of stack) {
      if (o.b.to < k) { rect(o, k); continue; }
      if (o.low !== low) { rect(o, k); o.from = k; o.low = low; }
      low += o.size;
      kept.push(o);
    }
    stack = kept;
    for (const b of starts[k]) {
      const size = bytes(b.size);
      stack.push({ b, size, low, from: k, name: b.name, text: `${b.name}: ${show(b.size)} = ${grouped(size)} bytes, ${b.kind}, line ${b.line}` + (b.source ? ` (source ${b.source})` : '') });
      low += size;
    }
    if (s.kept !== undefined && bytes(s.kept) > 0) rect({ from: k, low, size: bytes(s.kept), name: s.holders[0], text: `blocks of earlier iterations, kept by ${s.holders.join(', ')}: ${show(s.kept)} = ${grouped(bytes(s.kept))} bytes` }, k + 1);
  });
  if (below.size > 0) rect(below, n);
  for (const o of stack) rect(o, n);
  const step = Math.max(1, Math.ceil(n / Math.floor((W - LEFT) / 40)));
  c.segments.forEach((s, k) => { if (k % step === 0) g.append(svg('text', { x: LEFT + (k + .5) * dx, y: H - BOTTOM + 12, 'text-anchor': 'middle' }, String(s.from))); });
  const labels = []; // of nested loops, one label stands in one place
  for (const l of c.loops) {
    const x1 = LEFT + l.from * dx, x2 = LEFT + (l.to + 1) * dx, yy = H - 8;
    g.append(svg('path', { class: 'axis', fill: 'none', d: `M${x1} ${yy - 5}V${yy}H${x2}V${yy - 5}` }, svg('title', {}, `loop ${l.name}: every iteration`)));
    const says = [`loop ${l.name}: every iteration`, `loop ${l.name}`].find(t => 6 * t.length < x2 - x1 && !labels.some(m => Math.abs(m.at - (x1 + x2) / 2) < 3 * (m.n + t.length)));
    if (says) labels.push({ at: (x1 + x2) / 2, n: says.length });
    if (says) g.append(svg('text', { x: (x1 + x2) / 2, y: yy - 3, 'text-anchor': 'middle' }, says));
  }
  g.append(svg('line', { class: 'peak', x1: LEFT, x2: W, y1: y(most), y2: y(most) }), svg('text', { x: W - 4, y: y(most) - 3, 'text-anchor': 'end' }, `peak ${human(most)}`));
  const bound = greatest(chartOf(last).bound);
  if (bound > 0) g.append(svg('line', { class: 'bound', x1: LEFT, x2: W, y1: y(bound), y2: y(bound) }), svg('text', { x: LEFT + 4, y: y(bound) + (y(bound) - y(most) > 1 && y(bound) - y(most) < 16 ? 12 : -3) }, `plan bound ${human(bound)}`));
  return el('figure', {}, el('figcaption', {}, `${caption}: ${grouped(most)} bytes at the peak `, el('span', { class: 'dim' }, `(across: lines of the program ${title(stage)})`)), g);
}
function memory() {
  const c1 = chartOf(explicit), c2 = chartOf(last);
  fit($('charts'));
  if (!c2) { fill($('charts'), el('p', {}, 'This function allocates nothing.')); fill($('sliders')); fill($('held')); $('summary').textContent = ''; return; }
  const report = (D.functions || []).find(f => f.name === fn);
  const before = c1 ? greatest(c1.peak) : greatest(c2.peak), after = greatest(c2.peak), bound = greatest(c2.bound);
  $('summary').textContent = `Peak ${human(before)} before, ${human(after)} after` + (bound ? `; plan bound ${human(bound)}` : '') +
    (report ? `. Allocations ${report.before.alloc} → ${report.after.alloc}, copies ${report.before.copy} → ${report.after.copy}.` : '.');
  $('summary').dataset.after = after; $('summary').dataset.before = before; $('summary').dataset.bound = bound;
  const top = Math.max(1, before, after, bound) * 1.08;
  fill($('charts'), ...(c1 && explicit !== last ? [chart(explicit, top, 'Before')] : []), chart(last, top, 'After'));
  const at = peakAt(c2), s = c2.segments[at], f = factsOf(last);
  if (!s) { fill($('held')); return; }
  const rows = heldAt(c2, at).sort((a, b) => bytes(b.size) - bytes(a.size)).map(b =>
    el('tr', {}, el('td', {}, link(b.name)), el('td', {}, show(b.size)), el('td', { class: 'num' }, grouped(bytes(b.size))), el('td', { class: 'num' }, String(b.source || '')), el('td', {}, ...holds(f.blocks[b.name]))));
  if (s.kept !== undefined) rows.push(el('tr', {}, el('td', {}, s.holders.join(', ')), el('td', {}, show(s.kept)), el('td', { class: 'num' }, grouped(bytes(s.kept))), el('td'), el('td', {}, 'blocks of earlier iterations')));
  fill($('held'), el('h3', {}, `Held at the peak (line ${s.from} to ${s.to}, ${title(last)})`),
    rowsOf(el('table', { id: 'held-table' }), head('Block', 'Size', 'Bytes', 'Allocated at source line', 'Arrays in it'), el('tbody', {}, ...rows)));
}
// holds lists the arrays in a block; those of a double buffer lie there in turns.
const links = names => names.flatMap((x, k) => [k ? ', ' : '', link(x)]);
const holds = b => !b ? [] : b.arrays.length ? links(b.arrays) : b.turns ? ['in turns ', ...links(b.turns)] : ['no array'];
// rowsOf fills a table whose cells know their heads, for narrow screens.
function rowsOf(table, h, body) {
  const names = [...h.querySelectorAll('th')].map(t => t.textContent);
  for (const tr of body.rows) [...tr.cells].forEach((td, k) => { td.dataset.h = names[k]; if (td.className === 'num') h.rows[0].cells[k].className = 'num'; });
  table.className = 'rows';
  return fill(table, h, body);
}
const head = (...names) => el('thead', {}, el('tr', {}, ...names.map(n => el('th', { scope: 'col' }, n))));
function sliders() {
  const names = new Set();
  for (const s of [explicit, last]) { const c = chartOf(s); if (c) { c.blocks.forEach(b => namesOf(b.size, names)); c.segments.forEach(g => g.kept !== undefined && namesOf(g.kept, names)); c.bound.forEach(b => namesOf(b, names)); } }
  for (const r of D.remarks) if (r.func === fn && r.bytes !== undefined) namesOf(r.bytes, names);
  for (const k of D.kernels) if (k.func === fn) for (const m of [...k.reads, ...k.writes]) namesOf(m.bytes, names);
  fill($('sliders'), ...[...names].sort().map(n => {
    const range = el('input', { type: 'range', min: 0, max: 30, step: .1, 'aria-label': `${n}, logarithmic` });
    const number = el('input', { type: 'number', min: 0, 'aria-label': n });
    const set = v => { values[n] = v; number.value = v; range.value = Math.log2(Math.max(1, v)); };
    set(value(n));
    range.oninput = () => { set(Math.round(2 ** range.value)); later(); };
    number.oninput = () => { values[n] = Math.max(0, Number(number.value) || 0); range.value = Math.log2(Math.max(1, values[n])); later(); };
    return el('label', {}, el('code', {}, n), ' = ', number, ' ', range);
  }));
}
let waiting = 0;
addEventListener('resize', () => { const w = W; fit($('charts')); if (w !== W) { memory(); graph(); run(); } });
narrow.onchange = () => { program(); mark(); details(); };
function later() { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(() => { memory(); stories(); kernels(); details(); }); }

// ---- interference ----
function graph() {
  const f = factsOf(beforeReuse);
  const drawn = b => !(b.stands || []).length && !b.kept && !b.space;
  const all = f ? Object.keys(f.blocks).filter(b => drawn(f.blocks[b])) : [];
  const kept = f ? Object.keys(f.blocks).filter(b => f.blocks[b].kept) : [], local = f ? Object.keys(f.blocks).filter(b => f.blocks[b].space) : [];
  let shown = all;
  const mine = name && blockOf(beforeReuse, name);
  const near = f ? f.pairs.filter(p => p.a === mine || p.b === mine) : [];
  if (all.length > 60) shown = all.filter(b => b === mine || near.some(p => p.a === b || p.b === b)).slice(0, 60);
  const most = Math.max(260, Math.min(520, $('picture').clientWidth || 520)) / 2 - 70, r = Math.min(most, 24 * (shown.length - 1)), size = 2 * (r + 70), at = {};
  shown.forEach((b, k) => { const t = 2 * Math.PI * k / Math.max(1, shown.length) - Math.PI / 2; at[b] = [size / 2 + r * Math.cos(t), size / 2 + r * Math.sin(t)]; });
  const g = svg('svg', { viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': `interference of ${shown.length} blocks`, style: `max-width:${size}px` });
  if (f) for (const p of f.pairs) {
    if (!at[p.a] || !at[p.b] || p.a === p.b) continue;
    const e = svg('line', { class: 'edge' + (p.a === mine || p.b === mine ? ' sel' : ''), x1: at[p.a][0], y1: at[p.a][1], x2: at[p.b][0], y2: at[p.b][1] });
    e.append(svg('title', {}, p.text));
    g.append(e);
  }
  for (const b of shown) {
    const home = finalBlock(b);
    const c = svg('circle', { class: 'blk' + (b === mine ? ' sel' : ''), cx: at[b][0], cy: at[b][1], r: 11, fill: colour(home), 'data-n': b });
    c.append(svg('title', {}, home === b ? b : `${b}, which lies in ${home} after all passes`));
    g.append(c, svg('text', { x: at[b][0], y: at[b][1] + (at[b][1] > size / 2 ? 24 : -15), 'text-anchor': 'middle' }, b));
  }
  const note = all.length > 60 ? [el('p', { class: 'dim' }, `The function has ${all.length} blocks: select a name to see those that its block interferes with.`)] : [];
  if (kept.length) note.push(el('p', { class: 'dim' }, 'The caller keeps ', ...links(kept), ': no other block may lie there.'));
  if (local.length) note.push(el('p', { class: 'dim' }, 'In the memory of groups and threads, which memc explain --groups shows: ', ...links(local), '.'));
  fill($('picture'), ...note, all.length ? g : 'The function allocates no block in device memory.');
  const rows = f ? f.pairs.slice(0, 300).map(p => el('tr', {}, el('td', {}, link(p.a)), el('td', {}, link(p.b)), el('td', {}, ...quoted(p.text)))) : [];
  rowsOf($('pairs'), head('Block', 'and', 'why'), el('tbody', {}, ...rows));
}
// finalBlock gives the block in which the arrays of a block lie after all passes.
function finalBlock(b) {
  const f = factsOf(beforeReuse), g = factsOf(last);
  for (const a of (f.blocks[b] || {}).arrays || []) if (g.arrays[a]) return g.arrays[a].block;
  return b;
}

// ---- stories, kernels, codes, the measured run ----
function stories() {
  const pass = $('pass').value, about = $('about').value.trim();
  const rows = D.remarks.filter(r => (r.func === fn || !r.func) && (!pass || r.pass === pass) && (!$('refused').checked || r.refused) && (!about || r.names.some(n => n.includes(about))));
  rowsOf($('remarks'), head('Pass', 'Line', 'Refused', 'What', 'Bytes'), el('tbody', {}, ...rows.slice(0, 2000).map(r => el('tr', {},
    el('td', {}, r.pass), el('td', { class: 'num' }, String(r.line || '')), el('td', {}, r.refused ? el('a', { href: '#code-' + r.code, title: (D.codes.find(c => c.name === r.code) || {}).meaning || '' }, r.code) : ''),
    el('td', {}, ...quoted(r.text)), el('td', { class: 'num', title: r.bytes === undefined ? '' : show(r.bytes) }, r.bytes === undefined ? '' : grouped(bytes(r.bytes)))))));
}
function kernels() {
  const notes = m => (m.each ? ', one of each thread' : '') + (m.space === 'group' ? ', in the memory of a group' : m.space === 'thread' ? ', in the memory of a thread' : '');
  const moved = list => list.flatMap((m, k) => [k ? ', ' : '', link(m.array), ` (${human(bytes(m.bytes))}${notes(m)})`]);
  rowsOf($('kernel-table'), head('Kernel', 'Line', 'Index space', 'Reads', 'Writes', 'Bytes, at most', ...(D.run ? ['Launches', 'Time'] : []), 'Checks left in every thread'), el('tbody', {}, ...D.kernels.filter(k => k.func === fn).map(k => el('tr', {},
    el('td', {}, k.kind + ' ', k.name ? link(k.name) : ''), el('td', { class: 'num' }, String(k.line || '')), el('td', {}, k.bounds), el('td', {}, ...moved(k.reads)), el('td', {}, ...moved(k.writes)),
    el('td', { class: 'num' }, grouped([...k.reads, ...k.writes].filter(m => !m.space).reduce((n, m) => n + bytes(m.bytes), 0))), ...(D.run ? [el('td', { class: 'num' }, String(k.launches || 0)), el('td', { class: 'num' }, (k.us || 0).toFixed(1) + ' \u00b5s')] : []), el('td', {}, ...(k.checks.length ? k.checks.map(c => el('div', {}, ...coded(c))) : ['none']))))));
}
function run() {
  const r = D.run;
  if (!r) return;
  $('run').hidden = false;
  document.querySelector('nav a[href="#run"]').hidden = false;
  fit($('measured'));
  const { g, y } = frame(`measured: peak ${r.peak} bytes`, Math.max(1, r.peak) * 1.08), dx = (W - LEFT) / Math.max(1, r.events);
  const tops = []; // free gaps: blocks are stacked as they come
  for (const b of r.blocks) {
    let low = 0;
    for (const t of tops.filter(t => t.to > b.from).sort((p, q) => p.low - q.low)) { if (t.low >= low + b.bytes) break; low = Math.max(low, t.low + t.bytes); }
    tops.push({ low, bytes: b.bytes, to: b.to });
    if (tops.length > 4000) tops.splice(0, 2000, ...tops.slice(0, 2000).filter(t => t.to > b.from));
    bar(g, LEFT + b.from * dx, y(low + b.bytes), (b.to - b.from) * dx, y(low) - y(low + b.bytes), b.name || 'block', `${b.name} ${b.line ? 'line ' + b.line : ''}: ${grouped(b.bytes)} bytes`);
  }
  g.append(svg('line', { class: 'peak', x1: LEFT, x2: W, y1: y(r.peak), y2: y(r.peak) }));
  fill($('measured'), el('figure', {}, el('figcaption', {}, `One run: ${grouped(r.peak)} bytes asked for at the peak, ${r.events} allocations and frees` + (r.more ? ' (the first are shown)' : '')), g), r.given > 0 ? el('p', { id: 'given' }, `The arguments count here: ${grouped(r.given)} of these bytes. The blocks that the program allocates take ${grouped(r.own)} bytes at their peak; the charts above show these alone.`) : '');
}
function codes() {
  fill($('code-list'), ...D.codes.flatMap(c => [el('dt', { id: 'code-' + c.name }, `[${c.name}] ${c.title}`), el('dd', {}, ...coded(c.meaning), c.example ? el('pre', {}, el('code', {}, c.example)) : '')]));
}

// ---- the selected name ----
// picture draws the elements that an array takes of its block. A row is a row of the block's matrix,
// if it holds one; an index of a kernel or a loop is 0.
function picture(stage, a) {
  const l = a.lmad;
  if (!l || l.dims.length < 1 || l.dims.length > 2) return '';
  const f = factsOf(stage), blk = f.blocks[a.block], zero = new Set(), indices = new Set(f.indices || []);
  const at = n => { if (values[n] === undefined && indices.has(n)) { zero.add(n); return 0; } return value(n); };
  const off = ev(l.offset, at), dims = l.dims.map(d => [Math.max(0, ev(d[0], at)), ev(d[1], at)]).sort((p, q) => Math.abs(q[1]) - Math.abs(p[1]));
  const count = dims.reduce((n, d) => n * d[0], 1);
  const span = dims.reduce(([lo, hi], [n, s]) => [lo + Math.min(0, (n - 1) * s), hi + Math.max(0, (n - 1) * s)], [off, off]);
  const total = Math.max(span[1] + 1, blk && blk.size !== undefined ? Math.floor(ev(blk.size, at) / l.elem) : 0);
  if (count === 0 || total <= 0) return el('p', { class: 'dim' }, 'It has no elements for these sizes.');
  const perRow = Math.max(1, Math.min(rowLength(f, a, dims, at) || Math.ceil(Math.sqrt(total)), total));
  const rows = Math.ceil(total / perRow), nx = Math.min(64, perRow), ny = Math.min(48, rows), hit = new Set();
  // mark marks the squares of n elements that begin at p and are s apart, in each row that is looked at.
  const mark = (p, s, n) => {
    if (s < 0) { p += (n - 1) * s; s = -s; }
    if (s === 0) n = s = 1;
    const end = p + (n - 1) * s, skip = Math.max(1, Math.floor(rows / ny / 2));
    for (let r = Math.max(0, Math.floor(p / perRow)); r * perRow <= end; r += skip) {
      const step = s * Math.max(1, Math.floor(perRow / nx / 2 / s)), first = p + Math.max(0, Math.ceil((r * perRow - p) / s)) * s;
      for (let q = first; q <= end && q < (r + 1) * perRow; q += step) hit.add(Math.floor(r * ny / rows) * nx + Math.floor((q % perRow) * nx / perRow));
    }
  };
  const outer = dims.length === 2 ? dims[0] : [1, 0], inner = dims[dims.length - 1], so = Math.max(1, Math.floor(outer[0] / 512));
  for (let i = 0; i < outer[0]; i += so) mark(off + i * outer[1], inner[1], inner[0]);
  const cell = Math.max(3, Math.min(12, 320 / nx)), g = svg('svg', { viewBox: `0 0 ${nx * cell} ${ny * cell}`, width: nx * cell, role: 'img', 'aria-label': `the elements of the block that it takes: ${grouped(count)} of ${grouped(total)}`, 'data-columns': nx, 'data-hit': [...hit].sort((p, q) => p - q).join(' ') });
  for (let k = 0; k < nx * ny; k++) g.append(svg('rect', { x: k % nx * cell, y: Math.floor(k / nx) * cell, width: cell - .5, height: cell - .5, fill: hit.has(k) ? colour(a.block) : 'var(--line)' }));
  const first = zero.size ? `; for ${[...zero].map(n => n + ' = 0').join(', ')}` : '';
  return el('figure', { class: 'place' }, g, el('figcaption', { class: 'dim' }, `${grouped(count)} of the block's ${grouped(total)} elements` + (nx < perRow || ny < rows ? '; each square stands for several' : '') + `; ${grouped(perRow)} elements a row${first}`));
}
// rowLength gives the length of a row of the largest matrix in an array's block, or what the array's
// own strides tell of it; 0: nothing does.
function rowLength(f, a, dims, at) {
  let most = 0, row = 0;
  for (const n of (f.blocks[a.block] || {}).arrays || []) {
    const l = f.arrays[n].lmad;
    if (!l || l.dims.length !== 2) continue;
    const strides = l.dims.map(d => Math.abs(ev(d[1], at))), count = l.dims.reduce((c, d) => c * ev(d[0], at), 1);
    if (count > most) { most = count; row = Math.max(...strides); }
  }
  const own = Math.max(...dims.map(d => Math.abs(d[1])));
  return row > 1 ? row : own > 1 ? own : 0;
}
function mentions(stage) {
  const f = factsOf(stage), lines = [];
  const word = new RegExp(`(^|[^A-Za-z0-9_'])${name.replace(/[$]/g, '\\$&')}(?![A-Za-z0-9_'])`);
  if (f) for (let l = f.from; l <= f.to; l++) if (word.test(stage.lines[l - 1].split('--')[0])) lines.push(l);
  return lines;
}
const ranges = r => r.map(([a, b]) => a === b ? `line ${a}` : `lines ${a} to ${b}`).join(', ') || 'nowhere';
function details() {
  if (!name) return;
  const out = [el('h2', {}, name)];
  for (const s of shownStages()) {
    const f = factsOf(s), a = f && f.arrays[name], b = f && f.blocks[name], at = mentions(s);
    out.push(el('h3', {}, title(s)));
    if (!at.length) { out.push(el('p', { class: 'dim' }, 'It is not in this text.')); continue; }
    if (a) out.push(el('p', {}, `An array ${a.type}, ${show(a.bytes)} = ${human(bytes(a.bytes))}, in block `, link(a.block), `: ${a.place}.`), picture(s, a),
      el('p', {}, `Made at line ${a.line}. It is needed on ${ranges(a.live)}` + (a.last.length ? `, and used last at line ${a.last.join(', ')}.` : '.')));
    if (b) out.push(el('p', {}, `A block: ${b.origin}` + (b.size === undefined ? '' : `, ${show(b.size)} = ${human(bytes(b.size))}`) + '. It holds ', ...holds(b), '.',
      ...(b.stands && b.stands.length > 1 ? [' It stands for ', ...b.stands.flatMap((x, k) => [k ? ' or ' : '', link(x)]), '.'] : [])),
      el('p', {}, `Its contents are needed on ${ranges(b.live)}.`));
    out.push(el('p', { class: 'dim' }, `It is mentioned at ${at.slice(0, 20).map(l => 'line ' + l).join(', ')}` + (at.length > 20 ? ` and ${at.length - 20} more` : '') + '.'));
    const block = blockOf(s, name), pairs = f ? f.pairs.filter(p => p.a === block || p.b === block) : [];
    if (pairs.length) out.push(el('details', { open: s === beforeReuse }, el('summary', {}, `Its block interferes with ${pairs.length}`), el('ul', {}, ...pairs.slice(0, 40).map(p => el('li', {}, link(p.a === block ? p.b : p.a), ': ', ...quoted(p.text))))));
  }
  const own = blockOf(beforeReuse, name), rs = D.remarks.filter(r => r.func === fn && (r.names.includes(name) || r.names.includes(own)));
  if (rs.length) out.push(el('h3', {}, 'What the passes say of it'), el('ul', {}, ...rs.map(r => el('li', {}, `${r.pass}: ` + (r.refused ? `[${r.code}] ` : ''), ...quoted(r.text)))));
  fill($('details'), ...out);
}
function mark() {
  for (const e of document.querySelectorAll('.on')) e.classList.remove('on');
  for (const e of document.querySelectorAll('td.live')) e.classList.remove('live');
  if (!name) return;
  for (const e of document.querySelectorAll(`a[data-n="${CSS.escape(name)}"]`)) e.classList.add('on');
  D.stages.forEach((s, k) => {
    const f = factsOf(s), x = f && (f.arrays[name] || f.blocks[name]);
    if (!x || !visible.has(s)) return;
    for (const [from, to] of x.live) for (let l = from; l <= to; l++) {
      const td = document.querySelector(`td[data-line="${k}:${l}"]`);
      if (td) td.classList.add('live');
    }
  });
}
function choose(n, scroll) {
  name = n;
  details(); memory(); graph(); mark();
  const first = scroll && document.querySelector('#code .on');
  if (first) first.scrollIntoView({ block: 'nearest' });
}
function enter(f) {
  fn = f; name = '';
  $('function').value = f;
  fill($('names'), ...[...known()].sort().map(n => el('option', { value: n })));
  sliders(); program(); memory(); graph(); stories(); kernels();
}
function fromHash() {
  const [f, n] = decodeURIComponent(location.hash.slice(1)).split('.');
  if (n === undefined || !last.funcs.some(x => x.name === f)) return;
  if (f !== fn) enter(f);
  if (n !== name) choose(n, true);
}

fill($('function'), ...last.funcs.map(f => el('option', {}, f.name)));
$('function').onchange = () => enter($('function').value);
$('changed').onchange = () => { program(); mark(); };
fill($('pass'), el('option', { value: '' }, 'all'), ...[...new Set(D.remarks.map(r => r.pass))].map(p => el('option', {}, p)));
for (const id of ['pass', 'refused', 'about']) $(id).oninput = stories;
$('find').onchange = () => { if (known().has($('find').value)) location.hash = `${fn}.${$('find').value}`; };
$('theme').onclick = () => { const r = document.documentElement, dark = r.classList.contains('dark') || !r.classList.contains('light') && matchMedia('(prefers-color-scheme: dark)').matches; r.classList.toggle('dark', !dark); r.classList.toggle('light', dark); };
document.addEventListener('keydown', e => { if (e.key === '/' && !/INPUT|SELECT/.test(document.activeElement.tagName)) { e.preventDefault(); $('find').focus(); } });
document.addEventListener('click', e => { const t = e.target.closest && e.target.closest('.blk[data-n]'); if (t) location.hash = `${fn}.${t.dataset.n}`; });
addEventListener('hashchange', fromHash);
codes();
enter((last.funcs.find(f => f.chart && f.chart.blocks.length) || last.funcs[0]).name);
run();
fromHash();
document.documentElement.dataset.ready = 'yes';
