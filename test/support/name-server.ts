import { createSocket } from 'node:dgram';
import { decode, encode } from 'dns-packet';

/** A real name server on a free port of this machine, which knows TXT records and IPv4 addresses. */
export type NameServer = AsyncDisposable & {
  /** As resolvers take it. */
  readonly address: string;
  /** IPv4 addresses by name. */
  readonly addresses: Map<string, string[]>;
  /** Texts by name; a name without an entry does not exist. */
  readonly records: Map<string, string[]>;
  /** Whether it gives no answers but failures. */
  isBroken: boolean;
};

export async function createNameServer(): Promise<NameServer> {
  const records = new Map<string, string[]>();
  const addresses = new Map<string, string[]>();
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const [{ name, type } = { name: '', type: '' }] = questions;
    const code = server.isBroken ? 2 : records.has(name) || addresses.has(name) ? 0 : 3;
    const found = type === 'A' ? addresses.get(name) : records.get(name);
    const answers = (found ?? []).map((data) => ({
      type: type === 'A' ? ('A' as const) : ('TXT' as const),
      name,
      ttl: 1,
      data,
    }));
    socket.send(encode({ type: 'response', id: id ?? 0, flags: code, questions, answers }), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    addresses,
    isBroken: false,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  return server;
}
