import { z } from 'zod'
import { TIERS } from '../common/tiers.ts'
import { DeliveryCountsShape } from '../deliveries/shapes.ts'
import {
  Address,
  Amount,
  BadgeAmount,
  Bytes32,
  closedShape,
  DigitString,
  IsoTime,
  literal,
  nativeAccount,
  RawAmount,
} from '../operations/values.ts'
import { BadgeLevel, BadgeMode, scoreMembers } from '../reputation/shapes.ts'
import { CURRENT_ACTIVITY_STATUSES } from './record.ts'

const Count = z.int().min(0)

/** Who is behind a wallet, by the operator's own list. Source: identity, "GET /agents". */
const AgentIdentityShape = closedShape('AgentIdentity', 'Who is behind a wallet, by the list of the operator’s own wallets.', {
  classification: z.enum(['operator-run', 'external', 'unknown']).describe('`unknown` where the operator lists no wallets of its own.'),
  kind: z.string().nullable().describe('What a wallet of the operator is for; null for any other.'),
  authority: literal('operator_identity_registry'),
  evidence: z.string().nullable().describe('What shows that the operator runs it; null without any.'),
})

/** The open session that a worker shows. */
const CurrentActivityShape = closedShape('CurrentActivity', 'The open session that a worker lets the directory show.', {
  sessionId: z.string(),
  jobId: z.string(),
  status: z.enum(CURRENT_ACTIVITY_STATUSES),
  label: z.string().describe('Title of the job.'),
  phase: z.enum(['work', 'verification']),
  outcome: z.enum(['in_progress', 'awaiting_verification', 'operator_attention']),
  claimedAt: IsoTime.optional(),
  submittedAt: IsoTime.optional(),
  updatedAt: IsoTime.optional(),
  deadlineAt: IsoTime.optional().describe('Last instant to submit; absent after the submission.'),
  canSubmit: z.boolean(),
  awaitingVerification: z.boolean(),
})

const shortBadge = {
  sessionId: z.string(),
  category: z.string(),
  level: BadgeLevel,
  completedAt: IsoTime.describe('Instant at which the badge was issued.'),
}

const synthetic = z.boolean().describe('Whether the operator runs the wallet, so that it is no independent worker.')
const approvedShare = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('Approved sessions by all that were decided or whose claim expired; null without one.')

export const SHOWN_IN_ROW = 3

export const AgentRowShape = closedShape('AgentRow', 'A listed worker.', {
  wallet: Address,
  synthetic,
  identity: AgentIdentityShape,
  handle: z.string().describe('Readable name from the ends of the address.'),
  tier: z.enum(TIERS),
  reputationScore: z.union([z.int(), DigitString]).describe('Sum of skill, reliability and economic; digits beyond 2^53.'),
  successRate: approvedShare,
  totalJobs: Count.describe('Sessions that ended, with any outcome.'),
  currentActivity: CurrentActivityShape.optional(),
  activeStake: Amount.describe('Stakes of the work that is not decided yet.'),
  badges: z
    .array(z.strictObject(shortBadge).meta({ id: 'AgentRowBadge', description: 'A badge of a worker, in short.' }))
    .describe(`The newest, at most ${SHOWN_IN_ROW}.`),
  slashEvents: z
    .array(closedShape('SlashEvent', 'A loss of scores.', { sessionId: z.string(), reason: z.string(), at: IsoTime }))
    .describe(`The newest, at most ${SHOWN_IN_ROW}.`),
  committedDepositor: z.boolean().optional().describe('True for the holder of a t90 lock who publishes it and owes nothing.'),
})

const ShownCount = Count.nullable()

/** Counts over all wallets. One that would point at few wallets is null and named in `suppressed`. */
export const AggregateShape = closedShape('DirectoryAggregate', 'Counts over all wallets, listed or not.', {
  participants: ShownCount.describe('Wallets with a session or a public profile.'),
  activeLast30d: ShownCount.describe('Wallets that claimed or submitted in the last 30 days.'),
  completedSessions: ShownCount.describe('Sessions that ended, with any outcome.'),
  listed: ShownCount.describe('Wallets with a public profile.'),
  private: ShownCount.describe('Participants without a public profile.'),
  suppressed: z.array(z.string()).describe('Names of the counts that are null because they would point at few wallets.'),
})

/** Most rows of a list inside a profile. */
export const PROFILE_ROWS = { badges: 100, disputes: 25, lineage: 25, categories: 10 } as const

