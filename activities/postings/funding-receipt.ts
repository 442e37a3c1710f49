import { buildFundingReceipt as build, findFundingProblem } from '../../domain/receipts/funding-receipt.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import type { PostingFunding } from '../../schemas/postings/terms.ts'
import { type FundingReceipt, FundingReceiptShape } from '../../schemas/receipts/funding.ts'
import type { ChainReads } from '../chain/reads.ts'
import type { Rows } from '../database/database.ts'
import type { SignDocument } from '../identity/signing-keys.ts'

export interface FundingReceiptDeps {
  sign: SignDocument
  /** Chain and escrow of the service. */
  reads: Pick<ChainReads, 'chain' | 'escrowAddress'>
  /** Without a trailing slash. */
  publicBaseUrl: string
}

type Funded = Pick<PostingRecord, 'jobId' | 'specHash' | 'poster' | 'rewardRaw' | 'opsReserveRaw' | 'contingencyReserveRaw' | 'definition'>

/** True when the receipt is of this funding: a fork can move it to another block. */
export const isReceiptOf = ({ funding }: FundingReceipt, { txHash, blockHash }: PostingFunding): boolean =>
  funding.transactionHash === txHash && funding.blockHash === blockHash

/** Receipt of a funding, without its signature. */
export const unsignedFundingReceipt = (
  { reads: { chain, escrowAddress }, publicBaseUrl }: Omit<FundingReceiptDeps, 'sign'>,
  { definition, ...terms }: Funded,
  { txHash: transactionHash, blockNumber, blockHash, ...funding }: PostingFunding,
): Omit<FundingReceipt, 'signature'> =>
  build({
    ...terms,
    chainId: chain.chainId,
    escrow: escrowAddress.toLowerCase(),
    asset: { ...chain.asset, address: chain.asset.address.toLowerCase() },
    totalReservedRaw: BigInt(funding.totalReservedRaw),
    ...{ transactionHash, blockNumber, blockHash, fundedAt: Date.parse(funding.fundedAt) },
    verifierConfig: definition.verifierConfig,
    publicBaseUrl,
  })

/**
 * Builds and signs the receipt of a funding whose terms are those of the posting. `rows` of a transaction saves the signer a second connection.
 * Throws `BlockedStepError` without a key, and if the receipt breaks its published schema or an invariant.
 */
export const buildFundingReceipt = async (
  { sign, ...place }: FundingReceiptDeps,
  posting: Funded,
  funding: PostingFunding,
  rows?: Rows,
): Promise<FundingReceipt> => {
  const receipt = unsignedFundingReceipt(place, posting, funding)
  const document = { ...receipt, signature: await sign(receipt, Date.parse(funding.fundedAt), rows) }
  const problem = FundingReceiptShape.safeParse(document).error?.message ?? findFundingProblem(receipt)
  if (problem !== null) throw new Error(`funding receipt of ${posting.jobId}: ${problem}`)
  return document
}
