import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, docxType, expectProblem, nextOf, pdfType } from '../../support/client/api-client.ts';
import type { CaughtMail } from '../../support/client/mailbox.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { address, letter } from './samples.ts';

const { newClient, mailbox, operator } = await useService(inject('stack'));
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('Offer.docx', letter('Dear {name}'))).id;
});

interface Delivery {
  readonly id: string;
  readonly documentId: string;
  readonly status: string;
  readonly attempts: number;
  readonly recipients: readonly { readonly address: string; readonly status: string }[];
  readonly finishedAt?: string;
}

const send = (email: unknown, output: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
  client.generate(id, { data: { name: 'Ada' }, output: { ...output, email } });

/** Waits until the delivery of the response has ended. */
async function delivered(answer: Answer): Promise<Delivery> {
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 300)).toBe(200);
  const delivery = answer.headers.get('Email-Delivery-Id') ?? '';
  expect(delivery).toMatch(/^dlv_\w{26}$/);
  const read = async () => (await client.call('GET', `/v1/deliveries/${delivery}`)).json<Delivery>();
  const hasEnded = async () => !['pending', 'sending'].includes((await read()).status);
  await expect.poll(hasEnded, { interval: 50 }).toBe(true);
  return read();
}

async function onlyMailTo(recipient: string): Promise<CaughtMail> {
  const mails = await mailbox.to(recipient);
  expect(mails).toHaveLength(1);
  return mails[0] as CaughtMail;
}

const addressesOf = (list: CaughtMail['to']) => list?.map((each) => each.address) ?? [];

test.each([
  ['docx', docxType],
  ['pdf', pdfType],
])('a %s is returned and e-mailed with the same bytes and file name', async (format, type) => {
  const [to, cc, bcc] = [address('to'), address('cc'), address('bcc')];
  const email = { to: [to], cc: [cc], bcc: [bcc] };
  const answer = await send(email, { format, filename: 'Angebot für Ada' });
  expect(answer.headers.get('Content-Type')).toBe(type);
  const delivery = await delivered(answer);
  expect(delivery).toMatchObject({
    status: 'sent',
    attempts: 1,
    recipients: [to, cc, bcc].map((recipient) => ({ address: recipient, status: 'sent' })),
  });
  const mail = await onlyMailTo(to);
  expect(addressesOf(mail.to)).toEqual([to]);
  expect(addressesOf(mail.cc)).toEqual([cc]);
  expect(mail.envelopeTo.toSorted()).toEqual([to, cc, bcc].toSorted());
  expect(mail.source.split('\r\n\r\n')[0]?.replace(/^X-Envelope-To:.*(\r\n .*)*/m, '')).not.toContain(bcc);
  expect(mail.attachments).toHaveLength(1);
  const [attachment] = mail.attachments;
  expect(attachment?.mimeType).toBe(type);
  expect(attachment?.filename).toBe(`Angebot für Ada.${format}`);
  expect(attachment?.disposition).toBe('attachment');
  expect(Buffer.from(attachment?.content as ArrayBuffer).equals(answer.bytes)).toBe(true);
});

test('the default subject and body are in the language of the document', async () => {
  const to = address();
  await delivered(await send({ to: [to] }, { locale: 'de-DE' }));
  const mail = await onlyMailTo(to);
  expect(mail.subject).toBe('Ihr Dokument: Offer.docx');
  expect(mail.text).toMatch(/^Guten Tag,/);
});

test('an e-mail that was sent is sent again to other recipients, as a new delivery, without a charge', async () => {
  const [first, to, bcc] = [address('first'), address('again'), address('hidden')];
  const answer = await send({ to: [first], subject: 'Your offer', body: 'Dear Ada' });
  const { documentId, ...sent } = await delivered(answer);
  const before = await client.quotas();
  const request = { documentId, to: [to], bcc: [bcc] };
  const headers = { 'Idempotency-Key': documentId };
  const created = await client.call('POST', '/v1/deliveries', { json: request, headers });
  expect(created.status, created.bytes.toString('utf8').slice(0, 300)).toBe(202);
  const { id: again } = created.json<Delivery>();
  expect(again).not.toBe(sent.id);
  const repeated = await client.call('POST', '/v1/deliveries', { json: request, headers });
  expect(repeated.json<Delivery>().id).toBe(again);
  const read = async () => (await client.call('GET', `/v1/deliveries/${again}`)).json<object>();
  const recipients = [to, bcc].map((each) => ({ address: each, status: 'sent' }));
  await expect.poll(read).toMatchObject({ status: 'sent', documentId, recipients, to: [to], cc: [], bcc: [bcc] });
  const mail = await onlyMailTo(to);
  expect([mail.subject, mail.text?.trimEnd(), addressesOf(mail.to)]).toEqual(['Your offer', 'Dear Ada', [to]]);
  expect(mail.envelopeTo.toSorted()).toEqual([to, bcc].toSorted());
  expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).equals(answer.bytes)).toBe(true);
  expect(await onlyMailTo(first)).toBeDefined();
  expect(await client.quotas()).toStrictEqual(before);
  const { emailRecipients } = (await client.call('GET', `/v1/jobs/${documentId}`)).json<{
    emailRecipients: string[];
  }>();
  expect(emailRecipients).toEqual([first]);
  const timeline = (await client.call('GET', `/v1/jobs/${documentId}/timeline`)).json<{ deliveryId?: string }[]>();
  expect(timeline.flatMap(({ deliveryId }) => deliveryId ?? [])).toEqual([sent.id, again]);
});

