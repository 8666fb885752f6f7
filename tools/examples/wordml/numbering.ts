export const listIds = { bullets: 1, clauses: 2, parties: 3 } as const;

type Level = { readonly format: string; readonly shown: string; readonly leftTwips: number; readonly style?: string };

const hangingTwips = 567;

const lists: Readonly<Record<keyof typeof listIds, readonly Level[]>> = {
  bullets: [{ format: 'bullet', shown: '•', leftTwips: 397, style: 'ListBullet' }],
  clauses: [
    { format: 'decimal', shown: '%1.', leftTwips: hangingTwips, style: 'ClauseHeading' },
    { format: 'decimal', shown: '%1.%2', leftTwips: hangingTwips, style: 'Clause' },
    { format: 'lowerLetter', shown: '(%3)', leftTwips: 2 * hangingTwips, style: 'Subclause' },
  ],
  parties: [{ format: 'decimal', shown: '(%1)', leftTwips: hangingTwips, style: 'Party' }],
};

/** The lists that the paragraph styles refer to, as the content of `numbering.xml`. */
export function numberingXml(): string {
  const names = Object.keys(lists) as (keyof typeof listIds)[];
  const definitions = names.map((name) => {
    const levels = lists[name].map(levelXml).join('');
    const kind = lists[name].length > 1 ? 'multilevel' : 'singleLevel';
    return `<w:abstractNum w:abstractNumId="${listIds[name]}"><w:multiLevelType w:val="${kind}"/>${levels}</w:abstractNum>`;
  });
  const instances = names.map(
    (name) => `<w:num w:numId="${listIds[name]}"><w:abstractNumId w:val="${listIds[name]}"/></w:num>`,
  );
  return definitions.join('') + instances.join('');
}

function levelXml(level: Level, index: number): string {
  const hanging = level.format === 'bullet' ? level.leftTwips : hangingTwips;
  return [
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${level.format}"/>`,
    level.style === undefined ? '' : `<w:pStyle w:val="${level.style}"/>`,
    `<w:lvlText w:val="${level.shown}"/><w:lvlJc w:val="left"/>`,
    `<w:pPr><w:tabs><w:tab w:val="num" w:pos="${level.leftTwips}"/></w:tabs>`,
    `<w:ind w:left="${level.leftTwips}" w:hanging="${hanging}"/></w:pPr></w:lvl>`,
  ].join('');
}
