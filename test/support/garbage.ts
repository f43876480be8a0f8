import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage at once, which programs cannot ask for without a flag, and returns whether the object is still there. */
export function isStillThere(object: WeakRef<object>): boolean {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return object.deref() !== undefined;
}
