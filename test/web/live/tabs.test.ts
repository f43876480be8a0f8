import { afterEach, expect, it, vi } from 'vitest';
import { joinTabs } from '../../../web/live/tabs.js';

const opened: { close(): void }[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const each of opened.splice(0)) each.close();
});

/** Lets a tab lead a millisecond after the one before it: tabs that begin in the same millisecond are equal. */
function leadLater(tab: { lead(): void }): void {
  vi.setSystemTime(Date.now() + 1);
  tab.lead();
}

function openTab(owner = '1/1') {
  const events: string[] = [];
  const tabs = joinTabs<string>({
    owner,
    onLed: () => events.push('led'),
    onItem: (item) => events.push(item),
    onAlone: () => events.push('alone'),
  });
  opened.push(tabs);
  return { ...tabs, events };
}

it('passes the items of the tab that was shown last on, until it leaves', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const [first, second] = [openTab(), openTab()];
  first.lead();
  leadLater(second);
  await expect.poll(() => first.events).toEqual(['led']);
  second.pass('one');
  first.pass('not passed on');
  await expect.poll(() => first.events).toEqual(['led', 'one']);
  second.leave();
  await expect.poll(() => first.events).toEqual(['led', 'one', 'alone']);
  expect([first.isFollowing(), second.events]).toEqual([false, []]);
});

it('lets exactly one of the tabs lead that begin at the same moment', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const tabs = Array.from({ length: 10 }, () => openTab());
  for (const tab of tabs) tab.lead();
  await vi.waitUntil(() => tabs.filter((tab) => tab.isFollowing()).length === 9);
  const leader = tabs.find((tab) => !tab.isFollowing());
  leader?.pass('one');
  await expect.poll(() => tabs.filter(({ events }) => events.includes('one')).length).toBe(9);
});

it('follows no longer when the leading tab has reported nothing for ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  const tab = openTab();
  const crashing = new BroadcastChannel('whereabouts-live-1/1');
  opened.push(crashing);
  tab.lead();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target origin
  crashing.postMessage({ kind: 'lead', claim: { atMs: Date.now() + 1000, tab: 1 } });
  await vi.waitUntil(() => tab.isFollowing());
  vi.advanceTimersByTime(9000);
  expect(tab.events).toEqual(['led']);
  vi.advanceTimersByTime(1001);
  expect(tab.events).toEqual(['led', 'alone']);
});

it('hears only tabs of the same person and organization', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const [first, other, second] = [openTab('1/1'), openTab('1/2'), openTab('1/1')];
  first.lead();
  other.lead();
  other.pass('of another organization');
  leadLater(second);
  await expect.poll(() => first.events).toEqual(['led']);
  expect([other.events, other.isFollowing()]).toEqual([[], false]);
});
