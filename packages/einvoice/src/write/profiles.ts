/** The profiles of Factur-X and ZUGFeRD by extent: each has all fields of those before it. */
export const levels = { minimum: 0, 'basic-wl': 1, basic: 2, en16931: 3, extended: 4 } as const;

export interface Profile {
  readonly level: number;
  /** The specification identifier that the invoice declares (BT-24). */
  readonly specification: string;
  /** The default business process (BT-23). */
  readonly process?: string;
  /** The name in the XMP metadata of a hybrid PDF; absent for a profile that is only sent as XML. */
  readonly conformanceLevel?: string;
}

const peppolProcess = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

/** The profiles, by the name that requests use. */
export const profiles = {
  minimum: {
    level: levels.minimum,
    specification: 'urn:factur-x.eu:1p0:minimum',
    conformanceLevel: 'MINIMUM',
  },
  'basic-wl': {
    level: levels['basic-wl'],
    specification: 'urn:factur-x.eu:1p0:basicwl',
    conformanceLevel: 'BASIC WL',
  },
  basic: {
    level: levels.basic,
    specification: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
    conformanceLevel: 'BASIC',
  },
  en16931: {
    level: levels.en16931,
    specification: 'urn:cen.eu:en16931:2017',
    conformanceLevel: 'EN 16931',
  },
  extended: {
    level: levels.extended,
    specification: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
    conformanceLevel: 'EXTENDED',
  },
  xrechnung: {
    level: levels.en16931,
    specification: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
    process: peppolProcess,
    conformanceLevel: 'XRECHNUNG',
  },
  peppol: {
    level: levels.en16931,
    specification: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    process: peppolProcess,
  },
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof profiles;
