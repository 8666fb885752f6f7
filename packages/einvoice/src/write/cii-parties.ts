import type { Address, Contact, Identified } from '../model/parties.ts';
import { levels } from './profiles.ts';
import { group, leaf, type Xml } from './xml-element.ts';

/** The fields that all parties of an invoice share. */
export interface Party {
  readonly name?: string | undefined;
  readonly tradingName?: string | undefined;
  readonly identifiers?: readonly Identified[] | undefined;
  readonly legalId?: Identified | undefined;
  readonly legalInformation?: string | undefined;
  readonly vatId?: string | undefined;
  readonly taxNumber?: string | undefined;
  readonly electronicAddress?: Identified | undefined;
  readonly address?: Address | undefined;
  readonly contact?: Contact | undefined;
}

/** Writes the fields of a party that the profile allows. Of an address, MINIMUM has only the seller's country. */
export function ciiParty(element: string, party: Party | undefined, level: number): Xml {
  if (party === undefined) return undefined;
  const isMore = level > levels.minimum;
  const isFull = level >= levels.en16931;
  return group(element, [
    isMore
      ? (party.identifiers ?? []).filter(({ scheme }) => scheme === undefined).map(({ id }) => leaf('ram:ID', id))
      : [],
    isMore
      ? (party.identifiers ?? [])
          .filter(({ scheme }) => scheme !== undefined)
          .map(({ id, scheme }) => leaf('ram:GlobalID', id, { schemeID: scheme }))
      : [],
    leaf('ram:Name', party.name),
    isFull ? leaf('ram:Description', party.legalInformation) : undefined,
    group('ram:SpecifiedLegalOrganization', [
      leaf('ram:ID', party.legalId?.id, { schemeID: party.legalId?.scheme }),
      isMore ? leaf('ram:TradingBusinessName', party.tradingName) : undefined,
    ]),
    isFull ? ciiContact(party.contact) : undefined,
    ciiAddress(party.address, level, element === 'ram:SellerTradeParty'),
    isMore
      ? group('ram:URIUniversalCommunication', [
          leaf('ram:URIID', party.electronicAddress?.id, { schemeID: party.electronicAddress?.scheme }),
        ])
      : undefined,
    group('ram:SpecifiedTaxRegistration', [leaf('ram:ID', party.taxNumber, { schemeID: 'FC' })]),
    isMore || element === 'ram:SellerTradeParty'
      ? group('ram:SpecifiedTaxRegistration', [leaf('ram:ID', party.vatId, { schemeID: 'VA' })])
      : undefined,
  ]);
}

function ciiAddress(address: Address | undefined, level: number, isSeller: boolean): Xml {
  if (address === undefined) return undefined;
  const country = leaf('ram:CountryID', address.country);
  if (level === levels.minimum) return isSeller ? group('ram:PostalTradeAddress', [country]) : undefined;
  return group('ram:PostalTradeAddress', [
    leaf('ram:PostcodeCode', address.postCode),
    leaf('ram:LineOne', address.line1),
    leaf('ram:LineTwo', address.line2),
    leaf('ram:LineThree', address.line3),
    leaf('ram:CityName', address.city),
    country,
    leaf('ram:CountrySubDivisionName', address.region),
  ]);
}

const ciiContact = (contact: Contact | undefined): Xml =>
  group('ram:DefinedTradeContact', [
    leaf('ram:PersonName', contact?.name),
    group('ram:TelephoneUniversalCommunication', [leaf('ram:CompleteNumber', contact?.phone)]),
    group('ram:EmailURIUniversalCommunication', [leaf('ram:URIID', contact?.email)]),
  ]);
