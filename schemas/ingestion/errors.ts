import { errorTable, get } from '../common/error-row.ts'

/** Sources of jobs. */
export const INGESTION_ERRORS = errorTable({
  source_schedule_missing: {
    title: 'No schedule yet',
    meaning: 'No worker has created the schedule of this source.',
    retry: 'Repeat once a worker has started.',
    next: get('/admin/sources', 'List the sources with their schedules.'),
  },
})
