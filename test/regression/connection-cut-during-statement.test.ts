import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openDatabase } from '../../server/kernel/database/client.js';
import { isUnavailable } from '../../server/kernel/database/faults.js';
import { createTestDatabase } from '../support/postgres.js';

/** A way to a server whose connections can be cut, as a load balancer does when the server is gone. */
async function createCuttableWay(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      socket.on('error', () => {});
      sockets.add(socket);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a connection that is cut during a statement fails the statement, and not the process', async () => {
  await using database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  await using way = await createCuttableWay({ host: hostname, port: Number(port) });
  const opened = openDatabase({ url: database.url.replace(`:${port}/`, `:${way.port}/`), poolSize: 1 });
  const { db } = opened;
  await db.$queryRaw`SELECT 1`;
  const sleeping = db.$queryRaw`SELECT pg_sleep(30)`.catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const other = openDatabase({ url: database.url, poolSize: 1 });
      const { rows } = await other.pool.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%' AND state = 'active' AND pid <> pg_backend_pid()`,
      );
      await other.close();
      return rows.length;
    })
    .toBe(1);
  way.cut();
  expect(isUnavailable(await sleeping)).toBe(true);
  expect(await db.$queryRaw`SELECT 2 AS two`).toEqual([{ two: 2 }]);
  await opened.close();
});
