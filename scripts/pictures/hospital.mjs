/** Sample data: a hospital on an ordinary day, with locations, assets, readers, and the history of the assets. */
import { setTimeout as delay } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { makePlan } from './hospital-plan.mjs';

const floors = {
  'Main building': {
    Emergency: ['Emergency', 'Radiology', 'Loading dock'],
    Surgery: ['Operating room 1', 'Operating room 2', 'Recovery'],
    Wards: ['Ward A', 'Ward B', 'Intensive care'],
  },
  'Service building': {
    Basement: ['Sterilization', 'Central store', 'Workshop'],
  },
};

const kinds = [
  ['Infusion pump', 46, 'Volumetric, serviced every six months'],
  ['Syringe driver', 28, 'Kept charged at its station'],
  ['Wheelchair', 32, 'Foldable'],
  ['Ultrasound scanner', 7, 'With trolley'],
  ['Ventilator', 14, 'Check filters before use'],
  ['Defibrillator', 11, 'Tested weekly'],
  ['Patient monitor', 38, 'Portable'],
  ['Bed', 54, 'Electric'],
  ['ECG trolley', 9, null],
  ['Instrument tray', 61, 'Sterilized after each use'],
];

export const account = {
  organization_name: 'Harbor Hospital',
  name: 'Ada Lindqvist',
  email: 'ada@harbor.example',
  password: 'a hospital by the sea',
};

/** The same numbers each time, so that pictures differ only if the product does. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Makes the rooms in their buildings, and the plan of the main building. */
async function makeLocations(caller) {
  const { call } = caller;
  const rooms = [];
  const buildings = {};
  for (const [building, levels] of Object.entries(floors)) {
    const { id: buildingId } = (await call('locations.create', { name: building })).data;
    buildings[building] = buildingId;
    for (const [level, names] of Object.entries(levels)) {
      const { id: levelId } = (await call('locations.create', { name: level, parent_id: buildingId })).data;
      for (const name of names) {
        const tags = [{ tag_type: 'barcode', value: `PLACE-${name.toUpperCase().replaceAll(' ', '-')}` }];
        rooms.push((await call('locations.create', { name, parent_id: levelId, tags })).data);
      }
    }
  }
  const mainId = buildings['Main building'];
  await makePlan(caller, { buildingId: mainId, locations: rooms });
  return { rooms, mainId };
}

async function makeAssets({ call }) {
  const assets = [];
  for (const [kind, count, description] of kinds) {
    for (let n = 1; n <= count; n += 1) {
      const value = `E280 1190 A503 ${String(assets.length).padStart(4, '0')}`.replaceAll(' ', '');
      const wish = { name: `${kind} ${n}`, description, tags: [{ tag_type: 'rfid', value }] };
      assets.push({ ...(await call('assets.create', wish)).data, value });
    }
  }
  return assets;
}

async function makeReaders({ call }, rooms) {
  const readers = [];
  for (const room of rooms) {
    const wish = { name: `${room.name} door`, format: 'native', location_id: room.id };
    readers.push({ ...(await call('readers.create', wish)), room });
  }
  return readers;
}

const hourMs = 3_600_000;

/** Plans each asset's path through the last days, as reads by reader. */
function planReads(assets, readers, random) {
  const plan = new Map(readers.map((reader) => [reader, []]));
  const nowMs = Date.now();
  for (const [index, asset] of assets.entries()) {
    // Some were never seen, some not for long.
    if (index % 23 === 7) continue;
    let atMs = nowMs - (3 + random() * 60) * hourMs;
    const untilMs = index % 17 === 3 ? nowMs - 40 * hourMs : nowMs;
    let readerIndex = Math.floor(random() * readers.length);
    while (atMs < untilMs) {
      plan
        .get(readers[readerIndex])
        .push({ value: asset.value, observed_at: new Date(atMs).toISOString(), rssi_dbm: -45 });
      atMs += (0.5 + random() * 9) * hourMs;
      if (random() < 0.7) readerIndex = Math.floor(random() * readers.length);
    }
  }
  return plan;
}

/** Publishes reads as the given reader; resolves when they are stored. */
export async function publish(mqttUrl, reader, reads) {
  const client = await connectAsync(mqttUrl, { username: reader.mqtt_username, password: reader.mqtt_password });
  const topic = reader.publish_topic ?? `readers/${reader.mqtt_username}/reads`;
  await client.publishAsync(topic, typeof reads === 'string' ? reads : JSON.stringify({ reads }), { qos: 1 });
  await client.endAsync();
}

/** Fills the service, and resolves with the data that the pictures need. */
export async function makeHospital({ caller, mqttUrl }) {
  const random = createRandom(7);
  caller.signIn((await caller.call('session.signUp', account)).token);
  const { rooms, mainId } = await makeLocations(caller);
  const assets = await makeAssets(caller);
  const readers = await makeReaders(caller, rooms);
  for (const [reader, reads] of planReads(assets, readers, random)) {
    for (let at = 0; at < reads.length; at += 200) await publish(mqttUrl, reader, reads.slice(at, at + 200));
  }
  const unknownTags = Array.from({ length: 7 }, (_, n) => ({ value: `3034257BF7194E400000${1000 + n * 37}` }));
  for (const reader of readers.slice(0, 3)) await publish(mqttUrl, reader, unknownTags);
  await publish(mqttUrl, readers[2], '{"tags": "none of the formats reads this"}');
  await caller.call('apiKeys.create', {
    name: 'Maintenance planning',
    scopes: ['assets:read', 'tracking:read'],
    expires_at: new Date(Date.now() + 90 * 24 * hourMs).toISOString(),
  });
  await caller.call('organizations.endFirstSteps');
  // Counts of readers are stored every two seconds.
  await delay(3000);
  return { rooms, mainId, assets, readers };
}
