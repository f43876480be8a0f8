import { z } from 'zod';
import { recordChange, type Scope } from '../../people/activity/record.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { sharedLockStatement } from '../../kernel/database/locks.js';
import { fieldRefusal } from '../../kernel/errors.js';
import type { LocatingKnowledge } from './locating-knowledge.js';
import type { Outbound } from './store-tracks.js';
import { placeByHand, retryPlacing } from './place-by-hand.js';
import { lockLiveAssets, locationIsLive } from './submit-queries.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import { idField, integerField } from '../../kernel/validation/fields.js';
import { locationNotFound } from '../../things/locations/procedure.js';
import { locationId } from '../../things/locations/schemas.js';
import { hasReadableTag, readNames } from '../../things/locations/signature-queries.js';

const secondsMin = 30;
const secondsMax = 300;
const secondsDefault = 60;

export type Calibration = { started_at: string; ends_at: string };

const input = z.strictObject({
  ...locationId,
  asset_id: idField('required'),
  seconds: integerField({ min: secondsMin, max: secondsMax }, 'create-default').exactOptional(),
});

/**
 * Places an asset at a location as a handheld scan does. For 30 to 300 seconds (60 by default) its reads are labels of
 * the location, and fixed readers that decide by evidence do not move it. A later calibration replaces an earlier
 * calibration.
 *
 * @throws ContractError `not_found` without such a location, and `validation_error` for an asset without an RFID or BLE
 *   tag
 */
export const calibrate = sessionProcedure('manager')
  .input(input)
  .mutation(async ({ ctx, input: { location_id, asset_id, seconds = secondsDefault } }): Promise<Calibration> => {
    const { db, locating } = ctx.services;
    await locating.prepare([ctx.orgId]);
    const outbound = { interests: ctx.services.eventInterests, userId: ctx.actor.userId };
    const target = { locationId: location_id, assetId: asset_id, seconds, locating, outbound };
    const { startedAtMs, endsAtMs } = await retryPlacing(() => db.$transaction((tx) => start(tx, ctx, target)));
    return { started_at: formatTimestamp(startedAtMs), ends_at: formatTimestamp(endsAtMs) };
  });

type Target = {
  locationId: number;
  assetId: number;
  seconds: number;
  locating: LocatingKnowledge;
  outbound: Outbound;
};

async function start(
  tx: TransactionClient,
  scope: Scope,
  { locationId, assetId, seconds, locating, outbound }: Target,
): Promise<{ startedAtMs: number; endsAtMs: number }> {
  const { orgId } = scope;
  await tx.$queryRaw(sharedLockStatement('tree', orgId));
  if (!(await locationIsLive(tx, orgId, locationId))) throw locationNotFound();
  const assetIds = await lockLiveAssets(tx, orgId, [assetId]);
  if (assetIds.length === 0) {
    throw fieldRefusal('asset_id', 'not_found', { value: assetId });
  }
  if (!(await hasReadableTag(tx, orgId, assetId))) {
    throw fieldRefusal('asset_id', 'no_readable_tag');
  }
  const startedAtMs = Date.now();
  const endsAtMs = startedAtMs + seconds * 1000;
  await placeByHand(tx, orgId, {
    assetIds,
    locationId,
    observedAtMs: startedAtMs,
    receivedAtMs: startedAtMs,
    labelUntilMs: endsAtMs,
    locating,
    outbound,
    unknown: [],
  });
  const { location: objectName, asset } = await readNames(tx, orgId, { locationId, assetId });
  const change = { kind: 'location', objectId: locationId, objectName, action: 'calibrated' } as const;
  await recordChange(tx, scope, { ...change, after: { asset, seconds } });
  return { startedAtMs, endsAtMs };
}
