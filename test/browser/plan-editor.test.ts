import { jsPDF } from 'jspdf';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { imageBytesMax } from '../../web/api/files.js';
import { png } from '../support/pictures.js';
import { expectAccessible, expectFits, settled, smallTargets } from './support/accessible.js';
import { drawnHall, hall, planSize, rectangle } from './support/drawn-hall.js';
import { fileWorld } from '../support/shared.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

/** Clicks at parts of the width and height of the plan that is being edited. */
async function clickAt(page: Page, points: readonly (readonly [number, number])[]): Promise<void> {
  await settled(page);
  const image = page.getByTestId('plan-editor').locator('img');
  const box = await image.boundingBox();
  if (!box) throw new Error('the plan is not shown');
  for (const [x, y] of points) await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
}

test('a manager uploads a plan and draws on it by mouse and by keyboard', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  const { id, north, south } = await hall(organization);
  await organization.admin.readers.create({ name: 'Gate', location_id: south });
  await page.goto(`/locations/${id}`);
  await page.getByRole('button', { name: 'Add floor plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add floor plan' });
  const file = dialog.getByLabel('Choose an image or a PDF');
  await file.setInputFiles({ name: 'plan.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
  await dialog.getByText('Choose a PNG, JPEG or WebP image, or a PDF.').waitFor();
  await file.setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: Buffer.alloc(imageBytesMax + 1) });
  await dialog.getByText('An image can have at most 10 MB.').waitFor();
  person.problems.allow(/400/);
  await file.setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await dialog.getByRole('alert').getByText('PNG, JPEG or WebP').waitFor();
  await expectAccessible(page);
  await file.setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: await png(planSize) });
  await dialog.waitFor({ state: 'detached' });

  await page.getByText('No sublocations are drawn on this plan yet.').waitFor();
  await page.getByRole('button', { name: 'Edit plan' }).click();
  await page.getByTestId('plan-editor').locator('img').waitFor();
  const subject = page.getByRole('combobox', { name: 'Sublocation or reader' });
  await subject.click();
  await page.getByRole('option', { name: 'North (Hall)' }).click();
  await page.getByRole('button', { name: 'Draw outline' }).click();
  await page.getByText('Click or tap each corner.').waitFor();
  await clickAt(page, [
    [0.1, 0.1],
    [0.4, 0.1],
    [0.4, 0.5],
    [0.1, 0.5],
    [0.1, 0.1],
  ]);

  await page.getByTestId('plan-editor').getByText('North').waitFor();

  // The rest without a mouse.
  await subject.focus();
  await page.keyboard.type('South');
  await page.getByRole('option', { name: 'South (Hall)' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Place rectangle' }).press('Enter');
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowRight');
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('Shift+ArrowDown');
  await subject.focus();
  await page.keyboard.type('Gate');
  await page.getByRole('option', { name: 'Gate' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Place pin' }).press('Enter');
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  await expectFits(page);
  await person.picture('plan-editor');
  await page.getByRole('button', { name: 'Save plan' }).click();
  await page.getByTestId('plan-editor').waitFor({ state: 'detached' });

  const plan = await organization.admin.floorPlans.get({ location_id: id });
  const [first, second] = plan?.shapes ?? [];
  expect(plan?.shapes.map((shape) => shape.location_id)).toEqual([north, south]);
  for (const [index, [x, y]] of [
    [0.1, 0.1],
    [0.4, 0.1],
    [0.4, 0.5],
    [0.1, 0.5],
  ].entries()) {
    expect(first?.points[index]?.[0]).toBeCloseTo(x ?? 0, 1);
    expect(first?.points[index]?.[1]).toBeCloseTo(y ?? 0, 1);
  }
  // Placed in the middle, with sides of a fifth; then 10 and 4 steps of half a hundredth.
  expect(second?.points[0]?.[0]).toBeCloseTo(0.45, 2);
  expect((second?.points[2]?.[1] ?? 0) - (second?.points[0]?.[1] ?? 0)).toBeCloseTo(0.22, 2);
});

test('changes to a plan can be undone, are not lost without a question, and not stored over those of others', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  const { id, north } = await drawnHall(world, organization);
  await page.goto(`/locations/${id}`);
  await page.getByRole('button', { name: 'Edit plan' }).click();
  await page.getByTestId('plan-editor').locator('img').waitFor();
  const onPlan = page.getByRole('combobox', { name: 'On the plan' });
  await onPlan.click();
  await page.getByRole('option', { name: 'North' }).click();
  await page.keyboard.press('Delete');
  await page.getByTestId('plan-editor').getByText('North').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByTestId('plan-editor').getByText('North').waitFor();
  expect(await page.getByRole('button', { name: 'Save plan' }).isDisabled()).toBe(true);

  // A corner is dragged.
  await onPlan.click();
  await page.getByRole('option', { name: 'North' }).click();
  await settled(page);
  const corner = await page.locator('[class*="corner"]').first().boundingBox();
  if (!corner) throw new Error('no corner');
  const at = { x: corner.x + corner.width / 2, y: corner.y + corner.height / 2 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 20, at.y + 10, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();

  const { admin } = organization;
  const plan = await admin.floorPlans.get({ location_id: id });
  const theirs = [{ location_id: north, points: rectangle(0.2, 0.2) }];
  await admin.floorPlans.setShapes({ location_id: id, updated_at: plan?.updated_at ?? '', shapes: theirs });
  person.problems.allow(/409/);
  await page.getByRole('button', { name: 'Save plan' }).click();
  await page.getByRole('alert').getByText('Somebody else changed this plan').waitFor();
  await page.getByRole('button', { name: 'Load the newest plan' }).click();
  await page.getByRole('button', { name: 'North: 0 assets' }).waitFor();
  await page.getByRole('button', { name: 'South: 0 assets' }).waitFor({ state: 'detached' });
});
test('the first page of a PDF becomes the plan', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, organization } = person;
  const { id } = await hall(organization);
  await page.goto(`/locations/${id}`);
  await page.getByRole('button', { name: 'Add floor plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add floor plan' });
  const file = dialog.getByLabel('Choose an image or a PDF');
  const upload = (buffer: Buffer) => file.setInputFiles({ name: 'plan.pdf', mimeType: 'application/pdf', buffer });
  await upload(Buffer.from('no PDF'));
  await dialog.getByText('This PDF can’t be read').waitFor();
  const drawn = new jsPDF({ orientation: 'landscape', unit: 'mm', format: [200, 100] });
  drawn.setFillColor(200, 0, 0).rect(0, 0, 100, 100, 'F');
  drawn.addPage().text('Page 2', 10, 10);
  await upload(Buffer.from(drawn.output('arraybuffer')));
  await dialog.waitFor({ state: 'detached' });
  await page.getByTestId('plan').waitFor();
  const plan = await organization.admin.floorPlans.get({ location_id: id });
  expect(plan?.image).toMatchObject({ width: 4096, height: 2048 });
  const { content } = await world.db.image.findUniqueOrThrow({ where: { id: plan?.image.id ?? 0 } });
  const { data } = await sharp(content).resize(2, 1).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [red = 0, green = 0, , ...right] = data;
  expect(red).toBeGreaterThan(180);
  expect(green).toBeLessThan(60);
  expect(Math.min(...right)).toBeGreaterThan(235);
});

