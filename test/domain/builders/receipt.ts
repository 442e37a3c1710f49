import { createMPT } from '@ethereumjs/mpt'
import { bytesToHex, encodeAbiParameters, encodeEventTopics, type Hex, hexToBytes, keccak256, numberToHex, toRlp } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { encodeReceipt, proveReceipt, type TrieBlock, type TrieReceipt } from '../../../domain/chain/receipt-trie.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { iso } from '../../../domain/common/instants.ts'
import type { ReceiptFacts } from '../../../domain/receipts/work-receipt.ts'
import { captureSnapshot, pinnedDefinition } from '../../../domain/sessions/snapshot.ts'
import { decisionItems, verdictItem } from '../../../domain/sessions/verdict-items.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import { jobRecord, NOW } from './job.ts'
import { aSession, WORKER } from './session.ts'
import { benchmarkItems } from './verdict-items.ts'

export const WORK = { summary: 'A retry budget.', output: 'Backoff with jitter.', status: 'complete' }
export const hash = (digit: string) => `0x${digit.repeat(64)}`
export const party = (digit: string) => `0x${digit.repeat(40)}`
export const SIGNATURE = { alg: 'ES256', kid: 'badge-1', sig: 'aa..bb', signedAt: new Date(NOW).toISOString() }

const terms = { job: jobRecord(), decimals: 6, capturedAt: NOW, chainId: 31_337, escrowAddress: party('5'), claimEconomics: {} }
const captured = captureSnapshot({ ...terms, specSource: 'chain_verified' })
if (captured === null) throw new Error('not captured')
export const jobSnapshot = captured

/** A session with work; changes say what is different. */
export const sessionWith = (economics: Partial<SessionRecord['economics']> = {}, changes: Partial<SessionRecord> = {}): SessionRecord => {
  const session = aSession()
  return {
    ...session,
    verifierMode: 'benchmark',
    jobSnapshot,
    poster: party('a'),
    claimExpiresAt: session.timestamps.claimedAt + pinnedDefinition(jobSnapshot).claimTtlSeconds * 1_000,
    evidenceHash: keccakOf(WORK),
    submission: { kind: 'structured', structured: WORK, evidenceText: '' },
    timestamps: { ...session.timestamps, submittedAt: NOW + 1_000 },
    economics: { ...session.economics, ...economics },
    ...changes,
  }
}

export const payment = (changes: Partial<NonNullable<ReceiptFacts['payment']>> = {}): NonNullable<ReceiptFacts['payment']> => ({
  worker: WORKER,
  treasuryAccount: party('7'),
  asset: party('8'),
  workerRaw: 1_950_000n,
  protocolFeeRaw: 100_000n,
  protocolFeeBps: 500,
  gasRetentionRaw: 50_000n,
  gasRetentionBps: 250,
  txHash: hash('b'),
  ...changes,
})

export const facts = (changes: Partial<ReceiptFacts> = {}): ReceiptFacts => ({
  session: sessionWith({ rewardRaw: 2_000_000n }),
  outcome: 'approved',
  reasonCode: 'BENCHMARK_THRESHOLD_MET',
  items: benchmarkItems(true),
  handler: 'benchmark',
  handlerVersion: 2,
  environment: { kind: 'service', runtime: 'node', version: '24.0.0' },
  rationaleHash: null,
  verifier: party('c'),
  resolution: { kind: 'verifier', verdict: 'approved', workerShareBps: 10_000 },
  replacedVerdict: null,
  payment: payment(),
  proof: {
    chainId: 31_337,
    transactionHash: hash('b'),
    blockNumber: '9',
    blockHash: hash('d'),
    binding: 'hash_and_number',
    event: { name: 'SettlementSplit', address: party('e'), topics: [hash('1')], data: '0x', logIndex: 3 },
  },
  verifiedAt: NOW + 2_000,
  settledAt: NOW + 2_000,
  publicBaseUrl: 'https://work.example',
  ...changes,
})

