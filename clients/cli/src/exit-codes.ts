/** Exit codes of the program. They are part of its interface: scripts depend on them. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  authentication: 3,
  notFound: 4,
  unavailable: 5,
  quota: 6,
  conflict: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The meaning of each exit code, for the help text and the reference. */
export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.ok, 'done'],
  [exitCodes.failed, 'the request was rejected, a document failed, or a comparison found differences'],
  [exitCodes.usage, 'wrong arguments or options, or a file that cannot be read or written'],
  [exitCodes.authentication, 'no API key, a wrong one, or one without the scope'],
  [exitCodes.notFound, 'the template, job, batch or delivery does not exist'],
  [exitCodes.unavailable, 'the service cannot be reached, is saturated, or limits the rate; try again later'],
  [exitCodes.quota, 'the quota or the budget of the key is used up'],
  [exitCodes.conflict, 'another client changed it first, or its state does not allow the operation'],
  [exitCodes.interrupted, 'interrupted with Ctrl-C'],
];
