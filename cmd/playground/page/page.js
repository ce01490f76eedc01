'use strict';
const $ = id => document.getElementById(id);
const data = JSON.parse($('data').textContent);

// The compiler runs in a worker, so that the page can stop it: stopping starts another one.
let worker, waiting = null, bytes = null;

async function start() {
  state('starting ..');
  if (!bytes) {
    const packed = Uint8Array.from(atob(data.wasm), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    bytes = await new Response(stream).arrayBuffer();
  }
  const script = data.glue + `
    function ready() { postMessage({ ready: true }); }
    onmessage = async e => {
      if (!e.data.bytes) { postMessage({ answer: memc(e.data.request) }); return; }
      const go = new Go(), w = await WebAssembly.instantiate(e.data.bytes, go.importObject);
      go.run(w.instance);
    };`;
  worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  return new Promise((resolve, reject) => {
    worker.onmessage = e => {
      if (e.data.ready) resolve();
      else { const done = waiting; waiting = null; done(JSON.parse(e.data.answer)); }
    };
    worker.onerror = e => { state('the compiler stopped: ' + e.message, true); reject(e); };
    worker.postMessage({ bytes });
  });
}
let started = start();

// ask sends a request; of several that wait only one is under way.
let queue = Promise.resolve();
function ask(request) {
  const next = queue.then(() => started).then(() => new Promise(resolve => {
    waiting = resolve;
    worker.postMessage({ request: JSON.stringify(request) });
  }));
  queue = next.catch(() => {});
  return next;
}

function state(text, wrong) {
  $('state').textContent = text;
  $('state').classList.toggle('wrong', !!wrong);
}

// act asks for one thing and shows the answer.
async function act(what, more) {
  state(what + ' ..');
  $('stop').disabled = false;
  const begin = performance.now();
  const a = await ask({ do: what, text: $('text').value, ...more });
  $('stop').disabled = true;
  show(a, what === 'run');
  const wrong = (a.messages || []).some(m => ['error', 'limitation', 'bug'].includes(m.data.severity));
  state(`${what}: ${wrong ? 'refused' : 'done'} in ${Math.round(performance.now() - begin)} ms`, wrong);
  if (what !== 'check' && innerWidth <= 800) $('right').scrollIntoView({ behavior: 'smooth' });
  return a;
}

function show(a, wrap) {
  $('messages').replaceChildren(...(a.messages || []).map(shown));
  print(a.output, wrap);
  $('page').hidden = !a.page;
  if (a.page) $('page').srcdoc = a.page.replace('<html', `<html class="${document.documentElement.className}"`);
}

function print(text, wrap) {
  $('output').hidden = !text;
  $('output').textContent = text || '';
  $('output').classList.toggle('wrap', wrap);
}

// shown makes a message: its text, a link to its place, and one to the page of its code.
function shown(m) {
  const pre = document.createElement('pre');
  pre.textContent = m.text;
  const link = (text, act) => {
    const a = document.createElement('a');
    a.href = '#';
    a.textContent = text;
    a.onclick = e => { e.preventDefault(); act(); };
    pre.append(a, '  ');
  };
  if (m.data.span) link(`line ${m.data.span.start.line}`, () => select(m.data.span));
  if (m.data.code) link(`what ${m.data.code} means`, async () => {
    print((await ask({ do: 'code', text: m.data.code })).output, true);
  });
  return pre;
}

// select selects a span. Its columns count characters, as the spread of a string does.
function select(span) {
  const lines = $('text').value.split('\n');
  const at = p => lines.slice(0, p.line - 1).join('\n').length + (p.line > 1 ? 1 : 0) +
    [...(lines[p.line - 1] || '')].slice(0, p.column - 1).join('').length;
  $('text').focus();
  $('text').setSelectionRange(at(span.start), at(span.end));
  toLine(span.start.line);
}

// toLine shows a line near the top; 13px * 1.45 is the height of one (page.css).
function toLine(line) { $('text').scrollTop = Math.max(0, (line - 3) * 13 * 1.45); }

// check also learns the entries, with their inputs. An input that the reader wrote stays.
let offered = '';
async function check() {
  const a = await act('check');
  if (!a.entries) return a;
  const old = $('entry').value;
  $('entry').replaceChildren(...a.entries.map(e => Object.assign(new Option(e.name), { entry: e })));
  if (a.entries.some(e => e.name === old)) $('entry').value = old;
  offer();
  return a;
}

function offer() {
  const chosen = $('entry').selectedOptions[0];
  $('type').textContent = chosen ? chosen.entry.type : '';
  if (chosen && $('input').value === offered) $('input').value = offered = chosen.entry.input;
}

function choose(k) {
  const text = data.examples[k][1];
  $('text').value = text;
  toLine(text.slice(0, text.search(/^(entry|fun) /m)).split('\n').length); // behind its test block
  $('input').value = offered = '';
  return check();
}

$('example').replaceChildren(...data.examples.map(([name], k) => new Option(name, k)));
$('example').onchange = () => choose($('example').value);
$('entry').onchange = offer;
$('check').onclick = check;
$('explain').onclick = () => act('explain');
$('run').onclick = () => act('run', { entry: $('entry').value, input: $('input').value });
$('compile').onclick = $('target').onchange = () => act('compile', { target: $('target').value });
$('stop').onclick = () => {
  worker.terminate();
  waiting = null;
  queue = Promise.resolve();
  $('stop').disabled = true;
  started = start();
  started.then(() => state('stopped'));
};
$('theme').onclick = () => {
  const root = document.documentElement, dark = root.classList.contains('dark') ||
    !root.classList.contains('light') && matchMedia('(prefers-color-scheme: dark)').matches;
  root.className = dark ? 'light' : 'dark';
  const inner = $('page').contentDocument;
  if (inner && inner.documentElement) inner.documentElement.className = root.className;
};
let pause;
$('text').oninput = () => { clearTimeout(pause); pause = setTimeout(check, 600); };
choose(0);
