import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Role } from '../../server/people/auth/scopes.js';
import { imageQuota } from '../../server/things/images/kinds.js';
import { removeUnusedImages } from '../../server/things/images/queries.js';
import { createMemberSession } from '../support/members.js';
import { animatedWebp, bomb, png, turnedJpeg } from '../support/pictures.js';
import { fileWorld } from '../support/shared.js';
import { createWorld } from '../support/world.js';

const mebibyte = 1024 * 1024;

const world = fileWorld(() => createWorld({ settings: { bodyBytesMax: 2048 } }));

async function tokenOf(orgId: number, role: Role): Promise<string> {
  return (await createMemberSession(world, orgId, role)).token;
}

async function organization() {
  const { orgId, token: key } = await world.organization();
  return { orgId, key, manager: await tokenOf(orgId, 'manager'), viewer: await tokenOf(orgId, 'viewer') };
}

type Call = { token?: string; method?: string; headers?: Record<string, string>; body?: Buffer };

async function call(path: string, { token, method = 'GET', headers = {}, body }: Call = {}) {
  const answer = await fetch(`${world.url}${path}`, {
    method,
    headers: { ...(token && { Authorization: `Bearer ${token}` }), ...headers },
    ...(body && { body: new Uint8Array(body) }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get('content-type') === 'application/json';
  const json = isJson ? JSON.parse(bytes.toString()) : undefined;
  return { status: answer.status, header: (name: string) => answer.headers.get(name), bytes, json };
}

function upload(token: string, body: Buffer, { type = 'image/png', kind = 'plan' } = {}) {
  return call(`/files/images?kind=${kind}`, { token, method: 'POST', headers: { 'Content-Type': type }, body });
}

describe('an upload', () => {
  it('is encoded as WebP, upright, no larger than needed and without what the file said besides', async () => {
    const { manager, viewer } = await organization();
    const source = await turnedJpeg(6000, 3000);
    expect((await sharp(source).metadata()).exif?.toString('latin1')).toContain('somebody');
    const stored = await upload(manager, source, { type: 'image/jpeg' });
    expect(stored).toMatchObject({ status: 201, json: { data: { width: 2048, height: 4096 } } });
    const imageUrl = stored.header('location') ?? '';
    expect(imageUrl).toBe(`/files/images/${stored.json.data.id}`);
    const { status, bytes } = await call(imageUrl, { token: viewer });
    expect(status).toBe(200);
    const found = await sharp(bytes).metadata();
    expect(found).toMatchObject({ format: 'webp', width: 2048, height: 4096 });
    expect([found.exif, found.icc, found.xmp, found.orientation]).toEqual([undefined, undefined, undefined, undefined]);
    const small = await call(`${imageUrl}?size=thumbnail`, { token: viewer });
    expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'webp', width: 128, height: 256 });
    expect((await upload(manager, source, { type: 'image/jpeg', kind: 'photo' })).json.data.height).toBe(1600);
  });

  it('can have ten megabytes, although bodies are smaller elsewhere, and no more', async () => {
    const { manager } = await organization();
    const image = await png();
    // What follows the end of a PNG is ignored.
    const large = Buffer.concat([image, Buffer.alloc(10 * mebibyte - image.length)]);
    expect((await upload(manager, large)).status).toBe(201);
    const larger = await upload(manager, Buffer.concat([large, Buffer.alloc(1)]));
    expect(larger).toMatchObject({
      status: 413,
      json: { error: { detail: 'Request body must be at most 10485760 bytes' } },
    });
  });

  it.each([
    [
      'a GIF',
      () =>
        sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
          .gif()
          .toBuffer(),
    ],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a page', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ])('of %s is rejected, even with the media type of an image', async (_name, make) => {
    const { manager } = await organization();
    const { status, json } = await upload(manager, await make());
    expect(status).toBe(400);
    expect(json.error.fields).toEqual([
      {
        field: 'image',
        code: 'invalid_value',
        message: 'image must be a PNG, JPEG or WebP file',
        reason: { name: 'not_image' },
      },
    ]);
  });

  it('of an animation, a damaged file or one that unpacks to too many pixels is rejected', async () => {
    const { manager, orgId } = await organization();
    const detailOf = async (bytes: Buffer) => (await upload(manager, bytes)).json.error.detail as string;
    expect(await detailOf(await animatedWebp())).toBe('image must not be animated');
    const image = await turnedJpeg(800, 600);
    expect(await detailOf(image.subarray(0, 150))).toBe('image is damaged and cannot be read');
    const huge = await bomb(10_000, 5_001);
    expect(huge.length).toBeLessThan(mebibyte);
    expect(await detailOf(huge)).toBe('image must have at most 50 million pixels');
    expect(await world.db.image.count({ where: { orgId } })).toBe(0);
  });

  it('needs a session of a manager, an image type and a purpose, in this order', async () => {
    const { manager, viewer, key } = await organization();
    const [body, type] = [await png(), { 'Content-Type': 'image/png' }];
    const post = (options: Call, query = '?kind=plan') =>
      call(`/files/images${query}`, { method: 'POST', body, ...options });
    expect(await post({})).toMatchObject({ status: 401, json: { error: { detail: 'Missing authorization header' } } });
    expect((await post({ token: 'nonsense' })).status).toBe(401);
    expect(await post({ token: key, headers: type })).toMatchObject({
      status: 401,
      json: { error: { detail: 'Session required' } },
    });
    expect(await post({ token: viewer })).toMatchObject({
      status: 403,
      json: { error: { detail: 'Missing required role: manager' } },
    });
    expect((await post({ token: manager, headers: { 'Content-Type': 'image/gif' } })).status).toBe(415);
    expect((await post({ token: manager, headers: { ...type, 'Content-Encoding': 'gzip' } })).status).toBe(415);
    expect((await post({ token: manager, headers: type }, '')).json.error.detail).toBe('kind is required');
    expect((await post({ token: manager, headers: type }, '?kind=logo')).json.error.detail).toBe(
      'kind must be one of: plan, photo',
    );
    expect((await post({ token: manager, headers: type }, '?kind=plan&a=1')).json.error.detail).toBe(
      'unknown parameter: a',
    );
    expect((await call('/files/images', { token: manager })).header('allow')).toBe('POST');
    expect((await call('/files/images/1', { token: manager, method: 'DELETE' })).header('allow')).toBe('GET, HEAD');
    expect((await call('/files/other', { token: manager })).status).toBe(404);
  });

  it('counts against the budget of the person, also where it is rejected', async () => {
    const { viewer } = await organization();
    const first = await call('/files/images/1', { token: viewer });
    const second = await call('/files/images/1', { token: viewer });
    const left = ({ header }: typeof first) => Number(header('x-ratelimit-remaining'));
    expect(left(first) - left(second)).toBe(1);
  });
});

describe('an image', () => {
  it('is for the people of its organization alone', async () => {
    const [org, other] = [await organization(), await organization()];
    const imageUrl = (await upload(org.manager, await png())).header('location') ?? '';
    expect((await call(imageUrl, { token: org.viewer })).status).toBe(200);
    expect(await call(imageUrl, { token: other.manager })).toMatchObject({
      status: 404,
      json: { error: { detail: 'Image not found' } },
    });
    expect((await call(imageUrl, { token: org.key })).status).toBe(401);
    expect((await call(imageUrl)).status).toBe(401);
    expect((await call('/files/images/9999999999', { token: org.viewer })).status).toBe(400);
  });

  it('cannot run scripts, is cached by browsers for one person, and is sent again only if it has changed', async () => {
    const { manager, viewer } = await organization();
    const imageUrl = (await upload(manager, await png())).header('location') ?? '';
    const { header, bytes } = await call(imageUrl, { token: viewer });
    expect(header('content-type')).toBe('image/webp');
    expect(header('x-content-type-options')).toBe('nosniff');
    expect(header('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
    expect(header('cross-origin-resource-policy')).toBe('same-origin');
    expect(header('cache-control')).toBe('private, no-cache');
    expect(header('vary')).toBe('Authorization');
    const etag = header('etag') ?? '';
    const again = await call(imageUrl, { token: viewer, headers: { 'If-None-Match': `"x", W/${etag}` } });
    expect([again.status, again.bytes.length, again.header('etag')]).toEqual([304, 0, etag]);
    const small = await call(`${imageUrl}?size=thumbnail`, { token: viewer, headers: { 'If-None-Match': etag } });
    expect(small.status).toBe(200);
    const head = await call(imageUrl, { token: viewer, method: 'HEAD' });
    expect([head.header('content-length'), head.bytes.length]).toEqual([String(bytes.length), 0]);
    expect((await call(imageUrl)).header('cache-control')).toBe('no-store');
  });

  it('that nothing refers to is deleted after an hour', async () => {
    const { manager, viewer, orgId } = await organization();
    const [old, used, fresh] = await Promise.all(
      [1, 2, 3].map(async () => (await upload(manager, await png())).json.data.id as number),
    );
    const anHourAgo = new Date(Date.now() - 3_601_000);
    await world.db.image.updateMany({ where: { id: { in: [old ?? 0, used ?? 0] } }, data: { createdAt: anHourAgo } });
    await world.db.image.update({ where: { id: used ?? 0 }, data: { isAttached: true } });
    await removeUnusedImages(world.db);
    const left = await world.db.image.findMany({ where: { orgId }, select: { id: true } });
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([used, fresh]));
    expect((await call(`/files/images/${old}`, { token: viewer })).status).toBe(404);
  });

  it('needs room: an organization has a number of images and of bytes, other organizations their own', async () => {
    const [org, other] = [await organization(), await organization()];
    const id = (await upload(org.manager, await png())).json.data.id as number;
    await world.db.image.update({ where: { id }, data: { storedBytes: imageQuota.bytesMax } });
    expect(await upload(org.manager, await png())).toMatchObject({
      status: 409,
      json: { error: { detail: 'The images of an organization can take 1024 MiB at most' } },
    });
    await world.db.image.update({ where: { id }, data: { storedBytes: 1 } });
    await world.db.$executeRaw`
      INSERT INTO images (org_id, kind, width, height, content, thumbnail, etag, stored_bytes)
      SELECT ${org.orgId}::int, 'plan', 1, 1, '', '', '', 1 FROM generate_series(2, ${imageQuota.imagesMax}::int)`;
    expect(await upload(org.manager, await png())).toMatchObject({
      status: 409,
      json: { error: { detail: 'An organization can have 10000 images at most' } },
    });
    expect((await upload(other.manager, await png())).status).toBe(201);
  });
});
