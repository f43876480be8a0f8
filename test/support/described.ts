import type { Answer } from './rest-client.js';

export async function requireDescribed(_url: string, _exchange: { method: string; path: string; answer: Answer }): Promise<void> {}
