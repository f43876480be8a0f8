import type { Option } from './options.js';

const recentsMax = 6;

/** Stored by organization, and no longer than the tab, since other people must not see the names. */
function keyOf(organizationId: number): string {
  return `whereabouts-recents-${organizationId}`;
}

/** Results that were opened from the search, the latest first. */
export function readRecents(organizationId: number): Option[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(organizationId)) ?? '[]') as Option[];
  } catch {
    return [];
  }
}

/** Stores no location and no time, which would soon be outdated. */
export function rememberRecent(organizationId: number, { asset: _, ...option }: Option): void {
  const others = readRecents(organizationId).filter(({ key }) => key !== option.key);
  sessionStorage.setItem(keyOf(organizationId), JSON.stringify([option, ...others].slice(0, recentsMax)));
}
