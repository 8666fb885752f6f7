import type { XmpProperty, XmpValue } from './read-xmp.ts';

/** The fields of a structured type: names with types, in a namespace. */
export interface StructuredType {
  readonly namespace: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Types by name. A description of an extension schema adds its own. */
export type StructuredTypes = ReadonlyMap<string, StructuredType>;

const anyText = /^/;
const date =
  /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?)?)?$/;

/** Simple types of the XMP specification of 2005, on which PDF/A-2 and PDF/A-3 are based. */
const simpleTypes: ReadonlyMap<string, RegExp> = new Map([
  ['Boolean', /^(True|False)$/],
  ['Integer', /^[+-]?\d+$/],
  ['Real', /^[+-]?(\d+\.?\d*|\.\d+)$/],
  ['Rational', /^-?\d+\/-?\d+$/],
  ['Date', date],
  ['MIMEType', /^[-\w+.]+\/[-\w+.]+$/],
  ['Locale', /^([A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*|x-default)$/],
  ['GPSCoordinate', /^\d{1,3},\d{1,2}(,\d{1,2}|\.\d+)[NSEW]$/],
  ...['Text', 'URI', 'URL', 'ProperName', 'AgentName', 'XPath', 'RenditionClass', 'GUID', 'Lang', 'Choice'].map(
    (name) => [name, anyText] as const,
  ),
]);

/** Structures, each with its namespace and fields. */
export const structuredTypes: StructuredTypes = new Map(
  [
    'Dimensions http://ns.adobe.com/xap/1.0/sType/Dimensions# w:Real h:Real unit:Text',
    'Thumbnail http://ns.adobe.com/xap/1.0/g/img/ height:Integer width:Integer format:Text image:Text',
    'ResourceEvent http://ns.adobe.com/xap/1.0/sType/ResourceEvent# action:Text instanceID:URI parameters:Text softwareAgent:AgentName when:Date changed:Text',
    'ResourceRef http://ns.adobe.com/xap/1.0/sType/ResourceRef# instanceID:URI documentID:URI originalDocumentID:URI versionID:Text renditionClass:RenditionClass renditionParams:Text manager:AgentName managerVariant:Text manageTo:URI manageUI:URI alternatePaths:Seq|URI filePath:URI fromPart:Text lastModifyDate:Date maskMarkers:Text partMapping:Text toPart:Text',
    'Version http://ns.adobe.com/xap/1.0/sType/Version# comments:Text event:ResourceEvent modifyDate:Date modifier:ProperName version:Text',
    'Job http://ns.adobe.com/xap/1.0/sType/Job# name:Text id:Text url:URL',
    'Font http://ns.adobe.com/xap/1.0/sType/Font# fontName:Text fontFamily:Text fontFace:Text fontType:Text versionString:Text composite:Boolean fontFileName:Text childFontFiles:Seq|Text',
    'Colorant http://ns.adobe.com/xap/1.0/g/ swatchName:Text mode:=CMYK,RGB,LAB type:=PROCESS,SPOT cyan:Real magenta:Real yellow:Real black:Real red:Integer green:Integer blue:Integer L:Real A:Integer B:Integer',
    'Flash http://ns.adobe.com/exif/1.0/ Fired:Boolean Return:=0,2,3 Mode:=0,1,2,3 Function:Boolean RedEyeMode:Boolean',
    'OECF http://ns.adobe.com/exif/1.0/ Columns:Integer Rows:Integer Names:Seq|Text Values:Seq|Rational',
    'CFAPattern http://ns.adobe.com/exif/1.0/ Columns:Integer Rows:Integer Values:Seq|Integer',
    'DeviceSettings http://ns.adobe.com/exif/1.0/ Columns:Integer Rows:Integer Settings:Seq|Text',
    'ProjectLink http://ns.adobe.com/xmp/1.0/DynamicMedia/ type:=movie,still,audio,custom path:URI',
    'Timecode http://ns.adobe.com/xmp/1.0/DynamicMedia/ timeFormat:Text timeValue:Text',
    'Time http://ns.adobe.com/xmp/1.0/DynamicMedia/ scale:Rational value:Integer',
    'Marker http://ns.adobe.com/xmp/1.0/DynamicMedia/ startTime:Time duration:Time comment:Text name:Text location:URI target:Text type:=Chapter,Cue,Beat,Track,Index',
    'Media http://ns.adobe.com/xmp/1.0/DynamicMedia/ path:URI track:Text startTime:Time duration:Time managed:Boolean webStatement:URI',
    'timeScaleStretch http://ns.adobe.com/xmp/1.0/DynamicMedia/ quality:=High,Medium,Low frameSize:Real frameOverlappingPercentage:Real',
    'resampleStretch http://ns.adobe.com/xmp/1.0/DynamicMedia/ quality:=High,Medium,Low',
    'beatSpliceStretch http://ns.adobe.com/xmp/1.0/DynamicMedia/ riseInDecibel:Real riseInTimeDuration:Time useFileBeatsMarker:Boolean',
  ].map((line) => {
    const [name = '', namespace = '', ...fields] = line.split(' ');
    return [name, { namespace, fields: new Map(fields.map(splitAtColon)) }] as const;
  }),
);

function splitAtColon(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

const maxDepth = 16;

/**
 * Whether a value has a type: a simple or structured type, `=a,b` for one of several words, or a form of array with the
 * type of its items, such as `Seq|Integer`. Undefined if the type is unknown.
 */
export function hasType(value: XmpValue, type: string, types: StructuredTypes, depth = 0): boolean | undefined {
  if (depth > maxDepth) return false;
  const [form, items] = type.split('|');
  if (items !== undefined) {
    if (value.kind !== 'array' || value.form !== form) return false;
    if (items === 'Lang') return value.items.every((item) => item.kind === 'text' && item.language !== '');
    return every(value.items.map((item) => hasType(item, items, types, depth + 1)));
  }
  if (type.startsWith('=')) return value.kind === 'text' && type.slice(1).split(',').includes(value.text);
  const pattern = simpleTypes.get(type);
  if (pattern !== undefined) return value.kind === 'text' && pattern.test(value.text);
  const structure = types.get(type);
  if (structure === undefined) return undefined;
  if (value.kind !== 'structure') return false;
  return every(value.fields.map((field) => hasFieldType(field, structure, types, depth + 1)));
}

function hasFieldType(
  { namespace, name, value }: XmpProperty,
  { namespace: own, fields }: StructuredType,
  types: StructuredTypes,
  depth: number,
): boolean | undefined {
  const type = fields.get(name);
  return namespace === own && type !== undefined ? hasType(value, type, types, depth) : false;
}

/** False if one is false; undefined if one is unknown. */
function every(results: readonly (boolean | undefined)[]): boolean | undefined {
  if (results.includes(false)) return false;
  return results.includes(undefined) ? undefined : true;
}
