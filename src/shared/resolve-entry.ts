import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface Entry {
  /** Path of the module, compiled or source like the module that asks. */
  readonly file: string;
  /** Options of Node.js with which a process or a thread loads the module. */
  readonly execArgv: readonly string[];
}

/**
 * The entry module of a process or a thread: `name`, without extension, relative to the module at `base`. In tests and
 * development it runs from source and needs the loader of its parent.
 */
export function resolveEntry(name: string, base: string, kind: 'process' | 'thread'): Entry {
  const isSource = base.endsWith('.ts');
  const file = fileURLToPath(new URL(`${name}.${isSource ? 'ts' : 'js'}`, base));
  return { file, execArgv: isSource ? ['--import', loaderOf(kind)] : [] };
}

/** The loader registers itself in processes only. */
function loaderOf(kind: 'process' | 'thread'): string {
  if (kind === 'process') return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return `data:text/javascript,import{register}from'${import.meta.resolve('tsx/esm/api')}';register()`;
}
