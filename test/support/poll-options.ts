/** For `expect.poll`: the time limit on a busy machine. */
export const pollOptions = { timeout: 30_000, interval: 20 };
