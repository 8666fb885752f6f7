import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { pdfWithAttachment } from '../../support/documents/pdf-with-attachment.ts';
import { formOf } from './form-bodies.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
beforeAll(async () => {
  client = await newClient();
});

const sample = (name: string): Buffer =>
  readFileSync(new URL(`../../../packages/einvoice/test/invoices/${name}.xml`, import.meta.url));
const validate = (file: Uint8Array) =>
  client.call('POST', '/v1/invoices/validate', { body: formOf([['file', file, 'invoice']]) });

const invoice = sample('cii-example5');
/** The same invoice with a total that is not the sum of its parts. */
const wrong = Buffer.from(invoice.toString().replace(/(<ram:GrandTotalAmount>)[^<]*/, '$19999.99'));

describe('an invoice', () => {
  test('that keeps the rules is valid', async () => {
    const { status, json } = await validate(invoice);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      valid: true,
      syntax: 'cii',
      profile: 'EN 16931',
      ruleSets: ['en16931-cii'],
      attachment: null,
      findings: [],
      hasMoreFindings: false,
    });
  });

  test('that breaks a rule is not valid, and the rule is named with its terms and place', async () => {
    const { status, json } = await validate(wrong);
    expect(status).toBe(200);
    expect(json).toMatchObject({ valid: false });
    expect(json.findings).toContainEqual(
      expect.objectContaining({
        id: 'BR-CO-15',
        severity: 'fatal',
        businessTerms: expect.arrayContaining(['BT-112']),
        location: expect.stringContaining('SpecifiedTradeSettlementHeaderMonetarySummation'),
      }),
    );
  });

  test('in a PDF is found, and its profile is compared with the metadata', async () => {
    const { json } = await validate(pdfWithAttachment('factur-x.xml', invoice, 'EN 16931'));
    expect(json).toMatchObject({
      valid: true,
      attachment: { name: 'factur-x.xml', conformanceLevel: 'EN 16931', relationship: 'Alternative' },
    });
    const other = await validate(pdfWithAttachment('factur-x.xml', invoice, 'BASIC'));
    expect(other.json).toMatchObject({ valid: false, findings: [{ id: 'pdf-profile', severity: 'fatal' }] });
  });
});

test.each<[string, Uint8Array, RegExp]>([
  ['text', Buffer.from('no invoice'), /not well-formed/],
  ['XML that is no invoice', Buffer.from('<a/>'), /root element "a"/],
  ['a document type', Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), /document type/],
  ['a PDF without an invoice', pdfWithAttachment('terms.xml', invoice, 'EN 16931'), /no invoice attached/],
  ['a damaged PDF', Buffer.from('%PDF-1.7\nnothing'), /PDF/],
])('%s is refused with the reason', async (_, file, reason) => {
  const answer = await validate(file);
  expectProblem(answer, 400, 'invalid_request');
  expect(answer.json.details).toMatchObject([{ type: 'Field', path: 'file', message: expect.stringMatching(reason) }]);
});
