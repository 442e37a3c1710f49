import { z } from 'zod'
import { ReadinessShape } from '../catalogue/readiness.ts'
import { Address, AssetAmount, DigitString, IsoTime, literal } from '../operations/values.ts'

const counted = { asOf: IsoTime.nullable(), source: z.string(), readable: z.boolean() }

/** What sign-in messages bind. */
export const AuthTermsShape = z
  .object({ mode: z.enum(['strict', 'permissive']), domain: z.string(), chainId: z.int() })
  .meta({ id: 'AuthTerms', description: 'What sign-in messages bind.' })

/** A finding of the health report. */
export const WarningShape = z
  .object({ code: z.string(), severity: z.enum(['info', 'warn', 'error']), message: z.string() })
  .meta({ id: 'HealthWarning', description: 'A finding of the health report.' })

/** A part that can be switched off. Switched off it is `disabled`, which is no failure. */
const OptionalPart = z
  .object({ ok: z.boolean(), state: z.enum(['enabled', 'disabled']) })
  .meta({ id: 'OptionalPart', description: 'A part that can be switched off.' })

/** State of the service. Source: http, "GET /health". A value that could not be read is null beside `readable: false`. */
export const HealthShape = z
  .object({
    status: z.enum(['ok', 'degraded']),
    now: IsoTime,
    chainTime: IsoTime.nullable(),
    version: z.string(),
    auth: AuthTermsShape,
    serviceHealth: z.object({
      ok: z.boolean(),
      components: z.object({
        api: z.object({ ok: z.boolean(), mode: z.string() }),
        stateStore: z.object({ ok: z.boolean(), backend: z.string() }),
        auth: z.object({ ok: z.boolean(), mode: z.string(), domain: z.string(), chainId: z.int() }),
        workflowWorker: z.object({
          ok: z.boolean(),
          state: z.string(),
          staleAfterMs: z.int(),
          lastProgressAt: IsoTime.nullable(),
          pendingTimeoutCount: z.int().nullable(),
          persistentSubmittedFailures: z.int().nullable(),
        }),
      }),
    }),
    capabilityHealth: z.object({
      stateStore: z.enum(['available', 'unavailable']),
      blockchain: z.enum(['enabled', 'disabled', 'unhealthy']),
      treasuryMutations: z.enum(['available', 'unavailable', 'degraded', 'disabled']),
      xcmObserver: z.enum(['live', 'staged', 'unavailable', 'disabled']),
      indexer: z.enum(['synced', 'lagging', 'behind', 'unavailable']),
      gasSponsor: z.enum(['enabled', 'disabled']),
      externalPosting: z.enum(['enabled', 'staged', 'disabled']),
      externalPostingWatcherLagSeconds: z.number().nullable(),
      lockedDeposits: z.enum(['enabled', 'disabled']),
      tierPerks: z.enum(['enabled', 'disabled']),
      idleAllocation: z.enum(['enabled', 'disabled']),
    }),
    addresses: z.object({
      token: Address,
      agentAccountCore: Address,
      escrowCore: Address,
      xcmWrapper: Address.nullable(),
      strategyAdapters: z.array(Address),
      depositPool: Address.nullable(),
      creditPool: Address.nullable(),
      settlementSigner: Address.nullable(),
      treasuryReserve: Address.nullable(),
    }),
    rewardBank: z.object({
      liquid: AssetAmount.nullable(),
      asOf: IsoTime.nullable(),
      readable: z.boolean(),
      source: z.string(),
      stale: z.boolean(),
      refreshing: z.boolean().optional(),
    }),
    settlement: z.object({
      claimed24h: z.int().nullable(),
      submitted24h: z.int().nullable(),
      settled24h: z.int().nullable(),
      paidSettled24h: z.int().nullable(),
      zeroPaySettled24h: z.int().nullable(),
      claimedNotSubmitted: z.int().nullable(),
      submittedNotSettled: z.int().nullable(),
      oldestSubmittedAt: IsoTime.nullable(),
      stuck: z.int().nullable(),
      failed24h: z.int().nullable(),
      ...counted,
    }),
    onboarding: z.object({
      status: z.string(),
      reason: z.string().nullable(),
      waiverEligibleClaimableJobs: z.int().nullable(),
      minimumWaiverEligibleClaimableJobs: z.literal(2),
      ...counted,
      subsidy: z.object({
        scope: literal('tier-0-onboarding-subsidy'),
        day: z.string(),
        clock: literal('UTC'),
        resetAt: IsoTime,
        dailyBudget: AssetAmount,
        allocated: AssetAmount.nullable(),
        headroom: AssetAmount.nullable(),
        source: z.string(),
      }),
    }),
    warnings: z.array(WarningShape),
    components: z.object({
      stateStore: z.object({ ok: z.boolean() }),
      blockchain: z.object({
        ok: z.boolean(),
        /** Last answer of the node to this process. */
        lastReadAt: IsoTime.nullable(),
        /** Requests in one JSON-RPC batch at most; smaller than configured while the node refuses larger ones. */
        batchSize: z.int(),
        configuredBatchSize: z.int(),
        /** Last batch that the node refused, and its number of requests. */
        lastBatchRefusal: z.object({ at: IsoTime, size: z.int() }).nullable(),
      }),
      gasSponsor: OptionalPart,
      indexer: z.object({
        ok: z.boolean(),
        /** Time since the records last had every confirmed event. */
        lagSeconds: z.int().nullable(),
        /** Newest block whose events are recorded. */
        block: DigitString.nullable(),
        /** Newest block of the node. */
        headBlock: DigitString.nullable(),
        /** Lowest block whose recorded events are known to be incomplete. */
        gapBlock: DigitString.nullable(),
        /** Events that a first reading of the node missed and a later one added. */
        missedEvents: z.int().nullable(),
        /** When events were last found missing. */
        gapFoundAt: IsoTime.nullable(),
      }),
      externalPostingWatcher: OptionalPart,
      workflowWorker: z.object({ ok: z.boolean() }),
      verification: z.object({
        /** Null when the checks could not be read. */
        ok: z.boolean().nullable(),
        /** Last check of each thing that verdicts need. */
        needs: z.array(z.object({ need: z.string(), ready: z.boolean(), reason: ReadinessShape.shape.reason, checkedAt: IsoTime })),
      }),
    }),
  })
  .meta({ id: 'Health', description: 'State of the service; a value that could not be read is null beside `readable: false`.' })
export type Health = z.input<typeof HealthShape>
