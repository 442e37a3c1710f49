import type { ClaimStatus, FundingState } from '../../../schemas/catalogue/claim-status.ts'
import type { JobDefinition, JsonValue } from '../../../schemas/catalogue/job-definition.ts'
import { definitionPath, displayReward, type JobTrust, jobTrust } from '../../catalogue/job-definition.ts'
import { type CompactSettlement, compactSettlement } from '../../catalogue/settlement-terms.ts'
import { sourceDetails, sourceGroupOf, sourceTypeOf } from '../../catalogue/source.ts'
import { iso } from '../../common/instants.ts'
import { toDisplay } from '../../common/money.ts'
import type { ClaimBond } from '../claim-economics.ts'
import { depthMember, type JobFacts, windowMember } from './definition.ts'

const SUMMARY_LENGTH = 180

/** Text on one line, cut between words to at most 180 characters. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= SUMMARY_LENGTH) return line
  const cut = line.slice(0, SUMMARY_LENGTH - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > 0 ? cut.slice(0, space) : cut).toWellFormed()}…`
}

interface AssetSum {
  asset: string
  /** Decimal string in whole units. */
  amount: string
  amountRaw: string
  decimals: number
}

/** Claim status without its two constant members. */
export type CompactClaimStatus = Omit<ClaimStatus, 'claimabilitySource' | 'lifecycleStatusMeaning'>

/** Short row of `GET /jobs?format=compact`. */
export interface CompactJob extends CompactClaimStatus, JobTrust {
  id: string
  title: string
  summary: string
  category: string
  jobType: JobDefinition['jobType']
  tier: JobDefinition['tier']
  source: string
  sourceType: string
  verifierMode: JobDefinition['verifierMode']
  createdAt: string
  definitionUrl: string
  sourceDetails?: Record<string, JsonValue>
  fundingState: FundingState | null
  claimTtlSeconds: number
  requiresSponsoredGas: boolean
  onboardingWaiverEligible: boolean
  /** Stake part of the bond without a waiver; null when the bond policy is unknown. */
  stake: AssetSum | null
  reward: { asset: string; amount: number; amountRaw: string; decimals: number }
  claimBond?: { stake: AssetSum; fee: AssetSum; totalClaimLock: AssetSum }
  successCriteria?: string
  listedAt: string
  priorityWindow?: { openAt: string; qualifiesWith: string }
  settlement: CompactSettlement
  verificationDepth?: string
}

function compactTerms({ job, decimals }: JobFacts, definition: JobDefinition) {
  const details = sourceDetails(definition)
  const [criterion] = definition.acceptanceCriteria
  const { id, title, category, jobType, tier, verifierMode, claimTtlSeconds, requiresSponsoredGas, onboardingWaiverEligible } = definition
  return {
    ...{ id, title, category, jobType, tier, verifierMode, claimTtlSeconds, requiresSponsoredGas, onboardingWaiverEligible },
    summary: shorten(definition.description),
    source: sourceGroupOf(definition),
    sourceType: sourceTypeOf(definition),
    definitionUrl: definitionPath(job.id),
    ...(details === undefined ? {} : { sourceDetails: details }),
    ...(criterion === undefined ? {} : { successCriteria: shorten(criterion) }),
    reward: {
      asset: job.rewardAsset,
      amount: displayReward(job.rewardRaw, decimals),
      amountRaw: job.rewardRaw.toString(),
      decimals,
    },
    settlement: compactSettlement(verifierMode),
    ...depthMember(definition),
  }
}

function compactBond({ job, decimals }: JobFacts, bond: ClaimBond | null) {
  if (bond === null) return { stake: null }
  const sum = (raw: bigint): AssetSum => ({
    asset: job.rewardAsset,
    amount: toDisplay(raw, decimals),
    amountRaw: raw.toString(),
    decimals,
  })
  return { stake: sum(bond.stakeRaw), claimBond: { stake: sum(bond.stakeRaw), fee: sum(bond.feeRaw), totalClaimLock: sum(bond.lockRaw) } }
}

/** Compact row of one job; `bond` is that of a claim without waiver, null when its policy is unknown. */
export function serveCompact(facts: JobFacts, bond: ClaimBond | null): CompactJob {
  const { job } = facts
  const { claimabilitySource: _source, lifecycleStatusMeaning: _meaning, ...claimStatus } = facts.claimStatus
  return {
    ...claimStatus,
    ...compactTerms(facts, facts.pinned ?? job.definition),
    ...compactBond(facts, bond),
    fundingState: facts.fundingState,
    createdAt: iso(job.createdAt),
    listedAt: iso(job.listedAt),
    ...windowMember(facts),
    ...jobTrust(job),
  }
}
