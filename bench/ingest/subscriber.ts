import { connectAsync, type MqttClient } from 'mqtt';
import pg from 'pg';
import { serveOrders } from '../worker.js';

/** The orders of the subscriber: the first one, and the later ones that it answers. */
export type SubscriberOrder =
  | {
      readonly mqttPort: number;
      readonly databaseUrl: string;
      readonly table: string;
      readonly orgId: number;
      /** The assets by the values of their tags. */
      readonly assetIds: Readonly<Record<string, number>>;
    }
  | { readonly untilRows: number };

type Subscription = Exclude<SubscriberOrder, { untilRows: number }>;

type NativeMessage = { reads: { value: string; antenna: number; rssi_dbm: number; observed_at: string }[] };

/**
 * Runs the baseline's subscriber, as one would write it in an hour. Each read becomes one row by one prepared
 * statement, one after another, and a message is acknowledged after its last one. All assets are in memory.
 */
export function serveSubscriber(): void {
  let rows = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let onWanted = () => {};

  async function subscribe(order: Subscription): Promise<void> {
    const database = new pg.Client(order.databaseUrl);
    await database.connect();
    const client = await connectAsync(`mqtt://127.0.0.1:${order.mqttPort}`);
    const insert = {
      name: 'insert',
      text: `INSERT INTO ${order.table} VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    };
    const store: MqttClient['handleMessage'] = (packet, done) => {
      void (async () => {
        const { reads } = JSON.parse(packet.payload.toString()) as NativeMessage;
        const readerId = Number(/\d+/.exec(packet.topic)?.[0]);
        const receivedAt = new Date().toISOString();
        for (const { value, antenna, rssi_dbm, observed_at } of reads) {
          const assetId = order.assetIds[value];
          const values = [order.orgId, assetId, observed_at, antenna, readerId, antenna, rssi_dbm, receivedAt];
          await database.query({ ...insert, values });
          rows += 1;
        }
        done();
        if (rows >= wanted) onWanted();
      })();
    };
    client.handleMessage = store;
    await client.subscribeAsync('readers/+/reads', { qos: 1 });
  }

  serveOrders((order: SubscriberOrder): Promise<void> => {
    if ('table' in order) return subscribe(order);
    wanted = order.untilRows;
    return new Promise((resolve) => {
      onWanted = resolve;
      if (rows >= wanted) resolve();
    });
  });
}
