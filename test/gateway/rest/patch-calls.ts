import { expect } from 'vitest';
import type { Answer } from '../../support/answer.js';
import type { Noun, Row } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';

export const twoTags = [
  { tag_type: 'rfid', value: 'one' },
  { tag_type: 'ble', value: 'two' },
];

/** Calls that patch rows of a noun. */
export function patchCalls({ path }: Noun) {
  const send = (client: RestClient, id: number, body: Record<string, unknown>): Promise<Answer> =>
    client.patch(`${path}/${id}`, body);

  /** Returns the changed row of a patch that must be accepted. */
  async function accepted(client: RestClient, id: number, body: Record<string, unknown>): Promise<Row> {
    const answer = await send(client, id, body);
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['data']);
    return answer.body.data;
  }

  return { send, accepted };
}
