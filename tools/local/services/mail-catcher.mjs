import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SMTPServer } from 'smtp-server';

const [port, mailDir, incomingDir] = process.argv.slice(2);
if (port === undefined || mailDir === undefined || incomingDir === undefined) {
  throw new Error('usage: mail-catcher <port> <folder> <folder for unfinished mails>');
}

let caught = 0;

/** Writes a mail to a draft and renames it when complete. */
async function save(stream, session) {
  caught += 1;
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const name = `${stamp}-${process.pid}-${String(caught).padStart(5, '0')}.eml`;
  const draft = join(incomingDir, name);
  try {
    await pipeline(withEnvelope(stream, session), createWriteStream(draft, { mode: 0o600 }));
    if (stream.sizeExceeded) throw Object.assign(new Error('the mail is too large'), { responseCode: 552 });
    await rename(draft, join(mailDir, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Prepends the envelope, because blind recipients are not in the headers of the mail. */
async function* withEnvelope(stream, session) {
  const { mailFrom, rcptTo } = session.envelope;
  const recipients = rcptTo.map(({ address }) => address).join(',\r\n ');
  yield Buffer.from(`X-Envelope-From: ${mailFrom === false ? '<>' : mailFrom.address}\r\n`);
  yield Buffer.from(`X-Envelope-To: ${recipients}\r\n`);
  yield* stream;
}

/** Refuses recipients at this domain, so that failed deliveries can be tested. */
const refusedDomain = '@refused.example';

const server = new SMTPServer({
  banner: 'mail catcher',
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  closeTimeout: 1_000,
  size: 100 * 1024 * 1024,
  onRcptTo: ({ address }, _session, done) => {
    if (!address.endsWith(refusedDomain)) done();
    else done(Object.assign(new Error(`${address}: no such mailbox`), { responseCode: 550 }));
  },
  onData: (stream, session, done) => {
    save(stream, session).then(
      () => done(),
      (error) => done(error),
    );
  },
});
server.on('error', (error) => {
  console.error(error.message);
  if ('code' in error && error.code === 'EADDRINUSE') process.exit(1);
});
server.listen(Number(port), '127.0.0.1');

process.once('SIGTERM', () => server.close(() => process.exit(0)));
