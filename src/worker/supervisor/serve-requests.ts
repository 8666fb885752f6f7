/** In a process that `startProcessSlot` starts: sets its name, says that it is ready, and answers one request after the other. */
export function serveRequests<Request, Answer extends object>(
  title: string,
  answer: (request: Request) => Promise<Answer>,
): void {
  process.title = title;
  // The parent ends this process: a signal to the whole group must not interrupt a request.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  process.on('disconnect', () => process.exit(0));
  const send = (message: object): boolean | undefined => process.send?.(message);
  process.on('message', (request) => {
    answer(request as Request).then(send, (error: unknown) =>
      send({ kind: 'broken', stack: error instanceof Error ? `${error.stack}` : String(error) }),
    );
  });
  send({ kind: 'ready' });
}
