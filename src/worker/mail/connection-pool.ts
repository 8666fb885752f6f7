import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type ConnectionLimits, openConnection } from './open-connection.ts';
import type { SmtpTarget } from './smtp-url.ts';
import type { Transmission } from './transmit.ts';

export interface ConnectionPool {
  /**
   * Runs the work over an idle connection, if there is one, or over a new one. If an idle connection fails before the
   * message begins, retries once over a new one. Rejects only when no connection can be opened.
   */
  transmit(work: (connection: SMTPConnection) => Promise<Transmission>): Promise<Transmission>;
  /** Opens a new connection, logs in, and quits. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The caller limits the number of connections. nodemailer's own pool is unsuitable (ADR 5): it hides the connection, which
 * each stage must be able to drop, and decides itself when to resend a message.
 */
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
      const reused = idle.take();
      if (reused) {
        const transmission = await work(reused);
        settle(reused, transmission);
        if (!isStale(transmission)) return transmission;
        // A restart of the server has probably closed the other idle connections too.
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
  /** Returns the most recently used open connection. */
  take(): SMTPConnection | undefined;
  /** Keeps the connection for the next message, or closes it after its last one. */
  keep(connection: SMTPConnection): void;
  /** Sends QUIT on all of them and settles when all are closed. */
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

/** Sends QUIT and closes, after a second even without a reply. */
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
