import { ulid } from 'ulid';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits } from './support/accessible.js';
import { scan, sendByButton } from './support/scanner.js';
import { shows } from './support/shows.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld, type Person } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** A ward with a cart, which holds things, and two pumps at the dock. */
async function setUp() {
  const organization = await world.organization();
  const { admin } = organization;
  const ward = await organization.location({ name: 'Ward', tags: [['barcode', 'LOC-WARD']] });
  const dock = await organization.location({ name: 'Dock', tags: [['barcode', 'LOC-DOCK']] });
  const { id: kindId } = await admin.assetKinds.create({
    name: 'Cart',
    icon: 'truck',
    color: 'blue',
    image_id: null,
    holds_assets: true,
  });
  const add = async (name: string, { kind = null as number | null, at = dock }) => {
    const tags = [{ tag_type: 'barcode' as const, value: name.toUpperCase().replaceAll(' ', '-') }];
    const { data } = await admin.assets.createInApp({ name, tags, kind_id: kind, belongs_to_id: null });
    await admin.scans.submit({ submission_id: ulid(), location_id: at, reads: [{ asset_id: data.id }] });
    return data.id;
  };
  const cart = await add('Cart 7', { kind: kindId, at: ward });
  const [first, second] = [await add('Pump 1', {}), await add('Pump 2', {})];
  return { organization, admin, ward, dock, kindId, cart, first, second, add };
}

type World = Awaited<ReturnType<typeof setUp>>;

/** The containers and the location of an asset, by name. */
async function whereIs({ admin }: World, assetId: number): Promise<string> {
  const { containers, position } = await admin.assets.detail({ asset_id: assetId });
  return [...containers.map(({ name }) => name), position?.location?.name ?? 'nowhere'].join(' › ');
}

const words = {
  'en-GB': {
    contents: 'Contents',
    add: 'Put an asset in',
    in: /in Cart 7 › Ward/,
    with: 'With Cart 7',
    takeOut: 'Take out Pump 1',
    undo: 'Undo',
    past: 'Earlier contents',
    were: 'Earlier containers',
    still: 'Still in it',
    pastTable: 'Contents at this time',
    check: 'Check contents',
    missing: 'Take out what is missing: 1 asset',
    suggest: 'Suggest contents',
    found: '1 asset always moved with it in the last 30 days',
    put: 'Put 1 asset in',
    scanInto: 'Scan into it',
    goesInto: 'What you scan goes into',
    change: 'Change',
  },
  'de-DE': {
    contents: 'Inhalt',
    add: 'Objekt hineinlegen',
    in: /in Cart 7 › Ward/,
    with: 'Mit Cart 7',
    takeOut: 'Pump 1 herausnehmen',
    undo: 'Rückgängig machen',
    past: 'Früherer Inhalt',
    were: 'Frühere Behälter',
    still: 'Noch darin',
    pastTable: 'Inhalt zu dieser Zeit',
    check: 'Inhalt prüfen',
    missing: 'Herausnehmen, was fehlt: 1 Objekt',
    suggest: 'Inhalt vorschlagen',
    found: '1 Objekt hat sich in den letzten 30 Tagen immer mit ihm bewegt',
    put: '1 Objekt hineinlegen',
    scanInto: 'Hineinscannen',
    goesInto: 'Was Sie scannen, kommt in',
    change: 'Ändern',
  },
} as const;

/** Takes a picture in each color scheme, and looks for what people with other devices could not use. */
async function look(person: Person, name: string, width: number): Promise<void> {
  const { page } = person;
  for (const colorScheme of ['dark', 'light'] as const)
    await person.picture(`${name}-${width}-${colorScheme}`, colorScheme);
  await expectAccessible(page);
  await expectFits(page, width);
}

async function choose(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: field, exact: true }).fill(text);
  await page
    .locator('[role="listbox"][aria-busy="false"]')
    .getByRole('option', { name: new RegExp(`^${text}`) })
    .click();
}

