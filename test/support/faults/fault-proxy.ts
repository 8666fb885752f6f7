import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { findFreePort } from '../../../tools/local/ports.ts';
import { type Faults, ProxiedStream } from './proxied-stream.ts';

export type { Faults } from './proxied-stream.ts';

export interface FaultProxy {
  readonly port: number;
  readonly openConnections: number;
  /** The number of connections since the start. */
  readonly totalConnections: number;
  /** Applies faults to existing and new connections. */
  set(faults: Partial<Faults>): void;
  /** Removes all faults, accepts connections again and delivers frozen bytes. */
  heal(): Promise<void>;
  /** Resets every connection (RST to both ends). */
  resetAll(): void;
  /** Resets the server's end of every connection and keeps the client's end open. */
  halfOpenAll(): void;
  /** Resets existing connections and refuses new ones until `heal`. */
  refuse(): Promise<void>;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isHalfOpen: boolean;
  isDead: boolean;
}

const noFaults: Faults = { delayMs: 0, bytesPerSecond: 0, isFrozen: false };

/**
 * A TCP proxy on a loopback port that injects faults. `target` is read for each connection, so its port may be set
 * later.
 */
export async function startFaultProxy(target: { readonly host?: string; readonly port: number }): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let faults = noFaults;
  let thaw: (() => void)[] = [];
  let totalConnections = 0;
  let listener: Server | undefined;
  // Reserved, so that no other process takes it while connections are refused.
  const port = await findFreePort();

  const set = (changes: Partial<Faults>): void => {
    faults = { ...faults, ...changes };
    if (!faults.isFrozen) for (const resume of thaw.splice(0)) resume();
  };
  const whenFlowing = (): Promise<void> =>
    faults.isFrozen ? new Promise((resolve) => thaw.push(resolve)) : Promise.resolve();

  const accept = (client: Socket): void => {
    totalConnections += 1;
    const pair: Pair = {
      client,
      server: connect({ host: target.host ?? '127.0.0.1', port: target.port, allowHalfOpen: true }),
      isHalfOpen: false,
      isDead: false,
    };
    pairs.add(pair);
    const control = {
      faults: () => faults,
      whenFlowing,
      reset: () => resetPair(pair),
      freeze: () => {
        pair.isDead = true;
      },
      isDead: () => pair.isDead,
    };
    joinEnds(pair, () => pairs.delete(pair));
    new ProxiedStream(client, pair.server, 'up', totalConnections, control);
    new ProxiedStream(pair.server, client, 'down', totalConnections, control);
  };
  const listen = async (): Promise<void> => {
    listener = createServer({ allowHalfOpen: true, noDelay: true }, accept);
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
  };
  const stopListening = async (): Promise<void> => {
    const closing = listener;
    listener = undefined;
    if (closing === undefined) return;
    const closed = once(closing, 'close');
    closing.close();
    for (const pair of pairs) resetPair(pair);
    await closed;
  };

  await listen();
  return {
    port,
    get openConnections() {
      return pairs.size;
    },
    get totalConnections() {
      return totalConnections;
    },
    set,
    async heal() {
      set({ ...noFaults, intercept: undefined });
      if (listener === undefined) await listen();
    },
    resetAll() {
      for (const pair of pairs) resetPair(pair);
    },
    halfOpenAll() {
      for (const pair of pairs) {
        pair.isHalfOpen = true;
        pair.server.resetAndDestroy();
      }
    },
    refuse: stopListening,
    async close() {
      set({ ...noFaults, intercept: undefined });
      await stopListening();
      thaw = [];
    },
  };
}

function resetPair({ client, server }: Pair): void {
  if (!client.destroyed) client.resetAndDestroy();
  if (!server.destroyed) server.resetAndDestroy();
}

/** Passes an error or the end of one connection on to the other, unless the pair stays half open. */
function joinEnds(pair: Pair, forget: () => void): void {
  pair.server.setNoDelay(true);
  pair.client.on('error', () => pair.server.resetAndDestroy());
  pair.server.on('error', () => {
    if (!pair.isHalfOpen && !pair.isDead) pair.client.resetAndDestroy();
  });
  const forgetWhenGone = (): void => {
    if (pair.client.destroyed && pair.server.destroyed) forget();
  };
  pair.client.on('close', () => {
    pair.server.destroySoon();
    forgetWhenGone();
  });
  pair.server.on('close', forgetWhenGone);
}
