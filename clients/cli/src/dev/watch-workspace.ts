import { basename } from 'node:path';
import { watch } from 'chokidar';
import type { Workspace } from './workspace.ts';

/** Editors write a file in several steps, which count as one change. */
const debounceMs = 100;

export interface Watcher {
  /** Replaces the watched folders. */
  readonly follow: (workspace: Workspace) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Calls `onChange` shortly after templates or data have changed, and once after the watched folders were replaced,
 * because a change in between is not seen. System errors go to `onError`.
 */
export function createWatcher(onChange: () => void, onError: (error: unknown) => void): Watcher {
  let followed = '';
  let isClosed = false;
  /** The last replacement: two at a time would close each other's watchers. */
  let turn = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let watchers: readonly ReturnType<typeof watch>[] = [];
  const change = () => {
    clearTimeout(timer);
    timer = setTimeout(onChange, debounceMs);
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
  const replace = async ({ folders, deepFolders }: Workspace) => {
    const key = JSON.stringify([folders, deepFolders]);
    if (key === followed || isClosed) return;
    followed = key;
    await stop();
    if (isClosed) return;
    const started = [start(folders, 0), ...(deepFolders.length > 0 ? [start(deepFolders, 1)] : [])];
    watchers = started.map(({ watcher }) => watcher);
    await Promise.all(started.map(({ isReady }) => isReady));
    if (!isClosed) change();
  };
  return {
    follow: (workspace) => {
      turn = turn.then(() => replace(workspace));
      return turn;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await stop();
    },
  };
}

/** Word keeps a file `~$…` next to an open document; other editors use names that begin with a dot. */
function isIgnored(name: string, isFile: boolean): boolean {
  if (/^(~\$|\.)|\.expected$|^node_modules$/.test(name)) return true;
  return isFile && !/\.(docx|json)$/i.test(name);
}
