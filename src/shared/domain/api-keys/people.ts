import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { excluded } from '../../db/column-names.ts';
import { cast, float8 } from '../../db/row.ts';
import { accounts, apiKeys } from '../../db/schema/accounts.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { jsonbValue, nowOr, run } from '../../db/statement.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../ids.ts';
import { requireOpenAccount } from '../accounts/require-open-account.ts';
import { recordAct } from '../audit/record-act.ts';
import { makeApiKey } from './api-key.ts';
import type { KeyHolder } from './find-key.ts';
import { type Role, scopesOf } from './roles.ts';
import { readScopes } from './scopes.ts';

const k = apiKeys;

/** A person, as a provider knows them. */
export interface PersonIdentity {
  readonly accountId: string;
  /** The id of the provider in the configuration. */
  readonly provider: string;
  readonly subject: string;
}

export interface Arrival extends PersonIdentity {
  readonly name: string | null;
  readonly email: string | null;
  readonly roles: readonly Role[];
}

export interface Admitted {
  readonly keyId: string;
  /** By the database's clock. */
  readonly startedAtMs: number;
}

/** What the audit log records of a person's act. */
const actOf = (
  { accountId, provider }: Pick<PersonIdentity, 'accountId' | 'provider'>,
  keyId: string,
  act: { readonly action: string; readonly address: string; readonly roles?: readonly Role[] },
) => ({
  operator: { actor: keyId, osUser: 'console', host: act.address },
  action: act.action,
  accountId,
  target: keyId,
  options: { provider, ...(act.roles !== undefined && { roles: act.roles.join(' ') }) },
  outcome: 'succeeded' as const,
});

/**
 * Admits a person who has signed in, with what the provider says now. The first time, a row is added whose secret nobody
 * knows. Undefined if the person's key is revoked. Throws `not_found` or `conflict` if there is no open account.
 */
export async function admitPerson(db: Executor, arrival: Arrival, address: string): Promise<Admitted | undefined> {
  const { accountId, provider, subject, name, email, roles } = arrival;
  const scopes = scopesOf(roles);
  return await inTransaction(db, async (tx) => {
    await requireOpenAccount(tx, accountId);
    const { publicId, secretHash } = makeApiKey(false);
    const [row] = await run(
      tx,
      tx
        .insert(k)
        .values({
          id: newId('key'),
          accountId,
          name,
          scopes: [...scopes],
          publicId,
          secretHash,
          provider,
          subject,
          email,
          roles: [...roles],
        })
        .onConflictDoUpdate({
          target: [k.accountId, k.provider, k.subject],
          set: {
            name: excluded(k.name),
            email: excluded(k.email),
            roles: excluded(k.roles),
            scopes: excluded(k.scopes),
          },
          setWhere: isNull(k.revokedAt),
        })
        .returning({ keyId: k.id, startedAtMs: cast(float8, sql`extract(epoch from ${nowOr()}) * 1000`) }),
    );
    const keyId = row?.keyId ?? (await findPersonKey(tx, arrival));
    const act = row === undefined ? { action: 'sign-in-refused', address } : { action: 'sign-in', address, roles };
    if (keyId !== undefined) await recordAct(tx, actOf(arrival, keyId, act));
    return row;
  });
}

/**
 * Takes the roles of a person whom the provider has put into no group with a role any more, and ends the sessions.
 * Undefined for somebody who has never been admitted.
 */
export async function refusePerson(
  db: Executor,
  { accountId, provider, subject }: PersonIdentity,
  address: string,
): Promise<string | undefined> {
  const isPerson = and(eq(k.accountId, accountId), eq(k.provider, provider), eq(k.subject, subject));
  return await inTransaction(db, async (tx) => {
    const [row] = await run(
      tx,
      tx.update(k).set({ roles: [], scopes: [], accessEndedAt: nowOr() }).where(isPerson).returning({ keyId: k.id }),
    );
    if (row === undefined) return undefined;
    await recordAct(tx, actOf({ accountId, provider }, row.keyId, { action: 'sign-in-refused', address }));
    return row.keyId;
  });
}

/** Ends the sessions of a person that have begun so far. The action is that of the audit log. */
export async function endAccess(
  db: Executor,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  act: { readonly action: 'sign-out-everywhere' | 'back-channel-logout'; readonly address: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [row] = await run(
      tx,
      tx
        .update(k)
        .set({ accessEndedAt: nowOr() })
        .where(and(eq(k.id, keyId), eq(k.accountId, accountId), isNotNull(k.provider)))
        .returning({ provider: k.provider }),
    );
    if (row?.provider) await recordAct(tx, actOf({ accountId, provider: row.provider }, keyId, act));
  });
}

