import type { Outputs } from '../api/trpc.js';

/** The signed-in person and organization, without secrets. */
export type Identity = Pick<Outputs['session']['signIn'], 'user' | 'organization'>;

const storageKey = 'whereabouts-identity';

/** Remembers who was signed in last, so that the scan page opens without a network. */
export function rememberIdentity(identity: Identity): void {
  localStorage.setItem(storageKey, JSON.stringify(identity));
}

export function rememberedIdentity(): Identity | undefined {
  try {
    return (JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Identity | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetIdentity(): void {
  localStorage.removeItem(storageKey);
}
