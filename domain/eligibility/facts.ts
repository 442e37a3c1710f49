import type { ChainJobState } from '../../schemas/chain/job-state.ts'
import type { LockTier } from '../../schemas/locked-deposits/record.ts'
import type { FundingTerms } from '../catalogue/funding.ts'
import type { EscrowTerms } from '../chain/escrow-terms.ts'
import type { Fact, RecordFact } from '../common/fact.ts'
import type { EarningIdentity } from '../identity/native/earning.ts'
import type { MaintainerFacts } from '../pull-requests/policy/standing.ts'
import type { Scores } from '../reputation/tiers.ts'
import type { ClaimEconomics } from './claim-economics.ts'
import type { ClaimStateFacts } from './claim-state.ts'
import type { Delegate } from './delegate-budget.ts'
import type { CatalogueUse, ExposureLimits, WalletExposure } from './exposure.ts'
import type { PriorityFacts, PriorityPolicy } from './priority-window.ts'

/** Earlier paid work of the wallet on the same source revision. */
export interface PaidSource {
  sourceKey: string
  paidJobId: string
  paidSessionId: string
}

/** Escrow job at the block of the facts; the instant in epoch ms. */
export interface ChainJob extends EscrowTerms {
  state: ChainJobState
  /** Lower case; null while unclaimed. */
  worker: string | null
  claimExpiresAt: number | null
}

/** Balance of the wallet at the block of the facts, base units of the reward asset. */
export interface Liquidity {
  block: bigint
  /** What the chain lets the wallet spend, and what of it locked deposits leave. */
  withdrawableRaw: bigint
  spendableRaw: bigint
  /** What locked deposits bind of the liquid balance. */
  encumberedRaw: bigint
  strategyAllocatedRaw: bigint
}

/** Facts of one job and one wallet. Lists have the database facts only; detail, preflight and claim add the chain facts. */
export interface EligibilityFacts extends ClaimStateFacts {
  // Database
  /** Whether the wallet can receive earnings: an EVM wallet always can, a native account needs a mapping. A list reads it from the cache alone. */
  identity: RecordFact<EarningIdentity>
  scores: RecordFact<Scores>
  priority: PriorityFacts
  exposure: Fact<WalletExposure>
  catalogueUse: Fact<CatalogueUse>
  /** Σ of the onboarding subsidy reserved in the UTC day of `now`. */
  subsidyAllocatedRaw: Fact<bigint>
  paidSource: Fact<PaidSource | null>
  /** Locked deposits of the wallet: the tier of its active locks, and what all of them bind, base units. */
  locks: RecordFact<{ tier: LockTier; encumberedRaw: bigint }>
  /** False when the stored definition no longer hashes to its specHash. */
  definitionIntact: RecordFact<boolean>
  /** What maintainers of the job's repository say; null for a job whose maintainers are not asked. */
  maintainers: RecordFact<MaintainerFacts | null>
  /** Person whom the claim names; null without one. Unread where no claim is made. */
  responsiblePerson: RecordFact<string | null>
  /** The delegate that claims for the wallet, with its budget; null for every other caller. */
  delegate: RecordFact<Delegate | null>
  // Chain, one block
  economics: Fact<ClaimEconomics>
  liquidity: Fact<Liquidity>
  /** Vested pool principal, which raises caps; unreadable raises nothing. */
  vestedRaw: Fact<bigint>
  /** Null when the escrow has no such job yet. */
  chainJob: Fact<ChainJob | null>
  /** True while the contracts are paused. */
  paused: Fact<boolean>
}

/** Settings and live parameters the evaluator applies. */
export interface EligibilityPolicy {
  limits: ExposureLimits
  funding: FundingTerms
  priority: PriorityPolicy
  /** Whether the tier of a wallet raises its cap on open work. */
  tierPerksEnabled: boolean
  /** Time of the verifier for a pull request, before people decide. */
  pullRequestReviewSeconds: number
  /** True on the local chain, where a command pays test money. */
  hasFaucet: boolean
}

/** Names of the members of `Facts` that can be unread. */
type NamesOf<Facts> = { [Name in keyof Facts & string]: Extract<Facts[Name], 'unknown'> extends never ? never : Name }[keyof Facts & string]

/** Name of a fact that can be unread. */
export type FactName = NamesOf<EligibilityFacts> | `priority.${NamesOf<PriorityFacts>}`

const unreadIn = <Facts extends object>(facts: Facts) =>
  Object.entries(facts).flatMap(([name, fact]) => (fact === 'unknown' ? [name as NamesOf<Facts>] : []))

/** Names of the unread facts; a claim is decided without any. */
export const unreadFacts = ({ priority, ...facts }: EligibilityFacts): FactName[] => [
  ...unreadIn(facts),
  ...unreadIn(priority).map((name) => `priority.${name}` as const),
]