/** The verdict of a benchmark that missed its terms, as a later decision replaces it. */
export const MISSED = {
  outcome: 'rejected',
  reasonCode: 'BENCHMARK_THRESHOLD_MISSED',
  resolvedAt: iso(NOW + 1_500),
  items: benchmarkItems(false),
} as const
/** A dispute decided; no verdict counts. */
const decided = (
  reasonCode: string,
  kind: 'arbitration' | 'timeout',
  verdict: 'dismissed' | 'split' | 'upheld',
  workerShareBps: number,
) => ({
  reasonCode,
  handler: null,
  handlerVersion: 1,
  environment: null,
  items: decisionItems({ kind, verdict }),
  replacedVerdict: MISSED,
  resolution: { kind, verdict, workerShareBps },
})

/** Every way in which a session with a receipt can end. */
export const ENDINGS = {
  approved: {},
  reviewed: {
    reasonCode: 'HUMAN_REVIEW_APPROVED',
    handler: 'human_review',
    handlerVersion: 1,
    items: [verdictItem('reviewer_accepts', true, '/detail')],
    rationaleHash: hash('4'),
    resolution: { kind: 'human_review', verdict: 'approved', workerShareBps: 10_000 },
  },
  'approved on chain': {
    reasonCode: 'CHAIN_VERDICT_OBSERVED',
    handler: 'chain',
    handlerVersion: 1,
    items: [verdictItem('verifier_accepts', true, '/txHash')],
  },
  dismissed: decided('DISPUTE_OVERTURNED', 'arbitration', 'dismissed', 10_000),
  split: decided('DISPUTE_PARTIAL', 'arbitration', 'split', 4_000),
  'split by time-out': decided('DISPUTE_PARTIAL', 'timeout', 'split', 5_000),
  rejected: {
    outcome: 'rejected',
    reasonCode: MISSED.reasonCode,
    items: MISSED.items,
    payment: null,
    resolution: { kind: 'verifier', verdict: 'rejected', workerShareBps: 0 },
  },
  upheld: {
    ...decided('DISPUTE_LOST', 'arbitration', 'upheld', 0),
    outcome: 'rejected',
    items: [...MISSED.items, ...decisionItems({ kind: 'arbitration', verdict: 'upheld' })],
    replacedVerdict: null,
    payment: null,
  },
  'timed out': {
    outcome: 'rejected',
    reasonCode: 'ARB_TIMEOUT',
    verifier: null,
    items: MISSED.items,
    resolution: { kind: 'timeout', verdict: 'timeout', workerShareBps: 5_000 },
  },
} satisfies Record<string, Partial<ReceiptFacts>>
export type End = keyof typeof ENDINGS
export const ends = Object.keys(ENDINGS) as End[]
export const mayBePartial = (end: End) => ['dismissed', 'split', 'split by time-out', 'timed out'].includes(end)

/** Block of the only transaction with these events, and its receipt with the path. */
const mine = async (logs: TrieReceipt['logs'], at: number) => {
  const zero = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
  const receipt: TrieReceipt = { type: '0x2', status: '0x1', cumulativeGasUsed: '0x5208', logsBloom: zero(256), logs }
  const trie = await createMPT()
  await trie.put(hexToBytes(toRlp('0x')), hexToBytes(encodeReceipt(receipt)))
  const receiptsRoot = bytesToHex(trie.root())
  const members: Record<string, Hex> = {
    parentHash: zero(32),
    sha3Uncles: zero(32),
    miner: zero(20),
    stateRoot: zero(32),
    transactionsRoot: zero(32),
    receiptsRoot,
    logsBloom: zero(256),
    difficulty: '0x',
    number: '0x9',
    gasLimit: '0x1c9c380',
    gasUsed: '0x5208',
    timestamp: numberToHex(at / 1_000),
    extraData: '0x',
    mixHash: zero(32),
    nonce: zero(8),
    baseFeePerGas: '0x7',
  }
  const block = { ...members, difficulty: '0x0', receiptsRoot, hash: keccak256(toRlp(Object.values(members))) } as TrieBlock
  const inclusion = await proveReceipt([receipt], 0, block)
  if (inclusion === null || block.hash === null) throw new Error('the block does not prove its receipt')
  return { inclusion, blockHash: block.hash }
}

