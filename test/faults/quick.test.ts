import { runSet } from './run-set.ts';

runSet('usual');
