import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('many deleted rows are restored at once, parents before what was in them, and what cannot be restored is named', async () => {
  await using person = await world.person({ role: 'manager', phone: true });
  const { page, organization } = person;
  const { admin } = organization;
  const hall = (await admin.locations.create({ name: 'Hall', external_key: 'HALL' })).data.id;
  const dock = (await admin.locations.create({ name: 'Dock', external_key: 'DOCK', parent_id: hall })).data.id;
  const ids = await Promise.all(
    Array.from({ length: 105 }, (_, n) => organization.asset({ name: `Crate ${n}`, externalKey: `CRATE-${n}` })),
  );
  for (const id of ids) await admin.assets.delete({ asset_id: id });
  // The location below is deleted first, so the list has it last. Both are tried until nothing more can be restored.
  await admin.locations.delete({ location_id: dock });
  await admin.locations.delete({ location_id: hall });
  await organization.asset({ name: 'Usurper', externalKey: 'CRATE-7' });

  await page.goto('/deleted');
  for (let shown = 50; shown < 107; shown += 50) {
    await page.getByRole('button', { name: 'Earlier deletions' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(shown + 1);
  }
  await page.getByRole('checkbox', { name: /all/i }).check();
  await page.getByText('107 items selected').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('button', { name: 'Restore selected' }).click();
  const report = page.getByRole('alert').filter({ hasText: '1 item not restored' });
  await report.getByText('106 items restored.').waitFor();
  await report.getByText('Crate 7: Usurper has the key CRATE-7 now. Change its key first.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Restore Crate/ }).count()).toBe(1);
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('deleted-restored');
  const { data } = await admin.locations.list({ sort: 'name' });
  expect(data.map(({ name, parent_external_key: parent }) => [name, parent])).toEqual([
    ['Dock', 'HALL'],
    ['Hall', null],
  ]);
});