test.each([
  { width: 390, height: 844, hasTouch: true },
  { width: 1440, height: 900, hasTouch: false },
])('a manager drags areas on a plan that fills $width pixels, and names them', async ({ hasTouch, ...viewport }) => {
  await using person = await world.person({ role: 'manager', browser: { viewport, hasTouch, isMobile: hasTouch } });
  const { page, organization } = person;
  const { id, north } = await drawnHall(world, organization, false);
  await page.goto(`/locations/${id}`);
  await page.getByRole('button', { name: 'Edit plan' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit plan: Hall' });
  const image = editor.getByTestId('plan-editor').locator('img');
  await image.waitFor();
  expect(await editor.boundingBox()).toEqual({ x: 0, y: 0, ...viewport });
  await expectAccessible(page);
  await expectFits(page, viewport.width);
  expect(await smallTargets(page, hasTouch ? 44 : 24)).toEqual([]);

  async function at([x, y]: [number, number]): Promise<ScreenPoint> {
    const box = await image.boundingBox();
    if (!box) throw new Error('the plan is not shown');
    return { x: box.x + x * box.width, y: box.y + y * box.height };
  }
  async function drag(from: [number, number], to: [number, number]): Promise<void> {
    const [start, end] = [await at(from), await at(to)];
    if (hasTouch) return dragFinger(page, start, end);
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 4 });
    return page.mouse.up();
  }
  const name = editor.getByRole('combobox', { name: 'Name of the area' });
  async function giveName(text: string, option: string): Promise<void> {
    await name.click();
    await name.pressSequentially(text);
    await page.getByRole('option', { name: option }).waitFor();
    await page.keyboard.press('Enter');
  }
  const drawn = (text: string) => editor.getByTestId('plan-editor').getByText(text);

  // A new location: its corner is dragged before it has a name.
  await editor.getByRole('button', { name: 'Draw area' }).click();
  await drag([0.7, 0.8], [0.3, 0.2]);
  await name.waitFor();
  expect(await editor.getByRole('button', { name: 'Save plan' }).isDisabled()).toBe(true);
  await drag([0.7, 0.8], [0.8, 0.9]);
  await giveName('Cold room', 'Create “Cold room”');
  await drawn('Cold room').waitFor();
  await person.picture(`plan-editor-area-${viewport.width}`);

  // One that is there, without a pointer; a further one is undone.
  await editor.getByRole('button', { name: 'Draw area' }).press('Enter');
  await page.keyboard.press('Enter');
  await giveName('North', 'North (Hall)');
  await drawn('North').waitFor();
  await editor.getByRole('button', { name: 'Draw area' }).press('Enter');
  await page.keyboard.press('Enter');
  await giveName('Mistake', 'Create “Mistake”');
  await drawn('Mistake').waitFor();
  for (let step = 0; step < 2; step += 1) await editor.getByRole('button', { name: 'Undo' }).click();
  await drawn('Mistake').waitFor({ state: 'detached' });
  await expectAccessible(page);
  await editor.getByRole('button', { name: 'Save plan' }).click();
  await editor.waitFor({ state: 'detached' });

  const { data: below } = await organization.admin.locations.list({ parent_id: id, sort: undefined });
  expect(below.map((location) => location.name).toSorted()).toEqual(['Cold room', 'North', 'South']);
  const cold = below.find((location) => location.name === 'Cold room');
  const plan = await organization.admin.floorPlans.get({ location_id: id });
  expect(new Set(plan?.shapes.map((shape) => shape.location_id))).toEqual(new Set([north, cold?.id]));
  const points = plan?.shapes.find((shape) => shape.location_id === cold?.id)?.points ?? [];
  expect(points.map((point) => point.map((part) => Math.round(part * 20) / 20))).toEqual([
    [0.3, 0.2],
    [0.7, 0.2],
    [0.8, 0.9],
    [0.3, 0.8],
  ]);
});

