import { recordChange } from '../../people/activity/record.js';
import { hashToken, randomPassword } from '../../people/auth/random-token.js';
import { ensureBelowQuota } from '../../kernel/database/quota.js';
import { sessionProcedure } from '../../trpc.js';
import { readerFacts } from './facts.js';
import { findReader, insertReader, replaceAntennas } from './queries.js';
import { ensureAntennaQuota, readerQuota } from './quota.js';
import { createReaderInput } from './schemas.js';
import { initialSettings, mergedSettings, newUsername, proveLocations } from './settings.js';
import { readerView } from './view.js';

/** Registers a reader. Its password is returned only here. 409 if the organization has too many readers. */
export const createReader = sessionProcedure('admin')
  .input(createReaderInput)
  .mutation(async ({ ctx, input }) => {
    const { orgId } = ctx;
    const password = randomPassword();
    const username = newUsername();
    const { antennas = [], ...given } = input;
    const initial = initialSettings(input.name, username);
    const settings = mergedSettings({ ...initial, format: 'auto' }, given, username);
    const newReader = { ...settings, mqtt_username: username, secret_hash: hashToken(password) };
    const row = await ctx.services.db.$transaction(async (tx) => {
      await proveLocations(tx, orgId, input);
      await ensureBelowQuota(tx, orgId, readerQuota(ctx.services.settings.readersPerOrganization));
      await ensureAntennaQuota(tx, orgId, { given: antennas.length });
      const readerId = await insertReader(tx, orgId, newReader);
      await replaceAntennas(tx, orgId, { readerId, antennas });
      const made = await findReader(tx, orgId, readerId);
      if (!made) throw new Error('the reader just made is not there');
      const [after = {}] = await readerFacts(tx, orgId, [made]);
      await recordChange(tx, ctx, {
        kind: 'reader',
        objectId: readerId,
        objectName: made.name,
        action: 'created',
        after,
      });
      return made;
    });
    return { ...readerView(row), mqtt_password: password };
  });