/** Records that a person has ended one session. */
export async function recordSignOut(
  db: Executor,
  person: { readonly accountId: string; readonly keyId: string; readonly provider: string },
  act: { readonly action: 'sign-out' | 'back-channel-logout'; readonly address: string },
): Promise<void> {
  await recordAct(db, actOf(person, person.keyId, act));
}

/** The key of a person; undefined for somebody who has never been admitted. */
export async function findPersonKey(db: Executor, person: PersonIdentity): Promise<string | undefined> {
  const { accountId, provider, subject } = person;
  const isPerson = and(eq(k.accountId, accountId), eq(k.provider, provider), eq(k.subject, subject));
  const [row] = await run(db, db.select({ keyId: k.id }).from(k).where(isPerson));
  return row?.keyId;
}

const peopleAtOnce = 1_000;

/**
 * Removes name and e-mail address of people in whom `isIn` finds an address, and their names in reviews; of one account,
 * or of all.
 */
export async function forgetPeople(
  db: Executor,
  accountId: string | undefined,
  isIn: (value: unknown) => boolean,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const isNext = and(
      isNotNull(k.provider),
      gt(k.id, after),
      accountId === undefined ? undefined : eq(k.accountId, accountId),
    );
    const people: readonly { readonly id: string; readonly name: string | null; readonly email: string | null }[] =
      await run(
        db,
        db
          .select({ id: k.id, name: k.name, email: k.email })
          .from(k)
          .where(isNext)
          .orderBy(asc(k.id))
          .limit(peopleAtOnce),
      );
    for (const { id, name, email } of people) if (isIn([name, email])) await forgetPerson(db, id);
    after = people.length < peopleAtOnce ? undefined : people.at(-1)?.id;
  }
}

const v = templateVersions;

/** A review holds a lock on the key whose name it writes, so that no name is written after this. */
async function forgetPerson(db: Executor, keyId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await run(tx, tx.update(k).set({ name: null, email: null }).where(eq(k.id, keyId)));
    const isOwn = (entry: SQL): SQL => sql`${entry} ->> 'keyId' = ${keyId}`;
    const withoutName = (entry: SQL): SQL =>
      sql`case when ${isOwn(entry)} then jsonb_set(${entry}, '{name}', 'null') else ${entry} end`;
    const reviewLog = sql`coalesce((select jsonb_agg(${withoutName(sql`entry`)} order by position)
      from jsonb_array_elements(${v.reviewLog}) with ordinality as of_version (entry, position)), '[]'::jsonb)`;
    const ofAccount = sql`${v.templateId} in (select ${templates.id} from ${templates}, ${k}
      where ${k.id} = ${keyId} and ${templates.accountId} = ${k.accountId})`;
    const isNamed = sql`(${v.reviewLog} @> ${jsonbValue([{ keyId }])} or ${isOwn(sql`${v.approval}`)})`;
    const approval = sql`${withoutName(sql`${v.approval}`)}`;
    await run(tx, tx.update(v).set({ reviewLog, approval }).where(and(ofAccount, isNamed)));
  });
}

export interface PersonHolder extends KeyHolder {
  /** Sessions that began by then have ended; 0 for none. */
  readonly accessEndedMs: number;
}

/** The person with this key; undefined if it is revoked, or belongs to no person. */
export async function findPerson(db: Executor, keyId: string): Promise<PersonHolder | undefined> {
  const [row] = await run(
    db,
    db
      .select({
        accountId: k.accountId,
        scopes: k.scopes,
        accessEndedAt: k.accessEndedAt,
        suspendedAt: accounts.suspendedAt,
      })
      .from(k)
      .innerJoin(accounts, eq(accounts.id, k.accountId))
      .where(and(eq(k.id, keyId), isNotNull(k.provider), isNull(k.revokedAt))),
  );
  if (row === undefined) return undefined;
  return {
    accountId: row.accountId,
    keyId,
    scopes: readScopes(row.scopes),
    isTest: false,
    isSuspended: row.suspendedAt !== null,
    accessEndedMs: row.accessEndedAt?.getTime() ?? 0,
  };
}
