import type { OperatorIdentities } from '../../schemas/directory/identities.ts'
import type { CURRENT_ACTIVITY_STATUSES, DisputeOutcome } from '../../schemas/directory/record.ts'
import type { AgentProfile } from '../../schemas/directory/shapes.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import type { BadgeService } from '../../schemas/reputation/shapes.ts'
import { iso, isoOrNull } from '../common/instants.ts'
import type { Asset } from '../common/money.ts'
import { pick } from '../common/pick.ts'
import { badgeUrl } from '../reputation/badge.ts'
import { SCORING_VERSION, tierOf } from '../reputation/tiers.ts'
import { agentHandle } from './handle.ts'
import { agentIdentity } from './identity.ts'

/** Counts and scores of a wallet; instants in epoch ms. */
export type AgentCounts = Omit<Tables['agent_statistics'], 'sessions'>

export const noCounts = (wallet: string): AgentCounts => ({
  wallet,
  approved: 0,
  rejected: 0,
  expired: 0,
  finished: 0,
  skill: 0,
  reliability: 0,
  economic: 0n,
  score: 0n,
  firstActiveAt: null,
  lastActiveAt: null,
})

/** An open session; instants in epoch ms. */
export interface OpenSession {
  wallet: string
  sessionId: string
  jobId: string
  status: (typeof CURRENT_ACTIVITY_STATUSES)[number]
  title: string
  claimedAt: number
  submittedAt: number | null
  updatedAt: number
  claimExpiresAt: number
}

/** Part of approved among the sessions that were decided or expired without a submission; null without one. */
const approvedShare = ({ approved, rejected, expired }: AgentCounts): number | null => {
  const counted = approved + rejected + expired
  return counted === 0 ? null : Math.round((approved / counted) * 10_000) / 10_000
}

/** A number where JSON keeps it exact, else digits. */
const exact = (value: bigint): number | string => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString())

const ACTIVITY = {
  claimed: { phase: 'work', outcome: 'in_progress' },
  submitted: { phase: 'verification', outcome: 'awaiting_verification' },
  disputed: { phase: 'verification', outcome: 'operator_attention' },
} as const

const activityView = ({ status, title, claimedAt, submittedAt, updatedAt, claimExpiresAt, ...session }: OpenSession, now: number) => ({
  ...pick(session, 'sessionId', 'jobId'),
  status,
  label: title,
  ...ACTIVITY[status],
  claimedAt: iso(claimedAt),
  ...(submittedAt !== null && { submittedAt: iso(submittedAt) }),
  updatedAt: iso(updatedAt),
  ...(status === 'claimed' && { deadlineAt: iso(claimExpiresAt) }),
  canSubmit: status === 'claimed' && now <= claimExpiresAt,
  awaitingVerification: status === 'submitted',
})

/** What the list shows of a worker beside its counts. */
export interface RowFacts {
  stakeRaw: bigint
  badges: readonly { sessionId: string; category: string; level: number; issuedAt: number }[]
  slashes: readonly { sessionId: string; reason: string; at: number }[]
  activity: OpenSession | null
  isCommittedDepositor: boolean
}

interface ViewContext {
  identities: OperatorIdentities
  asset: Asset
  now: number
}

/** Row of `GET /agents`. */
export const agentRow = (counts: AgentCounts, facts: RowFacts, { identities, asset, now }: ViewContext) => ({
  wallet: counts.wallet,
  ...agentIdentity(counts.wallet, identities),
  handle: agentHandle(counts.wallet),
  tier: tierOf(counts.skill),
  reputationScore: exact(counts.score),
  successRate: approvedShare(counts),
  totalJobs: counts.finished,
  ...(facts.activity !== null && { currentActivity: activityView(facts.activity, now) }),
  activeStakeRaw: facts.stakeRaw,
  decimals: asset.decimals,
  badges: facts.badges.map(({ issuedAt, ...badge }) => ({ ...badge, completedAt: iso(issuedAt) })),
  slashEvents: facts.slashes.map(({ at, ...event }) => ({ ...event, at: iso(at) })),
  ...(facts.isCommittedDepositor && { committedDepositor: true }),
})

/** What a profile shows beside the counts. Sums in base units, instants in epoch ms. */
export interface ProfileFacts {
  nativeAccount?: AgentProfile['nativeAccount']
  totalBadges: number
  earnedRaw: bigint
  categories: readonly { category: string; count: number }[]
  categoryLevels: Readonly<Record<string, number>>
  signals: AgentProfile['stats']['codehostSignals']
  deliveryCounts: AgentProfile['stats']['deliveries']
  disputeCounts: AgentProfile['stats']['disputes']
  disputes: readonly {
    disputeId: string
    status: 'open' | 'resolved'
    outcome: DisputeOutcome | null
    openedAt: number
    updatedAt: number
  }[]
  badges: readonly { sessionId: string; jobId: string; category: string; level: number; issuedAt: number; service: BadgeService }[]
  activity: OpenSession | null
}

/** Every approved session is stored with its payment, so the sum leaves out none. */
const earnedView = (raw: bigint, approved: number, { symbol, decimals }: Asset) => ({
  asset: symbol,
  amount: raw.toString(),
  decimals,
  incomplete: false,
  includedApprovedCount: approved,
  omittedApprovedCount: 0,
})

const badgeView = ({ issuedAt, service, ...badge }: ProfileFacts['badges'][number], baseUrl: string) => ({
  ...badge,
  completedAt: iso(issuedAt),
  reward: service.reward,
  verification: pick(service, 'chainJobId', 'evidenceHash', 'verifier', 'verifierMode'),
  badgeUrl: badgeUrl(baseUrl, badge.sessionId),
})

/** Agent Profile v1. No work is passed on by this service yet, so the lineage is empty. */
export const agentProfile = (counts: AgentCounts, facts: ProfileFacts, context: ViewContext & { baseUrl: string }): AgentProfile => {
  const { identities, asset, now, baseUrl } = context
  const tier = tierOf(counts.skill)
  return {
    schemaVersion: 'v1',
    wallet: counts.wallet,
    ...(facts.nativeAccount !== undefined && { nativeAccount: facts.nativeAccount }),
    ...agentIdentity(counts.wallet, identities),
    fetchedAt: iso(now),
    reputation: {
      ...pick(counts, 'skill', 'reliability'),
      economic: exact(counts.economic),
      tier,
      scoringVersion: SCORING_VERSION,
    },
    stats: {
      totalBadges: facts.totalBadges,
      approvedCount: counts.approved,
      rejectedCount: counts.rejected,
      completionRate: approvedShare(counts),
      totalEarned: earnedView(facts.earnedRaw, counts.approved, asset),
      activeSince: isoOrNull(counts.firstActiveAt),
      lastActive: isoOrNull(counts.lastActiveAt),
      preferredCategories: [...facts.categories],
      codehostSignals: facts.signals,
      deliveries: facts.deliveryCounts,
      disputes: facts.disputeCounts,
      lineage: { delegated: 0, subcontracted: 0 },
    },
    categoryLevels: { ...facts.categoryLevels },
    ...(facts.activity !== null && { currentActivity: activityView(facts.activity, now) }),
    badges: facts.badges.map((badge) => badgeView(badge, baseUrl)),
    disputes: facts.disputes.map(({ openedAt, updatedAt, ...dispute }) => ({
      ...dispute,
      openedAt: iso(openedAt),
      resolvedAt: dispute.status === 'resolved' ? iso(updatedAt) : null,
    })),
    lineage: { delegated: [], subcontracted: [] },
    tier,
  }
}
