import { describe, expect, it, onTestFinished } from 'vitest';
import { createMailer, type Mailer } from '../../../src/worker/mail/mailer.ts';
import { mailerOptions, mailMessage, peerAndMailer } from './mail-fixtures.ts';
import { type MailSink, startMailSink } from './mail-sink.ts';

function mailerFor(url: string): Mailer {
  const mailer = createMailer(mailerOptions(url));
  onTestFinished(() => mailer.close());
  return mailer;
}

const loginSink = (secure: boolean): Promise<MailSink> =>
  startMailSink({
    secure,
    authOptional: false,
    onAuth(auth, _session, callback) {
      if (auth.username === 'jane' && auth.password === 'p:ss/w') callback(null, { user: 'jane' });
      else callback(new Error('no'));
    },
  });

describe('TLS', () => {
  it('is used through STARTTLS when the server offers it, with the login inside', async () => {
    const sink = await loginSink(false);
    const mailer = mailerFor(`smtp://jane:p%3Ass%2Fw@127.0.0.1:${sink.port}?verify=off`);
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(sink.arrived.map(({ isSecure }) => isSecure)).toEqual([true]);
  });

  it('is used from the start with smtps', async () => {
    const sink = await loginSink(true);
    const mailer = mailerFor(`smtps://jane:p%3Ass%2Fw@127.0.0.1:${sink.port}?verify=off`);
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(sink.arrived.map(({ isSecure }) => isSecure)).toEqual([true]);
  });

  it.each([false, true])('rejects an untrusted certificate (smtps: %s)', async (secure) => {
    const sink = await loginSink(secure);
    const mailer = mailerFor(`${secure ? 'smtps' : 'smtp'}://jane:p%3Ass%2Fw@127.0.0.1:${sink.port}`);
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'tls' });
    expect(sink.arrived).toEqual([]);
  });

  it('is not used when it is switched off', async () => {
    const sink = await startMailSink();
    const mailer = mailerFor(`smtp://127.0.0.1:${sink.port}?tls=off`);
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(sink.arrived.map(({ isSecure }) => isSecure)).toEqual([false]);
  });

  it('is never skipped when it is required', async () => {
    const { peer } = await peerAndMailer();
    const mailer = mailerFor(`smtp://jane:secret@127.0.0.1:${peer.port}?tls=required`);
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'tls' });
    expect([peer.count('AUTH'), peer.count('MAIL'), peer.messages.length]).toEqual([0, 0, 0]);
  });

  it('reports a wrong password as a problem for the operator', async () => {
    const sink = await loginSink(false);
    const mailer = mailerFor(`smtp://jane:wrong@127.0.0.1:${sink.port}?verify=off`);
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'auth' });
  });
});
