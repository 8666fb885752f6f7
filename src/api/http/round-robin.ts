/** Divides event-loop time among keys, such as accounts. */
export interface RoundRobin {
  /**
   * Calls `start` at once when the key may start more in this round of the event loop; otherwise in a later round, in order
   * of arrival.
   */
  schedule(key: string, start: () => void): void;
  /** The number of calls that wait for a round. */
  waiting(): number;
}

/**
 * Lets each key start `perRound` pieces of work in a round of the event loop. Otherwise an account that sends hundreds
 * of requests, or many large bodies, would have all of them processed before another account's requests are even read.
 */
export function createRoundRobin(perRound: number): RoundRobin {
  const started = new Map<string, number>();
  const queues = new Map<string, (() => void)[]>();
  let waiting = 0;
  let isScheduled = false;

  const beginRound = (): void => {
    isScheduled = false;
    started.clear();
    for (const [key, queue] of queues) {
      for (const start of queue.splice(0, perRound)) {
        waiting -= 1;
        begin(key, start);
      }
      if (queue.length === 0) queues.delete(key);
    }
  };
  const begin = (key: string, start: () => void): void => {
    started.set(key, (started.get(key) ?? 0) + 1);
    // A round lasts until the event loop has read from sockets again.
    if (!isScheduled) setImmediate(beginRound);
    isScheduled = true;
    start();
  };

  return {
    waiting: () => waiting,
    schedule(key, start) {
      const queue = queues.get(key);
      if (queue === undefined && (started.get(key) ?? 0) < perRound) {
        begin(key, start);
        return;
      }
      waiting += 1;
      if (queue === undefined) queues.set(key, [start]);
      else queue.push(start);
    },
  };
}
