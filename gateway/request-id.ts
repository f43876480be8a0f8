import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ulid } from 'ulid';

const poolBytes = 4096;

/**
 * Returns a function that determines the id of a request: the given one, unchanged and unchecked unless empty (contract
 * 1.4), otherwise a new ULID.
 *
 * Node represents header values with one character per byte and writes them back byte for byte, with one exception: a
 * header sent together with a string body is encoded like the body. Answers with bytes above 0x7F in the id stay exact
 * when the body is a Buffer.
 */
export function createRequestIds(options: { nowMs: () => number }): (request: IncomingMessage) => string {
  const random = createRandom();
  return (request) => {
    const inbound = request.headers['x-request-id'];
    // Node joins repeated headers, so it is never an array, although the type allows it.
    const given = Array.isArray(inbound) ? inbound.join(', ') : inbound;
    return given === undefined || given === '' ? ulid(options.nowMs(), random) : given;
  };
}

/**
 * Returns a function that returns fractions in 256 steps from the system's random bytes. Fetches the bytes a pool at a
 * time, since a call for each byte would cost more than the id.
 */
function createRandom(): () => number {
  const pool = new Uint8Array(poolBytes);
  let at = poolBytes;
  return () => {
    if (at === poolBytes) {
      randomFillSync(pool);
      at = 0;
    }
    const byte = pool[at] ?? 0;
    at += 1;
    return byte / 256;
  };
}
