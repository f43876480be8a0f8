import { expect } from 'vitest';
import { formats } from '../../../ingest-broker/formats/index.js';
import type { Mapping, ReaderFormat } from '../../../server/index.js';

type Options = { topic?: string; onReadsTopic?: boolean; mapping?: Mapping };

/** Parses a payload in a format; objects are sent as JSON. */
export function understand(format: ReaderFormat, payload: string | Uint8Array | object, options: Options = {}) {
  const text = typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload);
  const { topic = 'site/reads', onReadsTopic = true, mapping = null } = options;
  return formats[format]({ topic, payload: Buffer.from(text as string), onReadsTopic, mapping });
}

export const status = { kind: 'status' };
export const rejected = { kind: 'rejected', reason: expect.any(String) };

/** The tag of the vendors' examples. */
export const epc = 'E2801190A503006543E21224';
