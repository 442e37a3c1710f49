import type { Hex, TransactionReceipt } from 'viem'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { ChainClients } from '../chain/clients.ts'
import { findEvents, findEventTransaction, getEvent, parsePayout, readTransaction, type SearchedEvent } from '../chain/escrow-events.ts'
import type { Rows } from '../database/database.ts'
import type { Payout } from './records.ts'

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

export interface DisputeOnChain {
  txHash: Hex
  /** Block time, epoch ms. */
  at: number
  /** The participant it was opened for, worker or poster, lower case. */
  opener: string
}

export interface EndingDeps {
  clients: ChainClients
  chain: ChainFile
  escrow: Hex
  rows: Rows
}

/** The claim's block: terminal events of the session can only be later, and an earlier claim of the job has its own. */
const claimBlockOf = async (rows: Rows, sessionId: string): Promise<bigint> => {
  const row = await rows.selectFrom('session').select('claimBlock').where('sessionId', '=', sessionId).executeTakeFirstOrThrow()
  return BigInt(row.claimBlock ?? 0)
}

/** Reads how jobs ended on chain, whichever caller ended them. */
export const createEndings = ({ clients, chain, escrow, rows }: EndingDeps) => {
  const find = async ({ sessionId, chainJobId }: SessionRecord, eventName: SearchedEvent): Promise<Hex | null> =>
    findEventTransaction(clients.reader, escrow, eventName, chainJobId as Hex, await claimBlockOf(rows, sessionId))

  const findTransaction = async (session: SessionRecord, eventName: SearchedEvent): Promise<Settled | null> => {
    const txHash = await find(session, eventName)
    return txHash === null ? null : readTransaction(clients.reader, txHash)
  }

  return {
    /** Transaction that rejected this session's submission; null when none did. */
    findRejection: (session: SessionRecord): Promise<Hex | null> => find(session, 'JobRejected'),

    /** How the dispute of this session's rejection was opened; null when none was. */
    findDisputeOpening: async (session: SessionRecord): Promise<DisputeOnChain | null> => {
      const opened = await findTransaction(session, 'DisputeOpened')
      if (opened === null) return null
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

    /** The payout of a closing transaction; null if it paid no worker. */
    findPayout: (session: SessionRecord, settled: Settled): Payout | null => {
      const paid = parsePayout(settled.receipt.logs, escrow, session.chainJobId as Hex, chain.asset.symbol)
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
