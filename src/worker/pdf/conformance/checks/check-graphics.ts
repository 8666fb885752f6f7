import { PdfArray, type PdfDict, PdfName, type PdfObject, PdfStream } from '@libpdf/core';
import type { ContentPlace, ContentVisitor } from '../content/content-visitor.ts';
import type { Findings } from '../findings.ts';
import { filtersOf, type PdfFile } from '../open-pdf.ts';
import { checkJpeg2000 } from './check-jpeg2000.ts';
import { createSpotColours, type SpotColours } from './spot-colours.ts';

type GraphicsVisitor = Pick<
  ContentVisitor,
  'colourSpace' | 'image' | 'inlineImage' | 'form' | 'graphicsState' | 'renderingIntent'
>;

const blendModes = new Set(
  'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity'.split(
    ' ',
  ),
);
const renderingIntents = new Set(['RelativeColorimetric', 'AbsoluteColorimetric', 'Perceptual', 'Saturation']);
const iccHeaderBytes = 128;
const iccComponents: Readonly<Record<string, number>> = { GRAY: 1, 'RGB ': 3, 'Lab ': 3, CMYK: 4 };
const iccClasses = new Set(['mntr', 'prtr', 'scnr', 'spac']);
/** An output intent describes a device that shows or prints. */
const outputClasses = new Set(['mntr', 'prtr']);
const maxSpaceDepth = 8;

/** Checks output intents, and returns a visitor that checks the graphics of the content. */
export function checkGraphics(file: PdfFile, findings: Findings): GraphicsVisitor {
  const { report } = findings;
  const intent = checkOutputIntents(file, findings);
  const checked = new Set<unknown>();
  const isNew = (object: unknown): boolean => !checked.has(object) && checked.add(object) !== undefined;
  const blending = new Set<string>();
  const noteTransparency = (place: ContentPlace): void => {
    report('transparency', place.name);
    const page = /^page \d+/.exec(place.name)?.[0] ?? '';
    if (intent === undefined && !blending.has(page)) report('transparency-colour-space', place.name);
  };
  const spots = createSpotColours(file, findings);
  const colourSpace = (space: PdfObject | string, place: string): void =>
    checkColourSpace({ file, findings, intent, spots }, space, place, 0);
  const checkGroup = (owner: PdfDict, place: string): boolean => {
    const group = file.dict(owner, 'Group');
    if (file.name(group, 'S') !== 'Transparency') return false;
    const space = file.get(group, 'CS');
    if (space !== undefined) colourSpace(space, place);
    return true;
  };
  for (const page of file.pages) {
    const place = `page ${page.number}`;
    if (!checkGroup(page.dict, place)) continue;
    report('transparency', place);
    if (file.get(file.dict(page.dict, 'Group'), 'CS') !== undefined) blending.add(place);
  }
  return {
    colourSpace: (space, place) => colourSpace(space, place.name),
    image(image, place) {
      if (!isNew(image)) return;
      const hasServer = image.has('Alternates') || image.has('OPI');
      if (hasServer || file.bool(image, 'Interpolate') === true) report('image-alternates', place.name);
      if (image.has('SMask') || (file.number(image, 'SMaskInData') ?? 0) > 0) noteTransparency(place);
      const name = file.name(image, 'Intent');
      if (name !== undefined && !renderingIntents.has(name)) report('rendering-intent', place.name);
      if (image instanceof PdfStream && filtersOf(file.get(image, 'Filter')).includes('JPXDecode'))
        checkJpeg2000(image.data, image.has('ColorSpace'), () => report('image-jpeg2000', place.name));
    },
    inlineImage({ isInterpolated, intent: name }, place) {
      if (isInterpolated) report('image-alternates', place.name);
      if (name !== undefined && !renderingIntents.has(name)) report('rendering-intent', place.name);
    },
    form(form, place) {
      if (!isNew(form)) return;
      const isPostScript = form.has('PS') || file.name(form, 'Subtype2') === 'PS';
      if (isPostScript || form.has('OPI') || form.has('Ref')) report('form-postscript', place.name);
      if (checkGroup(form, place.name)) noteTransparency(place);
    },
    graphicsState(state, place) {
      if (isNew(state)) checkState(file, findings, state, place, noteTransparency);
    },
    renderingIntent(name, place) {
      if (!renderingIntents.has(name)) report('rendering-intent', place.name);
    },
  };
}

