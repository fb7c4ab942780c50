// The Node host: answers JSON-RPC 2.0 requests, one a line, by calling an adapter in the Node contract
// (name, build, query, and optionally artifactFile, available, version). No dependency.
//
// node host.mjs ADAPTER_PATH. The channel is standard input and output; the adapter's own prints go to standard
// error: every way that JavaScript has to write to standard output is turned there before it is loaded. A line
// that native code still writes there is not JSON-RPC, and the parent passes it over.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import fs from 'node:fs';

const CHANNEL = 1;
const send = (message) => {
  const bytes = Buffer.from(JSON.stringify(message) + '\n');
  let written = 0;
  while (written < bytes.length) {
    try {
      written += fs.writeSync(CHANNEL, bytes, written);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
process.stdout.write = process.stderr.write.bind(process.stderr);
globalThis.console = new console.Console(process.stderr, process.stderr);

let adapter = null;
let out = '';
let opened = null;

const methods = {
  async hello() {
    adapter = await import(pathToFileURL(process.argv[2]).href);
    if (!adapter.build && adapter.default) adapter = adapter.default;
    for (const needed of ['name', 'build', 'query']) {
      if (adapter[needed] === undefined) throw new Error(`the adapter exports no ${needed}`);
    }
    const available = adapter.available ? await adapter.available() : true;
    let version = null;
    if (available === true && adapter.version) {
      // The contract: a version() that throws is undeclared, not a failure.
      try { version = (await adapter.version()) ?? null; } catch (error) { console.error(error); }
    }
    return {
      name: adapter.name, summary: adapter.summary ?? '', artifactFile: adapter.artifactFile ?? null,
      available: available === false ? false : available, version, canUpdate: !!adapter.update,
    };
  },
  async build({ corpus, out: folder }) { await adapter.build(corpus, folder); return {}; },
  async update({ out: folder, corpus, changes }) { await adapter.update(folder, corpus, changes); return {}; },
  async open({ out: folder }) {
    out = folder;
    if (adapter.open) opened = await adapter.open(folder);
    return {};
  },
  async query({ text, k }) {
    const found = opened ? await opened.query(text, k) : await adapter.query(out, text, k);
    if (found === null || found === undefined) return { results: null };
    // JSON has no NaN: without this a score that is not a number would arrive as a null score and pass.
    return { results: Array.from(found, (item) => (item && typeof item.score === 'number'
      && !Number.isFinite(item.score) ? { ...item, score: String(item.score) } : item)) };
  },
  async close() {
    const used = process.resourceUsage();
    return { cpuSeconds: (used.userCPUTime + used.systemCPUTime) / 1e6, peakMemoryBytes: peakMemory(used) };
  },
};

function peakMemory(used) {
  try {
    const line = fs.readFileSync('/proc/self/status', 'utf8').split('\n').find((text) => text.startsWith('VmHWM:'));
    return Number(line.split(/\s+/)[1]) * 1024;
  } catch {
    return used.maxRSS * 1024;
  }
}

const lines = createInterface({ input: process.stdin });
let queue = Promise.resolve();
lines.on('line', (line) => {
  queue = queue.then(async () => {
    const request = JSON.parse(line);
    const answer = { jsonrpc: '2.0', id: request.id };
    const began = process.hrtime.bigint();
    try {
      answer.result = await methods[request.method](request.params);
      answer.result.seconds = Number(process.hrtime.bigint() - began) / 1e9;
    } catch (error) {
      delete answer.result;
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      answer.error = { code: -32000, message: text.slice(0, 2000), data: { traceback: String(error?.stack ?? '').slice(-8000) } };
    }
    send(answer);
    if (request.method === 'close') process.exit(0);
  });
});
lines.on('close', () => process.exit(1));
