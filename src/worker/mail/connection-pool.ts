import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type ConnectionLimits, openConnection } from './open-connection.ts';
import type { SmtpTarget } from './smtp-url.ts';
import type { Transmission } from './transmit.ts';

export interface ConnectionPool {
  /**
   * Does the work over a kept connection if there is one. A kept one that turns out dead before the message began is
   * replaced by a new one, once. Rejects only when no connection can be opened.
   */
  transmit(work: (connection: SMTPConnection) => Promise<Transmission>): Promise<Transmission>;
  /** Opens a connection of its own, logs in, and leaves. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps no count of its own: whoever calls it does so from one of a fixed number of slots. */
export function createConnectionPool(
  target: SmtpTarget,
  limits: ConnectionLimits,
  idleTimeoutMs: number,
): ConnectionPool {
  const idle = createIdleConnections(idleTimeoutMs);

  const settle = (connection: SMTPConnection, { error, stage }: Transmission): void => {
    if (error === undefined) idle.keep(connection);
    else if (error.responseCode !== undefined && stage !== 'data') void quit(connection);
    else connection.close();
  };

  return {
    async transmit(work) {
      const kept = idle.take();
      if (kept) {
        const transmission = await work(kept);
        settle(kept, transmission);
        if (!isStale(transmission)) return transmission;
        // Its idle neighbours were probably closed by the same restart of the server.
        void idle.closeAll();
      }
      const connection = await openConnection(target, limits);
      const transmission = await work(connection);
      settle(connection, transmission);
      return transmission;
    },
    async probe() {
      idle.take()?.close();
      await quit(await openConnection(target, limits));
    },
    close: () => idle.closeAll(),
  };
}

function isStale({ error, stage }: Transmission): boolean {
  if (error === undefined || stage !== 'envelope') return false;
  return error.responseCode === 421 || error.code === 'ECONNECTION' || error.code === 'ESOCKET';
}

const quitTimeoutMs = 1_000;
const maxMessagesPerConnection = 100;

interface IdleConnections {
  /** An open connection that waited for work, the most recently used first. */
  take(): SMTPConnection | undefined;
  /** Keeps the connection for the next message, or closes it when it has carried enough. */
  keep(connection: SMTPConnection): void;
  /** Says goodbye to all of them and settles when the last is gone. */
  closeAll(): Promise<void>;
}

function createIdleConnections(idleTimeoutMs: number): IdleConnections {
  const timers = new Map<SMTPConnection, NodeJS.Timeout>();
  const messageCounts = new WeakMap<SMTPConnection, number>();

  const forget = (connection: SMTPConnection): void => {
    clearTimeout(timers.get(connection));
    timers.delete(connection);
  };
  const retire = (connection: SMTPConnection): Promise<void> => {
    forget(connection);
    return quit(connection);
  };

  return {
    take() {
      for (const connection of [...timers.keys()].reverse()) {
        forget(connection);
        if (!connection.destroyed) return connection;
      }
      return undefined;
    },
    keep(connection) {
      const count = (messageCounts.get(connection) ?? 0) + 1;
      messageCounts.set(connection, count);
      if (count >= maxMessagesPerConnection || connection.destroyed) {
        void quit(connection);
        return;
      }
      timers.set(
        connection,
        setTimeout(() => void retire(connection), idleTimeoutMs),
      );
      if (count === 1) connection.once('end', () => forget(connection));
    },
    async closeAll() {
      await Promise.all([...timers.keys()].map(retire));
    },
  };
}

/** QUIT, then close; a server that does not answer is left after a second. */
function quit(connection: SMTPConnection): Promise<void> {
  if (connection.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => connection.close(), quitTimeoutMs);
    connection.once('end', () => {
      clearTimeout(timer);
      resolve();
    });
    connection.quit();
  });
}
