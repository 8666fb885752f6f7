import { readdirSync, readFileSync } from 'node:fs';

const source = 'clients/python/src/docmill/_async';
const target = 'clients/python/src/docmill/_sync';

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAwaitable\[(\w+|tuple\[[^\]]*\])\]/g, '$1'],
  [/\bAwaitable, /g, ''],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\basynchronous\b/g, 'synchronous'],
  [/\bAsync(Docmill|Iterator|Iterable|Generator|BaseTransport|Client|HTTPTransport)\b/g, '$1'],
  [/\b_?Async(?=[A-Z])/g, ''],
  [/\b__a(enter|exit|iter|next)__\b/g, '__$1__'],
  [/\ba(close|iter_bytes|iter_lines|read)\b/g, '$1'],
  [/\b(platform)_async\b/g, '$1_sync'],
  [/\b_platform_async\b/g, '_platform_sync'],
  [/\b_async\b/g, '_sync'],
];

/** The synchronous Python client's files, derived from the asynchronous ones by removing `async` and `await`. */
export function pythonSyncFiles(): readonly { readonly file: string; readonly write: () => string }[] {
  return readdirSync(source)
    .filter((name) => name.endsWith('.py'))
    .map((name) => ({ file: `${target}/${name}`, write: () => writeSync(readFileSync(`${source}/${name}`, 'utf8')) }));
}

function writeSync(text: string): string {
  const translated = replacements.reduce((result, [from, to]) => result.replace(from, to), text);
  return `# Made from the file of the same name in _async by \`npm run generate\`.\n${translated}`;
}
