import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { FaultLane, type Faults } from './proxied-stream.ts';

export type { Direction, Faults, Piece } from './proxied-stream.ts';

export interface FaultProxy {
  readonly port: number;
  readonly openConnections: number;
  /** All connections clients ever made through it. */
  readonly totalConnections: number;
  /** Adds faults to connections that exist and to new ones. */
  set(faults: Partial<Faults>): void;
  /** Takes all faults away and accepts connections again; frozen bytes flow. */
  heal(): Promise<void>;
  /** Resets every connection that exists (RST to both sides). */
  resetAll(): void;
  /** Drops the server's side of every connection and leaves the clients believing they are connected. */
  halfOpenAll(): void;
  /** Resets what exists and refuses what comes, until `heal`. */
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

/** A TCP proxy on a loopback port that misbehaves on request. `target` may be told late, when its port is known. */
export async function startFaultProxy(target: { readonly host?: string; readonly port: number }): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let faults = noFaults;
  let thaw: (() => void)[] = [];
  let totalConnections = 0;
  let listener: Server | undefined;
  let port = 0;

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
    new FaultLane(client, pair.server, 'up', totalConnections, control);
    new FaultLane(pair.server, client, 'down', totalConnections, control);
  };
  const listen = async (): Promise<void> => {
    listener = createServer({ allowHalfOpen: true, noDelay: true }, accept);
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    port = (listener.address() as AddressInfo).port;
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

/** An error or the end of one side reaches the other, unless the pair is to stay half open. */
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
