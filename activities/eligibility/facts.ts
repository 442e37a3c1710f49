import { FUNDING_REMOVED } from '../../domain/catalogue/delisting.ts'
import { isFreshReading, type RewardBankReading } from '../../domain/catalogue/funding.ts'
import { forClaim, readinessOf, verdictNeeds } from '../../domain/catalogue/readiness.ts'
import { specHashOf } from '../../domain/catalogue/spec-hash.ts'
import { owedRaw, spendableRaw, withdrawableRaw } from '../../domain/chain/account-position.ts'
import { type Fact, known, knownValue } from '../../domain/common/fact.ts'
import { utcDay } from '../../domain/common/instants.ts'
import { isBrokered } from '../../domain/eligibility/assessment.ts'
import { previewEconomics } from '../../domain/eligibility/claim-economics.ts'
import type { Claimant } from '../../domain/eligibility/claimant.ts'
import { exposureLimits } from '../../domain/eligibility/exposure.ts'
import type { EligibilityFacts, EligibilityPolicy } from '../../domain/eligibility/facts.ts'
import { priorityPolicy } from '../../domain/eligibility/priority-window.ts'
import { sumOf } from '../../domain/locked-deposits/lock.ts'
import { tierOfLocks } from '../../domain/locked-deposits/tiers.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Settings } from '../../schemas/settings.ts'
import { countAttempts } from '../catalogue/jobs.ts'
import { latestReading } from '../catalogue/reward-bank.ts'
import { readNeedChecks } from '../catalogue/verdict-needs.ts'
import type { ClaimChainFacts } from '../chain/reads.ts'
import { readConsent } from '../consents/listing.ts'
import type { Rows } from '../database/database.ts'
import type { EarningIdentities } from '../identity/earning-identity.ts'
import { liveLocks } from '../locked-deposits/records.ts'
import { readMaintainerFacts } from '../pull-requests/capacity.ts'
import { readScores } from '../reputation/ledger.ts'
import { latestSessions } from '../sessions/records.ts'
import { readDelegate } from './delegate-use.ts'
import { catalogueUse, subsidyOfDay, walletExposure } from './exposure.ts'
import { readPaidSources } from './paid-sources.ts'

export interface FactDeps {
  settings: Settings
  chain: ChainFile
  identities: EarningIdentities
}

type WalletFacts = Pick<
  EligibilityFacts,
  'identity' | 'scores' | 'exposure' | 'catalogueUse' | 'subsidyAllocatedRaw' | 'locks' | 'delegate' | 'priority'
>
type CatalogueFacts = { rewardBank: Fact<RewardBankReading>; policy: EligibilityPolicy }

const UNREAD_WALLET: WalletFacts = {
  identity: 'unknown',
  scores: 'unknown',
  exposure: 'unknown',
  catalogueUse: 'unknown',
  subsidyAllocatedRaw: 'unknown',
  locks: 'unknown',
  delegate: 'unknown',
  priority: { directoryListed: 'unknown', capacity: 'unknown', outstandingCreditRaw: 'unknown' },
}

const withoutChain = <Why extends 'unknown' | 'unreadable'>(why: Why) => ({
  economics: why,
  liquidity: why,
  vestedRaw: why,
  chainJob: why,
  paused: why,
})

const settlementAsset = (chain: ChainFile) => ({ symbol: chain.asset.symbol, decimals: chain.asset.decimals })

/** The reward bank's cached reading with its contract parameters. */
export const readCatalogueFacts = async (
  rows: Rows,
  { settings, chain }: Pick<FactDeps, 'settings' | 'chain'>,
): Promise<CatalogueFacts> => {
  const reading = await latestReading(rows, chain.asset.symbol)
  return {
    rewardBank:
      reading === null
        ? 'unreadable'
        : known({
            fresh: isFreshReading(reading.ageSeconds, settings.REWARD_BANK_MAX_AGE_SECONDS),
            asset: reading.asset,
            liquidRaw: reading.liquidRaw,
          }),
    policy: {
      limits: exposureLimits(settings, settlementAsset(chain)),
      funding: {
        posterFeeBps: reading?.posterFeeBps ?? 0,
        posterFeeFloorRaw: reading?.posterFeeFloorRaw ?? 0n,
      },
      priority: priorityPolicy(settings, chain.asset.symbol),
      tierPerksEnabled: settings.NON_YIELD_TIER_PERKS_ENABLED,
      pullRequestReviewSeconds: settings.CODEHOST_PR_REVIEW_SLA_HOURS * 3_600,
      hasFaucet: chain.local,
    },
  }
}

