/**
 * Drawings of Word's and Excel's menus for docs/guides/first-invoice.md. They show where a command is, not how one
 * version of Word looks, so that they stay true. Numbers mark the clicks in their order.
 */
interface Command {
  readonly label: string;
  readonly icon: keyof typeof icons;
  /** The number of the click. */
  readonly click?: number;
}

interface Ribbon {
  /** The chosen tab comes with its click. */
  readonly tab: string;
  readonly tabs: readonly string[];
  readonly groups: readonly (readonly [name: string, commands: readonly Command[]])[];
  /** What the last command opens: a grid whose first columns and rows are chosen. */
  readonly grid?: { readonly below: string; readonly columns: number; readonly rows: number };
}

const usualTabs = ['File', 'Home', 'Insert', 'Design', 'Layout', 'References', 'Review', 'View'];
const colours = {
  ink: '#30343a',
  muted: '#667080',
  line: '#d5d9df',
  bar: '#f3f4f6',
  blue: '#2b579a',
  click: '#c2410c',
};
const commandWidth = 76;
const tabHeight = 34;
const ribbonHeight = 100;
const width = 720;

/** Lines from left to right, in a box of 24 by 24. */
const lines = (...parts: readonly (readonly [from: number, to: number])[]): string =>
  parts.map(([from, to], row) => `M${from} ${5 + row * 5}H${to}`).join('');

const icons = {
  left: lines([3, 21], [3, 14], [3, 21], [3, 12]),
  center: lines([3, 21], [7, 17], [3, 21], [8, 16]),
  right: lines([3, 21], [10, 21], [3, 21], [12, 21]),
  table: 'M3 4H21V20H3ZM3 9H21M3 14.5H21M9 4V20M15 4V20',
  repeat: 'M3 4H21V9H3ZM3 13H21V20H3ZM9 4V9M15 4V9M9 13V20M15 13V20',
  picture: 'M3 5H21V19H3ZM3 16L9 10L14 15L17 12L21 16',
  header: 'M5 2H19V22H5ZM5 7H19',
  footer: 'M5 2H19V22H5ZM5 17H19',
  page: 'M5 2H19V22H5ZM11 18H13',
  style: 'M4 20L10 4H12L18 20M7 14H15',
  paste: 'M6 4H18V21H6ZM9 2H15V6H9Z',
  sort: 'M7 3V20M4 17L7 20L10 17M14 6H21M14 11H19M14 16H17',
} as const;

const ribbons: Readonly<Record<string, Ribbon>> = {
  heading: {
    tab: 'Home',
    tabs: usualTabs,
    groups: [
      ['Clipboard', [{ label: 'Paste', icon: 'paste' }]],
      [
        'Paragraph',
        [
          { label: 'Align Left', icon: 'left' },
          { label: 'Center', icon: 'center' },
          { label: 'Align Right', icon: 'right' },
        ],
      ],
      [
        'Styles',
        [
          { label: 'Normal', icon: 'style' },
          { label: 'Heading 1', icon: 'style', click: 2 },
          { label: 'Heading 2', icon: 'style' },
        ],
      ],
    ],
  },
  header: {
    tab: 'Insert',
    tabs: usualTabs,
    groups: [
      ['Tables', [{ label: 'Table', icon: 'table' }]],
      ['Illustrations', [{ label: 'Pictures', icon: 'picture', click: 3 }]],
      [
        'Header & Footer',
        [
          { label: 'Header', icon: 'header', click: 2 },
          { label: 'Footer', icon: 'footer' },
          { label: 'Page Number', icon: 'page' },
        ],
      ],
    ],
  },
  table: {
    tab: 'Insert',
    tabs: usualTabs,
    groups: [
      ['Tables', [{ label: 'Table', icon: 'table', click: 2 }]],
      ['Illustrations', [{ label: 'Pictures', icon: 'picture' }]],
      ['Header & Footer', [{ label: 'Header', icon: 'header' }]],
    ],
    grid: { below: 'Table', columns: 4, rows: 2 },
  },
  align: {
    tab: 'Home',
    tabs: usualTabs,
    groups: [
      ['Clipboard', [{ label: 'Paste', icon: 'paste' }]],
      [
        'Paragraph',
        [
          { label: 'Align Left', icon: 'left' },
          { label: 'Center', icon: 'center' },
          { label: 'Align Right', icon: 'right', click: 2 },
        ],
      ],
      ['Styles', [{ label: 'Normal', icon: 'style' }]],
    ],
  },
  repeat: {
    tab: 'Table Layout',
    tabs: ['File', 'Home', 'Insert', 'Layout', 'View', 'Table Design', 'Table Layout'],
    groups: [
      ['Alignment', [{ label: 'Align Top Right', icon: 'right' }]],
      [
        'Data',
        [
          { label: 'Sort', icon: 'sort' },
          { label: 'Repeat Header Rows', icon: 'repeat', click: 2 },
        ],
      ],
    ],
  },
};

