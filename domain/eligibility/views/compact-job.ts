import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import { definitionPath, jobTrust } from '../../catalogue/job-definition.ts'
import { compactSettlement, verificationDepth } from '../../catalogue/settlement-terms.ts'
import { sourceDetails, sourceGroupOf, sourceTypeOf } from '../../catalogue/source.ts'
import { iso } from '../../common/instants.ts'
import { assetAmount } from '../../common/money.ts'
import { pick } from '../../common/pick.ts'
import type { ClaimBond } from '../claim-economics.ts'
import { type JobFacts, windowMember } from './definition.ts'

const SUMMARY_LENGTH = 180

/** Text on one line, cut between words to at most 180 characters. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= SUMMARY_LENGTH) return line
  const cut = line.slice(0, SUMMARY_LENGTH - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > 0 ? cut.slice(0, space) : cut).toWellFormed()}…`
}

function compactTerms({ job, decimals }: JobFacts, definition: JobDefinition) {
  const details = sourceDetails(definition)
  const [criterion] = definition.acceptanceCriteria
  return {
    ...pick(definition, 'id', 'title', 'category', 'jobType', 'tier', 'verifierMode'),
    ...pick(definition, 'claimTtlSeconds', 'requiresSponsoredGas', 'onboardingWaiverEligible'),
    summary: shorten(definition.description),
    source: sourceGroupOf(definition),
    sourceType: sourceTypeOf(definition),
    definitionUrl: definitionPath(job.id),
    ...(details === undefined ? {} : { sourceDetails: details }),
    ...(criterion === undefined ? {} : { successCriteria: shorten(criterion) }),
    reward: assetAmount(job.rewardRaw, { symbol: job.rewardAsset, decimals }),
    settlement: compactSettlement(definition.verifierMode),
    ...verificationDepth(definition.verifierMode),
  }
}

function compactBond({ job, decimals }: JobFacts, bond: ClaimBond | null) {
  if (bond === null) return { stake: null }
  const toAmount = (raw: bigint) => assetAmount(raw, { symbol: job.rewardAsset, decimals })
  const stake = toAmount(bond.claimStakeRaw)
  return { stake, claimBond: { stake, fee: toAmount(bond.claimFeeRaw), totalClaimLock: toAmount(bond.lockRaw) } }
}

/** Compact row of one job; `bond` is that of a claim without waiver, null when its policy is unknown. */
export function serveCompact(facts: JobFacts, bond: ClaimBond | null) {
  const { job } = facts
  const { claimabilitySource: _source, lifecycleStatusMeaning: _meaning, ...claimStatus } = facts.claimStatus
  return {
    format: 'compact' as const,
    ...claimStatus,
    ...compactTerms(facts, facts.pinned ?? job.definition),
    ...compactBond(facts, bond),
    fundingState: facts.fundingState,
    verification: { readiness: facts.readiness },
    createdAt: iso(job.createdAt),
    listedAt: iso(job.listedAt),
    ...windowMember(facts),
    ...jobTrust(job),
  }
}
