import { PDF } from '@libpdf/core';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, expectProblem, uploadForm } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { bill, billPage, invoiceMap as map } from './mapped-invoice.ts';
import { letter } from './samples.ts';

/** What the pages show of the invoice below. */
const page = [
  'Invoice {number}, {date}, due 2026-12-29, delivered 2026-11-28',
  'Müller & Söhne GmbH, VAT identifier DE123456789',
  'Stadt Köln',
  'Beratung 3 h 95.50 286.50',
  'VAT 19 % of 286.50: 54.44',
  'Amount due: {due} EUR',
  'IBAN DE02 1203 0000 0000 2020 51',
];

const { newClient } = await useService(inject('stack'));
let client: TestClient;
let id: string;
beforeAll(async () => {
  client = await newClient();
  id = (await client.template('Invoice.docx', letter(...page))).id;
});

const address = { line1: 'Hauptstraße 1', city: 'Berlin', postCode: '10115', country: 'DE' };
const invoice = {
  number: 'R-2026-117',
  issueDate: '2026-11-29',
  dueDate: '2026-12-29',
  currency: 'EUR',
  buyerReference: '04011000-12345-03',
  seller: {
    name: 'Müller & Söhne GmbH',
    vatId: 'DE123456789',
    electronicAddress: { id: 'rechnung@mueller.example', scheme: 'EM' },
    address,
    contact: { name: 'Eva Müller', phone: '+49 30 123456', email: 'eva@mueller.example' },
  },
  buyer: {
    name: 'Stadt Köln',
    electronicAddress: { id: 'eingang@koeln.example', scheme: 'EM' },
    address: { ...address, city: 'Köln', postCode: '50667' },
  },
  delivery: { date: '2026-11-28' },
  payment: { code: '58', transfers: [{ account: 'DE02120300000000202051' }] },
  lines: [
    { quantity: 3, unit: 'HUR', price: { net: 95.5 }, vat: { category: 'S', rate: 19 }, item: { name: 'Beratung' } },
  ],
};

const generate = (output: object): Promise<Answer> => client.generate(id, { data: shown, output });
const shown = { number: invoice.number, date: '2026-11-29', due: '340.94' };
const hybrid = (options: object, pdf: object = {}): Promise<Answer> =>
  generate({ format: 'pdf', pdf: { ...pdf, invoice: { format: 'factur-x', profile: 'en16931', ...options } } });

async function validated(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const answer = await client.call('POST', '/v1/invoices/validate', { body: uploadForm('invoice', bytes) });
  expect(answer.status, answer.bytes.toString()).toBe(200);
  return answer.json();
}

async function jobOf(answer: Answer): Promise<Record<string, unknown>> {
  expect(answer.status, answer.bytes.toString('utf8').slice(0, 1_000)).toBe(200);
  return (await client.call('GET', `/v1/jobs/${answer.headers.get('document-id')}`)).json();
}

describe('a hybrid PDF', () => {
  test.each([
    ['minimum', 'MINIMUM', 'Data'],
    ['basic-wl', 'BASIC WL', 'Data'],
    ['basic', 'BASIC', 'Alternative'],
    ['en16931', 'EN 16931', 'Alternative'],
    ['extended', 'EXTENDED', 'Alternative'],
    ['xrechnung', 'XRECHNUNG', 'Alternative'],
  ])('of the profile %s is valid, and conforms to PDF/A-3b', async (profile, conformanceLevel, relationship) => {
    const answer = await hybrid({ profile, data: invoice });
    expect(await jobOf(answer)).toMatchObject({ conformance: { passed: true }, warnings: [] });
    const name = profile === 'xrechnung' ? 'xrechnung.xml' : 'factur-x.xml';
    expect(await validated(answer.bytes)).toMatchObject({
      valid: true,
      differences: [],
      profile: conformanceLevel,
      attachment: { name, conformanceLevel, relationship },
    });
  });

  test('that is accessible and has other attachments still conforms', async () => {
    const attachments = [{ name: 'order.xml', mediaType: 'application/xml', content: 'PG9yZGVyLz4=' }];
    const answer = await hybrid({ data: invoice, relationship: 'Source' }, { accessible: true, attachments });
    expect(await jobOf(answer)).toMatchObject({ conformance: { passed: true }, warnings: [] });
    const file = await PDF.load(answer.bytes);
    expect([...file.getAttachments().keys()].sort()).toEqual(['factur-x.xml', 'order.xml']);
    expect(await validated(answer.bytes)).toMatchObject({ attachment: { relationship: 'Source' } });
  });

  test('of an invoice that breaks a rule is refused with the rule, and costs nothing', async () => {
    const left = async () => (await client.quotas()).remaining.total.docs;
    const before = await left();
    expect((await hybrid({ data: invoice })).status).toBe(200);
    expect(await left()).toBe(before - 1);
    const answer = await hybrid({ data: { ...invoice, totals: { withVat: '1.00' } } });
    expectProblem(answer, 400, /^The invoice is not valid. BR-CO-15/);
    expect(answer.headers.get('error-code')).toBe('invoice_invalid');
    expect(answer.json()).toMatchObject({
      error: { details: [{ type: 'Rule', rule: 'BR-CO-15', businessTerms: ['BT-112'] }] },
    });
    expect(await left()).toBe(before - 1);
  });

  test('without XML, data and a mapping is refused', async () => {
    const answer = await hybrid({});
    expectProblem(answer, 400, /has neither XML nor data/);
  });
});

