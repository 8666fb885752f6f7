import { runQuickRows } from './run-quick-rows.ts';

runQuickRows(0);
