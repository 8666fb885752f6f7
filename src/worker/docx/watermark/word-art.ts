import { relationshipNamespaces, wordNamespaces } from '@docmill/word/namespaces';
/** Which of the two namespaces of ECMA-376 a part uses. */
export type Flavour = keyof typeof wordNamespaces;

export function flavourOf(xml: string): Flavour {
  return xml.includes(wordNamespaces.strict) ? 'strict' : 'transitional';
}

const wordNamespace = (flavour: Flavour): string => `xmlns:w="${wordNamespaces[flavour]}"`;

/**
 * A run with the word TEST across the page, behind the text, like Word's own watermarks: WordArt in VML (ECMA-376 part
 * 4, 19.1), anchored to the margins. It declares its namespaces, because a part may use other prefixes.
 */
export function watermarkRun(flavour: Flavour): string {
  const vml = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"';
  const anchor = 'mso-position-horizontal:center;mso-position-horizontal-relative:margin;mso-position-vertical:center';
  const style = `position:absolute;margin-left:0;margin-top:0;width:400pt;height:150pt;rotation:315;z-index:-251657216;${anchor};mso-position-vertical-relative:margin`;
  return (
    `<w:r ${wordNamespace(flavour)}><w:rPr><w:noProof/></w:rPr><w:pict ${vml} xmlns:w10="urn:schemas-microsoft-com:office:word">` +
    '<v:shapetype id="_x0000_t136" coordsize="21600,21600" o:spt="136" adj="10800" path="m@7,l@8,m@5,21600l@6,21600e">' +
    '<v:formulas><v:f eqn="sum #0 0 10800"/><v:f eqn="prod #0 2 1"/><v:f eqn="sum 21600 0 @1"/><v:f eqn="sum 0 0 @2"/>' +
    '<v:f eqn="sum 21600 0 @3"/><v:f eqn="if @0 @3 0"/><v:f eqn="if @0 21600 @1"/><v:f eqn="if @0 0 @2"/>' +
    '<v:f eqn="if @0 @4 21600"/><v:f eqn="mid @5 @6"/><v:f eqn="mid @8 @5"/><v:f eqn="mid @7 @8"/><v:f eqn="mid @6 @7"/>' +
    '<v:f eqn="sum @6 0 @5"/></v:formulas><v:path textpathok="t" o:connecttype="custom" ' +
    'o:connectlocs="@9,0;@10,10800;@11,21600;@12,10800" o:connectangles="270,180,90,0"/><v:textpath on="t" fitshape="t"/>' +
    '<v:handles><v:h position="#0,bottomRight" xrange="6629,14971"/></v:handles><o:lock v:ext="edit" text="t" shapetype="t"/>' +
    `</v:shapetype><v:shape id="TestWatermark" o:spid="_x0000_s2049" type="#_x0000_t136" alt="" style="${style}" ` +
    'o:allowincell="f" fillcolor="silver" stroked="f"><v:fill opacity=".5"/>' +
    '<v:textpath style="font-family:&quot;Arial&quot;;font-size:1pt" string="TEST"/>' +
    '<w10:wrap anchorx="margin" anchory="margin"/></v:shape></w:pict></w:r>'
  );
}

/** A paragraph with the watermark that takes one point of height. */
export function watermarkParagraph(flavour: Flavour): string {
  const spacing = '<w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/>';
  return `<w:p ${wordNamespace(flavour)}><w:pPr>${spacing}</w:pPr>${watermarkRun(flavour)}</w:p>`;
}

/** A header with nothing but the watermark. */
export function watermarkHeader(flavour: Flavour): string {
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  return `${declaration}<w:hdr ${wordNamespace(flavour)}>${watermarkParagraph(flavour)}</w:hdr>`;
}

export function headerReference(flavour: Flavour, type: string, id: string): string {
  const namespace = relationshipNamespaces[flavour];
  return `<w:headerReference ${wordNamespace(flavour)} xmlns:r="${namespace}" w:type="${type}" r:id="${id}"/>`;
}

export function headerRelationship(flavour: Flavour, id: string, target: string): string {
  return `<Relationship Id="${id}" Type="${relationshipNamespaces[flavour]}/header" Target="${target}"/>`;
}