test('an e-mail is not sent again to nobody, for another account, or for a document without an e-mail', async () => {
  const answer = await client.generate(id, { data: { name: 'Ada' } }, { 'Idempotency-Key': address() });
  const documentId = answer.headers.get('Document-Id') ?? '';
  const again = (body: object, by: TestClient = client) => by.call('POST', '/v1/deliveries', { json: body });
  const to = [address()];
  expectProblem(await again({ documentId, to: [] }), 400, /to: must name at least one recipient/);
  expectProblem(await again({ documentId, to: ['ada'] }), 400, /to\[0\]/);
  expectProblem(await again({ documentId: 'doc_\u0000', to }), 400, /documentId/);
  expectProblem(await again({ documentId, to }), 409, /no e-mail to send/);
  expectProblem(await again({ documentId, to }, await newClient()), 404);
});

test('an e-mail with an invalid address or subject is rejected, not sent and not charged', async () => {
  const good = address('good');
  const before = await client.quotas();
  const email = { to: [good, 'ada'], subject: 'a\r\nBcc: x@inbox.example' };
  const { details } = expectProblem(await send(email), 400);
  expect(details?.map(({ path }) => path)).toEqual(['output.email.subject', 'output.email.to[1]']);
  expect(await client.quotas()).toStrictEqual(before);
  expect(await mailbox.to(good)).toEqual([]);
});

test('deliveries are listed for their account alone, newest first, by page and by status', async () => {
  const owner = await newClient();
  const template = await owner.template('Offer.docx', letter('Dear {name}'));
  const created: string[] = [];
  for (let i = 0; i < 3; i++) {
    const output = { email: { to: [address()] } };
    const answer = await owner.generate(template.id, { data: { name: 'Ada' }, output });
    expect(answer.status).toBe(200);
    created.unshift(answer.headers.get('Email-Delivery-Id') ?? '');
  }
  const list = async (path: string) => {
    const answer = await owner.call('GET', path);
    expect(answer.status).toBe(200);
    return { ids: answer.json<readonly Delivery[]>().map(({ id }) => id), next: nextOf(answer) };
  };
  await expect.poll(async () => (await list('/v1/deliveries?status=sent')).ids).toEqual(created);
  expect((await list('/v1/deliveries?status=failed')).ids).toEqual([]);
  const first = await list('/v1/deliveries?limit=2');
  expect(first.ids).toEqual(created.slice(0, 2));
  expect(await list(first.next ?? '')).toEqual({ ids: created.slice(2), next: undefined });
  const newcomer = await newClient();
  expect((await newcomer.call('GET', '/v1/deliveries')).json()).toEqual([]);
});

describe('the limits of an account', () => {
  const newSender = async (limits: { readonly recipients?: string; readonly 'per-recipient'?: string }) => {
    const sender = await newClient({ docs: 50, templates: 5 });
    const template = await sender.template('Offer.docx', letter('Dear {name}'));
    await operator.run('set-email-limits', { account: sender.accountId, ...limits });
    const to = (...recipients: string[]) =>
      sender.generate(template.id, { data: { name: 'Ada' }, output: { email: { to: recipients } } });
    const batch = (operation: 'batches' | 'batches/quote', recipients: readonly string[]) =>
      sender.call('POST', `/v1/templates/${template.id}/${operation}`, {
        json: {
          items: recipients.map((email) => ({ data: { name: 'Ada', email } })),
          output: { email: { to: ['{email}'] } },
        },
      });
    return { sender, to, batch };
  };
  const retryAfter = (answer: Answer) => Number(answer.headers.get('Retry-After'));

  test('let concurrent requests reach exactly as many recipients as allowed; the others get 429 and cost nothing', async () => {
    const { sender, to } = await newSender({ recipients: '3' });
    const people = Array.from({ length: 8 }, (_, i) => address(`p${i}`));
    const answers = await Promise.all(people.map((recipient) => to(recipient)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(5);
    for (const answer of refused) {
      expectProblem(answer, 429, /an account may send to 3 recipients in a day \(UTC\)/);
      expect(answer.headers.get('Error-Code')).toBe('email_limit_exceeded');
      expect(retryAfter(answer)).toBeGreaterThan(0);
      expect(retryAfter(answer)).toBeLessThanOrEqual(86_400);
    }
    expect((await sender.quotas()).remaining.total.docs).toBe(47);
    const expected = answers.map(({ status }) => (status === 200 ? 1 : 0));
    const arrived = async () => (await Promise.all(people.map(mailbox.to))).map((mails) => mails.length);
    await expect.poll(arrived).toEqual(expected);
    const { id: other } = await sender.template('Other.docx', letter('{name}'));
    expect((await sender.generate(other, { data: { name: 'Ada' } })).status).toBe(200);
  });

  test('refuse a batch as a whole, as its quote predicts', async () => {
    const { sender, to, batch } = await newSender({ recipients: '3' });
    expect((await to(address())).status).toBe(200);
    const people = [address('a'), address('b'), address('c')];
    const quote = (await batch('batches/quote', people)).json<{ fits: boolean; emailProblem?: string }>();
    expect(quote).toMatchObject({ fits: false, emailProblem: expect.stringContaining('3 recipients, 2 are left') });
    expectProblem(await batch('batches', people), 429, /3 recipients, 2 are left/);
    expect((await sender.quotas()).remaining.total.docs).toBe(49);
    expect((await batch('batches/quote', people.slice(1))).json()).not.toHaveProperty('emailProblem');
    expect((await batch('batches', people.slice(1))).status).toBe(202);
    for (const recipient of people.slice(1))
      await expect.poll(async () => (await mailbox.to(recipient)).length).toBe(1);
    expect(await mailbox.to(people[0] ?? '')).toEqual([]);
  });
});
