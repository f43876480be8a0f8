import { ulid } from 'ulid';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, showIn } from './support/accessible.js';
import { drawnHall } from './support/drawn-hall.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const words = {
  'en-GB': {
    belongsTo: 'Belongs to',
    away: 'Away',
    sum: '2 assets away from where they belong',
    missing: 'Missing here: 2 assets',
    all: 'Show all',
    title: 'Assets that are not where they belong',
    list: 'Show as list',
    awayFrom: 'Away from North: 2',
    remove: 'Delete',
    own: 'Wing deleted. Assets that belong to it: 1.',
    undo: 'Undo',
    deleted: 'Wing (deleted)',
    trigger: 'An asset is away from where it belongs for too long',
  },
  'de-DE': {
    belongsTo: 'Gehört zu',
    away: 'Woanders',
    sum: '2 Objekte nicht dort, wo sie hingehören',
    missing: 'Hier fehlen: 2 Objekte',
    all: 'Alle anzeigen',
    title: 'Objekte, die nicht dort sind, wo sie hingehören',
    list: 'Als Liste anzeigen',
    awayFrom: 'Woanders als in North: 2',
    remove: 'Löschen',
    own: 'Wing gelöscht. Objekte, die zu ihm gehören: 1.',
    undo: 'Rückgängig machen',
    deleted: 'Wing (gelöscht)',
    trigger: 'Ein Objekt ist zu lange nicht dort, wo es hingehört',
  },
} as const;

test.each([
  { locale: 'en-GB', width: 360, colorScheme: 'light' },
  { locale: 'de-DE', width: 1440, colorScheme: 'dark' },
  { locale: 'en-GB', width: 1440, colorScheme: 'light' },
  { locale: 'de-DE', width: 360, colorScheme: 'dark' },
] as const)(
  'a manager says where a pump belongs, sees that it is away, and where what is missing is ($locale, $width px)',
  async ({ locale, width, colorScheme }) => {
    const isPhone = width === 360;
    const viewport = { width, height: 900 };
    await using person = await world.person({
      role: 'manager',
      browser: { locale, viewport, isMobile: isPhone, hasTouch: isPhone },
    });
    const { page, organization } = person;
    const { admin } = organization;
    const text = words[locale];
    const look = async (name: string) => {
      await showIn(page, colorScheme);
      await person.picture(`${name}-${locale.slice(0, 2)}-${width}-${colorScheme}`, colorScheme);
      await expectAccessible(page);
      await expectFits(page, width);
    };
    const { id: hallId, north, south } = await drawnHall(world, organization);
    const kind = await admin.assetKinds.create({
      name: 'Infusion pump',
      icon: 'droplet',
      color: 'blue',
      image_id: null,
    });
    const add = async (name: string, belongsTo: number | null) => {
      const tags = [{ tag_type: 'barcode' as const, value: name.toUpperCase().replace(' ', '-') }];
      const asset = { name, tags, kind_id: kind.id, belongs_to_id: belongsTo };
      const { data } = await admin.assets.createInApp(asset);
      const reads = [{ asset_id: data.id }];
      await admin.scans.submit({ submission_id: ulid(), location_id: south, reads });
      return data.id;
    };
    const pump = await add('Pump 1', null);
    await add('Pump 2', north);

    await page.goto(`/assets/${pump}`);
    const field = page.getByRole('textbox', { name: text.belongsTo, exact: true });
    await field.click();
    await field.fill('north');
    await page
      .locator('[role="listbox"][aria-busy="false"]')
      .getByRole('option', { name: /^North/ })
      .click();
    await page.getByText(text.away, { exact: true }).waitFor();
    await look('asset');

    await page.goto('/');
    await page.getByRole('link', { name: text.sum }).waitFor();
    await look('home');
    await page.getByRole('link', { name: text.sum }).click();
    await page.getByRole('row', { name: /Pump 2/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?away=true');
    await look('assets');

    await page.goto(`/locations/${north}`);
    await page.getByRole('heading', { name: text.missing }).waitFor();
    await look('location');
    await page.getByRole('link', { name: text.all }).click();
    await page.getByRole('heading', { name: text.title }).waitFor();
    await page.getByRole('row', { name: /Pump 1.*North.*South/ }).waitFor();
    await look('report');

    await page.goto(`/locations/${hallId}`);
    await page.getByRole('button', { name: text.list }).click();
    await page.getByRole('link', { name: text.awayFrom }).waitFor();
    await look('plan-list');

    await page.goto(`/locations/${south}/audit`);
    await page.getByText(`${text.belongsTo} North`).first().waitFor();
    await look('audit');

    await page.goto('/alerts/rules/new?when=asset.away');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('option', { name: text.trigger, selected: true }).waitFor({ state: 'attached' });
    await look('rule');

    const at = new Date().toISOString();
    await page.goto(`/reports?report=inventory&at=${at}`);
    await page.getByRole('row', { name: isPhone ? /Pump 1.*South/ : /Pump 1.*South.*North/ }).waitFor();
    await look('inventory');

    // A location that assets belong to is deleted at once; the notice counts them, and they show that it was.
    const wing = await admin.locations.create({ name: 'Wing' });
    const spare = await add('Spare', wing.data.id);
    await page.goto(`/locations/${wing.data.id}`);
    await page.getByRole('button', { name: text.remove, exact: true }).click();
    await page.getByText(text.own).waitFor();
    await page.getByRole('button', { name: text.undo, exact: true }).waitFor();
    await look('deleted');
    await page.goto(`/assets/${spare}`);
    await expect.poll(() => field.inputValue()).toBe(text.deleted);

    // With the keyboard alone, the pump belongs to no location again.
    await page.goto(`/assets/${pump}`);
    await page.getByText(text.away, { exact: true }).waitFor();
    await field.focus();
    await page.keyboard.press('Backspace');
    await expect.poll(() => page.getByText(text.away, { exact: true }).count()).toBe(0);
  },
);
