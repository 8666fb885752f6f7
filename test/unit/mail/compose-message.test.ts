import { expect, test } from 'vitest';
import { composeMessage } from '../../../src/worker/mail/compose-message.ts';

const headers = { from: { name: '', address: 'a@example.com' }, messageId: 'm', to: [], cc: [], isUtf8: false };

async function compose(filename: string, contentType: string, content: Buffer): Promise<string> {
  const attachment = { filename: 'letter.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') };
  const others = [{ filename, contentType, content }];
  const message = { messageId: 'm', to: [], cc: [], bcc: [], subject: 's', body: 'b', attachment, others };
  return (await composeMessage(message, headers)).toString('latin1');
}

test.each(['message/rfc822', 'multipart/mixed', 'Message/Partial', 'text/plain'])(
  'a file of the type %s arrives byte for byte',
  async (contentType) => {
    const content = Buffer.from('Subject: x\n\nlong \u00fc\n.\n', 'latin1');
    const message = await compose('mail.eml', contentType, content);
    const part = message.slice(message.lastIndexOf('Content-Type:'));
    expect(part).toMatch(/^Content-Transfer-Encoding: base64\r$/m);
    expect(part).not.toContain('boundary');
    expect(part).toContain(`\r\n\r\n${content.toString('base64')}\r\n`);
  },
);

test('the name of a file adds no header', async () => {
  const message = await compose('a"\r\nBcc: x@example.com\r\n\u2028b.txt', 'text/plain', Buffer.from('x'));
  expect(message).not.toMatch(/^Bcc:/im);
});
