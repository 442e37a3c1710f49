import { errorTable } from '../common/error-row.ts'

/** Jobs, job schemas and lanes. */
export const CATALOGUE_ERRORS = errorTable({
  job_not_found: '404 | Job not found | No listed job has this id. | List jobs with GET /jobs. | GET /jobs',
  schema_not_found:
    '404 | Schema not found | No schema has this name. | List schemas with GET /schemas/jobs or GET /schemas/records. | GET /schemas/jobs | GET /schemas/records',
  catalog_verifier_cannot_reject_bad_work:
    '400 | Verifier accepts anything | The verifier settings would pass a placeholder. | Change the verifier settings so that bad work fails. | POST /admin/jobs',
  job_exists: '409 | Job exists | A job with this id exists. | Choose another id. | POST /admin/jobs',
  lane_budget_exhausted:
    '409 | Lane budget used up | The budget of this lane for today is used up. | Repeat after the day ends. | retryable',
  lane_backlog_saturated: '409 | Lane full | The lane has reached its limit of open jobs. | Repeat when jobs are done. | retryable',
})
