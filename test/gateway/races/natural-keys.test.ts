import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, nouns, type Row } from '../../support/factories.js';
import type { Answer } from '../../support/answer.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

const atOnce = 8;
const times = <Result>(make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: atOnce }, (_none, index) => make(index)));

/** Exactly one succeeded; all others got the conflict. Returns the winner. */
function oneWinner(answers: Answer[], success: number, detail: string): Answer {
  const winners = answers.filter(({ status }) => status === success);
  expect(
    winners.map(({ status }) => status),
    answers.map(({ text }) => text).join('\n'),
  ).toEqual([success]);
  for (const loser of answers.filter(({ status }) => status !== success))
    expect(loser).toBeError({ type: 'conflict', detail });
  return winners[0] as Answer;
}

describe.each(bothNouns)('one key wanted by many $noun rows at once', (noun) => {
  const taken = (key: string) => `${noun.noun} with external_key ${key} already exists`;

  it('goes to one that is created', async () => {
    const organization = await world.organization();
    for (const key of ['OWN-KEY', `${noun.generatedPrefix}0005`]) {
      const answers = await times(() => organization.post(noun.path, { name: 'n', external_key: key }));
      const { body } = oneWinner(answers, 201, taken(key));
      expect((await organization.get(`${noun.path}?external_key=${key}`)).body).toMatchObject({
        total_count: 1,
        data: [body.data],
      });
    }
  });

  it('goes to one that is renamed', async () => {
    const organization = await world.organization();
    const rows = await times(() => create(organization, noun));
    for (const key of ['OWN-KEY', `${noun.generatedPrefix}0099`]) {
      const answers = await Promise.all(
        rows.map(({ id }) => organization.post(`${noun.path}/${id}/rename`, { external_key: key })),
      );
      oneWinner(answers, 200, taken(key));
      expect((await organization.get(`${noun.path}?external_key=${key}`)).body.total_count).toBe(1);
    }
  });

  it('goes to one, created or renamed', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const [renamed, made] = await Promise.all([
      organization.post(`${noun.path}/${row.id}/rename`, { external_key: 'WANTED' }),
      organization.post(noun.path, { name: 'n', external_key: 'WANTED' }),
    ]);
    expect(
      [renamed.status, made.status].toSorted((a, b) => a - b),
      `${renamed.text} ${made.text}`,
    ).toEqual([made.status === 201 ? 201 : 200, 409]);
    expect((await organization.get(`${noun.path}?external_key=WANTED`)).body.total_count).toBe(1);
  });

  it('is free for exactly one once its holder is being deleted', async () => {
    const organization = await world.organization();
    for (let round = 0; round < 5; round += 1) {
      const holder = await create(organization, noun, { external_key: `K-${round}` });
      const [gone, ...answers] = await Promise.all([
        organization.delete(`${noun.path}/${holder.id}`),
        ...Array.from({ length: 4 }, () => organization.post(noun.path, { name: 'n', external_key: `K-${round}` })),
      ]);
      expect(gone?.status).toBe(204);
      expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
      expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    }
  });
});

describe('one tag wanted at once', () => {
  const tag = { tag_type: 'rfid', value: 'E280 1160' };
  const detail = 'tag rfid:E280 1160 already exists';

  it('goes to one asset or location that is there', async () => {
    const organization = await world.organization();
    const rows: [path: string, row: Row][] = await times(async (index) => {
      const noun = index % 2 === 0 ? nouns.assets : nouns.locations;
      return [noun.path, await create(organization, noun)];
    });
    const answers = await Promise.all(rows.map(([path, { id }]) => organization.post(`${path}/${id}/tags`, tag)));
    const winner = oneWinner(answers, 201, detail);
    const held = await Promise.all(
      rows.map(async ([path, { id }]) => (await organization.get(`${path}/${id}`)).body.data.tags),
    );
    expect(held.flat()).toEqual([winner.body.data]);
  });

  it('goes to one asset or location that is created', async () => {
    const organization = await world.organization();
    const answers = await times((index) =>
      organization.post((index % 2 === 0 ? nouns.assets : nouns.locations).path, {
        name: 'n',
        tags: [{ tag_type: 'ble', value: String(index) }, tag],
      }),
    );
    oneWinner(answers, 201, detail);
    const stored = await world.db.tag.findMany({ where: { orgId: organization.orgId } });
    expect(stored).toHaveLength(2);
    const counts = await Promise.all(
      bothNouns.map(async ({ path }) => (await organization.get(path)).body.total_count as number),
    );
    expect(counts[0] === undefined ? 0 : counts[0] + (counts[1] ?? 0)).toBe(1);
  });
});
