/** The profile that an invoice declares, by the name that its publisher uses. */
export type Profile =
  | 'MINIMUM'
  | 'BASIC WL'
  | 'BASIC'
  | 'EN 16931'
  | 'EXTENDED'
  | 'XRECHNUNG'
  | 'XRECHNUNG EXTENSION'
  | 'PEPPOL BIS 3';

/**
 * From the most specific to the most general, because the identifier of a profile begins with that of the profile it
 * extends.
 */
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

/** The profile with this specification identifier (BT-24); undefined if the identifier is unknown. */
export function profileOf(customizationId: string): Profile | undefined {
  return profiles.find(([pattern]) => pattern.test(customizationId))?.[1];
}
