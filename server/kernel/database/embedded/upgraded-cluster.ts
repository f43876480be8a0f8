import { existsSync, renameSync } from 'node:fs';

/**
 * Puts an upgraded cluster in the place of the one it was made from. The order of the renames leaves no instant at which a start
 * would find neither and make an empty one.
 *
 * @param upgraded the folder of the new cluster, whose server has stopped
 * @returns the folder that has the old cluster now
 */
export function replaceCluster(clusterDir: string, upgraded: string, version: string): string {
  const kept = `${clusterDir}.${version}`;
  renameSync(upgraded, waitingName(clusterDir));
  renameSync(clusterDir, kept);
  finishUpgrade(clusterDir);
  return kept;
}

/** Does the last rename of an upgrade that was killed before it. */
export function finishUpgrade(clusterDir: string): void {
  if (!existsSync(clusterDir) && existsSync(waitingName(clusterDir))) renameSync(waitingName(clusterDir), clusterDir);
}

/** Returns the folder of an upgraded cluster until the old one has been renamed. */
export function waitingName(clusterDir: string): string {
  return `${clusterDir}.upgraded`;
}
