import type { Outputs } from '../api/trpc.js';

/** The signed-in person and organization; nothing of it is secret. */
export type Identity = Pick<Outputs['session']['signIn'], 'user' | 'organization'>;

const storageKey = 'whereabouts-identity';

/** Keeps who was here last, so that the scan page opens without a network. */
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
