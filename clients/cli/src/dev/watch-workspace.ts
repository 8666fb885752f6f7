import { basename } from 'node:path';
import { watch } from 'chokidar';
import type { Workspace } from './workspace.ts';

/** Editors write a file in several steps, which count as one change. */
const debounceMs = 100;

export interface Watcher {
  /** Replaces the watched folders, then reports a change, because nothing watched the new folders meanwhile. */
  readonly follow: (workspace: Workspace) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Calls `onChange` shortly after templates or data have changed, and again only after it has ended. System errors go to
 * `onError`.
 */
export function createWatcher(onChange: () => Promise<void>, onError: (error: unknown) => void): Watcher {
  let followed = '';
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let lastChange = Promise.resolve();
  let end = (): void => undefined;
  const isEnded = new Promise<void>((resolve) => {
    end = resolve;
  });
  let watchers: readonly ReturnType<typeof watch>[] = [];
  const report = () => {
    lastChange = lastChange.then(onChange).catch(onError);
  };
  const change = () => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(report, debounceMs);
  };
  const start = (paths: readonly string[], depth: number) => {
    const watcher = watch([...paths], {
      depth,
      ignoreInitial: true,
      ignored: (path, stats) => !paths.includes(path) && isIgnored(basename(path), stats?.isFile() === true),
    });
    watcher.on('all', change);
    watcher.on('error', onError);
    const isReady = new Promise<void>((resolve) => {
      watcher.once('ready', () => resolve());
    });
    return { watcher, isReady };
  };
  const stop = async () => {
    await Promise.all(watchers.map((watcher) => watcher.close()));
    watchers = [];
  };
  return {
    async follow({ folders, deepFolders }) {
      const key = JSON.stringify([folders, deepFolders]);
      if (key === followed) return;
      followed = key;
      await stop();
      if (isClosed) return;
      const started = [start(folders, 0), ...(deepFolders.length > 0 ? [start(deepFolders, 1)] : [])];
      watchers = started.map(({ watcher }) => watcher);
      await Promise.race([Promise.all(started.map(({ isReady }) => isReady)), isEnded]);
      change();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      end();
      await lastChange;
      await stop();
    },
  };
}

/** Word keeps a file `~$…` next to an open document; other editors use names that begin with a dot. */
function isIgnored(name: string, isFile: boolean): boolean {
  if (/^(~\$|\.)|\.expected$|^node_modules$/.test(name)) return true;
  return isFile && !/\.(docx|json)$/i.test(name);
}
