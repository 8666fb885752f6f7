import { z } from 'zod';
import { code, identified, identifier, list, text } from './fields.ts';

interface AddressTerms {
  readonly group: string;
  readonly lines: readonly [string, string, string];
  readonly city: string;
  readonly postCode: string;
  readonly region: string;
  readonly country: string;
}

const address = ({ group, lines, city, postCode, region, country }: AddressTerms) =>
  z
    .strictObject({
      line1: text(lines[0], 'First line').optional(),
      line2: text(lines[1], 'Second line').optional(),
      line3: text(lines[2], 'Third line').optional(),
      city: text(city, 'City').optional(),
      postCode: text(postCode, 'Post code').optional(),
      region: text(region, 'Subdivision of the country').optional(),
      country: code(country, 'Country, by its two letters of ISO 3166-1'),
    })
    .describe(`Postal address (${group})`);

const contact = (group: string, [name, phone, email]: readonly [string, string, string]) =>
  z
    .strictObject({
      name: text(name, 'Person or department').optional(),
      phone: text(phone, 'Telephone').optional(),
      email: text(email, 'E-mail address').optional(),
    })
    .describe(`Contact (${group})`);

export const seller = z
  .strictObject({
    name: text('BT-27', 'Full name'),
    tradingName: text('BT-28', 'Name by which the seller is known').optional(),
    identifiers: list(identified('BT-29', 'Identifier of the seller'), 20),
    legalId: identified('BT-30', 'Number in a register of companies').optional(),
    vatId: identifier('BT-31', 'VAT identifier, with the letters of its country').optional(),
    taxNumber: identifier('BT-32', 'Number of the local tax office').optional(),
    legalInformation: text('BT-33', 'Legal form, share capital and the like').optional(),
    electronicAddress: identified('BT-34', 'Electronic address').optional(),
    address: address({
      group: 'BG-5',
      lines: ['BT-35', 'BT-36', 'BT-162'],
      city: 'BT-37',
      postCode: 'BT-38',
      region: 'BT-39',
      country: 'BT-40',
    }),
    contact: contact('BG-6', ['BT-41', 'BT-42', 'BT-43']).optional(),
  })
  .describe('Seller (BG-4)');

export const buyer = z
  .strictObject({
    name: text('BT-44', 'Full name'),
    tradingName: text('BT-45', 'Name by which the buyer is known').optional(),
    identifier: identified('BT-46', 'Identifier of the buyer').optional(),
    legalId: identified('BT-47', 'Number in a register of companies').optional(),
    vatId: identifier('BT-48', 'VAT identifier, with the letters of its country').optional(),
    electronicAddress: identified('BT-49', 'Electronic address').optional(),
    address: address({
      group: 'BG-8',
      lines: ['BT-50', 'BT-51', 'BT-163'],
      city: 'BT-52',
      postCode: 'BT-53',
      region: 'BT-54',
      country: 'BT-55',
    }),
    contact: contact('BG-9', ['BT-56', 'BT-57', 'BT-58']).optional(),
  })
  .describe('Buyer (BG-7)');

export const payee = z
  .strictObject({
    name: text('BT-59', 'Name'),
    identifier: identified('BT-60', 'Identifier of the payee').optional(),
    legalId: identified('BT-61', 'Number in a register of companies').optional(),
  })
  .describe('Payee, if it is not the seller (BG-10)');

export const taxRepresentative = z
  .strictObject({
    name: text('BT-62', 'Name'),
    vatId: identifier('BT-63', 'VAT identifier'),
    address: address({
      group: 'BG-12',
      lines: ['BT-64', 'BT-65', 'BT-164'],
      city: 'BT-66',
      postCode: 'BT-67',
      region: 'BT-68',
      country: 'BT-69',
    }),
  })
  .describe('Tax representative of the seller (BG-11)');

export const deliverTo = {
  name: text('BT-70', 'Name of who receives the goods').optional(),
  location: identified('BT-71', 'Identifier of the place').optional(),
  address: address({
    group: 'BG-15',
    lines: ['BT-75', 'BT-76', 'BT-165'],
    city: 'BT-77',
    postCode: 'BT-78',
    region: 'BT-79',
    country: 'BT-80',
  }).optional(),
};

export type Address = z.infer<typeof seller>['address'];
export type Contact = NonNullable<z.infer<typeof seller>['contact']>;
export type Identified = NonNullable<z.infer<typeof seller>['legalId']>;
