import { errorTable } from '../common/error-row.ts'

/** Disputes and their verdicts. */
export const DISPUTE_ERRORS = errorTable({
  dispute_not_found: '404 | Dispute not found | No dispute has this id, or it is not visible. | Check the id.',
  dispute_already_decided: '409 | Dispute decided | The dispute has a verdict, which is final. | Read the verdict with GET /disputes/:id.',
  dispute_timeout_not_reached: '409 | Too early for the time-out | The deadline of the dispute has not passed. | Wait for the deadline.',
  overturn_window_closed: '409 | Overturn window closed | The rejection is final. | Nothing can be done.',
})
