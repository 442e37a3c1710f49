import type { ExpectedOutput } from '../../schemas/catalogue/job-definition.ts'
import type { DisputeFile } from '../../schemas/disputes/file.ts'
import type { DisputeRecord, RoundDecision } from '../../schemas/disputes/record.ts'
import type { WorkReceipt } from '../../schemas/receipts/shapes.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { iso } from '../common/instants.ts'
import { assetAmount } from '../common/money.ts'
import { pick } from '../common/pick.ts'
import { submittedWork } from '../receipts/work-receipt.ts'
import type { LogEntry } from '../sessions/log-entry.ts'
import { disputeWindowEndsAt } from '../sessions/state-machine.ts'
import { describeDecision } from './outcome.ts'
import { statementView } from './view.ts'

const FILE_STATEMENT =
  'States the terms, the work, what its worker says, the verdicts and decisions of a dispute, how it was settled, and the history of its session. Does not state that a decision was right, or who controls a wallet.'

/** Public address of the file of a dispute. */
export const disputeFileUrl = (publicBaseUrl: string, disputeId: string): string => `${publicBaseUrl}/disputes/${disputeId}/file`

export interface DisputeFileFacts {
  session: SessionRecord
  dispute: DisputeRecord
  /** Verdicts of the session, oldest first. */
  verdicts: DisputeFile['verdicts']
  /** Decisions, oldest round first. */
  decisions: readonly RoundDecision[]
  /** Texts by content hash. */
  rationales: ReadonlyMap<string, string>
  /** Statement of the worker; null without one. */
  statement: string | null
  receipt: WorkReceipt
  log: LogEntry[]
  /** What opens the commitments of the job. */
  expectedOutputs: ExpectedOutput[]
  assetAddress: string
  publicBaseUrl: string
}

type Asset = SessionRecord['economics']['asset']

/** The chain counts where another hand decided there: then the service's own reasons are not those of the decision. */
const roundOf = (asset: Asset, decision: RoundDecision, rationales: ReadonlyMap<string, string>): DisputeFile['rounds'][number] => {
  const { round, reasonCode, workerPayoutRaw, observed } = decision
  const { verdict, decidedBy: by, decidedAt: at, source, reasoningHash } = describeDecision(decision)
  const paidRaw = observed === null ? workerPayoutRaw : BigInt(observed.workerPayoutRaw)
  return {
    round,
    source,
    verdict,
    reasonCode,
    by,
    at,
    reasoningHash,
    workerPayout: paidRaw === null ? null : assetAmount(paidRaw, asset),
    rationale: rationales.get(reasoningHash ?? '') ?? null,
    txHash: observed?.txHash ?? null,
  }
}

const termsOf = ({ session, expectedOutputs, assetAddress: address }: DisputeFileFacts): DisputeFile['terms'] => {
  const { jobSnapshot: pin, economics } = session
  return {
    ...pick(pin, 'specHash', 'specDefinition', 'definitionHash', 'definition'),
    ...pick(economics, 'waived', 'brokered'),
    asset: { ...economics.asset, address: address.toLowerCase() },
    reward: assetAmount(economics.rewardRaw, economics.asset),
    claimStake: assetAmount(economics.claimStakeRaw, economics.asset),
    claimFee: assetAmount(economics.claimFeeRaw, economics.asset),
    ...(expectedOutputs.length > 0 && { expectedOutputs }),
  }
}

/** Unsigned file of a dispute whose session has ended. */
export const buildDisputeFile = (facts: DisputeFileFacts): Omit<DisputeFile, 'signature'> => {
  const { session, dispute, verdicts, decisions, rationales, statement, receipt, log, publicBaseUrl } = facts
  const { rejectedAt, submittedAt } = session.timestamps
  return {
    schemaVersion: 'service.dispute-file.v1',
    ...pick(dispute, 'disputeId', 'origin', 'reasonCode'),
    ...pick(session, 'sessionId', 'jobId', 'chainJobId', 'poster'),
    chainId: session.jobSnapshot.chainId,
    worker: session.wallet,
    openedAt: iso(dispute.openedAt),
    remaining: assetAmount(dispute.remainingRaw, session.economics.asset),
    terms: termsOf(facts),
    submission: {
      evidenceHash: session.evidenceHash ?? '',
      submittedAt: iso(submittedAt ?? dispute.openedAt),
      content: submittedWork(session),
    },
    statement: statementView(dispute, statement),
    verdicts,
    rounds: decisions.map((decision) => roundOf(session.economics.asset, decision, rationales)),
    deadlines: {
      claimExpiresAt: iso(session.claimExpiresAt),
      disputeWindowEndsAt: rejectedAt === null ? null : iso(disputeWindowEndsAt(rejectedAt)),
      arbitrationEndsAt: iso(dispute.deadlineAt),
    },
    receipt,
    log,
    attestation: FILE_STATEMENT,
    canonicalUrl: disputeFileUrl(publicBaseUrl, dispute.disputeId),
  }
}
