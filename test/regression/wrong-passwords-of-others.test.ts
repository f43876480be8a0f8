import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.js';

let world: World;

beforeAll(async () => {
  world = await createWorld({ settings: { signUp: 'open' } });
});

afterAll(() => world[Symbol.asyncDispose]());

const password = 'analytical engine';

async function call(procedure: 'signIn' | 'signUp', input: object): Promise<Response> {
  return fetch(`${world.url}/trpc/session.${procedure}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  });
}

test('a hundred wrong passwords from one address neither keep others out nor the people they are about', async () => {
  const emails = ['ada@example.com', 'ben@example.com'];
  for (const email of emails) {
    await call('signUp', { organization_name: 'Acme', name: 'Someone', email, password });
  }
  const guesses = Array.from({ length: 50 }, (_, n) => [
    `${n}@example.com`,
    n < 2 ? 'ada@example.com' : `${n}@example.org`,
  ]);
  for (const email of guesses.flat()) {
    expect((await call('signIn', { email, password: 'a guess' })).status).toBe(401);
  }
  for (const email of emails) expect((await call('signIn', { email, password })).status).toBe(200);
});