const LineageRow = closedShape('LineageRow', 'Work that was passed on, or taken over.', { sessionId: z.string(), jobId: z.string() })

/** Agent Profile v1. Source: identity, "GET /agents/:wallet". Every object is closed. */
export const AgentProfileShape = closedShape('AgentProfile', 'Agent Profile v1: what a worker lets everyone read.', {
  schemaVersion: literal('v1'),
  wallet: Address,
  nativeAccount,
  synthetic,
  identity: AgentIdentityShape,
  fetchedAt: IsoTime,
  reputation: closedShape('ProfileReputation', 'Scores of a worker.', {
    ...scoreMembers,
  }),
  stats: closedShape('ProfileStatistics', 'Counts and sums of a worker.', {
    totalBadges: Count,
    approvedCount: Count,
    rejectedCount: Count.describe('Sessions whose rejection is final.'),
    completionRate: approvedShare,
    totalEarned: closedShape('TotalEarned', 'What settlements paid to the worker, base units, with what the sum leaves out.', {
      asset: z.string(),
      amount: RawAmount,
      decimals: z.int().min(0).max(30),
      incomplete: z.boolean().describe('Whether the sum leaves out approved sessions.'),
      includedApprovedCount: Count,
      omittedApprovedCount: Count,
      omissionReason: literal('missing_claim_time_job_snapshot').optional(),
    }),
    activeSince: IsoTime.nullable().describe('First claim; null before it.'),
    lastActive: IsoTime.nullable().describe('Last claim or submission; null before it.'),
    preferredCategories: z
      .array(closedShape('CategoryCount', 'Sessions in a category.', { category: z.string(), count: Count }))
      .max(PROFILE_ROWS.categories)
      .describe('Categories with the most sessions.'),
    codehostSignals: closedShape('CodehostSignals', 'Pull requests that the worker delivered.', {
      attempted: Count.describe('Sessions that delivered a pull request.'),
      prOpened: Count.describe('Pull requests that the code host confirmed.'),
      checksPassed: Count.describe('Pull requests whose checks passed at the last reading.'),
      maintainerApproved: Count.describe('Equals `merged`.'),
      merged: Count,
    }),
    deliveries: DeliveryCountsShape,
    disputes: z
      .strictObject({ total: Count, open: Count, lost: Count, won: Count, split: Count, timeout: Count, resolved: Count })
      .meta({ id: 'DisputeCounts', description: 'Disputes of the worker by their end.' }),
    lineage: z
      .strictObject({ delegated: Count, subcontracted: Count })
      .meta({ id: 'LineageCounts', description: 'Sessions that the worker passed on, or took over.' }),
  }),
  categoryLevels: z.record(z.string(), z.int().min(1)).describe('Highest badge level of each category.'),
  currentActivity: CurrentActivityShape.optional(),
  badges: z
    .array(
      closedShape('ProfileBadge', 'A badge of a worker.', {
        ...shortBadge,
        jobId: z.string(),
        reward: BadgeAmount.optional().describe('Paid to the worker.'),
        verification: closedShape('BadgeVerification', 'How the work of a badge was verified.', {
          chainJobId: Bytes32,
          evidenceHash: Bytes32,
          verifier: z.string().describe('Address of the verifier; zero where it is not known.'),
          verifierMode: BadgeMode,
          sourceUrl: z.url().optional().describe('Public address of the work.'),
          sourceKind: z.string().optional(),
        }).optional(),
        badgeUrl: z.url().optional(),
      }),
    )
    .max(PROFILE_ROWS.badges),
  disputes: z
    .array(
      closedShape('ProfileDispute', 'A dispute of the worker: its outcome and times.', {
        disputeId: z.string(),
        status: z.enum(['open', 'resolved']),
        outcome: z.enum(['won', 'lost', 'split', 'timeout']).nullable().describe('Null while it is open.'),
        openedAt: IsoTime,
        resolvedAt: IsoTime.nullable().describe('Null while it is open.'),
      }),
    )
    .max(PROFILE_ROWS.disputes),
  lineage: closedShape('ProfileLineage', 'Work that the worker passed on, or took over.', {
    delegated: z.array(LineageRow).max(PROFILE_ROWS.lineage),
    subcontracted: z.array(LineageRow).max(PROFILE_ROWS.lineage),
  }),
  tier: z.enum(TIERS),
})
export type AgentProfile = z.infer<typeof AgentProfileShape>
