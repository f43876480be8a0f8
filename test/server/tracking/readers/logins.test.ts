import { describe, expect, it } from 'vitest';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const bytes = (text: string) => Buffer.from(text);

describe('logging in', () => {
  it('needs the newest password, and a reader that is there', async () => {
    const org = await world.organization();
    const reader = await org.reader({ format: 'csl_cs463', publish_topic: 'a/+' });
    const { authenticate, changesSince } = world.core.readers;
    const before = await authenticate(reader.mqtt_username, bytes(reader.mqtt_password));
    expect(before).toEqual({
      readerId: reader.id,
      orgId: org.orgId,
      username: reader.mqtt_username,
      format: 'csl_cs463',
      mapping: null,
      publishTopics: ['a/+'],
      credential: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { cursor } = await changesSince(undefined);
    const { mqtt_password } = await org.admin.readers.rotateSecret({ id: reader.id });
    expect(await authenticate(reader.mqtt_username, bytes(reader.mqtt_password))).toBeUndefined();
    const after = await authenticate(reader.mqtt_username, bytes(mqtt_password));
    expect(after).toEqual({ ...before, credential: after?.credential });
    expect(after?.credential).not.toBe(before?.credential);
    const { changes } = await changesSince(cursor);
    expect(changes).toContainEqual({
      readerId: reader.id,
      username: reader.mqtt_username,
      login: after,
    });
    await org.admin.readers.delete({ id: reader.id });
    expect(await authenticate(reader.mqtt_username, bytes(mqtt_password))).toBeUndefined();
    expect((await changesSince(cursor)).changes).toContainEqual({
      readerId: reader.id,
      username: reader.mqtt_username,
      login: undefined,
    });
    // A reader that is restored logs in with its former password.
    const { cursor: deletedAt } = await changesSince(cursor);
    await org.admin.readers.restore({ id: reader.id });
    expect(await authenticate(reader.mqtt_username, bytes(mqtt_password))).toEqual(after);
    expect((await changesSince(deletedAt)).changes).toContainEqual({
      readerId: reader.id,
      username: reader.mqtt_username,
      login: after,
    });
  });

  it('is found by its user name alone, for an external broker that has checked its password', async () => {
    const [here, there] = [await world.organization(), await world.organization()];
    const [one, two, gone] = [await here.reader(), await there.reader(), await there.reader()];
    await there.admin.readers.delete({ id: gone.id });
    const { authenticate, find } = world.core.readers;
    const names = [one, two, gone].map((reader) => reader.mqtt_username);
    const found = await find([...names, 'nobody', '', 'no\0body', 'n'.repeat(65)]);
    expect(found.toSorted((a, b) => a.readerId - b.readerId)).toEqual([
      await authenticate(one.mqtt_username, bytes(one.mqtt_password)),
      await authenticate(two.mqtt_username, bytes(two.mqtt_password)),
    ]);
    expect(await find(['no\0body'])).toEqual([]);
  });
});
