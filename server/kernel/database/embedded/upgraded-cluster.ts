import { existsSync, renameSync } from 'node:fs';

/**
 * Replaces a cluster with the upgraded cluster that was made from it. Because of the order of the renames, a start at
 * any instant finds one of the two, and never creates an empty cluster.
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

/** Completes an upgrade that was killed before its last rename. */
export function finishUpgrade(clusterDir: string): void {
  if (!existsSync(clusterDir) && existsSync(waitingName(clusterDir))) renameSync(waitingName(clusterDir), clusterDir);
}

/** Returns the folder of an upgraded cluster until the old one has been renamed. */
export function waitingName(clusterDir: string): string {
  return `${clusterDir}.upgraded`;
}