test.each([
  { locale: 'en-GB', width: 360 },
  { locale: 'de-DE', width: 1440 },
] as const)(
  'the page of a cart says what is in it and was in it, and takes in, out and checks ($locale, $width px)',
  async ({ locale, width }) => {
    const made = await setUp();
    const { organization, cart, first, second } = made;
    const text = words[locale];
    const isPhone = width === 360;
    const viewport = { width, height: 900 };
    const browser = { locale, viewport, isMobile: isPhone, hasTouch: isPhone };
    await using person = await world.person({ role: 'manager', organization, browser });
    const { page } = person;
    await page.goto(`/assets/${cart}`);
    const contents = page.getByRole('region', { name: new RegExp(`^${text.contents}`) });
    for (const name of ['Pump 1', 'Pump 2']) {
      await choose(page, text.add, name);
      await contents.getByRole('link', { name }).waitFor();
    }
    expect(await contents.getByTestId('contents-count').innerText()).toBe('2');
    expect(await whereIs(made, first)).toBe('Cart 7 › Ward');
    await look(person, `contents-${locale}`, width);

    await page.goto(`/assets/${first}`);
    await page.getByText(text.in).first().waitFor();
    await page.getByText(text.with).first().waitFor();
    await look(person, `in-${locale}`, width);
    await page.getByRole('button', { name: text.were }).click();
    await page.getByRole('row', { name: new RegExp(`Cart 7.*manager.*${text.still}`) }).waitFor();
    await look(person, `were-${locale}`, width);
    // With the keyboard alone.
    await page.getByRole('button', { name: text.takeOut }).focus();
    await page.keyboard.press('Enter');
    const undo = page.getByRole('alert').getByRole('button', { name: text.undo, exact: true });
    await undo.waitFor();
    expect(await whereIs(made, first)).toBe('Ward');
    await undo.click();
    await expect.poll(() => whereIs(made, first)).toBe('Cart 7 › Ward');

    await page.goto(`/assets/${cart}`);
    await contents.getByRole('button', { name: text.past }).click();
    await page.getByRole('table', { name: text.pastTable }).getByRole('link', { name: 'Pump 1' }).waitFor();
    await look(person, `past-contents-${locale}`, width);

    await contents.getByRole('button', { name: text.check }).click();
    const check = contents.getByRole('region', { name: text.check });
    await check.getByTestId('missing-count').getByText('2').waitFor();
    await scan(page, 'PUMP-2');
    await check.getByTestId('found-count').getByText('1').waitFor();
    await look(person, `check-${locale}`, width);
    await check.getByRole('button', { name: text.missing }).click();
    await expect.poll(() => whereIs(made, first)).toBe('Ward');
    expect(await whereIs(made, second)).toBe('Cart 7 › Ward');

    const third = await made.add('Pump 3', {});
    for (const location of [made.dock, made.ward, made.dock, made.ward, made.dock, made.ward]) {
      const reads = [{ asset_id: cart }, { asset_id: third }];
      await made.admin.scans.submit({ submission_id: ulid(), location_id: location, reads });
    }
    await contents.getByRole('button', { name: text.suggest }).click();
    await contents.getByText(text.found).waitFor();
    await look(person, `suggested-${locale}`, width);
    await contents.getByRole('button', { name: text.put }).click();
    await expect.poll(() => whereIs(made, third)).toBe('Cart 7 › Ward');

    await contents.getByRole('button', { name: text.scanInto }).click();
    await page.getByText(text.goesInto).waitFor();
    await page.getByRole('button', { name: text.change, exact: true }).waitFor();
    await look(person, `scan-${locale}`, width);

    await page.goto('/assets?sort=name');
    await page.getByRole('row', { name: /Pump 2.*in Cart 7 › Ward/ }).waitFor();
    await look(person, `list-${locale}`, width);
  },
);

const outcome = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).waitFor();

test('a cart is scanned like a location: what follows goes in, also without a network; it can be undone and taken out', async () => {
  const made = await setUp();
  const { organization, first, second, cart } = made;
  await made.add('Cart 8', { kind: made.kindId });
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page, context } = person;
  person.problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
  await sendByButton(page);
  await Promise.all([page.waitForResponse(/scans\.locationTags/), page.goto('/scan')]);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByText(/^Ready/).waitFor();

  // At a location, the cart is there, too.
  await scan(page, 'LOC-DOCK');
  await page.getByTestId('scan-location').getByText('Dock').waitFor();
  await scan(page, 'CART-7');
  await outcome(page, 'Now scan what you put in');
  await page.getByTestId('scan-location').getByText('Cart 7').waitFor();
  await scan(page, 'PUMP-1');
  await outcome(page, 'Will be put into Cart 7');
  await look(person, 'scan-into', 360);
  await page.getByRole('button', { name: 'Send 1' }).click();
  await expect.poll(() => whereIs(made, first)).toBe('Cart 7 › Dock');
  expect(await whereIs(made, cart)).toBe('Dock');
  await outcome(page, /Pump 1\s*Put into Cart 7/);

  await context.setOffline(true);
  // The device knows a container that it has never scanned. It may go into the other one, so the page asks.
  await scan(page, 'CART-8');
  await outcome(page, 'Scan it again to put what follows into it');
  await page.getByRole('button', { name: 'Put it into Cart 7' }).waitFor();
  await scan(page, 'LOC-WARD');
  await page.getByTestId('scan-location').getByText('Ward').waitFor();
  // Scanned last: what was scanned before goes in.
  await scan(page, 'PUMP-2');
  await outcome(page, 'PUMP-2');
  await scan(page, 'CART-7');
  await outcome(page, 'Scan it again to send your scans and continue there');
  await look(person, 'scan-question', 360);
  await page.getByRole('button', { name: 'Put these scans into it' }).click();
  await outcome(page, 'Your scans were moved here');
  await page.getByRole('button', { name: 'Send 1' }).click();
  await page.getByText('2 waiting', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('You are offline.').waitFor();
  expect(await whereIs(made, second)).toBe('Dock');
  await context.setOffline(false);
  await expect.poll(() => whereIs(made, second)).toBe('Cart 7 › Ward');
  expect(await whereIs(made, first)).toBe('Cart 7 › Ward');

  await page.getByRole('list', { name: 'Sent to Ward' }).waitFor();
  await page.getByRole('region', { name: 'Sent' }).getByRole('button', { name: 'Show' }).first().click();
  const sent = page.getByRole('list', { name: 'Sent to Cart 7' }).first();
  await sent.getByRole('button', { name: /^Undo/ }).click();
  await sent.getByText('Undone').waitFor();
  expect(await whereIs(made, second)).toBe('Ward');

  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('button', { name: 'Take assets out of containers' }).click();
  await outcome(page, 'Now scan what you take out');
  await scan(page, 'PUMP-1');
  await outcome(page, 'Will be taken out');
  await look(person, 'scan-out', 360);
  await page.getByRole('button', { name: 'Send 1' }).click();
  await outcome(page, 'Taken out of Cart 7');
  expect(await whereIs(made, first)).toBe('Ward');
});

