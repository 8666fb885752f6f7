import { describe, expect, it } from 'vitest';
import { defaultSyntax, earlierSyntax, parseDelimiters } from '../../../../src/shared/template-syntax.ts';
import { paragraph } from '../../../support/documents/docx-builder.ts';
import { detailsOf, inspect } from './fill.ts';

describe('tags of other template languages', () => {
  it.each([
    ['{% if paid %}', 'write {#paid}…{/paid}'],
    ['{%p for item in order.items %}', 'write {#order.items}…{/order.items}'],
    ['{%- endif -%}', 'write {/} where the section ends'],
    ['{% set x = 1 %}', 'remove it'],
    ['{# a comment #}', 'use a comment of Word'],
    ['{#if paid}', 'write {#paid}…{/paid}'],
    ['{#each items}', 'write {#items}…{/items}'],
    ['{#unless paid}', 'write {^paid}…{/paid}'],
    ['{else}', '{/name}{^name}'],
    ['{:else}', '{/name}{^name}'],
    ['{FOR p IN people}', 'write {#people}…{/people}'],
    ['{END-FOR p}', 'write {/}'],
    ['{IF paid}', 'write {#paid}…{/paid}'],
    ['{INS name}', 'write {name}'],
    ['{=name}', 'write {name}'],
    ['{=[[ ]]=}', 'upload the template with delimiters "[[ ]]"'],
    ['{&name}', 'write {name}'],
    ['{>footer}', 'copy its text'],
    ['{this}', 'write {.}'],
    ['{this.name}', 'write {name}'],
    ['{this["first name"]}', 'write {["first name"]}'],
    ['{this.name | upper}', '{. | upper}'],
    ['{(qty + this) * 2}', '{. | upper}'],
    ['{@index}', 'write {$index}'],
    ['{@xml}', 'write {~xml}'],
    ['{:include terms}', 'write {include "terms"}'],
    ['{#beers [loopOver: "row"]}', 'write {#beers} in the first cell'],
    ['{^beers[loopOver:“column”]}', 'write {|beers} in a cell'],
    ['{../name}', 'write {name}'],
    ['{-w:tc rows}', 'write {|rows} in the cell'],
    ['{d.items[i].name}', 'write {#items}{name}{/items}'],
    ['{d.total:formatN(2)}', 'write {total | …}'],
    ['{{name}}', 'write {name}, or upload'],
    ['{{{name}}}', 'write {name}'],
    ['{{{#if paid}}}', 'write {#paid}…{/paid}'],
  ])('%s gets the correct line in the error', (template, hint) => {
    const [first] = detailsOf(template);
    expect(first).toMatchObject({ type: 'Message', tag: template, hint: expect.stringContaining(hint) });
  });

  it('each get their own suggestion', () => {
    const tagsOf = (template: string) => detailsOf(template).map((detail) => 'tag' in detail && detail.tag);
    expect(tagsOf('{{a}}{{b}}')).toEqual(['{{a}}', '{{b}}']);
    expect(tagsOf('{{{a}}} {{b}}')).toEqual(['{{{a}}}', '{{b}}']);
    expect(tagsOf('{#if paid}x{else}y{/if}')).toEqual(['{#if paid}', '{else}']);
    expect(tagsOf('{#beers [loopOver: "row"]}{name}{/beers}')).toEqual(['{#beers [loopOver: "row"]}']);
    expect(tagsOf('+++INS names.map(name => { name+++ {city}')).toEqual(['+++', '{']);
  });

  it.each([
    ['{{#if paid}}a{{/if}}', ['{#paid}…{/paid}', '{/paid}']],
    ['{{#if paid}}a{{else}}b{{/if}}', ['{#paid}…{/paid}', '{/paid}{^paid}', '{/paid}']],
    [
      '{{#each items}}{{#unless paid}}a{{/unless}}{{/each}}',
      ['{#items}…{/items}', '{^paid}…{/paid}', '{/paid}', '{/items}'],
    ],
    [
      '{% for i in items %}{% if a > 5 %}a{% elif b %}c{% endif %}{% endfor %}',
      ['{#items}…{/items}', '{#a > 5}…{/}', '{/}{#b}', '{/b}', '{/items}'],
    ],
    [
      '{#if paid}a{#items}b{/items}{else}c{/if}{% if sent %}d{% endif %}',
      ['{#paid}…{/paid}', '{/paid}{^paid}', '{#sent}…{/sent}', '{/sent}'],
    ],
    ['{FOR p IN people}a{END-FOR p}', ['{#people}…{/people}', '{/people}']],
    ['{#items}a{else}b{/items}', ['{/items}{^items}']],
  ])('of one block are answered with one section: %s', (template, tags) => {
    expect(detailsOf(template).map((detail) => 'hint' in detail && detail.hint)).toEqual(
      tags.map((tag) => `write ${tag}`),
    );
  });

  it.each([
    ['${name} ${city}', '"${ }"'],
    ['<<[name]>> {city}', '"<< >>"'],
    ['{d.name} {d.city}', 'Carbone'],
    ['+++INS name+++ {city}', 'docmill migrate --from docx-templates'],
  ])('%s uploads with a warning', (template, text) => {
    expect(inspect(template).warnings).toMatchObject([
      { code: 'foreign_syntax', message: expect.stringContaining(text) },
    ]);
  });

  it.each([
    ['{{ }}', '{{a}} {#list} {name}', 'Texts between { and } print as they are. If they are tags,'],
    ['{{ }}', '{{a}} {/list}', 'with the delimiters "{ }", or write {{name}}.'],
    ['<< >>', { body: paragraph('<<a>>') + paragraph('{größe}') }, 'the delimiters "{ }", or write <<name>>.'],
  ])('in braces of a template with %s upload with a warning: %j', (delimiters, template, text) => {
    const syntax = { ...defaultSyntax, ...parseDelimiters(delimiters) };
    expect(inspect(template, { syntax }).warnings).toMatchObject([
      { code: 'foreign_syntax', message: expect.stringContaining(text) },
    ]);
  });

  it.each([
    ['{{ }}', '{{a}} {"json": {"a": 1}} {}'],
    ['{ }', '{a} \\{name}'],
  ])('are not suspected in text that cannot be one: %s, %s', (delimiters, template) => {
    const syntax = { ...defaultSyntax, ...parseDelimiters(delimiters) };
    expect(inspect(template, { syntax }).warnings).toEqual([]);
  });

  it.each([
    ['Dear <<[name]>>', '"<< >>"'],
    ['+++FOR person IN people+++', 'docmill migrate --from docx-templates'],
    ['Dear +++name+++', 'docmill migrate --from docx-templates'],
    ['+++ plus signs', 'Write a tag'],
  ])('are recognized without braces in a template without tags: %s', (template, hint) => {
    expect(detailsOf(template)).toMatchObject([
      { message: 'The template contains no tags.', hint: expect.stringContaining(hint) },
    ]);
  });

  it('are accepted if they repeat elements, in a row, a paragraph or a table', () => {
    expect(inspect('{-w:p items | sort:"name"}{name}{/}').tags).toEqual(['items', 'name']);
    expect(detailsOf('{-w:tr items}{name}{/}')[0]).toMatchObject({
      tag: '{-w:tr items}',
      hint: expect.stringContaining('first cell of the row'),
    });
  });

  it('remain names in versions from before this check', () => {
    const { tags } = inspect('{else} {this} {FOR x} {INS y}', { syntax: earlierSyntax });
    expect(tags).toEqual(['FOR x', 'INS y', 'else', 'this']);
  });
});
