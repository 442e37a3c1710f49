import { errorTable, get, post } from '../common/error-row.ts'

/** Jobs, job schemas and lanes. */
export const CATALOGUE_ERRORS = errorTable({
  job_not_found: {
    status: 404,
    title: 'Job not found',
    meaning: 'No listed job has this id.',
    nextActions: [get('/jobs', 'List jobs with GET /jobs.')],
  },
  schema_not_found: {
    status: 404,
    title: 'Schema not found',
    meaning: 'No schema has this name.',
    nextActions: [
      get('/schemas/jobs', 'List schemas with GET /schemas/jobs or GET /schemas/records.'),
      get('/schemas/records', 'List schemas with GET /schemas/jobs or GET /schemas/records.'),
    ],
  },
  catalog_verifier_cannot_reject_bad_work: {
    status: 400,
    title: 'Verifier accepts anything',
    meaning: 'The verifier settings would pass a placeholder.',
    nextActions: [post('/admin/jobs', 'Change the verifier settings so that bad work fails.')],
  },
  job_exists: { title: 'Job exists', meaning: 'A job with this id exists.', nextActions: [post('/admin/jobs', 'Choose another id.')] },
  lane_budget_exhausted: {
    title: 'Lane budget used up',
    meaning: 'The budget of this lane for today is used up.',
    reaction: 'Repeat after the day ends.',
    retryable: true,
  },
  lane_backlog_saturated: {
    title: 'Lane full',
    meaning: 'The lane has reached its limit of open jobs.',
    reaction: 'Repeat when jobs are done.',
    retryable: true,
  },
})
