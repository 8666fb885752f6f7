import type { LongTable, Prediction } from '@docmill/layout';
import type { JailCommand } from '../jail/jail-kinds.ts';
import type { ReadyMessage } from './agent-messages.ts';
import { type AgentEvent, spawnAgent } from './agent-process.ts';

/** How a request ends: with a message from the agent, or because of its silence, a deadline or another request. */
export type Outcome = AgentEvent | { readonly event: 'silent' | 'late' | 'taken' | 'stuck' };

/** A running agent that answers one request at a time. */
export interface AgentSession {
  readonly pid: number;
  /** Resolves with the reason when the agent ends. */
  readonly ended: Promise<string>;
  /** Resolves when LibreOffice is ready. Rejects if the agent ends or the signal is aborted. */
  untilReady(signal: AbortSignal): Promise<ReadyMessage>;
  /**
   * Sends a request. Resolves with the message for which `isLast` is true, or with the event that ended the request
   * before.
   */
  request(request: object, isLast: (event: AgentEvent['event']) => boolean, more?: RequestOptions): Promise<Outcome>;
}

export interface RequestOptions {
  /** Ends the request at once. */
  readonly taken?: AbortSignal | undefined;
  /** Computes the joints of a long table; null if it cannot. Never rejects. */
  readonly predict?: ((table: LongTable) => Promise<Prediction | null>) | undefined;
}

/** An idle LibreOffice that does not acknowledge a request within this time is stopped or hung. */
const answerTimeoutMs = 5_000;
/** The share of the time limit for refreshing fields and indexes. */
const refreshShare = 1 / 4;

/** Starts the agent. Each request ends within `requestTimeoutMs`. */
export function startAgentSession(command: JailCommand, requestTimeoutMs: number): AgentSession {
  let listener: (event: AgentEvent) => void = () => undefined;
  let requestCount = 0;
  let hasExited = false;
  let reportEnd: (reason: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    reportEnd = resolve;
  });
  const agent = spawnAgent(command, (event) => {
    if (event.event === 'exit') {
      hasExited = true;
      reportEnd(event.reason);
    }
    listener(event);
  });

  function untilReady(signal: AbortSignal): Promise<ReadyMessage> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => {
        const tail = agent.stderrTail();
        settle(() =>
          reject(new Error(`LibreOffice did not become ready: ${tail === '' ? reason : `${reason}: ${tail}`}`)),
        );
      };
      const stop = (): void => fail(signal.reason instanceof Error ? signal.reason.message : 'stopped');
      const settle = (act: () => void): void => {
        signal.removeEventListener('abort', stop);
        listener = () => undefined;
        act();
      };
      signal.addEventListener('abort', stop);
      listener = (event) => {
        if (event.event === 'ready') settle(() => resolve(event));
        if (event.event === 'exit') fail(event.reason);
      };
    });
  }

  function request(
    content: object,
    isLast: (event: AgentEvent['event']) => boolean,
    { taken, predict }: RequestOptions = {},
  ): Promise<Outcome> {
    if (hasExited) return Promise.resolve({ event: 'silent' });
    const id = ++requestCount;
    return new Promise((resolve) => {
      let hasStarted = false;
      const finish = (outcome: Outcome): void => {
        clearTimeout(silence);
        clearTimeout(deadline);
        clearTimeout(refreshing);
        taken?.removeEventListener('abort', onTaken);
        listener = () => undefined;
        resolve(outcome);
      };
      const onTaken = (): void => finish({ event: 'taken' });
      taken?.addEventListener('abort', onTaken);
      const silence = setTimeout(() => finish({ event: 'silent' }), Math.min(answerTimeoutMs, requestTimeoutMs));
      const deadline = setTimeout(() => finish({ event: 'late' }), requestTimeoutMs);
      let refreshing: NodeJS.Timeout | undefined;
      listener = (event) => {
        if ('id' in event && event.id !== id) return;
        if (event.event === 'exit' && !hasStarted) {
          finish({ event: 'silent' });
          return;
        }
        hasStarted = true;
        clearTimeout(silence);
        clearTimeout(refreshing);
        if (event.event === 'refreshing')
          refreshing = setTimeout(() => finish({ event: 'stuck' }), requestTimeoutMs * refreshShare);
        if (event.event === 'table')
          void (predict?.(event) ?? Promise.resolve(null)).then((prediction) => agent.send({ prediction }));
        else if (isLast(event.event)) finish(event);
      };
      agent.send({ id, ...content });
    });
  }

  return { pid: agent.pid, ended, untilReady, request };
}
