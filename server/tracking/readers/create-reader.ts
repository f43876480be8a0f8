import { recordChange, type Scope } from '../../people/activity/record.js';
import { hashToken, randomPassword } from '../../people/auth/random-token.js';
import type { Database } from '../../kernel/database/client.js';
import { ensureBelowQuota } from '../../kernel/database/quota.js';
import { sessionProcedure } from '../../trpc.js';
import { readerFacts } from './facts.js';
import { findReader, insertReader, replaceAntennas } from './queries.js';
import { ensureAntennaQuota, readerQuota } from './quota.js';
import { type CreateReaderInput, createReaderInput } from './schemas.js';
import { initialSettings, mergedSettings, newUsername, proveLocations } from './settings.js';
import { type ReaderRow, readerView } from './view.js';

/** Registers a reader. Its password is returned only here. 409 if the organization has too many readers. */
export const createReader = sessionProcedure('admin')
  .input(createReaderInput)
  .mutation(async ({ ctx, input }) => {
    const password = randomPassword();
    const { db, settings } = ctx.services;
    const liveMax = settings.readersPerOrganization;
    const row = await create(db, ctx, { input, secretHash: hashToken(password), liveMax });
    return { ...readerView(row), mqtt_password: password };
  });

async function create(
  db: Database,
  { orgId, author }: Scope,
  { input, secretHash, liveMax }: { input: CreateReaderInput; secretHash: string; liveMax: number },
): Promise<ReaderRow> {
  const username = newUsername();
  const { antennas = [], ...given } = input;
  const initial = initialSettings(input.name, username);
  const settings = mergedSettings({ ...initial, format: 'auto' }, given, username);
  return db.$transaction(async (tx) => {
    await proveLocations(tx, orgId, input);
    await ensureBelowQuota(tx, orgId, readerQuota(liveMax));
    await ensureAntennaQuota(tx, orgId, { given: antennas.length });
    const readerId = await insertReader(tx, orgId, { ...settings, mqtt_username: username, secret_hash: secretHash });
    await replaceAntennas(tx, orgId, { readerId, antennas });
    const row = await findReader(tx, orgId, readerId);
    if (!row) throw new Error('the reader just made is not there');
    const [after = {}] = await readerFacts(tx, orgId, [row]);
    const change = { kind: 'reader', objectId: readerId, objectName: row.name, action: 'created', after } as const;
    await recordChange(tx, { orgId, author }, change);
    return row;
  });
}
