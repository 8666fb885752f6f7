import { S3Error } from 'minio';
import { isTlsCode } from '../connection-errors.ts';
import type { Logger } from '../logger.ts';

/**
 * S3 error codes that only the operator can fix (Amazon S3 API, "List of error codes"), with the variables to check.
 */
const faultyVariables: ReadonlyMap<string, string> = new Map([
  ['AccessDenied', 'S3_ACCESS_KEY_ID, its secret and its permissions'],
  ['AllAccessDisabled', 'S3_BUCKET'],
  ['AccountProblem', 'S3_ACCESS_KEY_ID'],
  ['AuthorizationHeaderMalformed', 'S3_REGION'],
  ['ExpiredToken', 'S3_ACCESS_KEY_ID'],
  ['InvalidAccessKeyId', 'S3_ACCESS_KEY_ID'],
  ['InvalidBucketName', 'S3_BUCKET'],
  ['InvalidToken', 'S3_ACCESS_KEY_ID'],
  ['NoSuchBucket', 'S3_BUCKET'],
  ['NotSignedUp', 'S3_ACCESS_KEY_ID'],
  ['PermanentRedirect', 'S3_ENDPOINT and S3_REGION'],
  ['RequestTimeTooSkewed', 'the clock of this machine'],
  ['SignatureDoesNotMatch', 'S3_SECRET_ACCESS_KEY'],
]);
const pauseMs = 60_000;

function codeOf(error: unknown): string {
  if (error instanceof S3Error) return error.code ?? '';
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Logs an error that only the operator can fix, at most once a minute for each code. Ignores all others. */
export type FaultLog = (error: unknown) => void;

export function createFaultLog(logger: Logger | undefined): FaultLog {
  const loggedAtMs = new Map<string, number>();
  return (error) => {
    const code = codeOf(error);
    const variable = isTlsCode(code) ? 'S3_ENDPOINT and S3_CA' : faultyVariables.get(code);
    if (variable === undefined || performance.now() < (loggedAtMs.get(code) ?? -pauseMs) + pauseMs) return;
    loggedAtMs.set(code, performance.now());
    logger?.error({ code }, `the file store refuses requests: check ${variable}`);
  };
}
