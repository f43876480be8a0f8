import type { Database, TransactionClient } from '../../kernel/database/client.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import { type AssetState, decodeState, type LocationId } from '../../locating/index.js';
import type { EventInterests } from '../../notifying/events/interests.js';
import { recordLeftContainer } from '../../notifying/events/record-left-container.js';
import { system } from '../../people/activity/author.js';
import { beginTrack } from '../scans/asset-track.js';
import { carryContainer, carryInto, lastReadMs } from '../scans/contents.js';
import { settleAfterMs, settleTask } from '../scans/contents-queries.js';
import { retryPlacing } from '../scans/place-by-hand.js';
import { lockPositions, positionOf } from '../scans/resolve-batch.js';
import { submissionInstants } from '../scans/submit-queries.js';
import { lockContainments, storeCarried } from './change.js';
import { announceContainments, endContainments } from './change-queries.js';
import { findHeldContents, type HeldContent, type HeldContainer, findHeldContainer } from './settle-queries.js';

// Decides about a container and contents that their own reads place elsewhere: either they have left it, or it is where they are.

/**
 * Fixed readers can decide this much later about one of two assets that move together. A container that is read at its location
 * later than this after its content came elsewhere is not with it. A person's scans decide at once.
 */
const graceMs = 30_000;

/**
 * Two assets are not apart if one of them is heard at the location of the other about as well as at its own. Levels are in hundredths
 * of dBm.
 */
const alikeLevel = 800;

/** An asset that was left behind is read there for at least this long after the container has left. */
const strayMs = 10_000;

/** Contents that were read within this time before the newest read of any of them say where the container is. */
const latelyMs = 600_000;

/** While nothing can be decided, the job runs again after twice the time, up to ten minutes, and a minute longer after each further time. */
function nextSettleMs(attempt: number): number {
  return Math.min(settleAfterMs * 2 ** attempt, (10 + attempt) * 60_000);
}

type Settling = { db: Pick<Database, '$transaction'>; interests: Pick<EventInterests, 'wants'> };

type Payload = { org_id: number; container_id: number; attempt?: number };

/** Creates the task that decides about one container. */
export function createSettleTask({ db, interests }: Settling): Record<string, Task> {
  return {
    [settleTask]: async (payload) => {
      const { org_id: orgId, container_id: containerId, attempt = 0 } = payload as Payload;
      await retryPlacing(() =>
        db.$transaction(async (tx) => {
          if (await settleContainer(tx, { orgId, interests }, containerId)) return;
          const afterMs = nextSettleMs(attempt + 1);
          await addJobs(tx, [
            {
              task: settleTask,
              payload: { org_id: orgId, container_id: containerId, attempt: attempt + 1 },
              key: `${settleTask}:${containerId}`,
              queue: `${settleTask} ${orgId}`,
              runAtMs: Date.now() + afterMs,
              keepsTime: true,
            },
          ]);
        }),
      );
    },
  };
}

/** A content that is elsewhere than its container. */
type Away = {
  content: HeldContent;
  location: LocationId;
  /** When they came apart. */
  apartMs: number;
  /** Whether it is the container that moved. */
  wasLeft: boolean;
  ownMs: number;
  isByHand: boolean;
};

/**
 * Decides about the contents of a container that are elsewhere. Returns whether nothing is left to decide. The caller begins the
 * transaction.
 */
