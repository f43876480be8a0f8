/** Bytes read from all sockets in one turn of the event loop: two to three milliseconds of work. */
const turnBytesMax = 64 * 1024;

/** Shares the event loop among busy connections, so that others are read in between. */
export function createPace(bytesMax: number = turnBytesMax) {
  let left = bytesMax;
  let isTurning = false;
  let turns = 0;
  /** Callbacks, longest waiting first. */
  const waiting = new Set<() => void>();

  function turn(): void {
    isTurning = false;
    turns += 1;
    left = bytesMax;
    for (const goOn of waiting) {
      if (left <= 0) break;
      waiting.delete(goOn);
      goOn();
    }
    if (waiting.size > 0) awaitTurn();
  }

  function awaitTurn(): void {
    if (isTurning) return;
    isTurning = true;
    setImmediate(turn);
  }

  return {
    isExhausted: () => left <= 0,
    /** Returns a number that is unique to each turn in which anything was read. */
    turn: () => turns,
    spend(bytes: number): void {
      left -= bytes;
      awaitTurn();
    },
    /** Calls back in a later turn, after all callbacks that are already waiting. */
    wait(goOn: () => void): void {
      waiting.add(goOn);
      awaitTurn();
    },
    leave: (goOn: () => void) => void waiting.delete(goOn),
  };
}
