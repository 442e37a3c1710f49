import { z } from 'zod'
import { TIERS } from '../catalogue/job-terms.ts'
import { Address, Amount, BadgeAmount, Bytes32, DigitString, IsoTime, literal, RawAmount } from '../operations/values.ts'
import { CURRENT_ACTIVITY_STATUSES } from './record.ts'

const Count = z.int().min(0)

/** Who is behind a wallet, by the operator's own list. Source: identity, "GET /agents". */
const AgentIdentityShape = z
  .strictObject({
    classification: z.enum(['operator-run', 'external', 'unknown']),
    kind: z.string().nullable(),
    authority: literal('operator_identity_registry'),
    evidence: z.string().nullable(),
  })
  .meta({ id: 'AgentIdentity', description: 'Who is behind a wallet, by the list of the operator’s own wallets.' })

/** The open session that a worker shows. */
const CurrentActivityShape = z
  .strictObject({
    sessionId: z.string(),
    jobId: z.string(),
    status: z.enum(CURRENT_ACTIVITY_STATUSES),
    label: z.string(),
    phase: z.enum(['work', 'verification']),
    outcome: z.enum(['in_progress', 'awaiting_verification', 'operator_attention']),
    claimedAt: IsoTime.optional(),
    submittedAt: IsoTime.optional(),
    updatedAt: IsoTime.optional(),
    deadlineAt: IsoTime.optional(),
    canSubmit: z.boolean(),
    awaitingVerification: z.boolean(),
  })
  .meta({ id: 'CurrentActivity', description: 'The open session that a worker lets the directory show.' })

const shortBadge = { sessionId: z.string(), category: z.string(), level: z.int(), completedAt: IsoTime }

export const SHOWN_IN_ROW = 3

export const AgentRowShape = z
  .strictObject({
    wallet: Address,
    synthetic: z.boolean(),
    identity: AgentIdentityShape,
    handle: z.string(),
    tier: z.enum(TIERS),
    reputationScore: z.union([z.int(), DigitString]),
    successRate: z.number().min(0).max(1).nullable(),
    totalJobs: Count,
    currentActivity: CurrentActivityShape.optional(),
    activeStake: Amount,
    badges: z.array(z.strictObject(shortBadge).meta({ id: 'AgentRowBadge', description: 'A badge of a worker, in short.' })),
    slashEvents: z.array(
      z
        .strictObject({ sessionId: z.string(), reason: z.string(), at: IsoTime })
        .meta({ id: 'SlashEvent', description: 'A loss of scores.' }),
    ),
    committedDepositor: z.boolean().optional(),
  })
  .meta({ id: 'AgentRow', description: 'A listed worker.' })

const ShownCount = Count.nullable()

/** Counts over all wallets. One that would point at few wallets is null and named in `suppressed`. */
export const AggregateShape = z
  .strictObject({
    participants: ShownCount,
    activeLast30d: ShownCount,
    completedSessions: ShownCount,
    listed: ShownCount,
    private: ShownCount,
    suppressed: z.array(z.string()),
  })
  .meta({ id: 'DirectoryAggregate', description: 'Counts over all wallets, listed or not.' })

/** Most rows of a list inside a profile. */
export const PROFILE_ROWS = { badges: 100, disputes: 25, lineage: 25, categories: 10 } as const

const LineageRow = z
  .strictObject({ sessionId: z.string(), jobId: z.string() })
  .meta({ id: 'LineageRow', description: 'Work that was passed on, or taken over.' })

/** Agent Profile v1. Source: identity, "GET /agents/:wallet". Every object is closed. */
export const AgentProfileShape = z
  .strictObject({
    schemaVersion: literal('v1'),
    wallet: Address,
    synthetic: z.boolean(),
    identity: AgentIdentityShape,
    fetchedAt: IsoTime,
    reputation: z
      .strictObject({
        skill: Count,
        reliability: Count,
        economic: z.union([Count, DigitString]),
        tier: z.enum(TIERS),
        scoringVersion: z.int(),
      })
      .meta({ id: 'ProfileReputation', description: 'Scores of a worker.' }),
    stats: z
      .strictObject({
        totalBadges: Count,
        approvedCount: Count,
        rejectedCount: Count,
        completionRate: z.number().min(0).max(1).nullable(),
        totalEarned: z
          .strictObject({
            asset: z.string(),
            amount: RawAmount,
            decimals: z.int().min(0).max(30),
            incomplete: z.boolean(),
            includedApprovedCount: Count,
            omittedApprovedCount: Count,
            omissionReason: literal('missing_claim_time_job_snapshot').optional(),
          })
          .meta({ id: 'TotalEarned', description: 'What settlements paid to the worker, base units, with what the sum leaves out.' }),
        activeSince: IsoTime.nullable(),
        lastActive: IsoTime.nullable(),
        preferredCategories: z
          .array(
            z.strictObject({ category: z.string(), count: Count }).meta({ id: 'CategoryCount', description: 'Sessions in a category.' }),
          )
          .max(PROFILE_ROWS.categories),
        codehostSignals: z
          .strictObject({ attempted: Count, prOpened: Count, checksPassed: Count, maintainerApproved: Count, merged: Count })
          .meta({ id: 'CodehostSignals', description: 'Pull requests that the worker delivered.' }),
        disputes: z
          .strictObject({ total: Count, open: Count, lost: Count, won: Count, split: Count, timeout: Count, resolved: Count })
          .meta({ id: 'DisputeCounts', description: 'Disputes of the worker by their end.' }),
        lineage: z
          .strictObject({ delegated: Count, subcontracted: Count })
          .meta({ id: 'LineageCounts', description: 'Sessions that the worker passed on, or took over.' }),
      })
      .meta({ id: 'ProfileStatistics', description: 'Counts and sums of a worker.' }),
    categoryLevels: z.record(z.string(), z.int().min(1)),
    currentActivity: CurrentActivityShape.optional(),
    badges: z
      .array(
        z
          .strictObject({
            ...shortBadge,
            jobId: z.string(),
            reward: BadgeAmount.optional(),
            verification: z
              .strictObject({
                chainJobId: Bytes32,
                evidenceHash: Bytes32,
                verifier: z.string(),
                verifierMode: z.enum(['benchmark', 'deterministic', 'human_fallback']),
                sourceUrl: z.url().optional(),
                sourceKind: z.string().optional(),
              })
              .meta({ id: 'BadgeVerification', description: 'How the work of a badge was verified.' })
              .optional(),
            badgeUrl: z.url().optional(),
          })
          .meta({ id: 'ProfileBadge', description: 'A badge of a worker.' }),
      )
      .max(PROFILE_ROWS.badges),
    disputes: z
      .array(
        z
          .strictObject({
            disputeId: z.string(),
            status: z.enum(['open', 'resolved']),
            outcome: z.enum(['won', 'lost', 'split', 'timeout']).nullable(),
            openedAt: IsoTime,
            resolvedAt: IsoTime.nullable(),
          })
          .meta({ id: 'ProfileDispute', description: 'A dispute of the worker: its outcome and times.' }),
      )
      .max(PROFILE_ROWS.disputes),
    lineage: z
      .strictObject({
        delegated: z.array(LineageRow).max(PROFILE_ROWS.lineage),
        subcontracted: z.array(LineageRow).max(PROFILE_ROWS.lineage),
      })
      .meta({ id: 'ProfileLineage', description: 'Work that the worker passed on, or took over.' }),
    tier: z.enum(TIERS),
  })
  .meta({ id: 'AgentProfile', description: 'Agent Profile v1: what a worker lets everyone read.' })
export type AgentProfile = z.infer<typeof AgentProfileShape>
