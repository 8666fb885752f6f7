import { AppError, type AppErrorOptions, type ErrorCode } from '../shared/errors.ts';

/**
 * A failed run in an engine. `slotLost` is true when the process died or had to be killed because of its work. The caller
 * counts these failures.
 */
export class EngineError extends AppError {
  readonly slotLost: boolean;

  constructor(code: ErrorCode, publicMessage: string, slotLost: boolean, options: AppErrorOptions = {}) {
    super(code, publicMessage, options);
    this.slotLost = slotLost;
  }
}

export function isSlotLost(error: unknown): error is EngineError {
  return error instanceof EngineError && error.slotLost;
}
