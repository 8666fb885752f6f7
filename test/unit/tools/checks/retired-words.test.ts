import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRetiredWords } from '../../../../tools/checks/retired-words.ts';
import { useFolders } from '../../../support/folder.ts';

const folder = useFolders()();

function wordsIn(name: string, content: string): readonly string[] {
  const file = join(folder, name);
  writeFileSync(file, content);
  return findRetiredWords([file]).map(({ line, found }) => `${line} ${found}`);
}

describe('retired words', () => {
  it.each([
    ['part of an identifier', 'a.ts', 'const x = 1;\nfillLane(x);', ['2 lane']],
    ['a constant', 'a.ts', 'WORKER_LANES;', ['1 lanes']],
    ['a whole identifier', 'a.ts', 'whenOut(c);', ['1 whenOut']],
    ['a comment', 'a.ts', '/** A unit is given back. */', ['1 given back']],
    ['a message', 'a.py', "log('the strikes')", ['1 strikes', '1 strikes']],
    ['a document', 'a.md', 'Text.\n\nThe waiter is told.', ['3 is told']],
    ['the name of a file', 'hand-over-lane.ts', '', ['0 lane']],
    ['a metric in a dashboard rule', 'a.yaml', 'expr: docmill_lane_depth', ['1 lane']],
  ])('are reported in %s', (_where, name, content, found) => {
    expect(wordsIn(name, content)).toEqual(found);
  });

  it.each([
    ['plain words in prose', 'a.md', 'First, look at the order of the steps; the planes take their place.'],
    ['longer words', 'a.ts', 'const planes = recallable(momentum);'],
    ['data', 'a.json', '{"lane": 1}'],
  ])('are not reported in %s', (_where, name, content) => {
    expect(wordsIn(name, content)).toEqual([]);
  });
});
