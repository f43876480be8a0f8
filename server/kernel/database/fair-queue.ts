import { type ContractError, serviceUnavailable } from '../errors.js';
import { isUnavailable } from './faults.js';

// docs/decisions/0027-fair-queue.md explains why statements wait in turns of organizations.

/** How long work waits before it is rejected. */
const waitMsMax = 4000;

/** How many calls of one organization may wait; further ones are rejected at once. */
const waitingMax = 200;

/** Whether the client of a request has disconnected and nobody needs the answer. */
export type Wanted = { readonly hasLeft: boolean };

export type FairQueueStats = { running: number; waiting: number; rejected: number };

/** Limits what organizations have under way at once. */
export type FairQueue = {
  /**
   * Runs the work as soon as its organization may have one more piece under way.
   *
   * @throws ContractError `service_unavailable` if that takes longer than four seconds, or 200 calls of the organization wait
   */
  run<Result>(orgId: number, work: () => Promise<Result>, wanted?: Wanted): Promise<Result>;
  /** Rejects all waiting and new work, and resolves when nothing is running. */
  close(): Promise<void>;
  stats(): FairQueueStats;
};

type Waiter = { start: () => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

type Tenant = { running: number; waiting: Waiter[]; lastTurn: number };

/**
 * `inAll`: an organization holds at most an equal share of this many, computed for one more organization than are active. A
 * single active organization has at most half of them, so the next organization finds a free one. `perOrganization`: the
 * same number for each organization, whatever the others have.
 */
type FairQueueLimit = { inAll: number } | { perOrganization: number };

/** Creates a queue, whose turns are round-robin over organizations. */
export function createFairQueue(limit: FairQueueLimit): FairQueue {
  const runningMax = 'inAll' in limit ? limit.inAll : Number.POSITIVE_INFINITY;
  const tenants = new Map<number, Tenant>();
  let turns = 0;
  let running = 0;
  let waiting = 0;
  let rejected = 0;
  let isClosed = false;
  const closing: (() => void)[] = [];

  function share(): number {
    if ('perOrganization' in limit) return limit.perOrganization;
    return Math.max(1, Math.floor(limit.inAll / (tenants.size + 1)));
  }

  function tenantOf(orgId: number): Tenant {
    let tenant = tenants.get(orgId);
    if (!tenant) {
      tenant = { running: 0, waiting: [], lastTurn: turns - 1 };
      tenants.set(orgId, tenant);
    }
    return tenant;
  }

  function begin(tenant: Tenant): void {
    turns += 1;
    tenant.lastTurn = turns;
    tenant.running += 1;
    running += 1;
  }

  function end(orgId: number, tenant: Tenant): void {
    tenant.running -= 1;
    running -= 1;
    forgetIdle(orgId, tenant);
    if (waiting > 0) startNext();
    if (running === 0) for (const resolve of closing.splice(0)) resolve();
  }

  function forgetIdle(orgId: number, tenant: Tenant): void {
    if (tenant.running === 0 && tenant.waiting.length === 0) tenants.delete(orgId);
  }

  function startNext(): void {
    while (running < runningMax) {
      const tenant = nextTenant();
      const next = tenant?.waiting.shift();
      if (!tenant || !next) return;
      waiting -= 1;
      clearTimeout(next.timer);
      begin(tenant);
      next.start();
    }
  }

  /** Of the waiting tenants that are below their share, returns the one whose last turn is longest ago. */
  function nextTenant(): Tenant | undefined {
    const most = share();
    let next: Tenant | undefined;
    for (const tenant of tenants.values()) {
      if (tenant.waiting.length === 0 || tenant.running >= most) continue;
      if (!next || tenant.lastTurn < next.lastTurn) next = tenant;
    }
    return next;
  }

  function wait(orgId: number, tenant: Tenant): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        tenant.waiting.splice(tenant.waiting.indexOf(waiter), 1);
        waiting -= 1;
        rejected += 1;
        forgetIdle(orgId, tenant);
        reject(tooBusy());
      }, waitMsMax);
      const waiter: Waiter = { start: resolve, reject, timer };
      tenant.waiting.push(waiter);
      waiting += 1;
    });
  }

  return {
    async run(orgId, work, wanted) {
      if (isClosed) throw stopping();
      const tenant = tenantOf(orgId);
      if (tenant.waiting.length === 0 && tenant.running < share() && running < runningMax) {
        begin(tenant);
      } else if (tenant.waiting.length >= waitingMax) {
        rejected += 1;
        throw tooBusy();
      } else {
        await wait(orgId, tenant);
      }
      try {
        if (wanted?.hasLeft) throw clientLeft();
        return await work();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        // A statement that is canceled because nobody waits for its result is not a fault of the database.
        if (wanted?.hasLeft) throw clientLeft();
        throw isClosed ? stopping() : error;
      } finally {
        end(orgId, tenant);
      }
    },
    async close() {
      isClosed = true;
      for (const [orgId, tenant] of tenants) {
        for (const { reject, timer } of tenant.waiting.splice(0)) {
          clearTimeout(timer);
          reject(stopping());
        }
        forgetIdle(orgId, tenant);
      }
      waiting = 0;
      if (running > 0) await new Promise<void>((resolve) => closing.push(resolve));
    },
    stats: () => ({ running, waiting, rejected }),
  };
}

function tooBusy(): ContractError {
  return serviceUnavailable('Too many requests of this organization are under way', 1);
}

function stopping(): ContractError {
  return serviceUnavailable('The service is stopping', 1);
}

/** Ends the handling of a request whose client has disconnected; the answer is discarded. */
export function clientLeft(): ContractError {
  return serviceUnavailable('The client closed the connection', 1);
}
