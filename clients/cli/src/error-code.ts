/** Whether it is an error of the system with this code, such as ENOENT for a file that is missing. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
