import type { Hex, PublicClient } from 'viem'
import { type NonceFacts, type NonceTrouble, nonceTroubleOf } from '../../../domain/chain/nonce-trouble.ts'
import type { Clock } from '../../common/clock.ts'
import type { Database } from '../../database/database.ts'
import type { ChainClients } from '../clients.ts'
import { journalSigners, rowsFrom } from './reads.ts'
import type { JournalRow } from './rows.ts'

/** Rows above the lowest open nonce that one look takes in. */
const MAX_OPEN_ROWS = 500

/** Where a signer stands on chain and in the journal. */
export interface SignerStatus {
  signer: Hex
  /** The next nonce that the journal hands out. */
  nextNonce: number
  chainLatest: number
  chainPending: number
  /** Rows from the chain's count on, lowest nonce first, at most 500: the first is what the others wait for. */
  open: JournalRow[]
  /** Nonces that were handed out and that no row holds, as far as the rows were read. */
  missing: number[]
  trouble: NonceTrouble | null
}

export interface NonceStatusDeps {
  database: Database
  clients: ChainClients
  clock: Clock
  /** A transaction that is out for this long, and not mined, is stuck. */
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
 * Every signer of the journal, by address; no key is needed. The chain is asked first: a row read afterwards can only have been
 * mined meanwhile, and then it is still there. A node that cannot be asked is an error.
 */
export const createNonceStatus = ({ database, clients, clock, stuckAfterSeconds }: NonceStatusDeps) => {
  const { reader, chainId } = clients

  const statusOf = async (signer: Hex): Promise<SignerStatus> => {
    const [chainLatest, chainPending] = await countsOf(reader, signer)
    const signers = await journalSigners(database.rows, chainId)
    const nextNonce = signers.find((one) => one.signer === signer)?.nextNonce ?? 0
    const open = await rowsFrom(database.rows, chainId, signer, chainLatest, MAX_OPEN_ROWS)
    const facts = { chainLatest, chainPending, nextNonce, lowest: lowestOf(open, chainLatest) }
    const trouble = nonceTroubleOf(facts, clock.now(), stuckAfterSeconds)
    return { signer, nextNonce, chainLatest, chainPending, open, missing: missingIn(open, chainLatest, nextNonce), trouble }
  }

  return async (): Promise<SignerStatus[]> => {
    const signers = await journalSigners(database.rows, chainId)
    return Promise.all(signers.map(({ signer }) => statusOf(signer as Hex)))
  }
}
export type NonceStatus = ReturnType<typeof createNonceStatus>
