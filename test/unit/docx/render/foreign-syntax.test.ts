import { describe, expect, it } from 'vitest';
import { earlierSyntax } from '../../../../src/shared/template-syntax.ts';
import { detailsOf, inspect } from './fill.ts';

describe('tags of other template languages', () => {
  it.each([
    ['{% if paid %}', 'write {#paid}…{/}'],
    ['{%p for item in order.items %}', 'write {#order.items}…{/order.items}'],
    ['{%- endif -%}', 'write {/} where the section ends'],
    ['{% set x = 1 %}', 'remove it'],
    ['{# a comment #}', 'use a comment of Word'],
    ['{#if paid}', 'write {#paid}…{/}'],
    ['{#each items}', 'write {#items}…{/items}'],
    ['{#unless paid}', 'write {^paid}…{/}'],
    ['{else}', '{/name}{^name}'],
    ['{:else}', '{/name}{^name}'],
    ['{FOR p IN people}', 'write {#people}…{/people}'],
    ['{END-FOR p}', 'write {/}'],
    ['{IF paid}', 'write {#paid}…{/}'],
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
    ['{{{#if paid}}}', 'write {#paid}…{/}'],
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
