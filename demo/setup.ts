import type { Account } from './account.js';
import { type Api, ApiError, inParallel } from './api.js';
import { DemoError } from './demo-error.js';
import type { LocationRule } from './error-cause.js';
import type { Reader } from './readers.js';
import { zones } from './site.js';
import type { Tag, Thing } from './things.js';
import { type Device, withColons } from './vendors/vendor.js';

/** The ids of the parts of the warehouse in the service. */
export type SetUp = {
  /** The zone of each location id. */
  zoneOfLocation: ReadonlyMap<number, string>;
  /** The index of the thing of each asset id. */
  thingOfAsset: ReadonlyMap<number, number>;
  /** In the order of the readers. */
  logins: readonly { device: Device; password: string }[];
  /** The address of the floor plan in the app. */
  planUrl: string;
};

/** Requests under way at a time. */
const width = 8;
const conflict = 409;

type Created = { data: { id: number } };

/** Creates the locations, parents first. Returns the id of each zone. */
export async function createLocations(api: Api, { setUpKey }: Account): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { key, name, parent } of zones) {
    const body = { external_key: key, name, parent_id: parent === null ? null : ids.get(parent) };
    ids.set(key, await create(api, '/locations', { body, token: setUpKey }));
  }
  return ids;
}

/**
 * Creates an asset for each thing except foreign tags; `onProgress` receives the number of assets. Returns the index of
 * each id.
 */
export async function createAssets(
  api: Api,
  { setUpKey }: Account,
  { things, onProgress }: { things: readonly Thing[]; onProgress: (count: number) => void },
): Promise<Map<number, number>> {
  const thingOfAsset = new Map<number, number>();
  await inParallel(things, width, async ({ kind, key, name, tags }, thing) => {
    if (kind === 'foreign tag') return;
    const body = { external_key: key, name, metadata: { kind }, tags: tags.map((tag) => tagInput(tag, thing)) };
    thingOfAsset.set(await create(api, '/assets', { body, token: setUpKey }), thing);
    onProgress(thingOfAsset.size);
  });
  return thingOfAsset;
}

/** A tag as people type it: mostly as readers report it, sometimes in lower case or with colons. */
function tagInput({ type, value }: Tag, thing: number): { tag_type: string; value: string } {
  if (type === 'ble') return { tag_type: type, value: thing % 2 === 0 ? withColons(value) : value };
  return { tag_type: type, value: thing % 5 === 0 ? value.toLowerCase() : value };
}

async function create(api: Api, path: string, { body, token }: { body: unknown; token: string }): Promise<number> {
  try {
    return (await api.post<Created>(path, body, token)).data.id;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === conflict)) throw error;
    throw new DemoError(
      `The organization already has a part of the warehouse (${error.message}): the demo needs an organization in which it has not been played.`,
      { cause: error },
    );
  }
}

export type ReaderSetUp = {
  reader: Reader;
  /** The location id of each zone. */
  locations: ReadonlyMap<string, number>;
  device: Device;
  /** Undefined for the service's default. */
  locationRule: LocationRule | undefined;
};

/** Registers a reader with its antennas. Returns its password, which the service sends only once. */
export async function createReader(
  api: Api,
  { token }: Account,
  { reader, locations, device, locationRule }: ReaderSetUp,
): Promise<{ device: Device; password: string }> {
  const { vendor, antennas } = reader;
  const idOf = (zone: string) => locations.get(zone) ?? null;
  const topic = vendor.publishTopic(device);
  const { mqtt_username: username, mqtt_password: password } = await api.procedure<Registration>(
    'readers.create',
    {
      name: reader.name,
      format: vendor.format,
      ...vendor.settings,
      location_id: idOf(reader.zone),
      antennas: isGateway(reader)
        ? []
        : antennas.map(({ port, zone, minRssiDbm = null }) => ({
            port,
            location_id: idOf(zone),
            min_rssi_dbm: minRssiDbm,
          })),
      use_receipt_time: reader.usesReceiptTime ?? false,
      ...(!topic.startsWith('readers/') && { publish_topic: topic }),
      ...(locationRule && { location_rule: locationRule }),
    },
    token,
  );
  return { device: { ...device, username }, password };
}

type Registration = { mqtt_username: string; mqtt_password: string };

/** Whether a reader has a single antenna without a port number, at its own location. */
function isGateway({ zone, antennas }: Reader): boolean {
  return antennas.length === 1 && antennas[0]?.zone === zone;
}
