/** Where the demo tells how it goes: standard error, so that the result alone is on standard output. */
export type Output = {
  /** A line that stays. */
  line(text: string): void;
  /** How far it is: the last line of a terminal, written anew each time; elsewhere nothing. */
  status(text: string): void;
  /** The result. */
  result(text: string): void;
  /** Whether the status can be seen; without one, lines have to tell how far it is. */
  readonly hasStatus: boolean;
};

type Stream = { write(text: string): unknown; isTTY?: boolean; columns?: number };

const eraseLine = '\r\u001B[2K';

export function createOutput({ progress, results }: { progress: Stream; results: Stream }): Output {
  const hasStatus = progress.isTTY === true;
  let shown = '';

  function above(text: string): void {
    progress.write(shown === '' ? text : `${eraseLine}${text}${shown}`);
  }

  function clear(): void {
    if (shown !== '') progress.write(eraseLine);
    shown = '';
  }

  return {
    hasStatus,
    line: (text) => above(`${text}\n`),
    status(text) {
      if (!hasStatus) return;
      shown = text.slice(0, (progress.columns || 80) - 1);
      progress.write(`${eraseLine}${shown}`);
    },
    result(text) {
      clear();
      results.write(`${text}\n`);
    },
  };
}
