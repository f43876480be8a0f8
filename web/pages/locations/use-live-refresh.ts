import { type QueryFilters, useQueryClient } from '@tanstack/react-query';

export function useLiveRefresh(filter: QueryFilters): void {
  useQueryClient();
  void filter;
}
