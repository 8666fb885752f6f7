import { z } from 'zod';
import { amount, code, date, identified, identifier, list, number, text } from './fields.ts';

export const period = (group: string, [start, end]: readonly [string, string]) =>
  z
    .strictObject({ start: date(start, 'First day').optional(), end: date(end, 'Last day').optional() })
    .describe(`Period of the invoice (${group})`);

interface AdjustmentTerms {
  readonly amount: string;
  readonly base: string;
  readonly percent: string;
  readonly reason: string;
  readonly reasonCode: string;
}

/** A fixed amount, or a percentage of a base. */
export const adjustmentFields = (terms: AdjustmentTerms, codes: string) => ({
  amount: amount(terms.amount, 'Amount without VAT; computed from base and percent if it is not given').optional(),
  base: amount(terms.base, 'Amount to which the percentage applies').optional(),
  percent: number(terms.percent, 'Percentage of the base').optional(),
  reason: text(terms.reason, 'Reason').optional(),
  reasonCode: code(terms.reasonCode, `Reason, by its code of ${codes}`).optional(),
});

export const allowanceCodes = 'UNTDID 5189';
export const chargeCodes = 'UNTDID 7161';

export const vat = (category: string, rate: string) =>
  z.strictObject({
    category: z
      .enum(['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'], 'must be S, Z, E, AE, K, G, O, L or M')
      .describe(
        `VAT category of UNTDID 5305 (${category}): S standard rate, Z zero rate, E exempt, AE reverse charge, K intra-community supply, G export, O not subject to VAT, L Canary Islands, M Ceuta and Melilla`,
      ),
    rate: number(rate, 'Rate in percent; 0 if the category has none').optional(),
  });

const item = z
  .strictObject({
    name: text('BT-153', 'Name'),
    description: text('BT-154', 'Description').optional(),
    sellerId: identifier('BT-155', "Seller's number of the item").optional(),
    buyerId: identifier('BT-156', "Buyer's number of the item").optional(),
    standardId: identified('BT-157', 'Registered number, such as a GTIN with the scheme 0160').optional(),
    classifications: list(
      z.strictObject({
        code: identifier('BT-158', 'Code of the class'),
        list: code('BT-158-1', 'Classification, by its code of UNTDID 7143'),
        version: identifier('BT-158-2', 'Version of the classification').optional(),
      }),
      50,
    ),
    originCountry: code('BT-159', 'Country of origin, by its two letters of ISO 3166-1').optional(),
    attributes: list(
      z
        .strictObject({ name: text('BT-160', 'Name of the attribute'), value: text('BT-161', 'Its value') })
        .describe('Attribute (BG-32)'),
      100,
    ),
  })
  .describe('Item (BG-31)');

const price = z
  .strictObject({
    net: number('BT-146', 'Price of the base quantity, without VAT, after the discount'),
    discount: number('BT-147', 'Discount on the gross price').optional(),
    gross: number('BT-148', 'Price before the discount').optional(),
    baseQuantity: number('BT-149', 'Quantity to which the price applies; 1 if it is not given').optional(),
  })
  .describe('Price (BG-29)');

export const line = z.strictObject({
  id: identifier('BT-126', 'Identifier of the line; its position if it is not given').optional(),
  note: text('BT-127', 'Note').optional(),
  object: identified('BT-128', 'Identifier of what is invoiced, such as a meter').optional(),
  quantity: number('BT-129', 'Quantity'),
  unit: code('BT-130', 'Unit, by its code of UN/ECE Recommendation 20 or 21, such as C62 for pieces, HUR for hours'),
  netAmount: amount('BT-131', 'Amount of the line without VAT; computed if it is not given').optional(),
  orderLine: identifier('BT-132', "Line of the buyer's order").optional(),
  accountingReference: text('BT-133', "Buyer's account").optional(),
  period: period('BG-26', ['BT-134', 'BT-135']).optional(),
  allowances: list(
    z
      .strictObject(
        adjustmentFields(
          { amount: 'BT-136', base: 'BT-137', percent: 'BT-138', reason: 'BT-139', reasonCode: 'BT-140' },
          allowanceCodes,
        ),
      )
      .describe('Allowance of the line (BG-27)'),
    50,
  ),
  charges: list(
    z
      .strictObject(
        adjustmentFields(
          { amount: 'BT-141', base: 'BT-142', percent: 'BT-143', reason: 'BT-144', reasonCode: 'BT-145' },
          chargeCodes,
        ),
      )
      .describe('Charge of the line (BG-28)'),
    50,
  ),
  price,
  vat: vat('BT-151', 'BT-152').describe('VAT of the line (BG-30)'),
  item,
});

export type Line = z.infer<typeof line>;
