import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';

const noticeId = 'dropped-filters';

/**
 * Returns whether a value of an address is empty, or has another name now, since a page can accept two names of one
 * filter.
 */
function isKept(value: unknown, known: Record<string, unknown>): boolean {
  if (value === undefined) return true;
  const text = typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`;
  return Object.values(known).some((other) => other === value || other === text);
}

/**
 * Removes parameters that a page does not know from the address, and shows them to the person unless they were empty
 * (`?q=`). The known parameters follow from the `validateSearch` of the route. The router passes unknown parameters on
 * to pages, so a page must not be rendered until this returns true.
 */
export function useDroppedFilters(): boolean {
  const router = useRouter();
  const match = useRouterState({ select: ({ matches }) => matches.at(-1) });
  const { routeId, search } = match ?? {};
  const { accepted, dropped } = useMemo(() => {
    const given: Record<string, unknown> = search ?? {};
    const validate = routeId === undefined ? undefined : router.routesById[routeId]?.options.validateSearch;
    const known: Record<string, unknown> =
      typeof validate === 'function' ? { ...(validate as (search: object) => object)(given) } : {};
    const unknown = Object.keys(given).filter((key) => known[key] === undefined && !isKept(given[key], known));
    return { accepted: known, dropped: unknown.map((key) => ({ key, isEmpty: given[key] === '' })) };
  }, [router, routeId, search]);

  useEffect(() => {
    if (dropped.length === 0) return;
    const shown = dropped.filter(({ isEmpty }) => !isEmpty).map(({ key }) => key);
    if (shown.length > 0) {
      notifications.show({
        id: noticeId,
        color: 'orange',
        title: t`Some filters were ignored`,
        message: t`The address had values that this page doesn’t know: ${shown.join(', ')}.`,
      });
    }
    void router.navigate({ to: '.', search: () => accepted, replace: true, resetScroll: false });
  }, [router, accepted, dropped]);
  return dropped.length === 0;
}
