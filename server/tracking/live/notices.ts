/**
 * Channel of changed positions and containments. A transaction that changes them sends the notice itself, so listeners
 * receive it only if and when the transaction commits: `pg_notify('whereabouts_positions', '<org_id>:<asset_id>,<asset_id>,…')`,
 * with at most 500 ids a notice. An id of an asset with a changed container or changed contents has a `c` before it.
 */
export const positionsChannel = 'whereabouts_positions';

/**
 * Channel of changed alerts. When a statement opens, acknowledges or ends alerts, a trigger on `alerts` notifies each
 * organization: `<org_id>`.
 */
export const alertsChannel = 'whereabouts_alerts';

/**
 * Channel of cursors, which are random names. PostgreSQL delivers the notices of all channels to every listener in
 * commit order, so a cursor divides the notices at the same point in every process.
 */
export const marksChannel = 'whereabouts_marks';

/** A notice holds at most 8000 bytes. */
export const noticeIdsMax = 500;

const idMax = 2_147_483_647;

/** The ids of assets with a changed position, and of those with a changed container or changed contents. */
export type ChangedAssets = { moved: number[]; contained: number[] };

/** The changed assets of an organization. The ids stay text, since few processes need to read them. */
export type Announcement = { orgId: number; assetIds: string };

/** Returns the notices that announce the assets of each organization, as few as possible. */
export function noticesOf(assetIdsByOrg: ReadonlyMap<number, readonly (number | string)[]>): string[] {
  const notices: string[] = [];
  for (const [orgId, ids] of assetIdsByOrg) {
    for (let first = 0; first < ids.length; first += noticeIdsMax) {
      notices.push(`${orgId}:${ids.slice(first, first + noticeIdsMax).join(',')}`);
    }
  }
  return notices;
}

/** Returns the notices that announce assets with a changed container or changed contents. */
export function containmentNoticesOf(orgId: number, assetIds: readonly number[]): string[] {
  return noticesOf(new Map([[orgId, assetIds.map((id) => `c${id}`)]]));
}

/** Parses a payload. Returns undefined for any other format, since every database user can write to a channel. */
export function parseAnnouncement(payload: string): Announcement | undefined {
  const colon = payload.indexOf(':');
  const orgId = idOf(payload.slice(0, Math.max(0, colon)));
  return orgId === undefined ? undefined : { orgId, assetIds: payload.slice(colon + 1) };
}

/** Returns the organization whose alerts changed, or undefined if the payload is not an id. */
export function parseAlertsNotice(payload: string): number | undefined {
  return idOf(payload);
}

/** Returns the asset ids of an announcement. */
export function changedIn({ assetIds }: Announcement): ChangedAssets {
  const changed: ChangedAssets = { moved: [], contained: [] };
  for (const text of assetIds.split(',')) {
    const isContained = text.startsWith('c');
    const id = idOf(isContained ? text.slice(1) : text);
    if (id !== undefined) (isContained ? changed.contained : changed.moved).push(id);
  }
  return changed;
}

function idOf(text: string): number | undefined {
  const id = Number(text);
  return Number.isInteger(id) && id >= 1 && id <= idMax ? id : undefined;
}
