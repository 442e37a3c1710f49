import { keccakOf } from '../../../domain/common/hashes.ts'
import type { FundingFacts } from '../../../domain/receipts/funding-receipt.ts'
import { builtJob, NOW } from '../../domain/builders/job.ts'

const HASH = (digit: string) => `0x${digit.repeat(64)}` as const
export const POSTER = `0x${'c3'.repeat(20)}` as const

/** Facts of a funding of 2 USDC with reserves and a fee. */
export const fundingFacts = (changes: Partial<FundingFacts> = {}): FundingFacts => {
  const { definition } = builtJob()
  const specHash = HASH('5')
  return {
    jobId: keccakOf({ contentHash: specHash, domain: 'service.external-job.v1', poster: POSTER }),
    specHash,
    poster: POSTER,
    chainId: 31_337,
    escrow: `0x${'e1'.repeat(20)}`,
    asset: { address: `0x${'a2'.repeat(20)}`, symbol: 'USDC', decimals: 6 },
    rewardRaw: 2_000_000n,
    opsReserveRaw: 300_000n,
    contingencyReserveRaw: 40_000n,
    totalReservedRaw: 2_440_000n,
    transactionHash: HASH('7'),
    blockNumber: '118',
    blockHash: HASH('b'),
    fundedAt: NOW,
    verifierConfig: definition.verifierConfig,
    publicBaseUrl: 'https://work.example',
    ...changes,
  }
}
