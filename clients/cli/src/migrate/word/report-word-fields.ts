import type { Element, Node } from '@xmldom/xmldom';
import type { PartRewriter, Remark } from '../part-rewriter.ts';
import type { RewriteJob } from '../rewrite-part.ts';
import type { WordPart } from '../word-file/open-word-file.ts';
import { isElement } from '../word-file/paragraphs.ts';

/** Fields that Docmill fills without a change. */
const filled = /^(?:MERGEFIELD|ADDRESSBLOCK|GREETINGLINE|NEXT|NEXTIF|SKIPIF|DOCVARIABLE|DOCPROPERTY|IF)$/;

/** Fields that need a source other than the data of a request. */
const others: Readonly<Record<string, Remark>> = {
  ASK: { reason: 'The field asks the user of Word. Send the answer as data.', write: '{answer}' },
  FILLIN: { reason: 'The field asks the user of Word. Send the answer as data.', write: '{answer}' },
  DATABASE: { reason: 'The field reads a database. Send its rows as a list.', write: '{#rows}{name}{/rows}' },
  MERGEREC: { reason: 'There is no number of a record. Write the number of the item in a list.', write: '{$number}' },
  MERGESEQ: { reason: 'There is no number of a record. Write the number of the item in a list.', write: '{$number}' },
  INCLUDETEXT: {
    reason: 'The field reads a file. Upload that file as a template of its own.',
    write: '{include "name"}',
  },
  INCLUDEPICTURE: { reason: 'The field reads a file. Send the picture as data.', write: '{%picture}' },
};

/** Counts what Docmill fills in a template of Word's mail merge or forms, and lists what it does not. */
export function reportWordFields({ document }: WordPart, rewriter: PartRewriter, { data }: RewriteJob): void {
  if (document.documentElement === null) return;
  for (const code of fieldCodes(document.documentElement)) {
    const keyword = /^\s*(\w+)/.exec(code)?.[1]?.toUpperCase() ?? '';
    const remark = Object.hasOwn(others, keyword) ? others[keyword] : undefined;
    const name = /^\s*(?:MERGEFIELD|DOCVARIABLE)\s+(?:"([^"]+)"|([^\s\\]+))/i.exec(code);
    if (name !== null) addName(name[1] ?? name[2] ?? '', data);
    if (remark !== undefined) rewriter.leaveElsewhere(code.trim(), remark);
    else if (filled.test(keyword)) rewriter.countElsewhere();
  }
  for (const properties of elementsNamed(document.documentElement, 'w:sdtPr')) reportControl(properties, rewriter);
}

function addName(name: string, data: Set<string>): void {
  const region = /^(?:TableStart|BeginGroup):(.+)$/i.exec(name)?.[1];
  if (/^(?:TableEnd|EndGroup):/i.test(name)) return;
  data.add(region === undefined ? `Send "${name}".` : `Send the list "${region}".`);
}

function reportControl(properties: Element, rewriter: PartRewriter): void {
  const titles = ['w:alias', 'w:tag'].flatMap((name) =>
    elementsNamed(properties, name).map((element) => element.getAttribute('w:val')?.trim() ?? ''),
  );
  const bindings = [...elementsNamed(properties, 'w:dataBinding'), ...elementsNamed(properties, 'w15:dataBinding')];
  if (bindings.length > 0 || titles.some((title) => /^\{[^{}]+\}$/.test(title))) rewriter.countElsewhere();
  else if (titles[0] !== undefined && titles[0] !== '')
    rewriter.leaveElsewhere(titles[0], {
      reason: 'The title of the content control is no tag, so that nothing fills it. Write the tag as its title.',
      write: `{${titles[0]}}`,
    });
}

/** The codes of simple and complex fields. A field nested in a code has its own entry. */
function fieldCodes(root: Element): readonly string[] {
  const codes: string[] = [];
  const open: { code: string; isInResult: boolean }[] = [];
  for (const element of descendants(root)) {
    const top = open.at(-1);
    if (element.nodeName === 'w:fldSimple') codes.push(element.getAttribute('w:instr') ?? '');
    else if (element.nodeName === 'w:instrText' && top?.isInResult === false) top.code += element.textContent ?? '';
    else if (element.nodeName === 'w:fldChar') {
      const type = element.getAttribute('w:fldCharType');
      if (type === 'begin') open.push({ code: '', isInResult: false });
      else if (type === 'separate' && top !== undefined) top.isInResult = true;
      else if (type === 'end' && top !== undefined) codes.push(open.pop()?.code ?? '');
    }
  }
  return codes;
}

function elementsNamed(root: Element, name: string): readonly Element[] {
  return [...descendants(root)].filter(({ nodeName }) => nodeName === name);
}

function* descendants(root: Element): Generator<Element> {
  let node: Node | null = root;
  while (node !== null) {
    if (isElement(node)) yield node;
    let next: Node | null = node.firstChild;
    for (let from: Node | null = node; next === null && from !== null && from !== root; from = from.parentNode)
      next = from.nextSibling;
    node = next;
  }
}
