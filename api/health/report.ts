import { privateKeyToAddress } from 'viem/accounts'
import { isFreshReading } from '../../domain/catalogue/funding.ts'
import { iso, isoOrNull, nextUtcDay, utcDay } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { liveEscrow } from '../../schemas/chain/chain-file.ts'
import type { Health } from '../../schemas/health/shapes.ts'
import type { ServiceDeps } from '../deps.ts'
import { SERVICE_VERSION } from '../service.ts'
import {
  blockchainOf,
  type Findings,
  indexerOf,
  indexerState,
  runnerOf,
  serviceTimeOrNull,
  troublesOf,
  WORKER_STALE_MS,
  workerState,
} from './findings.ts'
import { settlementOf } from './settlement.ts'
import type { ProductSnapshot } from './snapshot.ts'
import { verificationOf } from './verification.ts'
import { warningsOf } from './warnings.ts'

const MINIMUM_WAIVER_JOBS = 2
const SWITCHED_OFF = { ok: true, state: 'disabled' } as const

const lower = (address: string | undefined): string | null => address?.toLowerCase() ?? null

const authOf = ({ settings, chain }: ServiceDeps) => ({ mode: settings.AUTH_MODE, domain: settings.AUTH_DOMAIN, chainId: chain.chainId })

const serviceHealthOf = (deps: ServiceDeps, findings: Findings) => {
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
        lastProgressAt: isoOrNull(settlement?.lastProgressAt ?? null),
        pendingTimeoutCount: settlement?.overdueTimeouts ?? null,
        persistentSubmittedFailures: settlement?.stuck ?? null,
      },
    },
  }
}

const treasuryState = ({ settings }: ServiceDeps, findings: Findings): Health['capabilityHealth']['treasuryMutations'] => {
  if (settings.OPERATOR_KEY === undefined) return 'disabled'
  return findings.chain.ok && !findings.chain.value.paused && troublesOf(findings).length === 0 ? 'available' : 'degraded'
}

const onOrOff = (isOn: boolean) => (isOn ? 'enabled' : 'disabled')

const observerState = ({ chain }: ServiceDeps, findings: Findings): Health['capabilityHealth']['xcmObserver'] => {
  if (chain.contracts.xcm === undefined) return 'disabled'
  return findings.chain.ok ? 'live' : 'unavailable'
}

const capabilityHealthOf = (deps: ServiceDeps, findings: Findings): Health['capabilityHealth'] => ({
  stateStore: findings.database.ok ? 'available' : 'unavailable',
  blockchain: findings.chain.ok ? 'enabled' : 'unhealthy',
  treasuryMutations: treasuryState(deps, findings),
  xcmObserver: observerState(deps, findings),
  indexer: indexerState(deps, findings),
  gasSponsor: 'disabled',
  externalPosting: 'disabled',
  externalPostingWatcherLagSeconds: null,
  lockedDeposits: onOrOff(deps.settings.LOCKED_TIERS_ENABLED),
  tierPerks: onOrOff(deps.settings.NON_YIELD_TIER_PERKS_ENABLED),
  idleAllocation: onOrOff(deps.settings.IDLE_BALANCE_ALLOCATION_ROUTE_LIVE),
})

const addressesOf = ({ settings, chain }: ServiceDeps, snapshot: ProductSnapshot | null): Health['addresses'] => ({
  token: chain.asset.address.toLowerCase(),
  agentAccountCore: chain.contracts.agentAccount.address.toLowerCase(),
  escrowCore: liveEscrow(chain).toLowerCase(),
  xcmWrapper: lower(chain.contracts.xcm?.wrapper.address),
  strategyAdapters: snapshot?.strategyAdapters ?? [],
  depositPool: lower(chain.contracts.depositPool?.address),
  creditPool: lower(chain.contracts.creditPool?.address),
  settlementSigner: settings.OPERATOR_KEY === undefined ? null : privateKeyToAddress(settings.OPERATOR_KEY as `0x${string}`).toLowerCase(),
  treasuryReserve: null,
})

