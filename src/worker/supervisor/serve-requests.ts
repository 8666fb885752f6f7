import { onFrame, writeFrame } from './frame-pipes.ts';
import { frameToMessage, messageToPieces } from './message-frame.ts';

/**
 * In a process started by `startProcessSlot`: sets its title, reports that it is ready, and answers each request.
 * Requests and answers may contain binary fields and JSON values only.
 */
export function serveRequests<Request, Answer extends object>(
  title: string,
  answer: (request: Request) => Promise<Answer>,
): void {
  process.title = title;
  // The parent ends this process: a signal for the whole service must not interrupt a request.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  const send = (message: object): void => writeFrame(messageToPieces(message));
  onFrame((frame) => {
    answer(frameToMessage(frame) as Request).then(send, (error: unknown) =>
      send({ kind: 'broken', stack: error instanceof Error ? `${error.stack}` : String(error) }),
    );
  });
  send({ kind: 'ready' });
}
