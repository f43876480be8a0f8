import { expect } from 'vitest';
import type { SignOnWorld } from './world.js';

export const expired = 'This sign-in has expired, or it was started in another browser. Start again';
export const noProof = 'The identity provider did not confirm who you are. Try again';

let peopleMade = 0;

/** A person known to the provider, with an address of their own. */
export function addPerson(world: SignOnWorld, claims: object = {}): { subject: string; email: string } {
  peopleMade += 1;
  const email = `person-${peopleMade}@acme.example`;
  const subject = `subject-${peopleMade}`;
  world.idp.people.set(subject, { email, email_verified: true, name: 'Ada Lovelace', ...claims });
  return { subject, email };
}

/** The token of an invitation. */
export async function invite(world: SignOnWorld, input: { role?: 'viewer' | 'manager'; email?: string } = {}) {
  return (await world.admin.members.invite({ role: 'manager', ...input })).token;
}

/** Somebody with an account who has signed on once. */
export async function addSignedOn(world: SignOnWorld) {
  const one = addPerson(world);
  const entered = await world.signOn(one.subject, { start: { invitation: await invite(world) } });
  expect(entered.data).toMatchObject({ kind: 'entered' });
  return { ...one, userId: entered.data.user.id as number };
}
