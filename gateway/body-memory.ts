import type { BodyMemory } from './http-body.js';

/** Bodies of the largest size that one organization can keep in memory while they arrive. */
export const largestBodiesMax = 32;

/**
 * Returns the memory limits of organizations for bodies that are arriving. Without them, one organization could fill
 * the process with bodies that never end. Only organizations that are sending have a counter.
 *
 * @param bytesMax bytes that one organization can keep
 */
export function createBodyMemories(bytesMax: number): (orgId: number | null) => BodyMemory {
  const used = new Map<number, number>();

  return (owner) => {
    const orgId = owner ?? 0;
    return {
      add(bytes) {
        const sum = (used.get(orgId) ?? 0) + bytes;
        used.set(orgId, sum);
        return sum <= bytesMax;
      },
      release(bytes) {
        const left = (used.get(orgId) ?? 0) - bytes;
        if (left > 0) used.set(orgId, left);
        else used.delete(orgId);
      },
    };
  };
}
