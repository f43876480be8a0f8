import type { Account } from './account.js';
import { type Api, ApiError, inParallel } from './api.js';
import { DemoError } from './demo-error.js';
import type { Reader } from './readers.js';
import { zones } from './site.js';
import type { Tag, Thing } from './things.js';
import { type Device, withColons } from './vendors/vendor.js';

/** What the service calls what is in the warehouse. */
export type SetUp = {
  /** The zone of each location's id. */
  zoneOfLocation: ReadonlyMap<number, string>;
  /** The place in the list of things of each asset's id. */
  thingOfAsset: ReadonlyMap<number, number>;
  /** In the order of the readers. */
  logins: readonly { device: Device; password: string }[];
};

/** Requests under way at any time. */
const width = 8;
const conflict = 409;

type Created = { data: { id: number } };

/** Makes the locations, from the site down. */
export async function createLocations(api: Api, { setUpKey }: Account): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { key, name, parent } of zones) {
    const body = { external_key: key, name, parent_id: parent === null ? null : ids.get(parent) };
    ids.set(key, await create(api, '/locations', { body, token: setUpKey }));
  }
  return ids;
}

/** Registers the things, strangers left out; tells after each how many there are. Answers with their ids' places. */
export async function createAssets(
  api: Api,
  { setUpKey }: Account,
  { things, tell }: { things: readonly Thing[]; tell: (count: number) => void },
): Promise<Map<number, number>> {
  const thingOfAsset = new Map<number, number>();
  await inParallel(things, width, async ({ kind, key, name, tags }, thing) => {
    if (kind === 'stranger') return;
    const body = { external_key: key, name, metadata: { kind }, tags: tags.map((tag) => labelOf(tag, thing)) };
    thingOfAsset.set(await create(api, '/assets', { body, token: setUpKey }), thing);
    tell(thingOfAsset.size);
  });
  return thingOfAsset;
}

/** A tag as people type it: most as readers report it, some in lower case or with colons. */
function labelOf({ type, value }: Tag, thing: number): { tag_type: string; value: string } {
  if (type === 'ble') return { tag_type: type, value: thing % 2 === 0 ? withColons(value) : value };
  return { tag_type: type, value: thing % 5 === 0 ? value.toLowerCase() : value };
}

async function create(api: Api, path: string, { body, token }: { body: unknown; token: string }): Promise<number> {
  try {
    return (await api.post<Created>(path, body, token)).data.id;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === conflict)) throw error;
    throw new DemoError(
      `The organisation has something of the warehouse already (${error.message}): the demo needs an organisation that it has not been played in.`,
      { cause: error },
    );
  }
}

/** Registers a reader with its antennas. Its password is in the answer this once. */
export async function createReader(
  api: Api,
  { token }: Account,
  { reader, locations, device }: { reader: Reader; locations: ReadonlyMap<string, number>; device: Device },
): Promise<{ device: Device; password: string }> {
  const { vendor, antennas } = reader;
  const idOf = (zone: string) => locations.get(zone) ?? null;
  const topic = vendor.publishTopic(device);
  const { mqtt_username: username, mqtt_password: password } = await api.procedure<Registration>(
    'readers.create',
    {
      ...{ name: reader.name, format: vendor.format, ...vendor.settings },
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
    },
    token,
  );
  return { device: { ...device, username }, password };
}

type Registration = { mqtt_username: string; mqtt_password: string };

/** Whether it hears all around at the place where it stands, with an antenna that nobody numbers. */
function isGateway({ zone, antennas }: Reader): boolean {
  return antennas.length === 1 && antennas[0]?.zone === zone;
}
