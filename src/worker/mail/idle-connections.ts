import type SMTPConnection from 'nodemailer/lib/smtp-connection';

const quitTimeoutMs = 1_000;
const maxMessagesPerConnection = 100;

export interface IdleConnections {
  /** An open connection that waited for work, the most recently used first. */
  take(): SMTPConnection | undefined;
  /** Keeps the connection for the next message, or closes it when it has carried enough. */
  keep(connection: SMTPConnection): void;
  /** Says goodbye to all of them and settles when the last is gone. */
  closeAll(): Promise<void>;
}

export function createIdleConnections(idleTimeoutMs: number): IdleConnections {
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
export function quit(connection: SMTPConnection): Promise<void> {
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
