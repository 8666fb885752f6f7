const marker = /^([ \t]*)\/\/ failpoint: ([a-z-]+)[ \t]*$/gm;

/** Makes a call of every marker comment in the compiled service; production runs the same files without this hook. */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!/\/dist\/(api|worker|shared)\/.*\.js$/.test(url) || loaded.source === undefined) return loaded;
  const source = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source).toString('utf8');
  return { ...loaded, source: source.replace(marker, "$1await globalThis.failpoint('$2');") };
}