test('a tag that a device without a network did not know, and that names a location, ends what goes into a container', async () => {
  const made = await setUp();
  const { organization, first, second } = made;
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page, context } = person;
  person.problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
  await sendByButton(page);
  await Promise.all([page.waitForResponse(/scans\.locationTags/), page.goto('/scan')]);
  await page.getByText(/^Ready/).waitFor();
  await scan(page, 'CART-7');
  await page.getByTestId('scan-location').getByText('Cart 7').waitFor();
  await context.setOffline(true);
  await organization.location({ name: 'New room', tags: [['barcode', 'LOC-NEW']] });
  await scan(page, 'LOC-NEW');
  await outcome(page, 'Will be identified when sent');
  await page.getByText('If it is a location, what you scan now is recorded there.').waitFor();
  await scan(page, 'PUMP-1');
  await outcome(page, 'PUMP-1');
  await page.getByRole('button', { name: 'Send 2' }).click();
  await scan(page, 'PUMP-2');
  await outcome(page, 'PUMP-2');
  await page.getByRole('button', { name: 'Send 1' }).click();
  await page.getByText('2 waiting', { exact: true }).waitFor();
  await context.setOffline(false);
  for (const id of [first, second]) await expect.poll(() => whereIs(made, id)).toBe('New room');
  const sent = page.getByRole('list', { name: 'Sent to Cart 7' }).first();
  await sent.getByText('Moved from Dock to New room').waitFor();
});

test('many assets are put into a container at once, what cannot be is named, and all is undone', async () => {
  const made = await setUp();
  const { organization, cart, first, second } = made;
  await using person = await world.person({ role: 'operator', organization });
  const { page } = person;
  await page.goto('/assets');
  await shows(page, '3 assets');
  await page.getByRole('checkbox', { name: 'Choose all on this page' }).check();
  await page.getByRole('region', { name: 'Selected assets' }).getByRole('button', { name: 'Put into…' }).click();
  await page.getByRole('dialog', { name: 'Put into which container?' }).waitFor();
  // The list of the field, which has the focus, is outside of the landmarks while it is open.
  await page.getByText('3 assets will be put in.').click();
  await look(person, 'bulk-put', 1440);
  await choose(page, 'Container', 'Cart 7');
  await page.getByText('An asset can’t be put into itself, or into what is in it.').waitFor();
  await page.getByText('2 assets put into Cart 7').waitFor();
  for (const id of [first, second]) expect(await whereIs(made, id)).toBe('Cart 7 › Ward');
  expect(await whereIs(made, cart)).toBe('Ward');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => whereIs(made, first)).toBe('Ward');
  expect(await whereIs(made, second)).toBe('Ward');
});

test('long names fit on a phone while they are scanned, sent, and listed in a container', async () => {
  const made = await setUp();
  const { organization, cart } = made;
  await made.add('Krankenhausversorgungswagen der Intensivstation', {});
  await using person = await world.person({ role: 'operator', organization, phone: true });
  const { page } = person;
  await sendByButton(page);
  await Promise.all([page.waitForResponse(/scans\.locationTags/), page.goto('/scan')]);
  await scan(page, 'CART-7');
  await outcome(page, 'Now scan what you put in');
  await scan(page, 'KRANKENHAUSVERSORGUNGSWAGEN-DER-INTENSIVSTATION');
  await outcome(page, 'Will be put into Cart 7');
  await expectFits(page);
  await page.getByRole('button', { name: 'Send 1' }).click();
  const sent = page.getByRole('list', { name: 'Sent to Cart 7' });
  await sent.getByText('Put in', { exact: true }).waitFor();
  await look(person, 'long-names-sent', 360);
  await page.goto(`/assets/${cart}`);
  await page.getByRole('button', { name: /^Take out Krankenhaus/ }).waitFor();
  await look(person, 'long-names-contents', 360);
});
