import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PagePieces } from '../../server/index.js';

/** Text that is collected before it is written. A page that has less is sent whole. */
const writtenCharactersMin = 65_536;

/** A piece is in memory as it was read, as items, and as bytes; a character of a text can take two bytes. */
const bytesPerCharacter = 5;

const start = '{"data":[';

/**
 * Sends a page whose items are read while it is written. The next piece is read once the client has received most of
 * the previous one, so that one piece is in memory. Other requests are served between two rows that are large.
 *
 * A failure before the first write is thrown before anything is sent; the caller breaks off the answer after a later one.
 *
 * @param page the page without its items
 * @param options.hold called with the bytes that the answer takes from now on
 */
export async function sendPieces(
  response: ServerResponse,
  page: unknown,
  { pieces, isHead, hold }: { pieces: PagePieces; isHead: boolean; hold: (bytes: number) => void },
): Promise<void> {
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json');
  hold(pieces.bytes);
  let text = start;
  let separator = '';
  for await (const items of pieces.read()) {
    hold(pieces.bytes + items.reduce((sum, { length }) => sum + length, 0) * bytesPerCharacter);
    for (const item of items) {
      text += separator + item;
      separator = ',';
      if (text.length < writtenCharactersMin) continue;
      // The length is not known without reading all rows.
      if (isHead) {
        response.end();
        return;
      }
      await write(response, text);
      text = '';
      if (response.destroyed) return;
    }
  }
  const rest = Buffer.from(text + JSON.stringify(page).slice(start.length));
  if (!response.headersSent) response.setHeader('Content-Length', rest.length);
  response.end(rest);
  hold(0);
}

/** Writes a text, and waits until most of what was written has been sent, or the client has disconnected. */
async function write(response: ServerResponse, text: string): Promise<void> {
  // As a text it would be sent in one encoding with the head, whose request id can be in another one.
  const mayGoOn = response.write(Buffer.from(text));
  if (!mayGoOn && !response.destroyed) await drained(response);
  await nextTurn();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const proceed = (): void => {
      response.off('drain', proceed).off('close', proceed);
      resolve();
    };
    response.on('drain', proceed).on('close', proceed);
  });
}
