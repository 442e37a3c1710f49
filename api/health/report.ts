import { privateKeyToAddress } from 'viem/accounts'
import { createSigners, roleOf } from '../../activities/chain/clients.ts'
import type { SignerStatus } from '../../activities/chain/nonce-status.ts'
import type { FollowerLag } from '../../activities/records/chain-cursor.ts'
import { isFreshReading } from '../../domain/funding.ts'
import { toDisplay } from '../../domain/money.ts'
import { remedyOf } from '../../domain/nonce-trouble.ts'
import { liveEscrow } from '../../schemas/chain-file.ts'
import type { Health } from '../../schemas/operations/shapes/health.ts'
import type { ApiDeps } from '../deps.ts'
import { STOPPED_FILTERS, type StoppedRuns } from '../temporal.ts'
import type { Probed } from './probes.ts'
import type { ProductSnapshot } from './snapshot.ts'

/** Worker polls last about a minute; two missed ones mean nobody works. */
export const WORKER_STALE_MS = 120_000
const MINIMUM_WAIVER_JOBS = 2
/** Share of the daily subsidy below which its headroom is low. */
const LOW_HEADROOM_PERCENT = 20n

type ReportDeps = Pick<ApiDeps, 'settings' | 'chain' | 'isLocal'>

/** Everything one health answer is made of. */
export interface Findings {
  now: number
  /** Wall clock, which is what the workflow engine counts in. */
  wallNow: number
  database: Probed<void>
  temporal: Probed<{ lastPollAt: number | null }>
  stopped: Probed<StoppedRuns>
  chain: Probed<{ blockTime: number; paused: boolean }>
  /** Where every signer of the journal stands. */
  nonces: Probed<Pick<SignerStatus, 'signer' | 'trouble'>[]>
  /** How far the records are behind the chain; a value of null: nobody ever followed it. */
  follower: Probed<FollowerLag | null>
  /** Null when it could not be read. */
  snapshot: ProductSnapshot | null
}

const iso = (at: number | null | undefined): string | null => (at === null || at === undefined ? null : new Date(at).toISOString())
const lower = (address: string | undefined): string | null => address?.toLowerCase() ?? null

const workerState = ({ temporal, wallNow }: Findings): { ok: boolean; state: string } => {
  if (!temporal.ok) return { ok: false, state: 'engine_unreachable' }
  const { lastPollAt } = temporal.value
  if (lastPollAt === null) return { ok: false, state: 'no_worker' }
  return wallNow - lastPollAt > WORKER_STALE_MS ? { ok: false, state: 'stale' } : { ok: true, state: 'polling' }
}

const authOf = ({ settings, chain }: ReportDeps) => ({ mode: settings.AUTH_MODE, domain: settings.AUTH_DOMAIN, chainId: chain.chainId })

const serviceHealthOf = (deps: ReportDeps, findings: Findings) => {
  const worker = workerState(findings)
  const settlement = findings.snapshot?.settlement
  return {
    ok: findings.database.ok && worker.ok,
    components: {
      api: { ok: true, mode: deps.isLocal ? 'local' : 'deployed' },
      stateStore: { ok: findings.database.ok, backend: 'postgres' },
      auth: { ok: true, ...authOf(deps) },
      workflowWorker: {
        ...worker,
        staleAfterMs: WORKER_STALE_MS,
        lastProgressAt: iso(settlement?.lastProgressAt),
        pendingTimeoutCount: settlement?.overdueTimeouts ?? null,
        persistentSubmittedFailures: settlement?.stuck ?? null,
      },
    },
  }
}

/** Signers whose lowest open nonce holds up everything after it. */
const troublesOf = ({ nonces }: Findings) =>
  nonces.ok ? nonces.value.flatMap(({ signer, trouble }) => (trouble === null ? [] : [{ signer, trouble }])) : []

const treasuryState = ({ settings }: ReportDeps, findings: Findings): 'available' | 'unavailable' | 'degraded' => {
  if (settings.OPERATOR_KEY === undefined) return 'unavailable'
  return findings.chain.ok && !findings.chain.value.paused && troublesOf(findings).length === 0 ? 'available' : 'degraded'
}

const lagOf = ({ follower }: Findings): FollowerLag | null => (follower.ok ? follower.value : null)

