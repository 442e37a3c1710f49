import type { PostingRecord } from '../../schemas/postings/record.ts'
import type { DraftView, PosterJobView } from '../../schemas/postings/shapes.ts'
import type { ComparedField, PostingStatus } from '../../schemas/postings/terms.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { CANCEL_FLOOR_SECONDS, EXTERNAL_REWARD_CEILING_BASE_RAW } from '../common/constants.ts'
import { labelHash } from '../common/ids.ts'
import { iso, isoOrNull, plusSeconds } from '../common/instants.ts'
import { type Asset, assetAmount } from '../common/money.ts'
import { type BondPolicy, claimBond } from '../eligibility/claim-economics.ts'
import { ROLE_SKILL, tierSkill } from '../reputation/tiers.ts'
import { nextForPoster } from './next-step.ts'
import { reservedRaw, vestedNeededRaw } from './quote.ts'
import { SCREEN_VERSION } from './screen.ts'
import { isIdTaken } from './status.ts'

/** The escrow that holds new jobs, and the asset in which they are paid. */
export interface PostingChain {
  /** Lower case. */
  escrow: string
  /** Escrows before the third version give no open job back. */
  escrowVersion: number
  asset: Asset & { address: string }
}

/** Where a posting stands at an instant: a quote ends by itself. */
const statusAt = ({ status, expiresAt }: Pick<PostingRecord, 'status' | 'expiresAt'>, now: number): PostingStatus =>
  (status === 'quoted' || status === 'awaiting_funding') && now >= expiresAt ? 'expired' : status

/** What a posting takes from its poster by its quote, base units. */
export const quotedReservedRaw = (posting: PostingRecord): bigint => reservedRaw(posting, posting.posterFeeRaw)

/** The score that a claimer needs. */
export const skillNeeded = ({ tier, requiredRole }: PostingRecord['definition']): number =>
  Math.max(tierSkill(tier), ROLE_SKILL[requiredRole])

/** The asset of a funding by its symbol. Of another one than the chain's only the address is known, so its amounts stand in base units. */
export const fundedAsset = (symbol: string, asset: Asset): Asset => (symbol === asset.symbol ? asset : { symbol, decimals: 0 })

const fundedAssetOf = ({ mismatch }: Pick<PostingRecord, 'mismatch'>, asset: Asset): Asset =>
  mismatch?.field === 'asset' ? fundedAsset(mismatch.observed, asset) : asset

/** Terms that decide what comes back, which all equal those of the draft where a later one differs. */
const MONEY_TERMS: readonly ComparedField[] = ['poster', 'specHash', 'asset', 'reward', 'opsReserve', 'contingencyReserve']

type Cancellation = NonNullable<DraftView['cancellation']>

const RACE = 'A claim that is mined first keeps the job: the money stays reserved until the work is judged, or until the claim runs out.'
const FALLBACK = 'An expired claim opens the job again, and then it can be cancelled at once.'

/** The cancellation of any job, in words. */
export const CANCELLATION_WORDS = { scope: 'any Open job', race: RACE, fallback: FALLBACK } as const

/** How the poster takes the money back; null on an escrow that gives no open job back, and where the money is of another wallet. */
export function cancellationView(posting: PostingRecord, chain: PostingChain): Cancellation | null {
  if (chain.escrowVersion < 3 || isIdTaken(posting)) return null
  const { funding, mismatch } = posting
  const asset = fundedAssetOf(posting, chain.asset)
  const quotedRaw = quotedReservedRaw(posting)
  const totalRaw = funding === null ? quotedRaw : BigInt(funding.totalReservedRaw)
  const isAsQuoted = totalRaw === quotedRaw && (mismatch === null || !MONEY_TERMS.includes(mismatch.field))
  const shown = (raw: bigint) => assetAmount(raw, asset)
  const parts = {
    reward: shown(posting.rewardRaw),
    posterFee: shown(posting.posterFeeRaw),
    opsReserve: shown(posting.opsReserveRaw),
    contingencyReserve: shown(posting.contingencyReserveRaw),
  }
  return {
    selfServeCancel: true,
    method: 'cancelOpenJob',
    onChain: { address: chain.escrow, abiFragment: 'cancelOpenJob(bytes32)', args: [posting.jobId], value: '0' },
    ...CANCELLATION_WORDS,
    minimumOpenSeconds: CANCEL_FLOOR_SECONDS,
    earliestAt: funding === null ? null : iso(plusSeconds(Date.parse(funding.fundedAt), CANCEL_FLOOR_SECONDS)),
    refund: { total: shown(totalRaw), ...(isAsQuoted && parts) },
  }
}

