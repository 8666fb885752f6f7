import { inspectResults } from '../../../src/shared/db/statement.ts';

/**
 * Compares every hand-written statement that an integration test runs with PostgreSQL: the names, in any order, and
 * the types of its output columns, and nulls where the description does not allow them.
 */
inspectResults(({ outputs }, { fields, rows }) => {
  const returned = fields.map(({ name, dataTypeID }) => `${name}: ${dataTypeID}`).sort();
  const described = Object.entries(outputs)
    .map(([name, { oid }]) => `${name}: ${oid}`)
    .sort();
  if (returned.join() !== described.join()) {
    throw new Error(`a statement returns (${returned.join(', ')}), its row says (${described.join(', ')})`);
  }
  for (const [name, { isNullable }] of Object.entries(outputs)) {
    if (!isNullable && rows.some((row) => row[name] === null)) {
      throw new Error(`a statement returns null in "${name}", which its row does not allow`);
    }
  }
});