/** Drags a finger from one point of the page to another. */
async function dragFinger(page: Page, from: ScreenPoint, to: ScreenPoint): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: ScreenPoint) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  await touch('touchStart', from);
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await touch('touchMove', { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
    // Moves within one frame become one, and the last one would be left out.
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await touch('touchEnd');
  await session.detach();
}

type ScreenPoint = { x: number; y: number };

test('a manager draws and moves an outline and a pin by touch', async () => {
  await using person = await world.person({ role: 'manager', phone: true });
  const { page, organization } = person;
  const { id, north, south } = await drawnHall(world, organization, false);
  await page.goto(`/locations/${id}`);
  await page.getByRole('button', { name: 'Edit plan' }).tap();
  const image = page.getByTestId('plan-editor').locator('img');
  await image.waitFor();
  await settled(page);
  /** Where a part of the width and height of the plan is on the page. */
  async function at(x: number, y: number): Promise<ScreenPoint> {
    const box = await image.boundingBox();
    if (!box) throw new Error('the plan is not shown');
    return { x: box.x + x * box.width, y: box.y + y * box.height };
  }
  async function tap(x: number, y: number): Promise<void> {
    const point = await at(x, y);
    await page.touchscreen.tap(point.x, point.y);
  }
  const subject = page.getByRole('combobox', { name: 'Sublocation or reader' });
  await subject.tap();
  await page.getByRole('option', { name: 'North (Hall)' }).tap();
  await page.getByRole('button', { name: 'Draw outline' }).tap();
  await page.getByText('Click or tap each corner.').waitFor();
  await image.scrollIntoViewIfNeeded();
  // Beside the buttons that zoom.
  for (const [x, y] of rectangle(0.3, 0.3)) await tap(x, y);
  await page.getByRole('button', { name: 'Finish outline' }).tap();
  await page.getByTestId('plan-editor').getByText('North').waitFor();

  await subject.tap();
  await page.getByRole('option', { name: 'South (Hall)' }).tap();
  await page.getByRole('button', { name: 'Place pin' }).tap();
  await page.getByText('Click or tap where').waitFor();
  await image.scrollIntoViewIfNeeded();
  await tap(0.8, 0.2);
  const pin = page.getByTestId('plan-editor').getByText('South');
  await pin.waitFor();
  await image.scrollIntoViewIfNeeded();
  const box = await pin.boundingBox();
  if (!box) throw new Error('no pin');
  const grip = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const [from, to] = [await at(0.8, 0.2), await at(0.9, 0.8)];
  await dragFinger(page, grip, { x: grip.x + to.x - from.x, y: grip.y + to.y - from.y });

  // The whole outline follows a finger within it, and then a corner one on it.
  await tap(0.5, 0.5);
  await page.locator('[class*="corner"]').first().waitFor();
  await dragFinger(page, await at(0.5, 0.5), await at(0.6, 0.6));
  await dragFinger(page, await at(0.4, 0.4), await at(0.3, 0.4));
  await page.getByRole('button', { name: 'Save plan' }).tap();
  await page.getByTestId('plan-editor').waitFor({ state: 'detached' });

  const plan = await organization.admin.floorPlans.get({ location_id: id });
  const pointsOf = (locationId: number) => plan?.shapes.find((shape) => shape.location_id === locationId)?.points ?? [];
  const rounded = (points: readonly (readonly number[])[]) =>
    points.map((point) => point.map((part) => Math.round(part * 20) / 20));
  expect(rounded(pointsOf(south))).toEqual([[0.9, 0.8]]);
  expect(rounded(pointsOf(north))).toEqual([
    [0.3, 0.4],
    [0.7, 0.4],
    [0.7, 0.7],
    [0.4, 0.7],
  ]);
});