const rewardBankOf = ({ settings, chain }: ServiceDeps, findings: Findings): Health['rewardBank'] => {
  const bank = findings.snapshot?.bank ?? null
  return {
    liquid: bank === null ? null : assetAmount(bank.liquidRaw, chain.asset),
    asOf: serviceTimeOrNull(findings, bank?.readAt),
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

const sessionCountsOf = (snapshot: ProductSnapshot | null): Health['settlement'] => {
  if (snapshot === null) return { ...UNREAD, asOf: null, source: 'state_store', readable: false }
  const { overdueTimeouts: _overdue, lastProgressAt: _progress, oldestSubmittedAt, ...counts } = snapshot.settlement
  return { ...counts, oldestSubmittedAt: isoOrNull(oldestSubmittedAt), asOf: iso(snapshot.asOf), source: 'state_store', readable: true }
}

const inventoryState = (claimable: number | null): string => {
  if (claimable === null) return 'onboarding_waiver_inventory_unverified'
  if (claimable === 0) return 'onboarding_waiver_inventory_empty'
  return claimable < MINIMUM_WAIVER_JOBS ? 'onboarding_waiver_inventory_below_minimum' : 'onboarding_waiver_inventory_ready'
}

const subsidyOf = ({ settings, chain }: ServiceDeps, { now, snapshot }: Findings): Health['onboarding']['subsidy'] => {
  const day = snapshot?.subsidy.day ?? utcDay(now)
  const budgetRaw = settings.ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW
  const shown = (raw: bigint | undefined) => (raw === undefined ? null : assetAmount(raw, chain.asset))
  const allocatedRaw = snapshot?.subsidy.allocatedRaw
  const headroomRaw = allocatedRaw === undefined ? undefined : budgetRaw > allocatedRaw ? budgetRaw - allocatedRaw : 0n
  return {
    scope: 'tier-0-onboarding-subsidy',
    day,
    clock: 'UTC',
    resetAt: iso(nextUtcDay(Date.parse(day))),
    dailyBudget: assetAmount(budgetRaw, chain.asset),
    allocated: shown(allocatedRaw),
    headroom: shown(headroomRaw),
    source: 'state_store',
  }
}

const onboardingOf = (deps: ServiceDeps, findings: Findings): Health['onboarding'] => {
  const claimable = findings.snapshot?.inventory?.waiverEligibleClaimableJobs ?? null
  const state = inventoryState(claimable)
  return {
    status: state.endsWith('_ready') ? 'ready' : 'degraded',
    reason: state.endsWith('_ready') ? null : state,
    waiverEligibleClaimableJobs: claimable,
    minimumWaiverEligibleClaimableJobs: MINIMUM_WAIVER_JOBS,
    asOf: isoOrNull(findings.snapshot?.asOf ?? null),
    source: 'state_store',
    readable: claimable !== null,
    subsidy: subsidyOf(deps, findings),
  }
}

/** Body of `GET /health`. Source: http, "GET /health". */
export const healthReport = (deps: ServiceDeps, findings: Findings): Health => {
  const serviceHealth = serviceHealthOf(deps, findings)
  const capabilityHealth = capabilityHealthOf(deps, findings)
  const rewardBank = rewardBankOf(deps, findings)
  const onboarding = onboardingOf(deps, findings)
  const warnings = warningsOf(deps, findings, { capabilityHealth, onboarding, rewardBank })
  const settlement = settlementOf(findings.settlement)
  const isHealthy = serviceHealth.ok && warnings.every(({ severity }) => severity !== 'error')
  return {
    status: isHealthy ? 'ok' : 'degraded',
    now: iso(findings.now),
    chainTime: findings.chain.ok ? iso(findings.chain.value.blockTime) : null,
    version: SERVICE_VERSION,
    auth: authOf(deps),
    serviceHealth,
    capabilityHealth,
    addresses: addressesOf(deps, findings.snapshot),
    rewardBank,
    settlement: sessionCountsOf(findings.snapshot),
    onboarding,
    warnings,
    components: {
      stateStore: { ok: findings.database.ok },
      blockchain: blockchainOf(findings),
      gasSponsor: SWITCHED_OFF,
      indexer: indexerOf(deps, findings),
      externalPostingWatcher: SWITCHED_OFF,
      workflowWorker: { ok: serviceHealth.components.workflowWorker.ok },
      runner: runnerOf(deps, findings),
      verification: verificationOf(findings),
      ...(settlement !== undefined && { settlement }),
    },
  }
}
