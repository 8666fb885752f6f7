import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { createIdleConnections, quit } from './idle-connections.ts';
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