/** The drawings by the name of their file, without `.svg`. */
export const drawMenus = (): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(ribbons).map(([name, ribbon]) => [`menu-${name}`, drawRibbon(ribbon)] as const),
    ['menu-csv', drawSaveDialog()],
  ]);

function drawRibbon({ tab, tabs, groups, grid }: Ribbon): string {
  const parts = [box(0, 0, width, tabHeight, colours.bar), box(0, tabHeight, width, ribbonHeight, '#ffffff')];
  let x = 14;
  for (const name of tabs) {
    const isChosen = name === tab;
    const tabWidth = 22 + name.length * 7.2;
    parts.push(
      text(x + tabWidth / 2, 22, name, { size: 13, bold: isChosen, fill: isChosen ? colours.blue : colours.ink }),
    );
    if (isChosen) {
      parts.push(`<path d="M${x + 8} 30H${x + tabWidth - 8}" stroke="${colours.blue}" stroke-width="3"/>`);
      parts.push(clickMark(x + tabWidth + 3, 11, 1));
    }
    x += tabWidth;
  }
  x = 10;
  let opened = '';
  for (const [name, commands] of groups) {
    const groupWidth = Math.max(commands.length * commandWidth, name.length * 7) + 12;
    for (const [index, command] of commands.entries()) {
      const left = x + 6 + index * commandWidth;
      parts.push(drawCommand(left, command));
      if (command.label === grid?.below) opened = drawGrid(left, grid);
    }
    parts.push(text(x + groupWidth / 2, tabHeight + ribbonHeight - 8, name, { size: 10.5, fill: colours.muted }));
    parts.push(
      `<path d="M${x + groupWidth} ${tabHeight + 10}V${tabHeight + ribbonHeight - 10}" stroke="${colours.line}"/>`,
    );
    x += groupWidth + 4;
  }
  const height = tabHeight + ribbonHeight + (grid === undefined ? 0 : 100);
  const title = `${tab}: ${groups.flatMap(([, commands]) => commands.filter(({ click }) => click !== undefined).map(({ label }) => label)).join(', ')}`;
  return frame(height, title, [...parts, opened]);
}

function drawCommand(x: number, { label, icon, click }: Command): string {
  const top = tabHeight + 8;
  const isClicked = click !== undefined;
  const words = label.split(' ');
  const first = words.length > 2 ? words.slice(0, 1) : [label];
  const rest = words.length > 2 ? words.slice(1) : [];
  return [
    isClicked
      ? `<rect x="${x + 2}" y="${top - 2}" width="${commandWidth - 4}" height="72" rx="5" fill="#fff4ec" stroke="${colours.click}" stroke-width="1.5"/>`
      : '',
    `<path transform="translate(${x + commandWidth / 2 - 12} ${top + 4})" d="${icons[icon]}" fill="none" stroke="${isClicked ? colours.click : colours.blue}" stroke-width="1.6"/>`,
    text(x + commandWidth / 2, top + 45, first.join(' '), { size: 11 }),
    rest.length === 0 ? '' : text(x + commandWidth / 2, top + 59, rest.join(' '), { size: 11 }),
    isClicked ? clickMark(x + commandWidth - 4, top, click) : '',
  ].join('');
}