describe('pages that differ from the invoice', () => {
  const options = { format: 'factur-x', profile: 'en16931', data: invoice };
  const made = (changes: object, invoiceOptions: object = {}): Promise<Answer> =>
    client.generate(id, {
      data: { ...shown, ...changes },
      output: { format: 'pdf', pdf: { invoice: { ...options, ...invoiceOptions } } },
    });

  test('are refused with both values and the place, and cost nothing', async () => {
    const left = async () => (await client.quotas()).remaining.total.docs;
    const before = await left();
    const answer = await made({ due: '340.95', date: '2026-11-30' });
    expectProblem(answer, 400, /^The pages differ from the invoice. Issue date \(BT-2\)/);
    expect(answer.headers.get('error-code')).toBe('invoice_differs');
    const { error } = answer.json<{ error: { details: readonly object[] } }>();
    expect(error.details).toContainEqual(
      expect.objectContaining({
        type: 'Difference',
        businessTerms: ['BT-115'],
        expected: '340.94',
        found: '340.95',
        page: 1,
        box: expect.objectContaining({ x: expect.any(Number), y: expect.any(Number) }),
      }),
    );
    expect(await left()).toBe(before);
  });

  test('have warnings on request, and the validation lists the differences', async () => {
    const answer = await made({ due: '340.95' }, { onDifference: 'warn' });
    const { warnings } = await jobOf(answer);
    expect(warnings).toContainEqual({ code: 'invoice_differs', message: expect.stringContaining('"340.95"') });
    expect(await validated(answer.bytes)).toMatchObject({
      valid: true,
      differences: expect.arrayContaining([expect.objectContaining({ businessTerms: ['BT-115'], found: '340.95' })]),
    });
  });

  test('are refused for XML that is given, too', async () => {
    const xml = await generate({ format: 'xml', xml: { profile: 'en16931', syntax: 'cii', data: invoice } });
    const given = { content: xml.bytes.toString('base64'), data: undefined };
    expect((await made({}, given)).status).toBe(200);
    expectProblem(await made({ number: 'R-2026-118' }, given), 400, /Invoice number \(BT-1\) is "R-2026-117"/);
  });
});

describe('an invoice without pages', () => {
  test.each([
    ['xrechnung', 'cii', 'cii', 'XRECHNUNG'],
    ['xrechnung', 'ubl', 'ubl-invoice', 'XRECHNUNG'],
    ['peppol', undefined, 'ubl-invoice', 'PEPPOL BIS 3'],
  ])('of the profile %s in %s is valid XML', async (profile, syntax, written, name) => {
    const answer = await generate({ format: 'xml', xml: { profile, syntax, data: invoice } });
    expect(await jobOf(answer)).toMatchObject({ format: 'xml', filename: 'Invoice.xml' });
    expect(answer.headers.get('content-type')).toBe('application/xml');
    expect(await validated(answer.bytes)).toMatchObject({ valid: true, syntax: written, profile: name });
    const again = await generate({
      format: 'xml',
      xml: { profile, syntax, content: answer.bytes.toString('base64') },
    });
    expect(again.bytes.equals(answer.bytes)).toBe(true);
  });
});

