export interface RequestScheduler {
  /**
   * Calls `start` at once when the caller may start another request in this round of the event loop; otherwise in a later
   * round, in order of arrival.
   */
  schedule(caller: string, start: () => void): void;
  /** Requests that wait for a round. */
  waiting(): number;
}

/**
 * Round robin: lets each caller start `perRound` requests in a round of the event loop. A caller that sends hundreds at once would
 * otherwise have all of them started before the next request of another caller is even read.
 */
export function createRequestScheduler(perRound: number): RequestScheduler {
  const started = new Map<string, number>();
  const queues = new Map<string, (() => void)[]>();
  let waiting = 0;
  let isScheduled = false;

  const beginRound = (): void => {
    isScheduled = false;
    started.clear();
    for (const [caller, queue] of queues) {
      for (const start of queue.splice(0, perRound)) {
        waiting -= 1;
        begin(caller, start);
      }
      if (queue.length === 0) queues.delete(caller);
    }
  };
  const begin = (caller: string, start: () => void): void => {
    started.set(caller, (started.get(caller) ?? 0) + 1);
    // The round ends after the event loop has read from sockets again.
    if (!isScheduled) setImmediate(beginRound);
    isScheduled = true;
    start();
  };

  return {
    waiting: () => waiting,
    schedule(caller, start) {
      const queue = queues.get(caller);
      if (queue === undefined && (started.get(caller) ?? 0) < perRound) {
        begin(caller, start);
        return;
      }
      waiting += 1;
      if (queue === undefined) queues.set(caller, [start]);
      else queue.push(start);
    },
  };
}