const indexerState = ({ settings }: ReportDeps, findings: Findings): Health['capabilityHealth']['indexer'] => {
  const lag = lagOf(findings)
  if (lag === null) return 'unavailable'
  return lag.lagSeconds > settings.CHAIN_LAG_SECONDS ? 'lagging' : 'synced'
}

const indexerOf = (deps: ReportDeps, findings: Findings): Health['components']['indexer'] => {
  const lag = lagOf(findings)
  return {
    ok: indexerState(deps, findings) === 'synced',
    lagSeconds: lag === null ? null : Math.floor(lag.lagSeconds),
    block: lag?.cursor.toString() ?? null,
    headBlock: lag?.head.toString() ?? null,
  }
}

const capabilityHealthOf = (deps: ReportDeps, findings: Findings): Health['capabilityHealth'] => ({
  stateStore: findings.database.ok ? 'available' : 'unavailable',
  blockchain: findings.chain.ok ? 'enabled' : 'unhealthy',
  treasuryMutations: treasuryState(deps, findings),
  xcmObserver: 'unavailable',
  indexer: indexerState(deps, findings),
  gasSponsor: 'disabled',
  externalPosting: 'disabled',
  externalPostingWatcherLagSeconds: null,
})

const addressesOf = ({ settings, chain }: ReportDeps): Health['addresses'] => ({
  token: chain.asset.address.toLowerCase(),
  agentAccountCore: chain.contracts.agentAccount.address.toLowerCase(),
  escrowCore: liveEscrow(chain).toLowerCase(),
  xcmWrapper: lower(chain.contracts.xcmWrapper?.address),
  strategyAdapters: [],
  depositPool: lower(chain.contracts.depositPool?.address),
  creditPool: lower(chain.contracts.creditPool?.address),
  settlementSigner: settings.OPERATOR_KEY === undefined ? null : privateKeyToAddress(settings.OPERATOR_KEY as `0x${string}`).toLowerCase(),
  treasuryReserve: null,
})

const rewardBankOf = ({ settings, chain }: ReportDeps, snapshot: ProductSnapshot | null): Health['rewardBank'] => {
  const bank = snapshot?.bank ?? null
  const { decimals } = chain.asset
  return {
    liquid: bank === null ? null : toDisplay(bank.liquidRaw, decimals),
    liquidRaw: bank === null ? null : bank.liquidRaw.toString(),
    decimals,
    asOf: iso(bank?.readAt),
    readable: bank !== null,
    source: 'chain_reading',
    stale: bank === null || !isFreshReading(bank.ageSeconds, settings.REWARD_BANK_MAX_AGE_SECONDS),
  }
}

const UNREAD = {
  claimed24h: null,
  submitted24h: null,
  settled24h: null,
  paidSettled24h: null,
  zeroPaySettled24h: null,
  claimedNotSubmitted: null,
  submittedNotSettled: null,
  oldestSubmittedAt: null,
  stuck: null,
  failed24h: null,
}

const settlementOf = (snapshot: ProductSnapshot | null): Health['settlement'] => {
  if (snapshot === null) return { ...UNREAD, asOf: null, source: 'state_store', readable: false }
  const { overdueTimeouts: _overdue, lastProgressAt: _progress, oldestSubmittedAt, ...counts } = snapshot.settlement
  return { ...counts, oldestSubmittedAt: iso(oldestSubmittedAt), asOf: iso(snapshot.asOf), source: 'state_store', readable: true }
}

const inventoryState = (claimable: number | null): string => {
  if (claimable === null) return 'onboarding_waiver_inventory_unverified'
  if (claimable === 0) return 'onboarding_waiver_inventory_empty'
  return claimable < MINIMUM_WAIVER_JOBS ? 'onboarding_waiver_inventory_below_minimum' : 'onboarding_waiver_inventory_ready'
}

const subsidyOf = ({ settings, chain }: ReportDeps, { now, snapshot }: Findings): Health['onboarding']['subsidy'] => {
  const day = snapshot?.subsidy.day ?? new Date(now).toISOString().slice(0, 10)
  const budgetRaw = settings.ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW
  const shown = (raw: bigint | undefined) => (raw === undefined ? null : toDisplay(raw, chain.asset.decimals))
  const allocatedRaw = snapshot?.subsidy.allocatedRaw
  const headroomRaw = allocatedRaw === undefined ? undefined : budgetRaw > allocatedRaw ? budgetRaw - allocatedRaw : 0n
  return {
    scope: 'tier-0-onboarding-subsidy',
    day,
    clock: 'UTC',
    resetAt: new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000).toISOString(),
    dailyBudgetUsdc: toDisplay(budgetRaw, chain.asset.decimals),
    allocatedUsdc: shown(allocatedRaw),
    headroomUsdc: shown(headroomRaw),
    source: 'state_store',
  }
}

