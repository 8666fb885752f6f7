import { useCallback, useEffect, useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { type Batch, type Connection, followBatch } from './follow-batch.ts';

interface FollowedBatch {
  readonly batch: Batch | undefined;
  readonly connection: Connection;
  readonly error: unknown;
  /** Follows the batch again, for example after a retry. */
  readonly restart: () => void;
}

/** A batch with its progress, for as long as the page is open. */
export function useBatch(id: string): FollowedBatch {
  const docmill = useDocmill();
  const [batch, setBatch] = useState<Batch>();
  const [connection, setConnection] = useState<Connection>('live');
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setError(undefined);
    const { signal } = controller;
    const onBatch = (next: Batch) =>
      signal.aborted ||
      setBatch((before) =>
        next.warnings.length === 0 && before !== undefined ? { ...next, warnings: before.warnings } : next,
      );
    followBatch({ batches: docmill.batches, id, signal, onBatch, onConnection: setConnection }).catch(
      (failure: unknown) => signal.aborted || setError(failure),
    );
    return () => controller.abort();
  }, [docmill, id, round]);
  return { batch, connection, error, restart: useCallback(() => setRound((count) => count + 1), []) };
}