type EventName = 'SettlementSplit' | 'JobClosed' | 'GasRetentionApplied' | 'JobStakeReleased' | 'JobStakeSlashed' | 'ClaimFeeSlashed'
const logOf = (eventName: EventName, args: Record<string, unknown>, address = party('e')): TrieReceipt['logs'][number] => {
  const abi = [...escrowCoreAbi, ...agentAccountCoreAbi]
  const declared = abi.find((entry) => entry.type === 'event' && entry.name === eventName) as never as {
    inputs: { name: string; type: string; indexed: boolean }[]
  }
  const plain = declared.inputs.filter(({ indexed }) => !indexed)
  return {
    address: address as Hex,
    topics: encodeEventTopics({ abi, eventName, args } as never) as Hex[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ name }) => args[name]),
    ),
  }
}

/** What the escrow paid in an ending, base units; null when nothing. */
const paidIn = (end: End): bigint | null => {
  if (end === 'rejected' || end === 'upheld') return null
  if (end === 'split') return 800_000n
  if (end === 'split by time-out' || end === 'timed out') return 1_000_000n
  return 2_000_000n
}

/** What the ending of a claim does to its bond: half of a slashed stake leaves to the poster. */
const bondLogs = (end: End, { claimStakeRaw: amount, claimFeeRaw: fee }: SessionRecord['economics']): TrieReceipt['logs'] => {
  const owner = { account: WORKER, asset: party('8') }
  if (!['rejected', 'upheld', 'timed out'].includes(end)) return [logOf('JobStakeReleased', { ...owner, amount: amount + fee }, party('f'))]
  const parts = { posterAmount: amount / 2n, treasuryAmount: amount - amount / 2n }
  const feeParts = { verifierRecipient: party('c'), verifierAmount: 0n, treasuryAmount: fee }
  return [
    logOf('JobStakeSlashed', { ...owner, amount, ...parts }, party('f')),
    logOf('ClaimFeeSlashed', { ...owner, amount: fee, ...feeParts }, party('f')),
  ]
}

/** Facts of an ending of a job for two USDC, with a proof that leads to its event. */
export const provenFacts = async (end: End): Promise<ReceiptFacts> => {
  const paidRaw = paidIn(end)
  const isApproval = ENDINGS[end] !== undefined && !['dismissed', 'split', 'split by time-out', 'timed out'].includes(end)
  const gasRetentionRaw = isApproval ? 50_000n : 0n
  const fee = paidRaw === null ? 0n : (paidRaw * 500n) / 10_000n
  const settlement =
    paidRaw === null
      ? null
      : payment({ workerRaw: paidRaw - gasRetentionRaw, protocolFeeRaw: fee, gasRetentionRaw, gasRetentionBps: isApproval ? 250 : 0 })
  const base = facts({ ...(ENDINGS[end] as Partial<ReceiptFacts>), payment: settlement })
  const job = { jobId: base.session.chainJobId, worker: WORKER }
  const ending =
    settlement === null
      ? logOf('JobClosed', { ...job, releasedAmount: 0n })
      : logOf('SettlementSplit', {
          ...job,
          treasuryAccount: settlement.treasuryAccount,
          asset: settlement.asset,
          workerAmount: settlement.workerRaw,
          protocolFeeAmount: settlement.protocolFeeRaw,
          protocolFeeBps: settlement.protocolFeeBps,
        })
  const gas = gasRetentionRaw === 0n ? [] : [logOf('GasRetentionApplied', { ...job, retainedRaw: gasRetentionRaw, rewardRaw: 2_000_000n })]
  const settledAt = Math.floor((NOW + 2_000) / 1_000) * 1_000
  const before = [...gas, ...bondLogs(end, base.session.economics)]
  const { inclusion, blockHash } = await mine([...before, ending], settledAt)
  const event: ReceiptFacts['proof']['event'] = {
    name: settlement === null ? 'JobClosed' : 'SettlementSplit',
    ...ending,
    topics: [...ending.topics],
    logIndex: before.length,
  }
  return { ...base, settledAt, proof: { ...base.proof, blockHash, event, binding: 'receipt_trie', inclusion } }
}