function checkState(
  file: PdfFile,
  { report }: Findings,
  state: PdfDict,
  place: ContentPlace,
  noteTransparency: (place: ContentPlace) => void,
): void {
  const transfer = file.name(state, 'TR2');
  const hasTransfer = state.has('TR') || state.has('HTP') || (state.has('TR2') && transfer !== 'Default');
  if (hasTransfer) report('transfer-function', place.name);
  const intent = file.name(state, 'RI');
  if (intent !== undefined && !renderingIntents.has(intent)) report('rendering-intent', place.name);
  const hasMask = state.has('SMask') && file.name(state, 'SMask') !== 'None';
  const isFaint = ['ca', 'CA'].some((key) => (file.number(state, key) ?? 1) !== 1);
  const modes = (file.array(state, 'BM') ?? [file.get(state, 'BM')]).flatMap((mode) =>
    mode instanceof PdfName ? [mode.value] : [],
  );
  if (modes.some((mode) => !blendModes.has(mode))) report('blend-mode', place.name);
  const isBlended = modes.some((mode) => mode !== 'Normal' && mode !== 'Compatible');
  if (hasMask || isFaint || isBlended) noteTransparency(place);
}

/** The number of components of the output intent's profile; undefined if there is no usable one. */
function checkOutputIntents(file: PdfFile, { report, needs }: Findings): number | undefined {
  if (!needs('output-intent')) return undefined;
  const intents = (file.array(file.catalog, 'OutputIntents') ?? []).flatMap((intent) =>
    intent !== undefined && 'keys' in intent && file.name(intent, 'S') === 'GTS_PDFA1' ? [intent] : [],
  );
  const profiles = new Set(intents.map((intent) => file.stream(intent, 'DestOutputProfile')));
  const [profile] = profiles;
  // Without device colours, a file needs no output intent.
  if (profiles.size === 0) return undefined;
  if (profiles.size > 1 || profile === undefined) {
    report('output-intent');
    return undefined;
  }
  const components = componentsOf(file, profile, needs('compressed-objects') ? 2 : 4, outputClasses);
  if (components === undefined || file.number(profile, 'N') !== components) report('output-profile');
  return components ?? file.number(profile, 'N');
}

/** Components of an ICC profile (ICC.1, 7.2); undefined if its header is damaged, too new or of another class. */
function componentsOf(
  file: PdfFile,
  profile: PdfStream,
  maxVersion: number,
  classes: ReadonlySet<string> = iccClasses,
): number | undefined {
  const data = file.decode(profile);
  if (data === undefined || data.length < iccHeaderBytes) return undefined;
  const header = Buffer.from(data.subarray(0, iccHeaderBytes)).toString('latin1');
  const isProfile = header.slice(36, 40) === 'acsp' && classes.has(header.slice(12, 16));
  return isProfile && (data[8] ?? 0) <= maxVersion ? iccComponents[header.slice(16, 20)] : undefined;
}

interface ColourChecks {
  readonly file: PdfFile;
  readonly findings: Findings;
  /** The number of components of the output intent. */
  readonly intent: number | undefined;
  readonly spots: SpotColours;
}

function checkColourSpace(checks: ColourChecks, space: PdfObject | string, place: string, depth: number): void {
  if (depth > maxSpaceDepth) return;
  const { file, findings, intent, spots } = checks;
  const { report } = findings;
  const inner = (value: PdfObject | undefined): void => {
    if (value !== undefined) checkColourSpace(checks, value, place, depth + 1);
  };
  const name = space instanceof PdfName ? space.value : space;
  if (typeof name === 'string') {
    const components = deviceComponents[name];
    if (components !== undefined && (intent === undefined || (components > 1 && components !== intent)))
      report('device-colour', place);
    return;
  }
  if (!(space instanceof PdfArray)) return;
  const [family, second, third] = [...space].map((item) => file.resolve(item));
  const kind = family instanceof PdfName ? family.value : '';
  if (kind === 'ICCBased') {
    const components = second instanceof PdfStream ? componentsOf(file, second, 4) : undefined;
    if (components === undefined || file.number(second as PdfStream, 'N') !== components) report('icc-colour', place);
  } else if (kind === 'Indexed' || kind === 'Pattern') inner(second);
  else if (kind === 'Separation' || kind === 'DeviceN') {
    inner(third);
    spots.check(space, place);
  } else if (deviceComponents[kind] !== undefined && family !== undefined) inner(family);
}

const deviceComponents: Readonly<Record<string, number>> = { DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4 };