/** Members of drafts and rows that say where a posting stands. */
const stateView = (posting: PostingRecord, chain: PostingChain, now: number, claimState: string | null) => {
  const { reason, mismatch } = posting
  const status = statusAt(posting, now)
  return {
    status,
    ...(reason !== null && { reason }),
    ...(mismatch !== null && { mismatch }),
    cancellation: cancellationView(posting, chain),
    next: nextForPoster({ ...posting, status }, { now, claimState }),
  }
}

const fundingRequirement = (posting: PostingRecord, { asset }: PostingChain): DraftView['fundingRequirement'] => {
  const digits = (raw: bigint) => raw.toString()
  return {
    asset: asset.symbol,
    assetAddress: asset.address,
    decimals: asset.decimals,
    rewardRaw: digits(posting.rewardRaw),
    workerReceivesRaw: digits(posting.rewardRaw),
    opsReserveRaw: digits(posting.opsReserveRaw),
    contingencyReserveRaw: digits(posting.contingencyReserveRaw),
    protocolFeeRaw: digits(posting.posterFeeRaw),
    protocolFeeBps: posting.posterFeeBps,
    posterFeeBps: posting.posterFeeBps,
    posterFeeFloorRaw: digits(posting.posterFeeFloorRaw),
    posterReservedRaw: digits(quotedReservedRaw(posting)),
    feeSemantics: 'poster_additive',
    source: 'escrow_contract',
    blockNumber: posting.quoteBlock.toString(),
    expiresWithQuote: true,
  }
}

/** What is known of the wallets that may claim; the policy is null while it cannot be read. */
export interface ClaimerFacts {
  bondPolicy: BondPolicy | null
  walletsWithSkill: number
}

const bondView = (rewardRaw: bigint, policy: BondPolicy | null, asset: Asset): DraftView['claimRequirement']['bond'] => {
  if (policy === null) return { available: false, reason: 'live_chain_read_failed' }
  const { claimStakeRaw, claimFeeRaw, lockRaw } = claimBond(rewardRaw, policy, false)
  return {
    available: true,
    stake: assetAmount(claimStakeRaw, asset),
    fee: assetAmount(claimFeeRaw, asset),
    total: assetAmount(lockRaw, asset),
  }
}

const claimRequirement = (posting: PostingRecord, facts: ClaimerFacts, { asset }: PostingChain): DraftView['claimRequirement'] => {
  const { definition, rewardRaw, isDesignated } = posting
  return {
    tier: definition.tier,
    role: definition.requiredRole,
    skill: skillNeeded(definition),
    walletsWithSkill: facts.walletsWithSkill,
    bond: bondView(rewardRaw, facts.bondPolicy, asset),
    exposure: {
      applies: !isDesignated,
      baseCeiling: assetAmount(EXTERNAL_REWARD_CEILING_BASE_RAW, asset),
      vestedPrincipalNeeded: assetAmount(isDesignated ? 0n : vestedNeededRaw(rewardRaw), asset),
    },
  }
}

/** Arguments of the call that funds a job, in the order of the contract. Source: contracts, "Encodings". */
export const creationArgs = (posting: PostingRecord, { asset }: PostingChain) =>
  [
    posting.jobId,
    asset.address as `0x${string}`,
    posting.rewardRaw,
    posting.opsReserveRaw,
    posting.contingencyReserveRaw,
    BigInt(posting.definition.claimTtlSeconds),
    labelHash(posting.definition.verifierMode),
    labelHash(posting.definition.category),
    posting.specHash,
  ] as const

/** Signature of that call. */
const CREATION_FUNCTION = 'createSinglePayoutJob(bytes32,address,uint256,uint256,uint256,uint256,bytes32,bytes32,bytes32)'