const onboardingOf = (deps: ReportDeps, findings: Findings): Health['onboarding'] => {
  const claimable = findings.snapshot?.inventory?.waiverEligibleClaimableJobs ?? null
  const state = inventoryState(claimable)
  return {
    status: state.endsWith('_ready') ? 'ready' : 'degraded',
    reason: state.endsWith('_ready') ? null : state,
    waiverEligibleClaimableJobs: claimable,
    minimumWaiverEligibleClaimableJobs: MINIMUM_WAIVER_JOBS,
    asOf: iso(findings.snapshot?.asOf),
    source: 'state_store',
    readable: claimable !== null,
    subsidy: subsidyOf(deps, findings),
  }
}

type Warning = Health['warnings'][number]

const subsidyWarnings = ({ settings }: ReportDeps, snapshot: ProductSnapshot | null): Warning[] => {
  if (snapshot === null) return []
  const budgetRaw = settings.ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW
  const headroomRaw = budgetRaw - snapshot.subsidy.allocatedRaw
  if (headroomRaw <= 0n)
    return [{ code: 'onboarding_subsidy_exhausted', severity: 'warn', message: 'The onboarding subsidy of the day is used up.' }]
  if (headroomRaw * 100n >= budgetRaw * LOW_HEADROOM_PERCENT) return []
  return [
    {
      code: 'onboarding_subsidy_headroom_low',
      severity: 'warn',
      message: 'Less than a fifth of the onboarding subsidy of the day is left.',
    },
  ]
}

const reviewWarnings = (snapshot: ProductSnapshot | null): Warning[] => {
  const overdue = snapshot?.overdueReviews ?? 0
  if (overdue === 0) return []
  const message = `${overdue} pull requests wait for a verdict beyond their review time: preview and decide, oldest first.`
  return [{ code: 'codehost_pr_review_overdue', severity: 'warn', message }]
}

/** The role that signs as an address; what stands for it where this process holds no key of it. */
const roleIn = (settings: ReportDeps['settings'], signer: string): string => roleOf(createSigners(settings), signer) ?? '<its role>'

const nonceWarnings = (deps: ReportDeps, findings: Findings): Warning[] =>
  troublesOf(findings).map(({ signer, trouble }) => ({
    code: `treasury_mutations_nonce_${trouble.kind}`,
    severity: 'error',
    message: `Later transactions of ${signer} wait for nonce ${trouble.nonce}. Look with: npm run nonce -- status; then: ${remedyOf(trouble, roleIn(deps.settings, signer))}`,
  }))

const indexerWarnings = (deps: ReportDeps, findings: Findings): Warning[] => {
  const { lagSeconds, block } = indexerOf(deps, findings)
  switch (indexerState(deps, findings)) {
    case 'synced':
      return []
    case 'lagging':
      return [
        {
          code: 'indexer_lagging',
          severity: 'error',
          message: `Events of the chain after block ${block} are not recorded; the last time that nothing was missing is ${lagSeconds} s ago.`,
        },
      ]
    case 'unavailable':
      if (!findings.database.ok) return []
      return [
        { code: 'indexer_unavailable', severity: 'warn', message: 'How far the chain is recorded is not known: no worker follows it.' },
      ]
  }
}

const peopleWarnings = (snapshot: ProductSnapshot | null): Warning[] => {
  const { count, oldestAt } = snapshot?.people ?? { count: 0, oldestAt: null }
  if (count === 0) return []
  return [
    {
      code: 'disputes_waiting_for_people',
      severity: 'warn',
      message: `${count} disputes wait for people longer than a day, the oldest since ${iso(oldestAt)}. Look: GET /disputes?status=open, GET /verifier/pending.`,
    },
  ]
}

const divergenceWarnings = (snapshot: ProductSnapshot | null): Warning[] => {
  const diverged = snapshot?.diverged ?? 0
  if (diverged === 0) return []
  const message = `${diverged} sessions have ended otherwise on chain than here: move their money, then POST /admin/sessions/close.`
  return [{ code: 'sessions_diverged', severity: 'error', message }]
}

