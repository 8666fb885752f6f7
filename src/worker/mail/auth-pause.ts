import { classifyError } from './classify-error.ts';
import type { Transmission } from './transmit.ts';

/** Remembers that the server refused our credentials, so that a full queue does not become a storm of logins. */
export interface AuthPause {
  isActive(): boolean;
  /** Starts the pause when this is such a refusal, and hands the transmission on. */
  note(transmission: Transmission): Transmission;
}

export function createAuthPause(pauseMs: number): AuthPause {
  let untilMs = 0;
  const isActive = (): boolean => performance.now() < untilMs;
  return {
    isActive,
    note(transmission) {
      const { error, stage } = transmission;
      if (error === undefined || isActive()) return transmission;
      const verdict = classifyError(error, stage);
      if (verdict.status === 'failed' && verdict.reason === 'auth') untilMs = performance.now() + pauseMs;
      return transmission;
    },
  };
}
