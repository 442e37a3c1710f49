import { z } from 'zod'
import { Address, AssetAmount, closedShape, IsoTime, nativeAccount } from '../operations/values.ts'
import { REVIEW_DISPOSITIONS, SESSION_STATUSES, WAITING_FOR } from './record.ts'
import { waitingMembers } from './shapes.ts'

/** Row of `GET /admin/sessions?format=compact`: what an operator reads in a list. */
export const CompactSessionShape = closedShape('CompactSession', 'Short row of a session, for operators.', {
  sessionId: z.string(),
  jobId: z.string(),
  jobTitle: z.string().describe('Title of the definition that the claim pinned.'),
  wallet: Address,
  nativeAccount,
  status: z.enum(SESSION_STATUSES),
  waitingFor: z.enum(WAITING_FOR).nullable().describe('Who or what must act next; null once the session is over.'),
  reason: z.string().nullable().describe("Reason code of the session's state."),
  since: IsoTime.describe('Since when the session has its status.'),
  deadline: waitingMembers.deadline,
  updatedAt: IsoTime,
  claimedAt: IsoTime,
  reward: AssetAmount,
  locked: AssetAmount.describe('Bond that the escrow still holds: stake and fee of the claim; zero once the session has ended.'),
  disposition: z.enum(REVIEW_DISPOSITIONS).optional().describe('Why a submission has no final verdict.'),
  heldBecause: waitingMembers.heldBecause,
  disputeId: z.string().optional(),
})