describe('an invoice mapping', () => {
  const upload = (method: string, path: string, mapping?: unknown): Promise<Answer> => {
    const body = uploadForm('Bill.docx', letter(...billPage));
    if (mapping !== undefined) body.append('invoiceMap', JSON.stringify(mapping));
    return client.call(method, path, { body });
  };
  const mapOf = async (template: string, version: number): Promise<unknown> => {
    const answer = await client.call('GET', `/v1/templates/${template}/schema?version=${version}`);
    return answer.json<{ invoiceMap: unknown }>().invoiceMap;
  };

  test('is checked at upload, with the place of each mistake', async () => {
    const { 'BT-1': _number, ...rest } = map;
    const wrong = { ...rest, 'BT-2': 'date |', 'BT-999': 'x', 'BT-129': 'hours' };
    const { details = [] } = expectProblem(await upload('POST', '/v1/templates', wrong), 400, /invoice mapping/);
    expect(details.map(({ message }) => message).sort()).toEqual([
      'invoiceMap["BT-1"]: is missing: every invoice needs it',
      'invoiceMap["BT-129"]: belongs to the group BG-25',
      'invoiceMap["BT-2"]: is not a valid expression: the expression ends too early',
      'invoiceMap["BT-999"]: is not a business term of EN 16931, such as BT-1',
    ]);
    const { 'BT-34': _address, ...less } = map;
    const answer = await upload('POST', '/v1/templates', { profile: 'xrechnung', ...less });
    expectProblem(answer, 400);
    expect(answer.bytes.toString()).toContain('invoiceMap[\\"BT-34\\"]: is missing');
  });

  test('is stored with the version, kept by the next one, and removed by {}', async () => {
    const created = await upload('PUT', '/v1/templates', map);
    expect(created.status, created.bytes.toString()).toBe(201);
    const { id: template } = created.json<{ id: string }>();
    expect(await mapOf(template, 1)).toEqual(map);
    expect((await upload('PUT', '/v1/templates', map)).json()).toMatchObject({ version: 1 });
    expect((await upload('PUT', '/v1/templates', { ...map, 'BT-20': "'Net'" })).json()).toMatchObject({ version: 2 });
    const kept = await upload('PUT', `/v1/templates/${template}/content`);
    expect(kept.json()).toMatchObject({ version: 3 });
    expect(await mapOf(template, 3)).toEqual({ ...map, 'BT-20': "'Net'" });
    expect((await upload('PUT', '/v1/templates', {})).json()).toMatchObject({ version: 4 });
    expect(await mapOf(template, 4)).toBeNull();
  });

  test('makes the invoice of single documents, jobs and batches', async () => {
    const { id: template } = (await upload('POST', '/v1/templates', map)).json<{ id: string }>();
    const output = { format: 'pdf', pdf: { invoice: { format: 'zugferd', profile: 'xrechnung' } } };
    const answer = await client.generate(template, { data: bill, output });
    expect(await jobOf(answer)).toMatchObject({ conformance: { passed: true }, warnings: [] });
    expect(await validated(answer.bytes)).toMatchObject({ valid: true, profile: 'XRECHNUNG' });
    const again = await client.generate(template, { data: bill, output });
    expect(again.bytes.equals(answer.bytes)).toBe(true);

    const wrong = await client.generate(template, { data: { ...bill, total: '220.00' }, output });
    expectProblem(wrong, 400, /BR-CO-15/);
    expect(wrong.json()).toMatchObject({ error: { details: [{ expressions: { 'BT-112': 'total' } }] } });

    const xml = { format: 'xml', xml: { profile: 'xrechnung', syntax: 'ubl' } };
    const batch = await client.call('POST', `/v1/templates/${template}/batches`, {
      json: { items: [{ data: bill }, { data: { ...bill, total: '1.00' } }], output: xml, bundle: 'none' },
    });
    expect(batch.status, batch.bytes.toString()).toBe(202);
    const { id: batchId } = batch.json<{ id: string }>();
    await expect
      .poll(async () => (await client.call('GET', `/v1/batches/${batchId}`)).json(), { timeout: 60_000, interval: 300 })
      .toMatchObject({ status: 'completed', counts: { succeeded: 1, failed: 1 } });
  });
});
