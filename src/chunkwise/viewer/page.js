// Shows the data of this page: chunks in the text, sizes, and a replay.
//
// All text comes into the page as text nodes and attributes, never as markup.
// Offsets in the data count code points, as the library does; those of a string here
// count UTF-16 code units. Names say which: `points` and `units`.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// ---------------------------------------------------------------- numbers and words

const numbers = new Intl.NumberFormat("en");
const count = (n, one, many = `${one}s`) => `${numbers.format(n)} ${n === 1 ? one : many}`;

function seconds(milliseconds) {
  return milliseconds < 1000
    ? `${numbers.format(Math.round(milliseconds))} ms`
    : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** How many of the sorted `values` are less than `value`. */
function countBelow(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Undo what the data is packed with: differences, and runs of equal values. */
function sums(differences) {
  let sum = 0;
  return Int32Array.from(differences, (difference) => (sum += difference));
}
function unfolded(runs) {
  const values = [];
  for (const [value, times] of runs) {
    for (let time = 0; time < times; time += 1) values.push(value);
  }
  return values;
}

// ---------------------------------------------------------------- text and offsets

const text = data.text;

/** Where the code points beyond U+FFFF are, each of which takes two code units. */
const wide = { points: [], units: [] };
for (const match of text.matchAll(/[\u{10000}-\u{10FFFF}]/gu)) {
  wide.points.push(match.index - wide.points.length);
  wide.units.push(match.index);
}
const toUnits = (points) => points + countBelow(wide.points, points);
const toPoints = (units) => units - countBelow(wide.units, units);

const SIGNS = { " ": "·", "\t": "→", "\n": "↵", "\r": "␍" };
const codeOf = (sign) => `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * What nobody could see, in the group `unseen`: controls of text and of its direction,
 * separators, whatever takes no room, and what stands for a fault. A sequence that
 * matches without the group has joiners, selectors or tags, which are seen in the shape
 * of their neighbours: emoji and flags as in UTS 51, letters of scripts that join, and
 * variants of signs and of Han.
 */
const SIGNED = new RegExp(
  [
    String.raw`\u{1F3F4}[\u{E0061}-\u{E007A}]{5}\u{E007F}`,
    String.raw`\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?\u200d(?=\p{Extended_Pictographic})`,
    String.raw`\p{Emoji}[\ufe0e\ufe0f]`,
    String.raw`(?=[\u0600-\u109f\u1780-\u18af])(?!\p{DI})[\p{L}\p{M}](?:[\u200c\u200d]|[\u180b-\u180d\u180f])(?!\p{DI})`,
    String.raw`(?:\p{Sm}|\p{Script=Han})[\ufe00-\ufe0f\u{E0100}-\u{E01EF}]`,
    String.raw`(?<unseen>(?![\t\n\r])\p{Cc}|\r(?!\n)|\p{DI}|[\u2028\u2029\ufff9-\ufffb\ufffd])`,
  ].join("|"),
  "gu",
);

/** A text in which every white space can be seen. */
function visible(shown) {
  return shown
    .replace(SIGNED, (found, unseen) => (unseen ? `⟨${codeOf(unseen)}⟩` : found))
    .replace(/\s/g, (space) => SIGNS[space] ?? "␣");
}

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// ---------------------------------------------------------------- deltas and chunks

/** Sizes of all deltas in code points; a cut has none, and is -1 in the data. */
const deltaSizes = unfolded(data.deltas);
const lastStep = deltaSizes.length + 1;

/** Code points that arrived before each delta, and in all. */
const arrived = new Int32Array(deltaSizes.length + 1);
deltaSizes.forEach((size, number) => {
  arrived[number + 1] = arrived[number] + Math.max(size, 0);
});

/** Milliseconds at which each delta came, from the first one on; null without any. */
let moment = 0;
const times = data.times?.length ? data.times.map((difference) => (moment += difference)) : null;

const traces = data.traces.map((packed, number) => {
  const starts = sums(packed.starts);
  const ends = starts.map((start, at) => start + packed.lengths[at]);
  let furthest = 0;
  return {
    number,
    label: packed.label,
    limit: packed.limit,
    unit: packed.unit.replaceAll("_", " "),
    count: starts.length,
    starts,
    ends,
    startUnits: starts.map(toUnits),
    endUnits: ends.map(toUnits),
    // The furthest end so far: chunks can overlap.
    reach: ends.map((end) => (furthest = Math.max(furthest, end))),
    released: sums(packed.released),
    sizes: packed.sizes ?? packed.lengths,
    kinds: unfolded(packed.kind).map((kind) => packed.kinds[kind]),
    contexts: unfolded(packed.context).map((context) => packed.contexts[context]),
    incomplete: new Set(packed.incomplete),
    oversize: new Set(packed.oversize),
    paths: packed.paths,
  };
});
for (const trace of traces) trace.reachUnits = trace.reach.map(toUnits);

/** How long a chunk was held back behind its last code point. */
function heldBack(trace, chunk) {
  const released = trace.released[chunk];
  // The delta that brought the last code point.
  const came = countBelow(arrived, trace.ends[chunk]) - 1;
  if (released >= deltaSizes.length) return "to the end of the stream";
  const points = arrived[released + 1] - trace.ends[chunk];
  const parts = [count(released - came, "delta"), count(points, "code point")];
  if (times) parts.push(seconds(times[released] - times[came]));
  return parts.join(" · ");
}

// ---------------------------------------------------------------- lines of the grid

const LEAST = 400;
const MOST = 2400;
const JOINED = /[\p{M}\u200d\udc00-\udfff]/u;

/** Where a line of the grid that begins at `start` ends, in code units. */
function endOfLine(start) {
  if (text.length - start <= MOST) return text.length;
  const far = text.slice(start, start + MOST);
  const blank = far.indexOf("\n\n", LEAST);
  if (blank >= 0) return start + blank + 2;
  const lineEnd = far.lastIndexOf("\n");
  if (lineEnd >= LEAST) return start + lineEnd + 1;
  const space = far.search(/\s\S*$/);
  if (space >= LEAST) return start + space + 1;
  // No place in sight: at least no pair is cut, and no mark loses its letter.
  let end = start + MOST;
  while (end > start + LEAST && JOINED.test(text[end])) end -= 1;
  return end;
}

// A text without a code point is one line as well, where the replay stands.
const lines = [];
let start = 0;
do {
  const end = endOfLine(start);
  lines.push({ start, end, goesOn: end < text.length && text[end - 1] !== "\n" });
  start = end;
} while (start < text.length);
const lineStarts = lines.map((line) => line.start);
const lineAt = (units) => lines[Math.max(countBelow(lineStarts, units + 1) - 1, 0)];

// A line is in the page as plain text from the beginning, so that the browser finds
// words in it. It gets its chunks when it comes near the window, and loses them when it
// has gone: 1 MB of words would be half a million elements.
const LINE_HEIGHT = 1.8;
const LETTERS_A_LINE = 70;
const near = new Set();
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const line = lines[target.dataset.line];
      if (isIntersecting) near.add(line);
      else near.delete(line);
      for (const cell of line.cells) {
        if (isIntersecting) fill(cell);
        else if (!cell.element.contains(document.activeElement)) empty(cell);
      }
    }
    keepEntries();
  },
  { root: byId("texts"), rootMargin: "600px 0px" },
);

function buildLines() {
  lines.forEach((line, number) => {
    const shown = text.slice(line.start, line.end);
    const row = make("div", { class: "line", "data-line": number });
    row.append(make("span", { class: "offset", "aria-hidden": "true" }, numbers.format(toPoints(line.start))));
    line.cells = traces.map((trace) => {
      const element = make("div", { class: line.goesOn ? "text goes-on" : "text" }, shown);
      row.append(element);
      return { line, trace, element, key: "" };
    });
    const height = Math.max(shown.split("\n").length - 1, shown.length / LETTERS_A_LINE) + 1;
    row.style.containIntrinsicBlockSize = `auto ${Math.round(height * LINE_HEIGHT)}rem`;
    line.row = row;
    watcher.observe(row);
  });
  byId("rows").append(...lines.map((line) => line.row));
}

function empty(cell) {
  if (!cell.key) return;
  cell.element.textContent = text.slice(cell.line.start, cell.line.end);
  cell.key = "";
}

// ---------------------------------------------------------------- chunks in a line

/** What the replay shows: all deltas before `step`; new is what came since `since`. */
const replay = { step: lastStep, since: lastStep, playing: false };

/** What a trace shows at this step, in code units. */
function stateOf(trace) {
  const released = countBelow(trace.released, replay.step);
  const newFrom = countBelow(trace.released, replay.since);
  const received = toUnits(arrived[Math.min(replay.step, deltaSizes.length)]);
  const pendingFrom = released ? trace.reachUnits[released - 1] : 0;
  return { released, newFrom, received, pendingFrom, over: replay.step === lastStep };
}

/** Put the chunks of a trace into one cell, unless they are there as they should be. */
function fill(cell) {
  const { line, trace, element } = cell;
  const state = stateOf(trace);
  const first = countBelow(trace.reachUnits, line.start + 1);
  const last = Math.min(state.released, countBelow(trace.startUnits, line.end));
  const isNew = state.newFrom < last && state.newFrom < state.released;
  let key = `${last}`;
  if (line.start >= state.received && line.start > 0) key = "coming";
  else if (line.end >= state.pendingFrom || isNew) key = `${last} at ${replay.step}`;
  if (cell.key === key) return;
  cell.key = key;
  const focused = element.contains(document.activeElement)
    ? document.activeElement.dataset.chunk
    : undefined;
  element.replaceChildren(...piecesOf(line, trace, state, first, last));
  mark(trace, element);
  if (focused !== undefined) focusIn(element, focused);
}

/** The pieces of a line: each has the same chunks and the same state throughout. */
function piecesOf(line, trace, state, first, last) {
  const cuts = [line.start, line.end, state.pendingFrom, state.received];
  for (let chunk = first; chunk < last; chunk += 1) {
    cuts.push(trace.startUnits[chunk], trace.endUnits[chunk]);
  }
  const places = [...new Set(cuts)]
    .filter((place) => place >= line.start && place <= line.end)
    .sort((a, b) => a - b);
  const pieces = [];
  let from = first;
  for (let at = 0; at < places.length; at += 1) {
    // Where a line ends and the next one begins, it stands at the end.
    const isHere = places[at] === state.received && (at > 0 || line.start === 0);
    if (isHere && !state.over) pieces.push(make("span", { class: "caret" }));
    if (at + 1 === places.length) break;
    const [start, end] = [places[at], places[at + 1]];
    while (from < last && trace.reachUnits[from] <= start) from += 1;
    const chunks = [];
    for (let chunk = from; chunk < last && trace.startUnits[chunk] <= start; chunk += 1) {
      if (trace.endUnits[chunk] >= end) chunks.push(chunk);
    }
    pieces.push(pieceOf(text.slice(start, end), start, chunks, trace, state));
  }
  return pieces;
}

function pieceOf(shown, start, chunks, trace, state) {
  if (chunks.length) {
    const tint = chunks.length > 1 ? "both" : chunks[0] % 2 ? "odd" : "even";
    const fresh = chunks.at(-1) >= state.newFrom ? " new" : "";
    // A line end alone has no width, and its chunk would not be seen.
    const blank = /^[\r\n]+$/.test(shown) ? " blank" : "";
    const attributes = {
      class: `chunk ${tint}${fresh}${blank}`,
      "data-chunk": chunks.at(-1),
      "data-chunks": chunks.join(" "),
      tabindex: "-1",
    };
    return make("span", attributes, ...withSigns(shown));
  }
  if (start >= state.received) return make("span", { class: "coming" }, ...withSigns(shown));
  if (start >= state.pendingFrom && !state.over) {
    return make("span", { class: "pending" }, ...withSigns(shown));
  }
  const parts = withSigns(shown).flatMap((part) => (typeof part === "string" ? spaced(part) : part));
  return make("span", { class: "gap" }, ...parts);
}

/** The text, with each of its spaces and line ends in an element that can show it. */
function spaced(shown) {
  return shown.split(/([\t\n\r\p{Zs}])/u).map((part, at) =>
    at % 2 ? make("span", { class: "space", "data-sign": SIGNS[part] ?? "␣" }, part) : part);
}

/** The text, with a sign before each code point that nobody could see. */
function withSigns(shown) {
  const parts = [];
  let done = 0;
  for (const match of shown.matchAll(SIGNED)) {
    if (!match.groups.unseen) continue;
    parts.push(shown.slice(done, match.index), make("span", { class: "sign", "data-sign": codeOf(match[0]) }));
    done = match.index;
  }
  parts.push(shown.slice(done));
  return parts;
}

// ---------------------------------------------------------------- the chunk looked at

/** The chunk that is shown beside the text: under the pointer, or focused. */
let selected = null;
/** Where the tab key comes to, in each trace. */
const entry = traces.map(() => 0);

function select(trace, chunk) {
  if (selected && selected.trace === trace && selected.chunk === chunk) return;
  selected = { trace, chunk };
  for (const element of document.querySelectorAll(".chunk.on, .bar.on")) element.classList.remove("on");
  for (const line of near) mark(trace, line.cells[trace.number].element);
  for (const other of traces) {
    const bin = other === trace ? other.binOf(trace.sizes[chunk]) : -1;
    other.bars.forEach((bar, number) => bar.classList.toggle("on", number === bin));
  }
  showChunk(trace, chunk);
}

/** Mark the pieces of the selected chunk, and let the tab key come to one. */
function mark(trace, element) {
  for (const piece of element.querySelectorAll(".chunk")) {
    const chunks = piece.dataset.chunks.split(" ").map(Number);
    piece.classList.toggle("on", selected?.trace === trace && chunks.includes(selected.chunk));
    piece.tabIndex = chunks.includes(entry[trace.number]) ? 0 : -1;
  }
}

function showChunk(trace, chunk) {
  const start = trace.starts[chunk];
  const end = trace.ends[chunk];
  const before = chunk ? trace.reach[chunk - 1] : 0;
  const facts = make("dl");
  const add = (name, ...values) => facts.append(make("dt", {}, name), make("dd", {}, ...values));
  add("index", numbers.format(chunk));
  add("offsets", `${numbers.format(start)} to ${numbers.format(end)}`);
  const size = count(end - start, "code point");
  add("size", trace.sizes[chunk] === end - start && trace.unit === "code points" ? size
    : `${numbers.format(trace.sizes[chunk])} ${trace.unit} · ${size}`);
  add("kind", trace.kinds[chunk] || "none");
  if (trace.paths[chunk] !== undefined) add("path", trace.paths[chunk]);
  const remarks = [];
  if (trace.incomplete.has(chunk)) remarks.push("not complete");
  if (trace.oversize.has(chunk)) remarks.push("oversize");
  if (remarks.length) add("remarks", remarks.join(", "));
  const gap = text.slice(toUnits(before), toUnits(start));
  if (start > before) add("gap before", visible(gap.length > 200 ? `${gap.slice(0, 200)}…` : gap));
  if (start < before) add("overlap", count(before - start, "code point"));
  if (trace.contexts[chunk].length) {
    add("context", ...trace.contexts[chunk].map(([from, to, kind]) =>
      make("blockquote", { title: kind }, ...withSigns(text.slice(toUnits(from), toUnits(to))))));
  }
  add("held back", heldBack(trace, chunk));
  const released = trace.released[chunk];
  add("released", released < deltaSizes.length
    ? `with delta ${numbers.format(released + 1)} of ${numbers.format(deltaSizes.length)}`
    : "by the end of the stream");
  const show = make("button", { type: "button", id: "show-release" }, "Show its release");
  show.addEventListener("click", () => moveTo(released + 1, released));
  byId("chunk").replaceChildren(
    make("h3", {}, trace.label), facts, show);
}

/** Let the tab key come to a chunk that is near the window, where the last one is not. */
function keepEntries() {
  const top = [...near].reduce((one, other) => (one && one.start < other.start ? one : other), null);
  for (const trace of traces) {
    if (!top || !trace.count || near.has(lineAt(trace.startUnits[entry[trace.number]]))) continue;
    entry[trace.number] = Math.min(countBelow(trace.startUnits, top.start), trace.count - 1);
    for (const line of near) mark(trace, line.cells[trace.number].element);
  }
}

function focusIn(element, chunk) {
  element.querySelector(`.chunk[data-chunks~="${chunk}"]`)?.focus();
}

/** Focus a chunk wherever it is, if the replay has released it. */
function focusOn(trace, chunk) {
  if (chunk < 0 || chunk >= stateOf(trace).released) return;
  entry[trace.number] = chunk;
  const line = lineAt(trace.startUnits[chunk]);
  line.row.scrollIntoView({ block: "nearest" });
  near.add(line);
  const cell = line.cells[trace.number];
  fill(cell);
  focusIn(cell.element, chunk);
}

function chunkOf(target) {
  const piece = target.closest?.(".chunk");
  if (!piece) return null;
  const cells = piece.closest(".line").querySelectorAll(".text");
  const column = [...cells].indexOf(piece.closest(".text"));
  return { trace: traces[column], chunk: Number(piece.dataset.chunk) };
}

const KEYS = {
  ArrowLeft: ({ trace, chunk }) => focusOn(trace, chunk - 1),
  ArrowRight: ({ trace, chunk }) => focusOn(trace, chunk + 1),
  Home: ({ trace }) => focusOn(trace, 0),
  End: ({ trace }) => focusOn(trace, stateOf(trace).released - 1),
  ArrowUp: (found) => focusBeside(found, -1),
  ArrowDown: (found) => focusBeside(found, 1),
};

/** Focus the chunk of another strategy that holds the start of this one. */
function focusBeside({ trace, chunk }, step) {
  const other = traces[trace.number + step];
  if (!other) return;
  const beside = countBelow(other.reach, trace.starts[chunk] + 1);
  focusOn(other, Math.min(beside, other.count - 1));
}

function listen() {
  const texts = byId("texts");
  texts.addEventListener("mouseover", (event) => {
    const found = chunkOf(event.target);
    if (found) select(found.trace, found.chunk);
  });
  texts.addEventListener("focusin", (event) => {
    const found = chunkOf(event.target);
    if (!found) return;
    // With overlap the focused piece can be the end of the chunk before.
    const own = event.target.dataset.chunks.split(" ").map(Number);
    const wanted = entry[found.trace.number];
    const chunk = own.includes(wanted) ? wanted : found.chunk;
    entry[found.trace.number] = chunk;
    select(found.trace, chunk);
    for (const line of near) mark(found.trace, line.cells[found.trace.number].element);
  });
  texts.addEventListener("keydown", (event) => {
    const found = chunkOf(event.target);
    const act = KEYS[event.key];
    if (!found || !act || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.endsWith("Up") || event.key.endsWith("Down")) if (traces.length < 2) return;
    event.preventDefault();
    act({ trace: found.trace, chunk: entry[found.trace.number] });
  });
  byId("gaps").addEventListener("change", (event) => {
    texts.classList.toggle("gaps", event.target.checked);
  });
  byId("position").addEventListener("input", (event) => moveTo(Number(event.target.value)));
  byId("back").addEventListener("click", () => moveTo(replay.step - 1));
  byId("forth").addEventListener("click", () => moveTo(replay.step + 1));
  byId("play").addEventListener("click", () => (replay.playing ? pause() : play()));
}

// ---------------------------------------------------------------- replay

/** Show the state after `step` deltas; the last step is the end of the stream. */
function showStep(step, since) {
  replay.step = Math.min(Math.max(step, 0), lastStep);
  replay.since = Math.min(since, replay.step);
  document.body.classList.add("replaying");
  showReplay();
  for (const line of near) line.cells.forEach(fill);
}

/** Step to a place by hand; the chunks of its last delta count as new. */
function moveTo(step, since = step - 1) {
  pause();
  showStep(step, since);
  follow();
}

function showReplay() {
  const { step } = replay;
  const place = byId("position");
  place.value = step;
  const total = numbers.format(deltaSizes.length);
  const at = times && step && step < lastStep ? ` · ${seconds(times[step - 1])}` : "";
  const now = step === lastStep ? "end of the stream" : `delta ${numbers.format(step)} of ${total}${at}`;
  byId("now").value = now;
  place.setAttribute("aria-valuetext", now);
  const size = deltaSizes[step - 1];
  byId("delta").textContent = size === undefined ? ""
    : size < 0 ? "a cut"
    : visible(text.slice(toUnits(arrived[step - 1]), toUnits(arrived[step])).slice(0, 200)) || "an empty delta";
  byId("back").disabled = step === 0;
  byId("forth").disabled = step === lastStep;
  byId("play").textContent = replay.playing ? "Pause" : "Play";
  for (const trace of traces) showStatus(trace);
}

function showStatus(trace) {
  const state = stateOf(trace);
  const total = count(trace.count, "chunk");
  if (!document.body.classList.contains("replaying")) {
    trace.status.replaceChildren(total);
    return;
  }
  const pending = toPoints(state.received) - (state.released ? trace.reach[state.released - 1] : 0);
  const parts = [`${numbers.format(state.released)} of ${total}`];
  // What is left behind the last chunk is never released.
  parts.push(state.over ? "nothing pending" : `${count(pending, "code point")} pending`);
  trace.status.replaceChildren(parts.join(" · "), make("br"));
  const last = state.released - 1;
  if (state.newFrom > last) return;
  const which = state.newFrom === last ? `${last} · ` : `${state.newFrom} to ${last} · the last `;
  const shown = `just released ${which}held back ${heldBack(trace, last)}`;
  trace.status.append(make("span", { class: "new" }, shown));
}

/** Bring the place where the stream has arrived to the middle, if it is out of sight. */
function follow(again = true) {
  if (replay.step === lastStep) return;
  const line = lineAt(Math.max(stateOf(traces[0]).received - 1, 0));
  near.add(line);
  line.cells.forEach(fill);
  const caret = line.row.querySelector(".caret");
  const place = caret.getBoundingClientRect();
  const shown = byId("texts").getBoundingClientRect();
  const top = byId("heads").getBoundingClientRect().bottom;
  if (place.top >= top && place.bottom <= top + (shown.bottom - top) * 0.8) return;
  caret.scrollIntoView({ block: "center" });
  // Lines that were never in sight have guessed heights until now.
  if (again) requestAnimationFrame(() => follow(false));
}

const DELTAS_A_SECOND = 10;

/** The moment of a step, in milliseconds of the recording. */
function momentOf(step) {
  if (!times) return (step * 1000) / DELTAS_A_SECOND;
  return step ? times[Math.min(step, times.length) - 1] : 0;
}

function play() {
  if (replay.step === lastStep) showStep(0, 0);
  replay.playing = true;
  // The recording's own time, which the speed can change under way.
  let clock = momentOf(replay.step);
  let before = performance.now();
  const tick = (now) => {
    if (!replay.playing) return;
    clock += (now - before) * Number(byId("speed").value);
    before = now;
    let step = replay.step;
    while (step < lastStep && momentOf(step + 1) <= clock) step += 1;
    if (step > replay.step) {
      showStep(step, replay.step);
      follow();
    }
    if (step === lastStep) pause();
    else requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  showReplay();
}

function pause() {
  replay.playing = false;
  showReplay();
}

// ---------------------------------------------------------------- sizes

const BINS = 24;
const WIDTH = 240;
const HEIGHT = 64;

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The next larger of 1, 2, 5, 10, 20, 50 and so on. */
function roundStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= step);
}

/** A figure with the sizes of a trace's chunks, and a line for their limit. */
function histogram(trace) {
  const sorted = Float64Array.from(trace.sizes).sort();
  const [least, median, most] = [0, 0.5, 1].map((part) => sorted[Math.round(part * (trace.count - 1))] ?? 0);
  // A few giants would press all others into one bar: they share the last one.
  const usual = sorted[Math.floor(0.98 * (trace.count - 1))] ?? 1;
  const step = Math.max(roundStep(Math.max(usual, trace.limit ?? 1, 1) / (BINS - 2)), 1);
  trace.binOf = (size) => Math.min(Math.floor(size / step), BINS - 1);
  const bins = new Array(BINS).fill(0);
  for (const size of trace.sizes) bins[trace.binOf(size)] += 1;
  const highest = Math.max(...bins, 1);
  const wide = WIDTH / BINS;
  trace.bars = bins.map((chunks, bin) => {
    const height = chunks ? Math.max((chunks / highest) * HEIGHT, 1.5) : 0;
    const range = bin === BINS - 1 ? `${numbers.format(bin * step)} and more`
      : step === 1 ? `${bin}` : `${numbers.format(bin * step)} to ${numbers.format((bin + 1) * step - 1)}`;
    const bar = svg("rect", { class: "bar", x: bin * wide + 0.5, y: HEIGHT - height, width: wide - 1, height });
    bar.append(svg("title", {}, `${range}: ${count(chunks, "chunk")}`));
    return bar;
  });
  const parts = [...trace.bars, svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT })];
  const label = (x, anchor, shown, kind = "") =>
    parts.push(svg("text", { x, y: HEIGHT + 11, "text-anchor": anchor, class: kind }, shown));
  label(0, "start", "0");
  const said = [`from ${numbers.format(least)} to ${numbers.format(most)}`, `median ${numbers.format(median)}`];
  if (trace.limit === null) {
    label(WIDTH, "end", numbers.format(step * BINS) + (most >= step * BINS ? " and more" : ""));
  } else {
    const x = ((trace.limit + 0.5) / step) * wide;
    parts.push(svg("line", { class: "limit", x1: x, x2: x, y1: -4, y2: HEIGHT + 3 }));
    label(Math.min(x, WIDTH), x > WIDTH / 2 ? "end" : "middle", `limit ${numbers.format(trace.limit)}`, "over");
    const over = trace.sizes.filter((size) => size > trace.limit).length;
    said.push(`limit ${numbers.format(trace.limit)}, ${over ? `${numbers.format(over)} over it` : "none over it"}`);
  }
  const summary = `${said.join(", ")}, in ${trace.unit}`;
  const chart = svg("svg", {
    viewBox: `0 -6 ${WIDTH} ${HEIGHT + 20}`, role: "img", "aria-label": `Sizes of ${trace.label}: ${summary}`,
  }, ...parts);
  return make("figure", {}, make("figcaption", {}, trace.label, make("small", {}, summary)), chart);
}

// ---------------------------------------------------------------- the page

function build() {
  document.title = data.title;
  byId("title").textContent = data.title;
  const facts = [count(toPoints(text.length), "code point"), count(deltaSizes.length, "delta")];
  if (data.simulated) facts[1] += ` of ${data.simulated}, cut for the replay`;
  if (times) facts.push(seconds(times.at(-1)));
  byId("facts").textContent = facts.join(" · ");
  const texts = byId("texts");
  texts.style.setProperty("--columns", traces.length);
  byId("heads").append(make("span"), ...traces.map((trace) => {
    trace.status = make("p");
    return make("div", { class: "head" }, make("b", {}, trace.label), trace.status);
  }));
  byId("position").max = lastStep;
  byId("chunk").append(make("p", { class: "hint" },
    "Point at a chunk, or move with the tab key and the arrow keys, to see its facts here."));
  buildLines();
  byId("sizes").append(...traces.map(histogram));
  listen();
  showReplay();
}

build();
