import type { VerifierConfig } from '../../schemas/catalogue/job-definition.ts'
import type { FundingReceipt } from '../../schemas/receipts/funding.ts'
import { judgementTerms } from '../catalogue/judgement-terms.ts'
import { CANCEL_FLOOR_SECONDS } from '../common/constants.ts'
import { keccakOf } from '../common/hashes.ts'
import { iso, plusSeconds } from '../common/instants.ts'
import { amount, amounts } from '../common/money.ts'
import { pick } from '../common/pick.ts'
import { receiptIdOf, receiptUrl } from './work-receipt.ts'

const FUNDING_STATEMENT =
  'States which amounts a wallet put into the escrow for which job and terms, in which transaction, and how they come back. Does not state that the job was done, that the service will list it, or who controls the wallet.'

/** What a funding receipt states. Addresses in lower case, amounts in base units. */
export interface FundingFacts {
  jobId: string
  specHash: string
  poster: string
  chainId: number
  /** Contract that holds the money. */
  escrow: string
  /** Token of the amounts. */
  asset: FundingReceipt['asset']
  rewardRaw: bigint
  opsReserveRaw: bigint
  contingencyReserveRaw: bigint
  /** Reward, reserves and fee together, as the chain shows them. */
  totalReservedRaw: bigint
  transactionHash: string
  blockNumber: string
  blockHash: string
  /** Block time, epoch ms. */
  fundedAt: number
  verifierConfig: VerifierConfig
  /** No trailing slashes. */
  publicBaseUrl: string
}

const partsOf = ({ rewardRaw, opsReserveRaw, contingencyReserveRaw, totalReservedRaw, asset }: FundingFacts) =>
  amounts(
    {
      reward: rewardRaw,
      opsReserve: opsReserveRaw,
      contingencyReserve: contingencyReserveRaw,
      posterFee: totalReservedRaw - rewardRaw - opsReserveRaw - contingencyReserveRaw,
    },
    asset.decimals,
  )

/** Unsigned receipt of a funding. */
export function buildFundingReceipt(facts: FundingFacts): Omit<FundingReceipt, 'signature'> {
  const [parts, total] = [partsOf(facts), amount({ raw: facts.totalReservedRaw, decimals: facts.asset.decimals })]
  const hashed = {
    schemaVersion: 'service.funding-receipt.v1',
    kind: 'funding',
    ...pick(facts, 'jobId', 'specHash', 'poster', 'chainId', 'escrow'),
    asset: pick(facts.asset, 'address', 'symbol', 'decimals'),
    amounts: { ...parts, totalReserved: total },
    funding: { ...pick(facts, 'transactionHash', 'blockNumber', 'blockHash'), fundedAt: iso(facts.fundedAt) },
    cancellation: {
      method: 'cancelOpenJob',
      minimumOpenSeconds: CANCEL_FLOOR_SECONDS,
      earliestAt: iso(plusSeconds(facts.fundedAt, CANCEL_FLOOR_SECONDS)),
      refundTo: facts.poster,
      refund: { ...parts, total },
    },
    judgement: judgementTerms(facts.verifierConfig),
    attestation: FUNDING_STATEMENT,
  }
  const receiptId = receiptIdOf(hashed)
  return { ...hashed, receiptId, canonicalUrl: receiptUrl(facts.publicBaseUrl, receiptId) }
}

/** Id of a posted job, as it follows from its content and its poster. Source: money, "External posting". */
const postedId = ({ specHash, poster }: Pick<FundingReceipt, 'specHash' | 'poster'>): string =>
  keccakOf({ contentHash: specHash, domain: 'service.external-job.v1', poster })

/** Which invariant a funding receipt breaks; null when none. */
export const findFundingProblem = (receipt: Omit<FundingReceipt, 'signature'>): string | null => {
  const { amounts: funded, cancellation, poster, jobId, receiptId } = receipt
  const parts = [funded.reward, funded.opsReserve, funded.contingencyReserve, funded.posterFee].map(({ raw }) => BigInt(raw))
  if (receiptIdOf(receipt) !== receiptId) return 'the id is not the hash of the receipt'
  if (postedId(receipt) !== jobId) return 'the job does not follow from its terms and its poster'
  if (parts.some((part) => part < 0n)) return 'the total is smaller than its parts'
  if (parts.reduce((sum, part) => sum + part) !== BigInt(funded.totalReserved.raw)) return 'the total is not the sum of its parts'
  if (cancellation.refundTo !== poster) return 'the money comes back to another wallet'
  return null
}
