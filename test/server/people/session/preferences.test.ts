import { expect, test } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const unset = { time_zone: null, locale: null, hour_cycle: null, language: null };

test('each person has their own language and formats, and can go back to the settings of their device', async () => {
  const org = await world.organization();
  const [ada, ben] = [await org.as('viewer'), await org.as('viewer')];
  expect(await ada.session.preferences()).toEqual(unset);
  const chosen = {
    time_zone: 'America/New_York',
    locale: 'de-DE',
    hour_cycle: 'h12' as const,
    language: 'de' as const,
  };
  expect(await ada.session.updatePreferences(chosen)).toEqual(chosen);
  expect(await ada.session.preferences()).toEqual(chosen);
  expect(await ben.session.preferences()).toEqual(unset);
  await ada.session.updatePreferences(unset);
  expect(await ada.session.preferences()).toEqual(unset);
});

test('what no browser could show is rejected', async () => {
  const viewer = await (await world.organization()).as('viewer');
  const refused = async (bad: object) =>
    (await refusalOf(viewer.session.updatePreferences({ ...unset, ...bad }))).fields?.map(({ field }) => field);
  expect(await refused({ time_zone: 'Mars/Olympus' })).toEqual(['time_zone']);
  expect(await refused({ locale: 'not a language' })).toEqual(['locale']);
  expect(await refused({ hour_cycle: 'h7' })).toEqual(['hour_cycle']);
  expect(await refused({ language: 'tlh' })).toEqual(['language']);
});
