import { expect, test } from 'vitest';
import { lintMigrations } from '../../../../tools/checks/lint-migrations.ts';
import { writeMigrations } from '../../../support/domain/write-migrations.ts';

const initial = {
  '0000_initial': ['CREATE TABLE "items" ("id" text); CREATE INDEX "items_id" ON "items" ("id"); TRUNCATE "items"'],
};

function lint(...statements: readonly string[]): readonly string[] {
  const folder = writeMigrations({ ...initial, '0001_more': statements });
  return lintMigrations(folder).map(({ statement, problem }) => `${statement}: ${problem}`);
}

test('a correct migration is accepted, and the first migration may contain anything', () => {
  expect(
    lint(
      'ALTER TABLE "items" ADD COLUMN "name" text',
      `ALTER TABLE "items" ADD COLUMN "is_new" boolean DEFAULT false NOT NULL`,
      `ALTER TABLE "items" ADD COLUMN "at" timestamp (3) with time zone DEFAULT now() NOT NULL`,
      'CREATE INDEX CONCURRENTLY "items_name" ON "items" USING btree ("name" DESC NULLS LAST) WHERE "items"."name" is not null',
      'DROP INDEX CONCURRENTLY IF EXISTS "items_name"',
      `ALTER TABLE "items" ADD CONSTRAINT "items_named" CHECK ("name" <> '') NOT VALID`,
      'ALTER TABLE "items" VALIDATE CONSTRAINT "items_named"',
      'ALTER TABLE "items" ADD CONSTRAINT "items_has_name" CHECK ("name" IS NOT NULL) NOT VALID',
      'ALTER TABLE "items" VALIDATE CONSTRAINT "items_has_name"',
      'ALTER TABLE "items" ALTER COLUMN "name" SET NOT NULL',
      'ALTER TABLE "items" DROP CONSTRAINT "items_has_name"',
      'CREATE TABLE "others" ("id" text PRIMARY KEY NOT NULL, "item" text)',
      'ALTER TABLE "others" ADD CONSTRAINT "others_item" FOREIGN KEY ("item") REFERENCES "public"."items"("id")',
      'CREATE UNIQUE INDEX "others_one" ON "others" USING btree ("item")',
      `CREATE FUNCTION "touch"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name = 'a;b'; RETURN NEW; END $$`,
    ),
  ).toEqual([]);
});

const bad: readonly (readonly [statement: string, problem: RegExp])[] = [
  ['ALTER TABLE "items" ADD COLUMN "key" text DEFAULT gen_random_uuid()', /rewrites the table.*fill it in batches/],
  [`ALTER TABLE "items" ADD COLUMN "both" text GENERATED ALWAYS AS ("id" || 'x') STORED`, /rewrites the table/],
  ['ALTER TABLE "items" ADD COLUMN "number" bigserial', /numbers all rows/],
  ['ALTER TABLE "items" ADD COLUMN "number" bigint GENERATED ALWAYS AS IDENTITY', /numbers all rows/],
  ['ALTER TABLE "items" ADD COLUMN "name" text NOT NULL', /add a constant DEFAULT, or allow null/],
  ['ALTER TABLE "items" ALTER COLUMN "id" SET DATA TYPE varchar(10)', /add a column of the new type/],
  ['ALTER TABLE "items" ALTER COLUMN "id" SET NOT NULL', /first add CHECK .* NOT VALID and VALIDATE it/],
  [`ALTER TABLE "items" ADD CONSTRAINT "c" CHECK ("id" <> '')`, /add the constraint NOT VALID/],
  [
    'ALTER TABLE "items" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "other"("id")',
    /add NOT VALID, and VALIDATE CONSTRAINT/,
  ],
  ['ALTER TABLE "items" ADD CONSTRAINT "u" UNIQUE ("id")', /CREATE UNIQUE INDEX CONCURRENTLY, then/],
  ['ALTER TABLE "items" ADD PRIMARY KEY ("id")', /INDEX/],
  ['CREATE INDEX "i" ON "items" USING btree ("id")', /CREATE INDEX CONCURRENTLY/],
  ['CREATE INDEX CONCURRENTLY ON "items" USING btree ("id")', /CREATE INDEX CONCURRENTLY name ON table/],
  ['DROP INDEX "i"', /DROP INDEX CONCURRENTLY IF EXISTS/],
  ['DROP INDEX CONCURRENTLY "i"', /cannot be resumed.*DROP INDEX CONCURRENTLY IF EXISTS/],
  ['ALTER TABLE "items" DROP COLUMN "id"', /older releases read it\. .*"-- contract: needs <migration>"/],
  ['DROP TABLE "items"', /older releases read it.*-- contract/],
  ['ALTER TABLE "items" ALTER COLUMN "id" DROP NOT NULL', /do not expect null.*-- contract/],
  ['ALTER TABLE "items" RENAME COLUMN "id" TO "key"', /old name.*-- contract/],
  ['ALTER TABLE "items" RENAME TO "things"', /old name.*-- contract/],
  ['ALTER TABLE "items" SET TABLESPACE "fast"', /rewrites the table/],
  ['ALTER TABLE "items" SET UNLOGGED', /rewrites the table/],
  ["SET lock_timeout = '1h'", /migrate sets the limits for each statement/],
  ["SELECT set_config('x', 'y', false); SET lock_timeout = 0", /several statements/],
  ['LOCK TABLE "items"', /leave it out/],
  ['VACUUM FULL "items"', /leave it to the operator/],
  ['TRUNCATE "items"', /never truncate/],
  [`UPDATE "items" SET "id" = 'a'`, /in batches/],
  ['BEGIN', /leave out BEGIN and COMMIT/],
  ['ALTER TABLE "items" ADD CONSTRAINT "x" EXCLUDE USING gist ("id" WITH =)', /cannot be built concurrently/],
  ['CREAT TABLE x', /is not SQL/],
];

test.each(bad)('%s', (statement, problem) => {
  const problems = lint('SELECT 1', statement);
  expect(problems.join('\n')).toMatch(problem);
  expect(problems.every((line) => line.startsWith('2: '))).toBe(true);
});

test('a contract migration removes what older releases use, and needs an earlier migration', () => {
  expect(lint('-- contract: needs 0000_initial\nALTER TABLE "items" DROP COLUMN "id"', 'DROP TABLE "items"')).toEqual(
    [],
  );
  expect(lint('-- contract: needs 0007_else\nDROP TABLE "items"')).toEqual([
    '1: the contract needs 0007_else, which is not an earlier migration',
  ]);
});
