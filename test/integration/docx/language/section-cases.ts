import { paragraph, table } from '../../../support/documents/docx-builder.ts';
import { successes } from './language-case.ts';

const items = [{ name: 'Pen' }, { name: 'Ink' }, { name: 'Pad' }];

export const sectionCases = successes([
  ['a list within a paragraph', '{#items}{name} {/items}', { items }, 'Pen Ink Pad '],
  [
    'a list of paragraphs leaves no blank line',
    ['A', '{#items}', '{name}', '{/items}', 'B'],
    { items },
    ['A', 'Pen', 'Ink', 'Pad', 'B'],
  ],
  ['an empty list leaves nothing', ['A', '{#items}', '{name}', '{/items}', 'B'], { items: [] }, ['A', 'B']],
  ['a missing section is left out', 'A{#x}y{/x}B', {}, 'AB'],
  ['true, text and numbers are true', '{#a}1{/a}{#b}2{/b}{#c}3{/c}', { a: true, b: 'x', c: 5 }, '123'],
  [
    'false, zero, empty and null are false',
    '{#a}1{/a}{#b}2{/b}{#c}3{/c}{#d}4{/d}-',
    { a: false, b: 0, c: '', d: null },
    '-',
  ],
  ['"0", "false" and {} are true', '{#a}1{/a}{#b}2{/b}{#c}3{/c}', { a: '0', b: 'false', c: {} }, '123'],
  ['the opposite', '{^a}none{/a}{^b}some{/b}', { a: [], b: [1] }, 'none'],
  [
    'an object opens its names',
    '{#customer}{name} of {city}{/customer}',
    { customer: { name: 'Ada' }, city: 'Bern' },
    'Ada of Bern',
  ],
  [
    'names of an item win over those around',
    '{#items}{name}/{unit} {/items}',
    { items: [{ name: 'Pen', unit: 'box' }, { name: 'Ink' }], name: 'X', unit: 'piece' },
    'Pen/box Ink/piece ',
  ],
  ['null in an item ends the search', '{#items}[{name}]{/items}', { items: [{ name: null }], name: 'X' }, '[]'],
  ['the current item', '{#colours}{.}; {/colours}', { colours: ['red', 'blue'] }, 'red; blue; '],
  ['lists of lists', '{#rows}{#.}{.} {/.}| {/rows}', { rows: [[1, 2], [3]] }, '1 2 | 3 | '],
  ['closed by {/}', '{#items}{name}{/}!', { items }, 'PenInkPad!'],
  ['numbers of an item', '{#items}{$number}/{$count} {$index};{/items}', { items }, '1/3 0;2/3 1;3/3 2;'],
  ['first and last', '{#items}{#$first}<{/}{name}{^$last}, {/}{#$last}>{/}{/items}', { items }, '<Pen, Ink, Pad>'],
  ['a section of sections', '{#a}{#b}{c}{/b};{/a}', { a: [{ b: [{ c: 1 }, { c: 2 }] }, { b: [] }] }, '12;;'],
  ['eight sections inside one another', '{#a}{#a}{#a}{#a}{#a}{#a}{#a}{#a}x{/}{/}{/}{/}{/}{/}{/}{/}', { a: true }, 'x'],
  [
    'table rows repeat',
    {
      body: `${table([
        ['No', 'Name'],
        ['{#items}{$number}', '{name}{/items}'],
        ['', 'end'],
      ])}<w:p/>`,
    },
    { items },
    ['No', 'Name', '1', 'Pen', '2', 'Ink', '3', 'Pad', '', 'end'],
  ],
  [
    'two rows repeat together',
    {
      body: `${table([
        ['{#items}{name}', 'a'],
        ['b', 'c{/items}'],
      ])}<w:p/>`,
    },
    { items: items.slice(0, 2) },
    ['Pen', 'a', 'b', 'c', 'Ink', 'a', 'b', 'c'],
  ],
  [
    'a table without rows goes',
    { body: `${paragraph('before')}${table([['{#items}{name}', 'x{/items}']])}${paragraph('after')}` },
    { items: [] },
    ['before', 'after'],
  ],
  [
    'a row that is left out leaves no row',
    {
      body: `${table([
        ['a', 'b'],
        ['{#x}c', 'd{/x}'],
        ['e', 'f'],
      ])}<w:p/>`,
    },
    { x: false },
    ['a', 'b', 'e', 'f'],
  ],
  [
    'a cell whose paragraphs are all left out keeps an empty one',
    { body: `${table([[`${paragraph('{#x}')}${paragraph('y')}${paragraph('{/x}')}`, 'z']])}<w:p/>` },
    {},
    ['z'],
    { markup: [/<w:tc>(?:(?!<\/w:tc>).)*<w:p\/><\/w:tc>/] },
  ],
  [
    'sections in the cells of a repeated row',
    { body: `${table([['{#items}{name}', '{#tags}{.} {/tags}{^tags}-{/tags}{/items}']])}<w:p/>` },
    { items: [{ name: 'Pen', tags: ['blue', 'red'] }, { name: 'Ink' }] },
    ['Pen', 'blue red ', 'Ink', '-'],
  ],
  [
    'a condition around paragraphs',
    ['{#vip}', 'Thank you', '{/vip}', '{^vip}', 'Join us', '{/vip}'],
    { vip: false },
    ['Join us'],
  ],
  [
    'text as a condition, where what is inside is known',
    '{#note}Note for {name}{/note}',
    { note: 'yes', name: 'Ada' },
    'Note for Ada',
  ],
  [
    'true as a condition, where what is inside is missing',
    'a{#vip}b{title}{/vip}',
    { vip: true },
    'ab',
    { warnings: ['missing_value'] },
  ],
  ['a condition over a comparison', '{#status == "open" and not paid}pay{/}', { status: 'open', paid: false }, 'pay'],
  [
    'a filtered and sorted list',
    '{#items | where:"qty":">":0 | sort:"name"}{name} {/items}',
    {
      items: [
        { name: 'b', qty: 1 },
        { name: 'a', qty: 2 },
        { name: 'c', qty: 0 },
      ],
    },
    'a b ',
  ],
  [
    'a section repeats in a header',
    { body: paragraph('{a}'), headers: [paragraph('{#items}{name} {/items}')] },
    { a: 1, items },
    '1',
    { parts: { 'word/header1.xml': ['Pen Ink Pad '] } },
  ],
]);
