/** How many parts of the page handle scans now. */
let takers = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  takers += by;
  for (const listener of listeners) listener();
}

/** Records that a part of the page handles scans, until the returned function is called. */
export function takeScans(): () => void {
  change(1);
  return () => change(-1);
}

export function areScansTaken(): boolean {
  return takers > 0;
}

export function subscribeToTakers(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
