import type { Tables } from '../../schemas/entities/tables.ts'
import type { ChainColumns, LogColumns } from './session-columns.ts'

type SessionInput = Exclude<
  keyof Tables['session'],
  keyof LogColumns | keyof ChainColumns | 'payoutTx' | 'disputeResolution' | 'workReceiptId'
>

/** Columns of a session that no event and no entry of the log determines, with the reason. A rebuild reads and does not compare them. */
const SESSION_INPUTS: Readonly<Record<SessionInput, string>> = {
  sessionId: 'names the session',
  claimTxHash: 'finds the claim among the events of the chain',
  claimBlock: 'block of the claim when it was recorded; a reorganisation can move the claim',
  runId: 'run of the workflow',
  version: 'counts changes without an entry too',
  updatedAt: 'time of changes without an entry too',
  exposureRaw: 'reward and the gas that was estimated at the admission',
  poster: 'account for which the job was funded, as read at the claim',
  brokered: 'sender of the claim as the service chose it',
  claimStakeBps: 'policy of the escrow at the claim',
  claimFeeBps: 'policy of the escrow at the claim',
  rewardAsset: 'symbol of the token by the chain file at the claim',
  evidence: 'admission, terms and refusals of submissions',
  jobSnapshot: 'terms that were frozen at the claim',
  submission: 'work of the worker',
  reviewEndsAt: 'review time by the settings at the submission',
  humanReview: 'decision of a reviewer',
  operatorOverturn: 'decision of an operator',
}

/** Everything that a rebuild takes as given, by record and member, with the reason. */
export const REBUILD_INPUTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(SESSION_INPUTS).map(([name, reason]) => [`session.${name}`, reason])),
  'session.claimReconciliation.reconciledAt': 'time of the reading that ended an expired claim',
  'session.evidenceHash of work that is not on chain': 'hash of accepted work whose submission has not been mined',
  'session.claimedAt, session.submittedAt after a fork': 'whether the service followed them to the blocks that hold them now',
  'session.operatorClose of a session that diverged': 'decision of an operator without an entry in the log',
  'session, members of the chain, after a divergence, a close by an operator or without a claim on chain':
    'the record departs from the chain, and states so',
  'session, members of the chain, within ten minutes of a change': 'a step writes its record after its transaction',
  'badge.external_url, receipt.canonicalUrl': 'public address of the service at the time; covered by the signature',
  'badge.signature, receipt.signature': 'only the holder of the key makes them; verified instead',
  'reputation.seq': 'order in which the service recorded the endings of a wallet',
  'verification, dispute_verdict': 'decisions of verifiers, reviewers and arbitrators',
  'dispute.round, dispute.remainingRaw': 'round that was decided, and reward in the escrow when it was opened',
}
