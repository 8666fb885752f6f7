import { AppError } from '../../shared/errors.ts';

/** Refuses a whole stream: `offset` is the first byte, counted from 0, that cannot be. Nothing was charged. */
export function malformedStream(problem: string, offset: number): AppError {
  const message = `The request body ${problem} (at byte ${offset})`;
  return new AppError('invalid_request', message, { details: [{ type: 'Message', message, offset }] });
}