export async function settleContainer(
  tx: TransactionClient,
  { orgId, interests }: { orgId: number; interests: Pick<EventInterests, 'wants'> },
  containerId: number,
): Promise<boolean> {
  await lockContainments(tx, orgId);
  const container = await findHeldContainer(tx, orgId, containerId);
  if (!container) return true;
  const contents = await findHeldContents(tx, orgId, containerId);
  const { readMs, isByHand: isContainerByHand } = readAtOwnLocation(container);
  const left: Away[] = [];
  /** What has to be brought to the container, and as of when. */
  const behind: { assetId: number; atMs: number }[] = [];
  const undecided: Away[] = [];
  let isUnclear = false;
  for (const content of contents) {
    const { asset_id: assetId } = content;
    if (content.since === null && container.since !== null) behind.push({ assetId, atMs: container.since });
    const away = awayFrom(container, content);
    if (!away) continue;
    const { apartMs, ownMs, wasLeft, isByHand } = away;
    const isBehind = { assetId, atMs: Math.max(apartMs, ownMs) };
    const isEarly = isByHand && isContainerByHand ? readMs <= apartMs : readMs < apartMs + graceMs;
    // Nothing was read of it since the container left: a transaction that moved too many contents has not moved it.
    if (ownMs === Number.NEGATIVE_INFINITY || (wasLeft && ownMs <= apartMs)) behind.push(isBehind);
    else if (isEarly) undecided.push(away);
    else if (isHeardAlike(container, away)) isUnclear = true;
    else if (wasLeft && ownMs < apartMs + strayMs) behind.push(isBehind);
    else left.push(away);
  }
  const context = { orgId, interests, containerId };
  await endFor(tx, context, { container, left });
  const winner = undecided.length === 0 ? undefined : commonLocation(contents, { undecided, left, readMs });
  if (winner) {
    await moveContainer(tx, context, winner);
    return !isUnclear && undecided.every(({ location }) => location === winner.location);
  }
  if (container.location_id !== null && behind.length > 0)
    await bring(tx, context, { to: container.location_id, behind });
  return !isUnclear && undecided.length === 0;
}

/** Returns when an asset was last read or scanned at a location; minus infinity if never. */
function ownReadMs(state: AssetState | undefined, location: LocationId): number {
  return state ? lastReadMs(state, location) : Number.NEGATIVE_INFINITY;
}

/** Returns when a container was last read or scanned where it is; minus infinity if it is only where its own container or its contents are. */
function readAtOwnLocation({ location_id: locationId, locating }: HeldContainer): {
  readMs: number;
  isByHand: boolean;
} {
  const state = decodeState(locating);
  const readMs = locationId === null ? Number.NEGATIVE_INFINITY : ownReadMs(state, locationId);
  return { readMs, isByHand: state?.reason === 'handheld' };
}

function awayFrom(container: HeldContainer, content: HeldContent): Away | undefined {
  const { location_id: location, since, apart_at: apartMs, with_contents: isWithContents } = content;
  if (location === null || location === container.location_id || since === null) return undefined;
  const state = decodeState(content.locating);
  const ownMs = isWithContents ? since : ownReadMs(state, location);
  const wasLeft = content.was_left === true;
  return { content, location, apartMs: apartMs ?? since, wasLeft, ownMs, isByHand: state?.reason === 'handheld' };
}

/**
 * Returns whether one of two assets was lately heard at the location of the other about as well as at its own: where fields overlap,
 * two assets that stand together can be decided to be at two locations.
 */
function isHeardAlike(container: HeldContainer, { content, apartMs }: Away): boolean {
  const [own, other] = [content.location_id ?? 0, container.location_id ?? 0];
  return (
    isHeardAt(decodeState(content.locating), { own, other, apartMs }) ||
    isHeardAt(decodeState(container.locating), { own: other, other: own, apartMs })
  );
}

/** Returns whether an asset was heard at another location than its own after it came apart from the other asset. */
function isHeardAt(
  state: AssetState | undefined,
  { own, other, apartMs }: { own: LocationId; other: LocationId; apartMs: number },
): boolean {
  if (!state || other === 0) return false;
  const sinceMs = Math.max(apartMs, lastReadMs(state, own) - graceMs);
  const levelAt = (at: LocationId) => {
    const heard = state.tallies.filter(({ location, lastMs }) => location === at && lastMs > sinceMs);
    return heard.length === 0 ? undefined : Math.max(...heard.map(({ mean }) => mean ?? 0));
  };
  const [ownLevel, otherLevel] = [levelAt(own), levelAt(other)];
  return otherLevel !== undefined && (ownLevel === undefined || otherLevel > ownLevel - alikeLevel);
}

type Deciding = { undecided: readonly Away[]; left: readonly Away[]; readMs: number };

