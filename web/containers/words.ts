/** An asset as other assets name it. */
export type NamedAsset = { id: number; name: string };

/** Returns the names of containers, the outermost last, such as `Case 2 › Cart 7`. */
export function containerNames(containers: readonly NamedAsset[]): string {
  return containers.map(({ name }) => name).join(' › ');
}
