import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface Entry {
  /** The path of the module: compiled or source, like the calling module. */
  readonly file: string;
  /** Options with which Node.js must start the process or thread. */
  readonly execArgv: readonly string[];
}

/**
 * Resolves the entry module of a process or thread: `name`, without extension, relative to the module at `base`. In
 * tests and development it runs from source and needs the same loader as its parent.
 */
export function resolveEntry(name: string, base: string, kind: 'process' | 'thread'): Entry {
  const isSource = base.endsWith('.ts');
  const file = fileURLToPath(new URL(`${name}.${isSource ? 'ts' : 'js'}`, base));
  return { file, execArgv: isSource ? ['--import', loaderOf(kind)] : [] };
}

/** The loader registers itself only in processes. */
function loaderOf(kind: 'process' | 'thread'): string {
  if (kind === 'process') return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return `data:text/javascript,import{register}from'${import.meta.resolve('tsx/esm/api')}';register()`;
}
