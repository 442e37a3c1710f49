import { CHOOSE_ANOTHER, get, signIn } from '../../../schemas/common/error-row.ts'
import type { Tier } from '../../../schemas/common/tiers.ts'
import type { NextAction } from '../../../schemas/errors.ts'
import { knownValue } from '../../common/fact.ts'
import { iso, secondsUntil } from '../../common/instants.ts'
import { amountText, assetAmount, floorSubtract } from '../../common/money.ts'
import type { Assessment } from '../assessment.ts'
import type { ClaimEconomics } from '../claim-economics.ts'
import { bondFreeAt, type DelegateUse, jobFreeAt } from '../delegate-budget.ts'
import { type Blocker, type BlockerParts, blocker, waitUntil } from './blocker.ts'

const GATE = 'delegate_budget'
const askOwner = (what: string): NextAction => signIn(`Ask the owner of the wallet to sign a grant of ${what}.`)

/** When the budget is free again, for a refusal that ends by itself. */
const timing = (freeAt: number | null, now: number, others: NextAction[]): BlockerParts & { nextActions: NextAction[] } =>
  freeAt === null
    ? { nextActions: others }
    : {
        retryAfterSeconds: secondsUntil(freeAt, now),
        nextActions: [waitUntil(iso(freeAt), 'Claim when earlier claims of this delegate have left the 24 hours.'), ...others],
      }

const refuseTier = (tier: Tier, tiers: readonly Tier[]): Blocker | null =>
  tiers.includes(tier)
    ? null
    : blocker(GATE, 'delegate_tier_not_granted', {
        details: { tier, granted: tiers },
        nextActions: [CHOOSE_ANOTHER, askOwner(`jobs of the tier ${tier}`)],
      })

const refuseJobs = (use: DelegateUse, jobsPerDay: number, now: number): Blocker | null => {
  if (use.jobs < jobsPerDay) return null
  const freeAt = jobFreeAt(use, jobsPerDay)
  return blocker(GATE, 'delegate_jobs_budget_exceeded', {
    details: { jobsPerDay, used: use.jobs, ...(freeAt !== null && { freeAt: iso(freeAt) }) },
    ...timing(freeAt, now, [askOwner('more jobs a day')]),
  })
}

const refuseBond = (use: DelegateUse, perDayRaw: bigint, { unwaived: { lockRaw }, asset }: ClaimEconomics, now: number): Blocker | null => {
  const leftRaw = floorSubtract(perDayRaw, use.bondsRaw)
  if (lockRaw <= leftRaw) return null
  const freeAt = bondFreeAt(use, perDayRaw, lockRaw)
  const shown = (raw: bigint) => assetAmount(raw, asset)
  return blocker(GATE, 'delegate_bond_budget_exceeded', {
    details: { needed: shown(lockRaw), left: shown(leftRaw), perDay: shown(perDayRaw), ...(freeAt !== null && { freeAt: iso(freeAt) }) },
    ...timing(freeAt, now, [
      get(`/jobs?maxBond=${leftRaw}`, `Choose a job with a bond of at most ${amountText(leftRaw, asset)}.`),
      askOwner('larger bonds a day'),
    ]),
  })
}

/**
 * Refuses what the owner of the wallet has not granted to the delegate that claims. The bond counts without a waiver: claims made elsewhere may
 * use the waivers up first, and the contract takes no upper bound.
 */
export const delegateBudgetGate = ({ facts }: Assessment): Blocker | null => {
  const delegate = knownValue(facts.delegate)
  if (delegate === undefined || delegate === null) return null
  const { terms, use, ended } = delegate
  if (ended !== null) return blocker(GATE, 'delegate_ended', { reason: ended })
  const economics = knownValue(facts.economics)
  return (
    refuseTier(facts.job.definition.tier, terms.tiers) ??
    refuseJobs(use, terms.jobsPerDay, facts.now) ??
    (economics === undefined ? null : refuseBond(use, BigInt(terms.bondPerDayRaw), economics, facts.now))
  )
}
