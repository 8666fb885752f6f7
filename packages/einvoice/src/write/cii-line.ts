import type { CompleteLine } from '../model/complete-invoice.ts';
import { ciiAdjustments, ciiPeriod, ciiVat } from './cii-values.ts';
import { levels } from './profiles.ts';
import { group, leaf, type Xml } from './xml-element.ts';

/** Writes a line. The profile BASIC has no descriptions, references, periods or attributes. */
export function ciiLine(line: CompleteLine, level: number): Xml {
  const isFull = level >= levels.en16931;
  return group('ram:IncludedSupplyChainTradeLineItem', [
    group('ram:AssociatedDocumentLineDocument', [
      leaf('ram:LineID', line.id),
      group('ram:IncludedNote', [leaf('ram:Content', line.note)]),
    ]),
    product(line, isFull),
    agreement(line, isFull),
    group('ram:SpecifiedLineTradeDelivery', [leaf('ram:BilledQuantity', line.quantity, { unitCode: line.unit })]),
    group('ram:SpecifiedLineTradeSettlement', [
      ciiVat('ram:ApplicableTradeTax', line.vat),
      isFull ? ciiPeriod(line.period) : undefined,
      ciiAdjustments(line.allowances, false),
      ciiAdjustments(line.charges, true),
      group('ram:SpecifiedTradeSettlementLineMonetarySummation', [leaf('ram:LineTotalAmount', line.netAmount)]),
      isFull && line.object !== undefined
        ? group('ram:AdditionalReferencedDocument', [
            leaf('ram:IssuerAssignedID', line.object.id),
            leaf('ram:TypeCode', '130'),
            leaf('ram:ReferenceTypeCode', line.object.scheme),
          ])
        : undefined,
      isFull
        ? group('ram:ReceivableSpecifiedTradeAccountingAccount', [leaf('ram:ID', line.accountingReference)])
        : undefined,
    ]),
  ]);
}

function product({ item }: CompleteLine, isFull: boolean): Xml {
  const standardId = leaf('ram:GlobalID', item.standardId?.id, { schemeID: item.standardId?.scheme });
  if (!isFull) return group('ram:SpecifiedTradeProduct', [standardId, leaf('ram:Name', item.name)]);
  return group('ram:SpecifiedTradeProduct', [
    standardId,
    leaf('ram:SellerAssignedID', item.sellerId),
    leaf('ram:BuyerAssignedID', item.buyerId),
    leaf('ram:Name', item.name),
    leaf('ram:Description', item.description),
    (item.attributes ?? []).map(({ name, value }) =>
      group('ram:ApplicableProductCharacteristic', [leaf('ram:Description', name), leaf('ram:Value', value)]),
    ),
    (item.classifications ?? []).map(({ code, list, version }) =>
      group('ram:DesignatedProductClassification', [
        leaf('ram:ClassCode', code, { listID: list, listVersionID: version }),
      ]),
    ),
    group('ram:OriginTradeCountry', [leaf('ram:ID', item.originCountry)]),
  ]);
}

function agreement({ price, unit, orderLine }: CompleteLine, isFull: boolean): Xml {
  const baseQuantity = leaf('ram:BasisQuantity', price.baseQuantity, { unitCode: unit });
  return group('ram:SpecifiedLineTradeAgreement', [
    isFull ? group('ram:BuyerOrderReferencedDocument', [leaf('ram:LineID', orderLine)]) : undefined,
    price.gross === undefined
      ? undefined
      : group('ram:GrossPriceProductTradePrice', [
          leaf('ram:ChargeAmount', price.gross),
          baseQuantity,
          price.discount === undefined
            ? undefined
            : group('ram:AppliedTradeAllowanceCharge', [
                group('ram:ChargeIndicator', [leaf('udt:Indicator', 'false')]),
                leaf('ram:ActualAmount', price.discount),
              ]),
        ]),
    group('ram:NetPriceProductTradePrice', [leaf('ram:ChargeAmount', price.net), baseQuantity]),
  ]);
}
