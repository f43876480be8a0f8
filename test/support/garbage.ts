import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

/** Collects garbage at once, which programs cannot ask for without a flag. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Waits until nothing refers to the object any more. */
export async function expectReleased(object: WeakRef<object>): Promise<void> {
  await expect
    .poll(() => {
      collectGarbage();
      return object.deref() === undefined;
    })
    .toBe(true);
}
