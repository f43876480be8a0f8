/** Where the demo writes: progress to standard error, so that standard output holds only the result. */
export type Output = {
  /** Writes a line that stays. */
  line(text: string): void;
  /** Replaces the status, the last line of a terminal; does nothing elsewhere. */
  status(text: string): void;
  /** Writes the result. */
  result(text: string): void;
  /** Whether a status is shown; without one, progress has to be written as lines. */
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
