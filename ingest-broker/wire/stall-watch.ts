/** A packet is stalled if fewer than this many bytes of it arrive within this time. */
const timeoutMs = 30_000;
const bytesMin = 1024;

export type StallWatch = {
  /** Notes that something was read. */
  read(piece: { bytes: number; packets: number; isUnfinished: boolean }): void;
  stop(): void;
};

/**
 * Detects a packet that has begun but hardly continues: less than 1 KiB of it in 30 seconds. Time during which the
 * socket is not read does not count.
 */
export function createStallWatch({ isReading, onStall }: { isReading(): boolean; onStall(): void }): StallWatch {
  let timer: NodeJS.Timeout | undefined;
  let isUnfinished = false;
  /** Since the last look. */
  let bytes = 0;
  let packets = 0;
  let wasHeldBack = false;

  // One timer looks from time to time, since setting one for each packet would cost more than most packets do.
  function look(): void {
    timer = undefined;
    if (!isUnfinished) return;
    const hasStalled = isReading() && !wasHeldBack && packets === 0 && bytes < bytesMin;
    if (hasStalled) return onStall();
    start();
  }

  function start(): void {
    bytes = 0;
    packets = 0;
    wasHeldBack = !isReading();
    timer = setTimeout(look, timeoutMs).unref();
  }

  return {
    read(piece) {
      isUnfinished = piece.isUnfinished;
      bytes += piece.bytes;
      packets += piece.packets;
      if (isUnfinished && timer === undefined) start();
    },
    stop() {
      isUnfinished = false;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