const stoppedWarnings = ({ temporal, stopped }: Findings): Warning[] => {
  if (!temporal.ok) return []
  if (!stopped.ok) {
    const message = `Processes that do not go on could not be counted. Temporal UI: ${STOPPED_FILTERS.refused}, or ${STOPPED_FILTERS.failing}.`
    return [{ code: 'sessions_held_unknown', severity: 'warn', message }]
  }
  const { refused, failing } = stopped.value
  const warnings: Warning[] = []
  if (refused > 0) {
    const message = `The next step of ${refused} processes is refused, and tried again at intervals until its cause is mended. Temporal UI: ${STOPPED_FILTERS.refused}.`
    warnings.push({ code: 'sessions_held', severity: 'error', message })
  }
  if (failing > 0) {
    const message = `${failing} processes fail in every turn: look into the last event of their history and the worker's log. Temporal UI: ${STOPPED_FILTERS.failing}.`
    warnings.push({ code: 'sessions_failing', severity: 'error', message })
  }
  return warnings
}

const pauseWarnings = ({ chain }: Findings): Warning[] =>
  chain.ok && chain.value.paused
    ? [
        {
          code: 'treasury_mutations_paused',
          severity: 'error',
          message: 'The contracts are paused: no transaction passes until the pause ends. Deadlines go on meanwhile.',
        },
      ]
    : []

const warningsOf = (
  deps: ReportDeps,
  findings: Findings,
  health: Pick<Health, 'onboarding' | 'capabilityHealth' | 'rewardBank'>,
): Warning[] => {
  const warnings: Warning[] = []
  const { capabilityHealth, onboarding, rewardBank } = health
  if (capabilityHealth.blockchain === 'unhealthy')
    warnings.push({ code: 'blockchain_unhealthy', severity: 'error', message: 'The chain could not be read three times in a row.' })
  if (capabilityHealth.treasuryMutations === 'unavailable' || capabilityHealth.blockchain === 'unhealthy')
    warnings.push({
      code: `treasury_mutations_${capabilityHealth.treasuryMutations}`,
      severity: 'error',
      message: 'The operator cannot send transactions at the moment.',
    })
  if (findings.database.ok && rewardBank.stale)
    warnings.push({ code: 'blockchain_reward_bank_stale', severity: 'warn', message: 'The reward bank was not read recently.' })
  if (onboarding.reason !== null && findings.database.ok)
    warnings.push({ code: onboarding.reason, severity: 'warn', message: 'New agents may find too few jobs with a waived bond.' })
  return [
    ...warnings,
    ...indexerWarnings(deps, findings),
    ...pauseWarnings(findings),
    ...nonceWarnings(deps, findings),
    ...peopleWarnings(findings.snapshot),
    ...divergenceWarnings(findings.snapshot),
    ...stoppedWarnings(findings),
    ...subsidyWarnings(deps, findings.snapshot),
    ...reviewWarnings(findings.snapshot),
  ]
}

/** Body of `GET /health`. Source: http, "GET /health". */
export const healthReport = (deps: ReportDeps, findings: Findings): Health => {
  const serviceHealth = serviceHealthOf(deps, findings)
  const capabilityHealth = capabilityHealthOf(deps, findings)
  const rewardBank = rewardBankOf(deps, findings.snapshot)
  const onboarding = onboardingOf(deps, findings)
  const warnings = warningsOf(deps, findings, { capabilityHealth, onboarding, rewardBank })
  const well = serviceHealth.ok && warnings.every(({ severity }) => severity !== 'error')
  return {
    status: well ? 'ok' : 'degraded',
    now: new Date(findings.now).toISOString(),
    chainTime: findings.chain.ok ? iso(findings.chain.value.blockTime) : null,
    version: deps.settings.BUILD_ID,
    auth: authOf(deps),
    serviceHealth,
    capabilityHealth,
    addresses: addressesOf(deps),
    rewardBank,
    settlement: settlementOf(findings.snapshot),
    onboarding,
    warnings,
    components: {
      stateStore: { ok: findings.database.ok },
      blockchain: { ok: findings.chain.ok },
      gasSponsor: { ok: false },
      indexer: indexerOf(deps, findings),
      externalPostingWatcher: { ok: false },
      workflowWorker: { ok: serviceHealth.components.workflowWorker.ok },
    },
  }
}
