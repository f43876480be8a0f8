import { t } from '@lingui/core/macro';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../ui/page.js';
import { DwellReport } from './dwell-report.js';
import { FlowReport } from './flow-report.js';
import { InventoryReport } from './inventory-report.js';
import { MissingReport } from './missing-report.js';
import { ReportTabs } from './report-tabs.js';
import type { ReportSearch } from './search.js';
import { UnseenReport } from './unseen-report.js';
import { UseReport } from './use-report.js';

const route = getRouteApi('/app/reports');

const reports = {
  dwell: DwellReport,
  flow: FlowReport,
  use: UseReport,
  inventory: InventoryReport,
  unseen: UnseenReport,
  missing: MissingReport,
};

/** The reports about a period, each as a picture, a table and a CSV file. */
export function ReportsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const kind = search.report ?? 'dwell';
  const Report = reports[kind];

  /** After a change of a filter, the first page is shown. */
  function show(change: Partial<Record<keyof ReportSearch, unknown>>): void {
    const next = Object.entries({ ...search, offset: undefined, ...change }).filter(([, value]) => value !== undefined);
    void navigate({ search: Object.fromEntries(next), replace: true, resetScroll: false });
  }

  return (
    <Page title={t`Reports`} description={t`Dwell time, moves and use over a period, and what was where.`}>
      <ReportTabs current={kind} />
      <Report key={kind} search={search} show={show} />
    </Page>
  );
}
