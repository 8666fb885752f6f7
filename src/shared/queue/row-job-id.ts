/** Each dispatch has its own job id, because a row is often dispatched again while its failed job is still running. */
export function rowJobId(documentId: string, dispatchedAt: Date): string {
  return `${documentId}.${dispatchedAt.getTime()}`;
}
