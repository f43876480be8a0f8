import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

const words = {
  'en-GB': {
    query: 'any free pump near me',
    search: 'Search',
    free: 'Free',
    set: 'Set location',
    choose: 'Choose a location',
    delete: 'Delete',
    undo: 'Undo',
    field: 'Search assets, locations',
    near: 'Near Ward 3A',
    deleted: 'Alaris 2 deleted',
  },
  'de-DE': {
    query: 'freie Pumpe in meiner Nähe',
    search: 'Suchen',
    free: 'Frei',
    set: 'Standort setzen',
    choose: 'Standort auswählen',
    delete: 'Löschen',
    undo: 'Rückgängig machen',
    field: 'Objekte, Standorte',
    near: 'Nahe Ward 3A',
    deleted: 'Alaris 2 gelöscht',
  },
} as const;

test.each([
  { locale: 'en-GB', width: 390 },
  { locale: 'de-DE', width: 1440 },
] as const)(
  'a person finds a free pump, says where it is, and takes a wrong deletion back ($locale, $width px)',
  async ({ locale, width }) => {
    const organization = await world.organization();
    const { admin } = organization;
    const house = await organization.location({ name: 'House' });
    const ward = await organization.location({ name: 'Ward 3A', parentId: house });
    const store = await organization.location({ name: 'Clean utility', parentId: ward });
    const far = await organization.location({ name: 'Far store' });
    const name = locale === 'de-DE' ? 'Infusionspumpe' : 'Infusion pump';
    const { id: kind } = await admin.assetKinds.create({ name, icon: 'droplet', color: 'teal' });
    for (const [asset, location] of [
      ['Alaris 1', far],
      ['Alaris 2', store],
      ['Alaris 3', ward],
    ] as const) {
      const assetId = await organization.asset({ name: asset });
      await admin.assetKinds.setOfAsset({ asset_id: assetId, kind_id: kind });
      const seen = new Date();
      await world.db.assetPosition.create({
        data: { orgId: organization.orgId, assetId, locationId: location, assetLastSeen: seen, locatedSince: seen },
      });
    }
    for (const location of [store, far])
      await admin.locations.setFreeMark({ location_id: location, assets_free: true });
    const said = words[locale];
    const browser = { locale, viewport: { width, height: 844 } };
    await using person = await world.person({ organization, role: 'manager', phone: width < 600, browser });
    const { page } = person;
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: said.search }).filter({ visible: true }).first().click();
    await page.getByLabel(said.field).fill(said.query);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: said.choose }).click();
    await dialog
      .getByRole('combobox', { name: said.choose })
      .or(dialog.getByRole('textbox', { name: said.choose }))
      .fill('Ward');
    await page
      .getByRole('option', { name: /^Ward 3A/ })
      .first()
      .click();
    await dialog.getByText(said.near).waitFor();
    const pumps = dialog.getByRole('option', { name: /^Alaris/ });
    await expect
      .poll(() => pumps.allInnerTexts())
      .toEqual([expect.stringMatching(/Alaris 2[^]*Clean utility/), expect.stringMatching(/Alaris 1[^]*Far store/)]);
    await pumps.first().getByText(said.free, { exact: true }).waitFor();
    await expectAccessible(page);
    await pumps.first().click();
    await page.waitForURL('**/assets/*');
    await page.getByRole('button', { name: said.set }).click();
    await page.getByRole('dialog').getByLabel(said.choose).first().fill('Ward');
    await page
      .getByRole('option', { name: /^Ward 3A/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFits(page);
    await page.getByRole('button', { name: said.delete, exact: true }).first().click();
    const notice = page.getByRole('alert').filter({ hasText: said.deleted });
    await notice.getByRole('button', { name: said.undo }).click();
    await expect
      .poll(async () =>
        (await admin.assets.table({ sort: undefined, q: 'Alaris 2' })).data
          .filter((row) => row.name === 'Alaris 2')
          .map((row) => row.location?.name),
      )
      .toEqual(['Ward 3A']);
  },
);