/**
 * Returns where most of the contents are that were read lately, if that is elsewhere than the container, and when they came there. A
 * single one counts only if nothing else is in the container, or if the container was never read itself.
 */
function commonLocation(
  contents: readonly HeldContent[],
  { undecided, left, readMs }: Deciding,
): { location: LocationId; atMs: number } | undefined {
  const hasLeft = new Set(left.map(({ content }) => content.asset_id));
  const readContents = contents.flatMap((content) => {
    const { location_id: location, locating, with_contents: isWithContents, since } = content;
    if (location === null || hasLeft.has(content.asset_id)) return [];
    const ownMs = isWithContents ? (since ?? 0) : ownReadMs(decodeState(locating), location);
    return ownMs === Number.NEGATIVE_INFINITY ? [] : [{ location, ownMs }];
  });
  const newestMs = Math.max(...readContents.map(({ ownMs }) => ownMs));
  const lately = readContents.filter(({ ownMs }) => ownMs >= newestMs - latelyMs);
  for (const location of new Set(undecided.map((away) => away.location))) {
    const agreeing = lately.filter((content) => content.location === location).length;
    const isEnough = agreeing > 1 || agreeing === contents.length || readMs === Number.NEGATIVE_INFINITY;
    if (!isEnough || 2 * agreeing <= lately.length) continue;
    const there = undecided.filter((away) => away.location === location);
    return { location, atMs: Math.max(...there.map(({ apartMs }) => apartMs)) };
  }
  return undefined;
}

type SettleContext = { orgId: number; interests: Pick<EventInterests, 'wants'>; containerId: number };

/** Ends the containment of contents that have left the container, when they came apart. */
async function endFor(
  tx: TransactionClient,
  { orgId, interests, containerId }: SettleContext,
  { container, left }: { container: HeldContainer; left: readonly Away[] },
): Promise<void> {
  if (left.length === 0) return;
  const leaving = new Map(left.map(({ content, apartMs }) => [content.asset_id, apartMs]));
  const ending = { by: 'reads', isPutElsewhere: false, userId: null } as const;
  await endContainments(tx, { orgId, author: system }, { leaving, ...ending });
  await announceContainments(tx, orgId, [containerId, ...leaving.keys()]);
  await recordLeftContainer(
    tx,
    interests,
    left.map(({ content: { asset_id: assetId }, location, apartMs: atMs }) => ({
      orgId,
      assetId,
      containerId,
      locationId: location,
      containerLocationId: container.location_id,
      atMs,
    })),
  );
}

/** Places contents where their container is, since no read says that they are elsewhere. */
async function bring(
  tx: TransactionClient,
  { orgId, interests, containerId }: SettleContext,
  { to, behind }: { to: LocationId; behind: readonly { assetId: number; atMs: number }[] },
): Promise<void> {
  const { nowMs } = await submissionInstants(tx, 0);
  const rows = await lockPositions(
    tx,
    orgId,
    behind.map(({ assetId }) => assetId),
  );
  const atMs = Math.max(...behind.map((one) => one.atMs));
  const tracks = rows.map((row) => beginTrack(orgId, row.asset_id, positionOf(row)));
  const placing = { containerId, to, atMs, receivedAtMs: nowMs, userId: null, isSeen: true };
  await storeCarried(tx, { interests, userId: null }, await carryInto(tx, tracks, placing));
}

/** Places the container where its contents are. */
async function moveContainer(
  tx: TransactionClient,
  { orgId, interests, containerId }: SettleContext,
  { location, atMs }: { location: LocationId; atMs: number },
): Promise<void> {
  const { nowMs } = await submissionInstants(tx, 0);
  for (const row of await lockPositions(tx, orgId, [containerId])) {
    const track = beginTrack(orgId, containerId, positionOf(row));
    const moved = await carryContainer(tx, track, {
      to: location,
      atMs,
      receivedAtMs: nowMs,
      userId: null,
      isSeen: true,
    });
    await storeCarried(tx, { interests, userId: null }, moved);
  }
}
