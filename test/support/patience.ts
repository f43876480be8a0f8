/** For `expect.poll`: how long a machine that is busy with other things may take. */
export const patience = { timeout: 15_000, interval: 20 };
