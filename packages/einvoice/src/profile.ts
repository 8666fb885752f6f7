/** What an invoice claims to be. The names are those of Factur-X and of the organisations that publish the profiles. */
export type Profile =
  | 'MINIMUM'
  | 'BASIC WL'
  | 'BASIC'
  | 'EN 16931'
  | 'EXTENDED'
  | 'XRECHNUNG'
  | 'XRECHNUNG EXTENSION'
  | 'PEPPOL BIS 3';

/** From the most special to the most general, because each identifier begins with that of what it is based on. */
const profiles: readonly (readonly [RegExp, Profile])[] = [
  [/:kosit:extension:xrechnung/, 'XRECHNUNG EXTENSION'],
  [/:kosit:(standard:)?xrechnung/, 'XRECHNUNG'],
  [/:peppol\.eu:2017:poacc:billing:3\.0/, 'PEPPOL BIS 3'],
  [/:(factur-x\.eu:1p0|zugferd\.de:2p[01]):minimum$/, 'MINIMUM'],
  [/:(factur-x\.eu:1p0|zugferd\.de:2p[01]):basicwl$/, 'BASIC WL'],
  [/:(factur-x\.eu:1p0|zugferd\.de:2p[01]):basic$/, 'BASIC'],
  [/:(factur-x\.eu:1p0|zugferd\.de:2p[01]):extended$/, 'EXTENDED'],
  [/^urn:cen\.eu:en16931:2017$/, 'EN 16931'],
];

/** The profile of a specification identifier (BT-24); undefined if it is none of those that are known. */
export function profileOf(customizationId: string): Profile | undefined {
  return profiles.find(([pattern]) => pattern.test(customizationId))?.[1];
}
