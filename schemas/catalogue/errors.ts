import { badRequest, errorTable, get, notFound, post } from '../common/error-row.ts'

/** Jobs, job schemas and lanes. */
export const CATALOGUE_ERRORS = errorTable({
  job_not_found: notFound({ meaning: 'No listed job has this id.', next: get('/jobs', 'List jobs with GET /jobs.') }),
  schema_not_found: notFound({
    meaning: 'No schema has this name.',
    next: [
      get('/schemas/jobs', 'List schemas with GET /schemas/jobs or GET /schemas/records.'),
      get('/schemas/records', 'List schemas with GET /schemas/jobs or GET /schemas/records.'),
    ],
  }),
  catalog_verifier_cannot_reject_bad_work: badRequest({
    title: 'Verifier accepts anything',
    meaning: 'The verifier settings would pass a placeholder.',
    next: post('/admin/jobs', 'Change the verifier settings so that bad work fails.'),
  }),
  job_exists: { meaning: 'A job with this id exists.', next: post('/admin/jobs', 'Choose another id.') },
  lane_budget_exhausted: {
    title: 'Lane budget used up',
    meaning: 'The budget of this lane for today is used up.',
    retry: 'Repeat after the day ends.',
  },
  lane_backlog_saturated: {
    title: 'Lane full',
    meaning: 'The lane has reached its limit of open jobs.',
    retry: 'Repeat when jobs are done.',
  },
})
