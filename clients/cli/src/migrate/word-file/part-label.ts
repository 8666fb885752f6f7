const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const main = ['application/vnd.ms-word.document.macroenabled', 'application/vnd.ms-word.template.macroenabledtemplate'];

/** Content types of the parts with text, in the order in which findings are listed. */
const labels: readonly (readonly [contentTypes: readonly string[], label: string, isNumbered: boolean])[] = [
  [
    [`${word}.document.main+xml`, `${word}.template.main+xml`, ...main.map((type) => `${type}.main+xml`)],
    'body',
    false,
  ],
  [[`${word}.header+xml`], 'header', true],
  [[`${word}.footer+xml`], 'footer', true],
  [[`${word}.footnotes+xml`], 'footnotes', false],
  [[`${word}.endnotes+xml`], 'endnotes', false],
  [[`${word}.comments+xml`], 'comments', false],
  [['application/vnd.openxmlformats-officedocument.drawingml.diagramdata+xml'], 'diagram', true],
  [['application/vnd.openxmlformats-package.core-properties+xml'], 'document properties', false],
  [['application/vnd.openxmlformats-officedocument.extended-properties+xml'], 'extended properties', false],
  [['application/vnd.openxmlformats-officedocument.custom-properties+xml'], 'custom properties', false],
];

/** The display name of a part, and its position in lists. Undefined for parts without text of their own. */
export function partLabel(
  name: string,
  contentType: string,
): { readonly label: string; readonly rank: number } | undefined {
  const rank = labels.findIndex(([types]) => types.includes(contentType));
  const [, label = '', isNumbered = false] = labels[rank] ?? [];
  if (label === '') return undefined;
  const number = /(\d+)\.xml$/i.exec(name)?.[1];
  return { label: isNumbered && number !== undefined ? `${label} ${number}` : label, rank };
}