/** Facts of a wallet in the database, and what the process knows of its mapping. */
const readWalletFacts = async (
  rows: Rows,
  { identities }: Pick<FactDeps, 'identities'>,
  { wallet, grantId }: Claimant,
  now: number,
): Promise<WalletFacts> => {
  const [identity, scores, exposure, use, subsidyRaw, locks, { publicProfile }, delegate] = await Promise.all([
    identities.readListed(rows, wallet),
    readScores(rows, wallet),
    walletExposure(rows, wallet, now),
    catalogueUse(rows, now),
    subsidyOfDay(rows, utcDay(now)),
    liveLocks(rows, wallet, now),
    readConsent(rows, wallet),
    grantId === null ? null : readDelegate(rows, grantId, now),
  ])
  return {
    identity,
    scores: known(scores),
    exposure: known(exposure),
    catalogueUse: known(use),
    subsidyAllocatedRaw: known(subsidyRaw),
    locks: known({
      tier: tierOfLocks(locks, now),
      encumberedRaw: sumOf(locks),
    }),
    delegate: known(delegate),
    // Deposits and loans are read on the chain.
    priority: { directoryListed: known(publicProfile), capacity: 'unknown', outstandingCreditRaw: 'unknown' },
  }
}

/** Facts in the database of each job, in the requested order, for one claimant or none. Without `own` the facts of the wallet itself stay unread. */
export const readDatabaseFacts = async (
  rows: Rows,
  deps: FactDeps,
  jobs: readonly JobRecord[],
  { wallet, grantId, responsiblePerson }: Claimant<string | null>,
  now: number,
  own = true,
): Promise<{ policy: EligibilityPolicy; jobs: EligibilityFacts[] }> => {
  const ids = jobs.map((job) => job.id)
  const isOwn = own && wallet !== null
  const [{ rewardBank, policy }, checks, latest, attempts, walletFacts, paidSourceOf, maintainers] = await Promise.all([
    readCatalogueFacts(rows, deps),
    readNeedChecks(rows),
    latestSessions(rows, ids),
    countAttempts(rows, ids),
    isOwn ? readWalletFacts(rows, deps, { wallet, grantId }, now) : UNREAD_WALLET,
    isOwn ? readPaidSources(rows, wallet, jobs) : () => 'unknown' as const,
    readMaintainerFacts(rows, jobs, { usualCap: deps.settings.MAINTAINER_OPEN_PR_CAP, now }),
  ])
  const facts = jobs.map(
    (job): EligibilityFacts => ({
      now,
      job,
      latestSession: latest.get(job.id) ?? null,
      claimAttemptCount: attempts.get(job.id) ?? 0,
      wallet,
      rewardBank,
      externalPosting: known(job.delistReason === FUNDING_REMOVED ? 'external_posting_not_open_on_chain' : null),
      readiness: readinessOf(verdictNeeds(job.definition), checks, now),
      definitionIntact: isOwn ? checkIntegrity(job) : 'unknown',
      paidSource: paidSourceOf(job),
      maintainers: known(maintainers.get(job.id) ?? null),
      responsiblePerson: responsiblePerson === undefined ? 'unknown' : known(responsiblePerson),
      ...walletFacts,
      ...withoutChain('unknown'),
    }),
  )
  return { policy, jobs: facts }
}

/** {@link readDatabaseFacts} of one job. */
export const readJobFacts = async (
  rows: Rows,
  deps: FactDeps,
  job: JobRecord,
  claimant: Claimant<string | null>,
  now: number,
  own = true,
): Promise<{ policy: EligibilityPolicy; facts: EligibilityFacts }> => {
  const { policy, jobs } = await readDatabaseFacts(rows, deps, [job], claimant, now, own)
  const [facts] = jobs
  if (facts === undefined) throw new Error('facts of one job are missing')
  return { policy, facts }
}

