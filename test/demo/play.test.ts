import { expect, test } from 'vitest';
import { DemoError } from '../../demo/demo-error.js';
import { lookAround } from '../../demo/farewell.js';
import { type Options, readOptions } from '../../demo/options.js';
import { playDay } from '../../demo/play.js';
import { jsonOf, tableOf } from '../../demo/summary.js';
import { createDemoStage } from '../support/demo-stage.js';
import type { World } from '../support/world.js';

function optionsOf(args: string): Options {
  return readOptions(args.split(' ')) ?? (Promise.reject(new Error('help')) as never);
}

const short = '--assets 60 --hours 0.1001 --speed max';

async function rowsOf({ db }: World) {
  return {
    locations: await db.location.count(),
    assets: await db.asset.count(),
    readers: await db.reader.count(),
    silent: await db.reader.count({ where: { lastMessageAt: null } }),
    strangers: await db.unknownTag.count(),
  };
}

test('a short day is played in every format, and its truth is told', { timeout: 60_000 }, async () => {
  await using theatre = await createDemoStage();
  const { world, stage, told } = theatre;
  const options = optionsOf(short);
  const outcome = await playDay(options, stage);

  expect(await rowsOf(world)).toMatchObject({ locations: 40, assets: 60, readers: 12, silent: 0 });
  const { sum, traffic, looks } = outcome;
  // The report is what the acknowledged reads say, and everything that stands in a field has been read.
  expect(looks).toHaveLength(2);
  expect(sum.errors.unexplained).toBe(0);
  expect(sum.withinReach.neverSeen).toBe(0);
  expect(sum.withinReach.atTheirPlace / sum.withinReach.assets).toBeGreaterThan(0.8);
  expect(sum.withinReach.atTheirPlace).toBeLessThanOrEqual(sum.withinReach.assets);
  expect(traffic.heldReads).toBeGreaterThan(0);
  expect(await world.db.scanEvent.count()).toBeGreaterThan(60);

  expect(tableOf(options, outcome)).toMatch(/\| on the site +\| +\d+ \| +\d+\.\d\d % \|/);
  expect(JSON.parse(jsonOf(options, outcome))).toMatchObject({
    ...{ seed: 1, speed: 'max', looks: 2, played_ms: 360_000 },
    truth: { on_site: { assets: sum.onSite.assets }, errors: { unexplained: 0 } },
  });
  const lines = told.join('');
  expect(lines).toContain('Making the organisation "Riverside 1": 40 locations, 60 assets, 12 readers');
  expect(lines).toContain('the reader "High bay, aisles E to H" has lost its network');
  expect(lines).toMatch(/delivers \d+ reads at once/);
  expect(lines).toContain('100 %');
  const key = lookAround(world.url, outcome).match(/KEY=(\S+)/)?.[1];
  const headers = { Authorization: `Bearer ${key}` };
  expect((await fetch(`${world.url}/api/v1/reports/asset-locations`, { headers })).status).toBe(200);
});

test('where nobody can sign up it says what to do, and plays for an administrator', { timeout: 60_000 }, async () => {
  await using theatre = await createDemoStage();
  const { stage } = theatre;
  const ada = { organization_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'analytical engine' };
  await stage.api.procedure('session.signUp', ada);
  await expect(playDay(optionsOf(short), stage)).rejects.toThrow(DemoError);
  await expect(playDay(optionsOf(short), stage)).rejects.toThrow('npm run demo -- --email <address> --password <text>');

  const account = { email: ada.email, password: ada.password };
  const options = { ...optionsOf('--assets 20 --hours 0.1 --speed max'), account };
  const outcome = await playDay(options, stage);
  expect(outcome.account).toMatchObject({ organization: 'Acme', password: undefined });
  expect(lookAround(theatre.world.url, outcome)).not.toContain(ada.password);
  // Once is enough for an organisation: everything has its key there already.
  await expect(playDay(options, stage)).rejects.toThrow('has something of the warehouse already');
  await expect(playDay({ ...options, account: { ...account, password: 'wrong' } }, stage)).rejects.toThrow(
    'Signing in as ada@example.com failed',
  );
});

test('a day that is ended early tells what was played until then', { timeout: 60_000 }, async () => {
  await using theatre = await createDemoStage();
  const { stage, end, told } = theatre;
  const options = optionsOf('--assets 20 --hours 2 --speed 600');
  const output = {
    ...stage.output,
    line(text: string) {
      stage.output.line(text);
      if (/^\d\d:\d\d/.test(text)) end();
    },
  };
  const outcome = await playDay(options, { ...stage, output });
  expect(outcome.playedMs).toBeGreaterThan(0);
  expect(outcome.playedMs).toBeLessThan(options.dayMs);
  expect(tableOf(options, outcome)).toContain('from 06:00 to 06:0');
  expect(told.at(-1)).toMatch(/^06:0/);
});

test('readers who cannot connect are no riddle', async () => {
  await using theatre = await createDemoStage();
  const play = playDay(optionsOf('--assets 20 --hours 0.1'), { ...theatre.stage, mqttUrl: 'mqtt://127.0.0.1:1' });
  await expect(play).rejects.toThrow('The readers cannot connect to mqtt://127.0.0.1:1: ');
});
