import type { CompleteLine } from '../model/complete-invoice.ts';
import { ublAdjustments, ublAmount, ublPeriod, ublTaxCategory } from './ubl-amounts.ts';
import { group, leaf, type Xml } from './xml-element.ts';

interface LineElements {
  readonly line: string;
  readonly quantity: string;
}

/** A line of an invoice, or of a credit note, where some elements have different names. */
export function ublLine(line: CompleteLine, elements: LineElements, currency: string): Xml {
  return group(elements.line, [
    leaf('cbc:ID', line.id),
    leaf('cbc:Note', line.note),
    leaf(elements.quantity, line.quantity, { unitCode: line.unit }),
    ublAmount('cbc:LineExtensionAmount', line.netAmount, currency),
    leaf('cbc:AccountingCost', line.accountingReference),
    ublPeriod(line.period),
    group('cac:OrderLineReference', [leaf('cbc:LineID', line.orderLine)]),
    line.object &&
      group('cac:DocumentReference', [
        leaf('cbc:ID', line.object.id, { schemeID: line.object.scheme }),
        leaf('cbc:DocumentTypeCode', '130'),
      ]),
    ublAdjustments(line.allowances, false, currency),
    ublAdjustments(line.charges, true, currency),
    itemOf(line),
    priceOf(line, currency),
  ]);
}

const itemOf = ({ item, vat }: CompleteLine): Xml =>
  group('cac:Item', [
    leaf('cbc:Description', item.description),
    leaf('cbc:Name', item.name),
    group('cac:BuyersItemIdentification', [leaf('cbc:ID', item.buyerId)]),
    group('cac:SellersItemIdentification', [leaf('cbc:ID', item.sellerId)]),
    group('cac:StandardItemIdentification', [
      leaf('cbc:ID', item.standardId?.id, { schemeID: item.standardId?.scheme }),
    ]),
    group('cac:OriginCountry', [leaf('cbc:IdentificationCode', item.originCountry)]),
    (item.classifications ?? []).map(({ code, list, version }) =>
      group('cac:CommodityClassification', [
        leaf('cbc:ItemClassificationCode', code, { listID: list, listVersionID: version }),
      ]),
    ),
    ublTaxCategory('cac:ClassifiedTaxCategory', vat),
    (item.attributes ?? []).map(({ name, value }) =>
      group('cac:AdditionalItemProperty', [leaf('cbc:Name', name), leaf('cbc:Value', value)]),
    ),
  ]);

const priceOf = ({ price, unit }: CompleteLine, currency: string): Xml =>
  group('cac:Price', [
    ublAmount('cbc:PriceAmount', price.net, currency),
    leaf('cbc:BaseQuantity', price.baseQuantity, { unitCode: unit }),
    price.discount === undefined
      ? undefined
      : group('cac:AllowanceCharge', [
          leaf('cbc:ChargeIndicator', 'false'),
          ublAmount('cbc:Amount', price.discount, currency),
          ublAmount('cbc:BaseAmount', price.gross, currency),
        ]),
  ]);
