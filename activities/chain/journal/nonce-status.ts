import type { Hex, PublicClient } from 'viem'
import { findNonceTrouble, type NonceFacts, type NonceTrouble } from '../../../domain/chain/nonce-trouble.ts'
import type { Clock } from '../../common/clock.ts'
import type { Database } from '../../database/database.ts'
import type { ChainClients } from '../clients.ts'
import { listRowsFrom, listSigners } from './reads.ts'
import type { JournalRow } from './rows.ts'

/** Maximum number of rows that one status reads. */
const MAX_OPEN_ROWS = 500

/** Nonces of a signer on chain and in the journal. */
export interface SignerStatus {
  signer: Hex
  /** The next nonce that the journal assigns. */
  nextNonce: number
  chainLatest: number
  chainPending: number
  /** Rows from the chain's count on, lowest nonce first, at most 500. The first one blocks the others. */
  open: JournalRow[]
  /** Assigned nonces without a row, within the rows that were read. */
  missing: number[]
  trouble: NonceTrouble | null
}

export interface NonceStatusDeps {
  database: Database
  clients: ChainClients
  clock: Clock
  /** A transaction is stuck if it is broadcast for this long and not mined. */
  stuckAfterSeconds: number
}

const lowestOf = ([first]: JournalRow[], nonce: number): NonceFacts['lowest'] => {
  if (first?.nonce !== nonce) return null
  const { status, since } = first
  return { status: status === 'signed' || status === 'broadcast' ? status : 'closed', since }
}

const missingIn = (open: JournalRow[], from: number, to: number): number[] => {
  const held = new Set(open.map(({ nonce }) => nonce))
  const end = Math.min(to, from + MAX_OPEN_ROWS)
  return Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index).filter((nonce) => !held.has(nonce))
}

const countsOf = (reader: PublicClient, address: Hex): Promise<[number, number]> =>
  Promise.all([reader.getTransactionCount({ address, blockTag: 'latest' }), reader.getTransactionCount({ address, blockTag: 'pending' })])

/**
 * Status of every signer of the journal; needs no key. Reads the chain first, so a row that is mined meanwhile is still read. Throws if the
 * node does not answer.
 */
export const createNonceStatus = ({ database, clients, clock, stuckAfterSeconds }: NonceStatusDeps) => {
  const { reader, chainId } = clients

  const statusOf = async (signer: Hex): Promise<SignerStatus> => {
    const [chainLatest, chainPending] = await countsOf(reader, signer)
    const signers = await listSigners(database.rows, chainId)
    const nextNonce = signers.find((one) => one.signer === signer)?.nextNonce ?? 0
    const open = await listRowsFrom(database.rows, chainId, signer, chainLatest, MAX_OPEN_ROWS)
    const facts = { chainLatest, chainPending, nextNonce, lowest: lowestOf(open, chainLatest) }
    const trouble = findNonceTrouble(facts, clock.now(), stuckAfterSeconds)
    return { signer, nextNonce, chainLatest, chainPending, open, missing: missingIn(open, chainLatest, nextNonce), trouble }
  }

  return async (): Promise<SignerStatus[]> => {
    const signers = await listSigners(database.rows, chainId)
    return Promise.all(signers.map(({ signer }) => statusOf(signer as Hex)))
  }
}
export type NonceStatus = ReturnType<typeof createNonceStatus>
