import { errorTable } from '../common/error-row.ts'

/** Disputes and their verdicts. */
export const DISPUTE_ERRORS = errorTable({
  dispute_not_found:
    '404 | Dispute not found | No dispute has this id, or it is not visible. | Check the id. | GET /disputes: List the disputes you may see.',
  dispute_already_decided:
    '409 | Dispute decided | The dispute has a verdict, which is final. | Read the verdict with GET /disputes/:id. | GET /disputes/{disputeId}: Read the verdict. | GET /disputes: List the disputes you may see.',
  dispute_timeout_not_reached:
    '409 | Too early for the time-out | The deadline of the dispute has not passed. | Wait for the deadline. | wait',
  dispute_file_not_ready:
    '409 | No file yet | The file of a dispute is signed when its session has ended. | Ask again when the dispute has ended. | GET /disputes/{disputeId}: See the deadline of the dispute. | wait',
  dispute_file_impossible:
    '410 | No file | The session ended without a settlement on chain, so no file is signed. | Read the dispute and the timeline of the session. | GET /disputes/{disputeId}: Read the dispute. | GET /disputes: List the disputes you may see.',
  overturn_window_closed:
    '409 | Overturn window closed | The rejection is final. | Nothing can be done. | GET /admin/sessions?status=rejected: Find rejections that can still be overturned.',
})
