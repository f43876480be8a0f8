import { createOwnerCounts } from '../server/index.js';
import type { BodyMemory } from './http-body.js';

/** How many bodies of the largest size one organization can have in memory while they arrive. */
export const largestBodiesMax = 32;

/**
 * Returns the memory limits of organizations for bodies that are arriving. Without them, one organization could fill
 * the process with bodies that never end.
 *
 * @param bytesMax bytes that one organization can keep
 */
export function createBodyMemories(bytesMax: number): (orgId: number | null) => BodyMemory {
  const used = createOwnerCounts<number>();
  return (orgId) => ({
    add: (bytes) => used.add(orgId ?? 0, bytes) <= bytesMax,
    release: (bytes) => void used.add(orgId ?? 0, -bytes),
  });
}
