import type { CompleteInvoice } from '../model/complete-invoice.ts';
import type { Address, Identified } from '../model/parties.ts';
import { group, leaf, type Xml } from './xml-element.ts';

/** The seller. The creditor identifier of a direct debit (BT-90) is the seller's, unless there is a separate payee. */
export function ublSeller({ seller, payee, payment }: CompleteInvoice): Xml {
  const creditor = payee === undefined ? payment?.directDebit?.creditor : undefined;
  return group('cac:AccountingSupplierParty', [
    group('cac:Party', [
      identifierLeaf('cbc:EndpointID', seller.electronicAddress),
      (seller.identifiers ?? []).map(partyIdentification),
      creditorIdentification(creditor),
      partyName(seller.tradingName),
      ublAddress('cac:PostalAddress', seller.address),
      taxScheme(seller.vatId, 'VAT'),
      taxScheme(seller.taxNumber, 'FC'),
      group('cac:PartyLegalEntity', [
        leaf('cbc:RegistrationName', seller.name),
        identifierLeaf('cbc:CompanyID', seller.legalId),
        leaf('cbc:CompanyLegalForm', seller.legalInformation),
      ]),
      contactOf(seller.contact),
    ]),
  ]);
}

export const ublBuyer = ({ buyer }: CompleteInvoice): Xml =>
  group('cac:AccountingCustomerParty', [
    group('cac:Party', [
      identifierLeaf('cbc:EndpointID', buyer.electronicAddress),
      buyer.identifier && partyIdentification(buyer.identifier),
      partyName(buyer.tradingName),
      ublAddress('cac:PostalAddress', buyer.address),
      taxScheme(buyer.vatId, 'VAT'),
      group('cac:PartyLegalEntity', [
        leaf('cbc:RegistrationName', buyer.name),
        identifierLeaf('cbc:CompanyID', buyer.legalId),
      ]),
      contactOf(buyer.contact),
    ]),
  ]);

export const ublPayee = ({ payee, payment }: CompleteInvoice): Xml =>
  payee &&
  group('cac:PayeeParty', [
    payee.identifier && partyIdentification(payee.identifier),
    creditorIdentification(payment?.directDebit?.creditor),
    partyName(payee.name),
    group('cac:PartyLegalEntity', [identifierLeaf('cbc:CompanyID', payee.legalId)]),
  ]);

export const ublTaxRepresentative = ({ taxRepresentative }: CompleteInvoice): Xml =>
  taxRepresentative &&
  group('cac:TaxRepresentativeParty', [
    partyName(taxRepresentative.name),
    ublAddress('cac:PostalAddress', taxRepresentative.address),
    taxScheme(taxRepresentative.vatId, 'VAT'),
  ]);

export const ublDelivery = ({ delivery }: CompleteInvoice): Xml =>
  group('cac:Delivery', [
    leaf('cbc:ActualDeliveryDate', delivery?.date),
    group('cac:DeliveryLocation', [
      identifierLeaf('cbc:ID', delivery?.location),
      ublAddress('cac:Address', delivery?.address),
    ]),
    group('cac:DeliveryParty', [partyName(delivery?.name)]),
  ]);

function ublAddress(element: string, address: Address | undefined): Xml {
  return group(element, [
    leaf('cbc:StreetName', address?.line1),
    leaf('cbc:AdditionalStreetName', address?.line2),
    leaf('cbc:CityName', address?.city),
    leaf('cbc:PostalZone', address?.postCode),
    leaf('cbc:CountrySubentity', address?.region),
    group('cac:AddressLine', [leaf('cbc:Line', address?.line3)]),
    group('cac:Country', [leaf('cbc:IdentificationCode', address?.country)]),
  ]);
}

const identifierLeaf = (element: string, value: Identified | undefined): Xml =>
  leaf(element, value?.id, { schemeID: value?.scheme });

const partyIdentification = (value: Identified): Xml =>
  group('cac:PartyIdentification', [identifierLeaf('cbc:ID', value)]);

const creditorIdentification = (creditor: string | undefined): Xml =>
  group('cac:PartyIdentification', [leaf('cbc:ID', creditor, { schemeID: 'SEPA' })]);

const partyName = (name: string | undefined): Xml => group('cac:PartyName', [leaf('cbc:Name', name)]);

const taxScheme = (id: string | undefined, scheme: string): Xml =>
  id === undefined
    ? undefined
    : group('cac:PartyTaxScheme', [leaf('cbc:CompanyID', id), group('cac:TaxScheme', [leaf('cbc:ID', scheme)])]);

const contactOf = (contact: CompleteInvoice['seller']['contact']): Xml =>
  group('cac:Contact', [
    leaf('cbc:Name', contact?.name),
    leaf('cbc:Telephone', contact?.phone),
    leaf('cbc:ElectronicMail', contact?.email),
  ]);
