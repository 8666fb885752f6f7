import { relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'vite';
import { writeFiles } from '../site/write-files.ts';

export interface BuiltConsole {
  readonly files: number;
  /** The size of all files, without their compressed copies. */
  readonly sizeBytes: number;
  readonly scripts: readonly BuiltScript[];
}

export interface BuiltScript {
  readonly file: string;
  readonly gzipBytes: number;
  /** True if it is loaded before anything is shown: the entry and its static imports. */
  readonly isFirstLoad: boolean;
  /** Source files, relative to the project. */
  readonly modules: readonly string[];
}

/**
 * The modules that the console may import: its own, those that read cells as the service does, and the bundled
 * examples. It reaches the service only through the client.
 */
const allowedModules = /^(src\/(console|shared\/cells)\/|clients\/typescript\/src\/|examples\/|node_modules\/|\0)/;

/**
 * Builds a project's web console into `outFolder`, which is replaced. The build is reproducible.
 *
 * @throws Error when a module from another part of the project is imported
 */
export async function buildConsole(projectFolder: string, outFolder: string): Promise<BuiltConsole> {
  const files = new Map<string, Buffer>();
  const chunks: Chunk[] = [];
  for (const file of [...(await buildPages(projectFolder)), ...(await buildElement(projectFolder))]) {
    if (file.type === 'chunk') {
      checkModules(projectFolder, file.moduleIds);
      chunks.push(file);
    }
    files.set(file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source));
  }
  await writeFiles(files, resolve(outFolder));
  const sizeBytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  return { files: files.size, sizeBytes, scripts: describeScripts(projectFolder, chunks) };
}

function buildPages(projectFolder: string) {
  return bundle(projectFolder, {});
}

/**
 * Builds the element `<docmill-playground>`. Its styles are part of its script, because a linked style sheet would
 * affect the embedding page. It is therefore built separately, and its remaining style sheets are dropped.
 */
async function buildElement(projectFolder: string) {
  const output = await bundle(projectFolder, {
    cssCodeSplit: false,
    rolldownOptions: {
      input: { playground: resolve(projectFolder, 'src/console/playground/playground-element.tsx') },
      // Embedding pages refer to the element by its address, which must not change.
      output: { entryFileNames: '[name].js', chunkFileNames: 'assets/playground-[name]-[hash].js' },
    },
  });
  return output.filter(({ fileName }) => !fileName.endsWith('.css'));
}

async function bundle(projectFolder: string, options: BuildOptions) {
  const built = await build({
    configFile: false,
    root: resolve(projectFolder, 'src/console'),
    // Relative addresses also work behind a proxy that adds a prefix.
    base: './',
    logLevel: 'warn',
    resolve: { alias: { '@docmill/client': resolve(projectFolder, 'clients/typescript/src/main.ts') } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      // The Content-Security-Policy does not allow inlined files.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      ...options,
    },
  });
  return (Array.isArray(built) ? built : [built]).flatMap((output) => {
    if (!('output' in output)) throw new Error('Vite watches instead of building.');
    return output.output;
  });
}

interface Chunk {
  readonly fileName: string;
  readonly code: string;
  readonly facadeModuleId: string | null;
  readonly imports: readonly string[];
  readonly moduleIds: readonly string[];
}

function describeScripts(projectFolder: string, chunks: readonly Chunk[]): readonly BuiltScript[] {
  const first = new Set<string>();
  const addFirst = (name: string): void => {
    if (first.has(name)) return;
    first.add(name);
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) addFirst(imported);
  };
  for (const { fileName, facadeModuleId } of chunks) if (facadeModuleId?.endsWith('/index.html')) addFirst(fileName);
  return chunks.map(({ fileName, code, moduleIds }) => ({
    file: fileName,
    gzipBytes: gzipSync(code, { level: 9 }).length,
    isFirstLoad: first.has(fileName),
    modules: moduleIds.map((id) => relative(resolve(projectFolder), id)),
  }));
}

function checkModules(projectFolder: string, ids: readonly string[]): void {
  const foreign = ids
    .map((id) => (id.startsWith('\0') ? id : relative(resolve(projectFolder), id)))
    .filter((id) => !allowedModules.test(id));
  if (foreign.length > 0) throw new Error(`The console must not import ${foreign.join(', ')}`);
}