const NOTE =
  'A quote enters nothing into the catalogue. A funding that differs in any term, more money included, is never listed: its money comes back by cancelOpenJob alone.'

const listingStatusOf = (status: PostingStatus): DraftView['listingStatus'] =>
  status === 'live' ? 'listed' : status === 'delisted' ? 'delisted' : 'unlisted'

const fundingView = ({ funding, refund }: PostingRecord, asset: Asset): Pick<DraftView, 'fundingStatus' | 'funding' | 'refund'> => ({
  fundingStatus: funding === null ? 'unfunded' : refund === null ? 'funded' : 'refunded',
  ...(funding !== null && {
    funding: {
      txHash: funding.txHash,
      blockNumber: funding.blockNumber,
      fundedAt: funding.fundedAt,
      totalReserved: assetAmount(BigInt(funding.totalReservedRaw), asset),
    },
  }),
  ...(refund !== null && {
    refund: { txHash: refund.txHash, refundedAt: refund.refundedAt, refunded: assetAmount(BigInt(refund.refundedRaw), asset) },
  }),
})

/** A draft as its poster reads it. */
export function draftView(posting: PostingRecord, chain: PostingChain, claimers: ClaimerFacts, now: number): DraftView {
  const { draftId, jobId, specHash, definition, attemptCount, rehearsal, fundingReceipt } = posting
  const state = stateView(posting, chain, now, null)
  const listingStatus = listingStatusOf(state.status)
  return {
    draftId,
    jobId,
    specHash,
    definition: { ...definition },
    ...state,
    persisted: posting.funding !== null && listingStatus !== 'unlisted',
    createdAt: iso(posting.createdAt),
    expiresAt: iso(posting.expiresAt),
    escrowAddress: chain.escrow,
    fundingRequirement: fundingRequirement(posting, chain),
    claimRequirement: claimRequirement(posting, claimers, chain),
    calldata: {
      to: chain.escrow,
      function: CREATION_FUNCTION,
      args: creationArgs(posting, chain).map(String),
      value: '0',
      valueSemantics: 'No native currency: the reward comes from the balance of the poster in the account contract.',
    },
    attemptCount,
    ...fundingView(posting, fundedAssetOf(posting, chain.asset)),
    listingStatus,
    listingSecurity: { screen: SCREEN_VERSION, contentTrust: 'external-unreviewed' },
    ...(rehearsal !== null && { rehearsal }),
    ...(fundingReceipt !== null && { fundingReceipt }),
    note: NOTE,
  }
}

/** What the catalogue says of a posted job. */
export interface ListedFacts {
  claimState: string
  latestSession: SessionRecord | null
}

const sessionSummary = ({ status, timestamps, verificationSummary }: SessionRecord): NonNullable<PosterJobView['sessionSummary']> => ({
  status,
  submittedAt: isoOrNull(timestamps.submittedAt),
  outcome: verificationSummary?.outcome ?? null,
})

/** A posting as a row of its poster's list; `listed` is null while the catalogue does not have it. */
export function posterJobView(posting: PostingRecord, chain: PostingChain, listed: ListedFacts | null, now: number): PosterJobView {
  const { funding, mismatch, fundingReceipt } = posting
  const session = listed?.latestSession ?? null
  const claimState = listed?.claimState ?? null
  return {
    jobId: posting.jobId,
    draftId: posting.draftId,
    title: posting.definition.title,
    ...stateView(posting, chain, now, claimState),
    claimState,
    reward: assetAmount(posting.rewardRaw, chain.asset),
    posterReserved: assetAmount(quotedReservedRaw(posting), chain.asset),
    createdAt: iso(posting.createdAt),
    expiresAt: iso(posting.expiresAt),
    fundedAt: funding?.fundedAt ?? null,
    txHash: funding?.txHash ?? null,
    ...(fundingReceipt !== null && { fundingReceiptId: fundingReceipt.receiptId }),
    ...(mismatch !== null && { mismatchField: mismatch.field }),
    ...(session !== null && { sessionSummary: sessionSummary(session) }),
  }
}
