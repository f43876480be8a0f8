import { expect } from 'vitest';
import type { Role } from '../../server/people/auth/scopes.js';
import { ensurePartitions } from '../../server/kernel/database/partitions.js';
import { createMemberSession, type MemberSession } from './members.js';
import { createClient, type RestClient } from './rest-client.js';
import type { World } from './world.js';

/** The two nouns that share most of the contract. */
export const nouns = {
  assets: {
    path: '/api/v1/assets',
    noun: 'asset',
    idKey: 'asset_id',
    notFound: 'Asset not found',
    generatedPrefix: 'ASSET-',
    readScope: 'assets:read',
    writeScope: 'assets:write',
    keys: [
      'id',
      'external_key',
      'name',
      'description',
      'is_active',
      'metadata',
      'valid_from',
      'valid_to',
      'created_at',
      'updated_at',
      'deleted_at',
      'tags',
    ],
  },
  locations: {
    path: '/api/v1/locations',
    noun: 'location',
    idKey: 'location_id',
    notFound: 'Location not found',
    generatedPrefix: 'LOC-',
    readScope: 'locations:read',
    writeScope: 'locations:write',
    keys: [
      'id',
      'external_key',
      'name',
      'description',
      'parent_id',
      'parent_external_key',
      'is_active',
      'valid_from',
      'valid_to',
      'created_at',
      'updated_at',
      'deleted_at',
      'tags',
    ],
  },
} as const;

export type Noun = (typeof nouns)[keyof typeof nouns];

/** Both nouns, for `describe.each`. */
export const bothNouns = [nouns.assets, nouns.locations];

export type Tag = { id: number; tag_type: string; value: string };

/** An asset or a location as read; what only one of them has is undefined on the other. */
export type Row = {
  id: number;
  external_key: string;
  name: string;
  description: string | null;
  is_active: boolean;
  metadata: Record<string, unknown>;
  parent_id: number | null;
  parent_external_key: string | null;
  valid_from: string;
  valid_to: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
  tags: Tag[];
};

/** Creates a row over REST and returns it. Fails if it was rejected. */
export async function create(client: RestClient, noun: Noun, fields: Record<string, unknown> = {}): Promise<Row> {
  const answer = await client.post(noun.path, { name: 'A thing', ...fields });
  if (answer.status !== 201) throw new Error(`not created: ${answer.text}`);
  return answer.body.data;
}

export function createAsset(client: RestClient, fields?: Record<string, unknown>): Promise<Row> {
  return create(client, nouns.assets, fields);
}

export function createLocation(client: RestClient, fields?: Record<string, unknown>): Promise<Row> {
  return create(client, nouns.locations, fields);
}

/** Soft-deletes a row over REST. Fails if it was rejected. */
export async function remove(client: RestClient, noun: Noun, id: number): Promise<void> {
  const answer = await client.delete(`${noun.path}/${id}`);
  if (answer.status !== 204) throw new Error(`not deleted: ${answer.text}`);
}

/** Returns the present row. Fails if it does not exist. */
export async function read(client: RestClient, noun: Noun, id: number): Promise<Row> {
  const answer = await client.get(`${noun.path}/${id}`);
  if (answer.status !== 200) throw new Error(`not read: ${answer.text}`);
  return answer.body.data;
}

/** The external keys of a list, in its order. */
export async function keysOf(client: RestClient, path: string): Promise<string[]> {
  const answer = await client.get(path);
  if (answer.status !== 200) throw new Error(`not listed: ${answer.text}`);
  return (answer.body.data as Row[]).map((row) => row.external_key);
}

/** Adds a key to a JSON object that an object literal cannot hold, such as `__proto__`. */
export function withKey(object: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  return Object.defineProperty({ ...object }, key, { value, enumerable: true, configurable: true, writable: true });
}

export type Sighting = { orgId: number; assetId: number; locationId: number | null; at: string };

/** Stores scan events, and moves the positions of their assets to the newest of them, as ingestion would. */
export async function addSightings(world: World, sightings: readonly Sighting[]): Promise<void> {
  await ensurePartitions(world.db, { retentionDays: 365, nowMs: Date.now() });
  for (const { orgId, assetId, locationId, at } of sightings) {
    await world.db.$executeRaw`
      INSERT INTO scan_events (org_id, asset_id, event_observed_at, location_id, received_at)
      VALUES (${orgId}, ${assetId}, ${at}::timestamptz, ${locationId}::int, now())`;
    await world.db.$executeRaw`
      INSERT INTO asset_positions (org_id, asset_id, location_id, asset_last_seen, located_since)
      VALUES (${orgId}, ${assetId}, ${locationId}::int, ${at}::timestamptz, ${at}::timestamptz)
      ON CONFLICT (org_id, asset_id) DO UPDATE
         SET location_id = EXCLUDED.location_id, asset_last_seen = EXCLUDED.asset_last_seen,
             listed_at = EXCLUDED.asset_last_seen
       WHERE asset_positions.asset_last_seen < EXCLUDED.asset_last_seen`;
  }
}

/** When the present test file asked for an instant first. Test files share the modules of their process. */
const begun = { file: '', atMs: 0 };

/**
 * Returns an instant a number of days before the tests of the file began, on a whole second, so that two calls are
 * whole days apart.
 */
export function daysAgo(days: number, plusMs = 0): string {
  const file = expect.getState().testPath ?? '';
  if (begun.file !== file) Object.assign(begun, { file, atMs: Math.floor(Date.now() / 1000) * 1000 });
  return new Date(begun.atMs - days * 86_400_000 + plusMs).toISOString();
}

/** Creates a row for each set of fields, one after the other. */
export async function several(client: RestClient, noun: Noun, fields: Record<string, unknown>[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of fields) rows.push(await create(client, noun, each));
  return rows;
}

export type TestSession = RestClient & MemberSession;

/** A user with a role in an organization, and a client that calls with their session token. */
export async function addSession(world: World, orgId: number, role: Role): Promise<TestSession> {
  const session = await createMemberSession(world, orgId, role);
  return { ...createClient(world.url, session.token), ...session };
}
