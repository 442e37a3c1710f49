import type { Hex, TransactionReceipt } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { WorkReceipt } from '../../schemas/receipts/shapes.ts'
import type { Payout, SessionRecord } from '../../schemas/sessions/record.ts'
import { findEvents, findEventTransaction, getEvent, parsePayout, readTransaction, type SearchedEvent } from '../chain/escrow-events.ts'
import { findInclusion } from '../chain/inclusion.ts'
import type { ClaimStepDeps } from '../claims/step.ts'
import { BlockedStepError } from '../common/blocked.ts'

/** A mined transaction with its block. `blockTime` in epoch ms. */
export interface Settled {
  txHash: Hex
  receipt: TransactionReceipt
  blockNumber: bigint
  blockTime: number
}

/** How an escrow job ended. `by`: the sender, lower case. */
export type Ending =
  | { kind: 'paid'; by: string; payoutRaw: bigint }
  | { kind: 'upheld'; by: string }
  | { kind: 'timeout'; by: string; payoutRaw: bigint }
  | { kind: 'approved'; by: string }
  | { kind: 'finalized' }

export interface VerdictOnChain {
  txHash: Hex
  /** Block time, epoch ms. */
  at: number
  approved: boolean
  by: string
  /** Hash of the verifier's reason code, 32 bytes hex. */
  reasonHash: Hex
}

/** Returns what explains the escrow's state. Throws `BlockedStepError` if the chain shows the state, but its event cannot be found yet. */
export const assertExplained = <Found>(found: Found | null, { sessionId }: SessionRecord, state: string): Found => {
  if (found !== null) return found
  throw new BlockedStepError('chain_state_diverged', `${sessionId} is ${state} on chain, but no event explains it yet`)
}

/** What reading an ending needs. */
export interface EndingReads {
  clients: Pick<ClaimStepDeps['clients'], 'reader'>
  chain: Pick<ChainFile, 'chainId' | 'asset'>
  reads: Pick<ClaimStepDeps['reads'], 'escrowAddress'>
}

/** Reads how jobs ended on chain, whichever caller ended them. */
export const createEndings = ({ clients, chain, reads }: EndingReads) => {
  const escrow = reads.escrowAddress

  /** Terminal events can only be later than the claim, and an earlier claim of the job has its own. */
  const find = ({ chainJobId, claimBlock }: SessionRecord, eventName: SearchedEvent): Promise<Hex | null> =>
    findEventTransaction(clients.reader, escrow, eventName, chainJobId as Hex, claimBlock ?? 0n)

  const findTransaction = async (session: SessionRecord, eventName: SearchedEvent): Promise<Settled | null> => {
    const txHash = await find(session, eventName)
    return txHash === null ? null : readTransaction(clients.reader, txHash)
  }

  return {
    /** Transaction that rejected this session's submission. */
    getRejection: async (session: SessionRecord): Promise<Hex> => assertExplained(await find(session, 'JobRejected'), session, 'rejected'),

    /** How the dispute of this session's rejection was opened: block time (epoch ms), and its participant, lower case. */
    getDisputeOpening: async (session: SessionRecord) => {
      const opened = assertExplained(await findTransaction(session, 'DisputeOpened'), session, 'disputed')
      const { opener } = getEvent(opened.receipt.logs, escrow, 'DisputeOpened', session.chainJobId as Hex).args
      return { txHash: opened.txHash, at: opened.blockTime, opener: opener.toLowerCase() }
    },

    /** Transaction that ended this session's job; null if there is none. */
    findClosing: (session: SessionRecord): Promise<Settled | null> => findTransaction(session, 'JobClosed'),

    /** The newest on-chain verdict on this session's submission; null if there is none. */
    findVerdictOnChain: async (session: SessionRecord): Promise<VerdictOnChain | null> => {
      const given = await findTransaction(session, 'Verified')
      if (given === null) return null
      const { approved, verifier, reasonCode } = getEvent(given.receipt.logs, escrow, 'Verified', session.chainJobId as Hex).args
      return { txHash: given.txHash, at: given.blockTime, approved, by: verifier.toLowerCase(), reasonHash: reasonCode }
    },

    /** Parses how a closing transaction ended the job. */
    parseEnding: (receipt: TransactionReceipt, chainJobId: Hex): Ending => {
      const timedOut = findEvents(receipt.logs, escrow, 'AutoResolvedOnTimeout', chainJobId).at(-1)
      if (timedOut !== undefined) return { kind: 'timeout', by: timedOut.args.caller.toLowerCase(), payoutRaw: timedOut.args.workerPayout }
      const resolved = findEvents(receipt.logs, escrow, 'DisputeResolved', chainJobId).at(-1)
      if (resolved !== undefined) {
        const by = resolved.args.arbitrator.toLowerCase()
        return resolved.args.workerPayout > 0n ? { kind: 'paid', by, payoutRaw: resolved.args.workerPayout } : { kind: 'upheld', by }
      }
      const verified = findEvents(receipt.logs, escrow, 'Verified', chainJobId).at(-1)
      return verified?.args.approved === true ? { kind: 'approved', by: verified.args.verifier.toLowerCase() } : { kind: 'finalized' }
    },

    /** The event that ended the job, with its block. */
    proveEnding: async (session: SessionRecord, { receipt, txHash, blockNumber }: Settled): Promise<WorkReceipt['settlementProof']> => {
      const chainJobId = session.chainJobId as Hex
      const split = findEvents(receipt.logs, escrow, 'SettlementSplit', chainJobId).at(-1)
      const event = split ?? getEvent(receipt.logs, escrow, 'JobClosed', chainJobId)
      const { address, topics, data, logIndex } = event
      const inclusion = await findInclusion(clients.reader, receipt)
      const proof = {
        chainId: chain.chainId,
        transactionHash: txHash,
        blockNumber: blockNumber.toString(),
        blockHash: receipt.blockHash,
        event: { name: event.eventName, address: address.toLowerCase(), topics: [...topics], data, logIndex },
      }
      return inclusion === null ? { ...proof, binding: 'hash_and_number' } : { ...proof, binding: 'receipt_trie', inclusion }
    },

    /** The payout of a closing transaction; null if it paid no worker. */
    findPayout: (session: SessionRecord, settled: Settled): Payout | null => {
      const paid = parsePayout(settled.receipt.logs, escrow, session.chainJobId as Hex, chain.asset)
      if (paid === null) return null
      return {
        txHash: settled.txHash,
        blockNumber: settled.blockNumber.toString(),
        status: 1,
        settlement: { ...paid, brokered: session.economics.brokered, waived: session.economics.waived },
      }
    },
  }
}
export type Endings = ReturnType<typeof createEndings>
