/**
 * Whoever changes positions says so within the same transaction, so that it is heard if and when that commits:
 * `pg_notify('whereabouts_positions', '<org_id>:<asset_id>,<asset_id>,…')`, with at most 500 ids a notice.
 */
export const positionsChannel = 'whereabouts_positions';

/** A statement that opens, acknowledges or ends alerts announces each organization: `<org_id>`. A trigger on `alerts` does it. */
export const alertsChannel = 'whereabouts_alerts';

/**
 * Carries marks: names without a meaning of their own. PostgreSQL hands every listener the notices of all channels in one
 * order, that of the commits, so a mark divides what went before it from what came after at the same place in every process.
 */
export const marksChannel = 'whereabouts_marks';

/** A notice holds at most 8000 bytes. */
export const noticeIdsMax = 500;

const idMax = 2_147_483_647;

/** Assets of an organization whose positions changed; the ids as they came, since few processes need to read them. */
export type Announcement = { orgId: number; assetIds: string };

/** The notices that announce positions: of each organization as few as hold its assets. */
export function noticesOf(positions: readonly { orgId: number; assetId: number }[]): string[] {
  const byOrg = new Map<number, number[]>();
  for (const { orgId, assetId } of positions) {
    const ids = byOrg.get(orgId);
    if (ids) ids.push(assetId);
    else byOrg.set(orgId, [assetId]);
  }
  const notices: string[] = [];
  for (const [orgId, ids] of byOrg) {
    for (let first = 0; first < ids.length; first += noticeIdsMax) {
      notices.push(`${orgId}:${ids.slice(first, first + noticeIdsMax).join(',')}`);
    }
  }
  return notices;
}

/** Undefined for what nobody of ours has said: everybody who is let into the database can write to a channel. */
export function parseAnnouncement(payload: string): Announcement | undefined {
  const colon = payload.indexOf(':');
  const orgId = idOf(payload.slice(0, Math.max(0, colon)));
  return orgId === undefined ? undefined : { orgId, assetIds: payload.slice(colon + 1) };
}

/** The organization whose alerts changed; undefined for a payload that is no id. */
export function parseAlertsNotice(payload: string): number | undefined {
  return idOf(payload);
}

/** The ids of an announcement. */
export function assetIdsOf({ assetIds }: Announcement): number[] {
  return assetIds.split(',').flatMap((text) => idOf(text) ?? []);
}

function idOf(text: string): number | undefined {
  const id = Number(text);
  return Number.isInteger(id) && id >= 1 && id <= idMax ? id : undefined;
}