/** The grid of cells that opens below Insert, Table. It is as wide as a table of six columns. */
function drawGrid(x: number, { columns, rows }: { readonly columns: number; readonly rows: number }): string {
  const [left, top, cell] = [x + 4, tabHeight + ribbonHeight - 12, 18];
  const cells = Array.from({ length: 24 }, (_, index) => {
    const [column, row] = [index % 6, Math.floor(index / 6)];
    const isChosen = column < columns && row < rows;
    const colour = isChosen ? colours.click : '#9aa3af';
    return `<rect x="${left + 8 + column * cell}" y="${top + 24 + row * cell}" width="14" height="14" fill="${isChosen ? '#fff4ec' : '#ffffff'}" stroke="${colour}"/>`;
  });
  return [
    `<rect x="${left}" y="${top}" width="${6 * cell + 14}" height="${4 * cell + 30}" rx="4" fill="#ffffff" stroke="${colours.line}"/>`,
    `<text x="${left + 8}" y="${top + 16}" font-size="11" fill="${colours.ink}">${columns}×${rows} Table</text>`,
    ...cells,
    clickMark(left + 8 + columns * cell, top + 24 + rows * cell, 3),
  ].join('');
}

function drawSaveDialog(): string {
  const field = (y: number, label: string, value: string, isClicked: boolean): string =>
    [
      `<text x="24" y="${y + 18}" font-size="12.5" fill="${colours.ink}">${label}</text>`,
      `<rect x="130" y="${y}" width="440" height="28" rx="4" fill="${isClicked ? '#fff4ec' : '#ffffff'}" stroke="${isClicked ? colours.click : '#9aa3af'}" stroke-width="1.5"/>`,
      `<text x="142" y="${y + 18}" font-size="12.5" fill="${colours.ink}">${value}</text>`,
    ].join('');
  return frame(150, 'Save As: CSV UTF-8', [
    box(0, 0, width, 34, colours.bar),
    `<text x="24" y="22" font-size="13" font-weight="600" fill="${colours.ink}">Save As</text>`,
    field(50, 'File name:', 'customers', false),
    field(92, 'Save as type:', 'CSV UTF-8 (Comma delimited) (*.csv)', true),
    '<path d="M548 102l7 8 7-8" fill="none" stroke="#30343a" stroke-width="1.6"/>',
    clickMark(570, 92, 1),
    `<rect x="600" y="92" width="90" height="28" rx="4" fill="${colours.blue}"/>`,
    text(645, 110, 'Save', { size: 12.5, fill: '#ffffff' }),
    clickMark(690, 92, 2),
  ]);
}

function frame(height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="'Segoe UI', 'Inter Variable', Arial, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" fill="#ffffff" stroke="${colours.line}"/>`,
    ...parts.filter((part) => part !== ''),
    '</svg>\n',
  ].join('\n');
}

const box = (x: number, y: number, boxWidth: number, height: number, fill: string): string =>
  `<rect x="${x + 1}" y="${y + 1}" width="${boxWidth - 2}" height="${height - 2}" rx="5" fill="${fill}"/>`;

interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly fill?: string;
}

const text = (x: number, y: number, value: string, { size, bold = false, fill = colours.ink }: TextStyle): string =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="middle"${bold ? ' font-weight="600"' : ''} fill="${fill}">${escapeXml(value)}</text>`;

const clickMark = (x: number, y: number, number: number): string =>
  `<circle cx="${x}" cy="${y}" r="9" fill="${colours.click}"/>${text(x, y + 4, String(number), { size: 11, bold: true, fill: '#ffffff' })}`;

const escapeXml = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
