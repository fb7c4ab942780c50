// The rules of the `bm25` reference adapter, written a second time, in the Node contract: name, build, query,
// available, version. It exports no artifactFile: the published hashes are those of the folder. It leans on
// what the language does by itself (key order of objects, how numbers print, toLowerCase, TextDecoder), where
// the Python adapter has to spell these out; that both write the same bytes is the check on each.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export const name = 'bm25';
const INDEX = 'index.json';

const SUFFIXES = new Set(['.ts', '.tsx', '.js', '.mjs', '.py', '.md', '.json', '.txt']);
const K1 = 1.2;
const B = 0.75;
const empty = () => Object.create(null);

export function available() {
  return true;
}

export async function version() {
  const source = await readFile(new URL(import.meta.url));
  return { id: `sha256:${createHash('sha256').update(source).digest('hex').slice(0, 16)}`, source: 'content-hash' };
}

export async function build(corpusDir, outDir) {
  const found = empty();
  for await (const file of walk(corpusDir, '')) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await readFile(path.join(corpusDir, file)));
    found[file] = tokens(text);
  }
  const files = Object.keys(found).sort();
  const frequency = empty();
  const docs = empty();
  let total = 0;
  for (const file of files) {
    const counts = empty();
    for (const term of found[file]) counts[term] = (counts[term] ?? 0) + 1;
    for (const term in counts) frequency[term] = (frequency[term] ?? 0) + 1;
    docs[file] = { len: found[file].length, tf: ordered(counts) };
    total += found[file].length;
  }
  const index = {
    version: 1, N: files.length, avgLen: files.length ? total / files.length : 0, df: ordered(frequency), docs,
  };
  await mkdir(outDir, { recursive: true });
  await writeFile(path.join(outDir, INDEX), JSON.stringify(index));
}

export async function query(outDir, text, k) {
  const { N, avgLen, df, docs } = JSON.parse(await readFile(path.join(outDir, INDEX), 'utf8'));
  const terms = tokens(text).filter((term) => Object.hasOwn(df, term));
  const results = [];
  for (const [file, { len, tf }] of Object.entries(docs)) {
    let score = 0;
    for (const term of terms) {
      if (!Object.hasOwn(tf, term)) continue;
      const idf = Math.log(1 + (N - df[term] + 0.5) / (df[term] + 0.5));
      score += idf * tf[term] * (K1 + 1) / (tf[term] + K1 * (1 - B + B * len / avgLen));
    }
    if (score > 0) results.push({ file, score: Number(score.toFixed(8)) });
  }
  results.sort((a, b) => b.score - a.score || byCodePoint(a.file, b.file));
  return results.slice(0, k);
}

async function* walk(root, folder) {
  for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
    const file = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== '.git') yield* walk(root, file);
    } else if (SUFFIXES.has(entry.name.slice(entry.name.lastIndexOf('.'))) && entry.name.includes('.')
      && file !== 'queries.json') {
      yield file;
    }
  }
}

function tokens(text) {
  return text.toLowerCase().match(/[a-z0-9]{2,}/g) ?? [];
}

// The language itself lists array indices first, ascending, and the other keys as they were put in.
function ordered(counts) {
  const result = empty();
  for (const key of Object.keys(counts).sort()) result[key] = counts[key];
  return result;
}

function byCodePoint(a, b) {
  const left = Array.from(a, (character) => character.codePointAt(0));
  const right = Array.from(b, (character) => character.codePointAt(0));
  for (let place = 0; place < Math.min(left.length, right.length); place += 1) {
    if (left[place] !== right[place]) return left[place] - right[place];
  }
  return left.length - right.length;
}
