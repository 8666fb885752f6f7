import { basename } from 'node:path';
import { watch } from 'chokidar';
import type { Workspace } from './workspace.ts';

/** Editors write a file in several steps; all of them are one change. */
const debounceMs = 100;

export interface Watcher {
  /** Watches other folders from now on. */
  readonly follow: (workspace: Workspace) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Calls `onChange` some time after templates or data have changed. Errors of the system go to `onError`. */
export function createWatcher(onChange: () => void, onError: (error: unknown) => void): Watcher {
  let followed = '';
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
  return {
    async follow({ folders, deepFolders }) {
      const key = JSON.stringify([folders, deepFolders]);
      if (key === followed) return;
      followed = key;
      await stop();
      const started = [start(folders, 0), ...(deepFolders.length > 0 ? [start(deepFolders, 1)] : [])];
      watchers = started.map(({ watcher }) => watcher);
      await Promise.all(started.map(({ isReady }) => isReady));
    },
    async close() {
      clearTimeout(timer);
      await stop();
    },
  };
}

/** Word keeps a file `~$…` beside an open document; other editors begin theirs with a dot. */
function isIgnored(name: string, isFile: boolean): boolean {
  if (/^(~\$|\.)|\.expected$|^node_modules$/.test(name)) return true;
  return isFile && !/\.(docx|json)$/i.test(name);
}