const checkIntegrity = (job: JobRecord) => known(specHashOf(job.definition) === job.specHash)

/** Adds the wallet's own facts from the database, and whether the stored definition matches its hash. */
export const withOwnFacts = async (
  rows: Rows,
  deps: Pick<FactDeps, 'identities'>,
  facts: EligibilityFacts,
  claimant: Claimant,
): Promise<EligibilityFacts> => ({
  ...facts,
  definitionIntact: checkIntegrity(facts.job),
  paidSource: (await readPaidSources(rows, claimant.wallet, [facts.job]))(facts.job),
  ...(await readWalletFacts(rows, deps, claimant, facts.now)),
})

/** Chain facts of a wallet; `preview` and `job` if one job was read too. */
type WalletChainFacts = Pick<ClaimChainFacts, 'block' | 'policy' | 'workerClaimCount' | 'position' | 'creditDebtRaw'> &
  Partial<Pick<ClaimChainFacts, 'preview' | 'job'>>

const debtFact = (raw: bigint | null): Fact<bigint> => (raw === null ? 'unreadable' : known(raw))
const capacityFact = (vestedRaw: Fact<bigint>, { locks }: EligibilityFacts): EligibilityFacts['priority']['capacity'] => {
  const vestedDepositRaw = knownValue(vestedRaw)
  return vestedDepositRaw === undefined ? 'unreadable' : known({ vestedDepositRaw, lockTier: knownValue(locks)?.tier ?? 'flex' })
}

/** What locks bind; they are read with the wallet's records, before the chain. */
const encumberedRawOf = ({ locks }: EligibilityFacts): bigint => knownValue(locks)?.encumberedRaw ?? 0n

/** Adds the wallet's chain facts: economics of a job that is not on chain yet, liquidity and pause. The escrow's state stays unknown. */
export const withWalletFacts = (
  facts: EligibilityFacts,
  chain: ChainFile,
  read: WalletChainFacts,
  vestedRaw: Fact<bigint>,
): EligibilityFacts => ({
  ...facts,
  economics: known(
    previewEconomics({
      asset: settlementAsset(chain),
      rewardRaw: facts.job.rewardRaw,
      // The operator pays for waivers, of its own jobs only.
      waiverEligible: isBrokered(facts) && facts.job.definition.onboardingWaiverEligible,
      brokered: isBrokered(facts),
      policy: read.policy,
      claimCount: read.workerClaimCount,
      onChain: read.preview && read.job ? { preview: read.preview, waiverEligible: read.job.waiverEligible } : null,
    }),
  ),
  liquidity: known({
    block: read.block.number,
    withdrawableRaw: withdrawableRaw(read.position),
    spendableRaw: spendableRaw(read.position, encumberedRawOf(facts)),
    encumberedRaw: encumberedRawOf(facts),
    strategyAllocatedRaw: read.position.strategyAllocated,
  }),
  vestedRaw,
  priority: {
    ...facts.priority,
    capacity: capacityFact(vestedRaw, facts),
    outstandingCreditRaw: debtFact(owedRaw(read.creditDebtRaw, read.position)),
  },
  paused: known(read.policy.paused),
})

/** Adds the chain's facts at one block, for the decision of a claim. Null means that the chain could not be read; gates that need it then refuse. */
export const withChainFacts = (
  listed: EligibilityFacts,
  chain: ChainFile,
  read: (ClaimChainFacts & { vestedRaw: Fact<bigint> }) | null,
): EligibilityFacts => {
  const facts = { ...listed, readiness: forClaim(listed.readiness) }
  if (read === null) {
    const priority = { ...facts.priority, capacity: 'unreadable' as const, outstandingCreditRaw: 'unreadable' as const }
    return { ...facts, ...withoutChain('unreadable'), priority }
  }
  const { job } = read
  return {
    ...withWalletFacts(facts, chain, read, read.vestedRaw),
    chainJob: known(job.state === 'none' ? null : { ...job, worker: job.worker?.toLowerCase() ?? null }),
  }
}
