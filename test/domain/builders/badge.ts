import { sessionId } from '../../../domain/common/ids.ts'
import type { BadgeFacts } from '../../../domain/reputation/badge.ts'
import { builtJob, NOW } from './job.ts'
import { benchmarkItems } from './verdict-items.ts'

export const WORKER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** Facts of a badge for approved work; changes say what is different. */
export const badgeFacts = (changes: Partial<BadgeFacts> = {}): BadgeFacts => ({
  jobId: 'job-1',
  jobTitle: 'Retry policy for a client',
  chainJobId: builtJob().chainJobId,
  sessionId: sessionId('job-1', WORKER),
  category: 'coding',
  level: 1,
  verifierMode: 'benchmark',
  handler: 'benchmark',
  resolution: { kind: 'verifier', verdict: 'approved', workerShareBps: 10_000 },
  replacedVerdict: null,
  items: benchmarkItems(true),
  asset: { symbol: 'USDC', decimals: 6 },
  rewardRaw: 2_000_000n,
  claimStakeRaw: 200_000n,
  evidenceHash: `0x${'1a'.repeat(32)}`,
  worker: WORKER,
  poster: `0x${'ab'.repeat(20)}`,
  verifier: `0x${'cd'.repeat(20)}`,
  listedAt: NOW,
  submittedAt: NOW + 1000,
  resolvedAt: NOW + 2000,
  publicBaseUrl: 'https://work.example',
  ...changes,
})
