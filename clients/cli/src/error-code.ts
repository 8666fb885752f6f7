/** Whether it is a system error with this code, such as ENOENT for a missing file. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
