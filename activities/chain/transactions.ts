import { type Hex, keccak256, type TransactionReceipt } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type BroadcastDeps, createBroadcaster } from './broadcast.ts'
import type { SignerRole, Signers } from './clients.ts'
import {
  type Fees,
  failedTries,
  findJournalRows,
  insertSigned,
  type JournalRow,
  markDead,
  markMined,
  pendingOf,
  type TransactionIntent,
  takeNonces,
  unsentUpTo,
} from './journal.ts'
import { revertNameOf } from './reverts.ts'

export interface MinedTransaction {
  txHash: Hex
  status: 'mined' | 'reverted'
  blockNumber: bigint
  /** Block time in epoch ms (whole seconds). */
  blockTime: number
  revertReason: string | null
  receipt: TransactionReceipt
}

export interface TransactionDeps extends BroadcastDeps {
  signers: Signers
}

/** A journalled transaction whose nonce went to another one: it can never be mined. The step decides anew, under another key. */
export class DeadTransactionError extends Error {
  readonly intentKey: string
  constructor(intentKey: string, nonce: number) {
    super(`the transaction ${intentKey} can never be mined: its nonce ${nonce} was used by another one`)
    this.name = 'DeadTransactionError'
    this.intentKey = intentKey
  }
}

/** Head room over the quoted fee: blocks can raise the base fee between quote and inclusion. */
const FEE_BUFFER = 3n

export type Transactions = ReturnType<typeof createTransactions>

/** Sends through the journal: row and signature first, in one transaction with the nonce; then broadcast; then the receipt. */
export const createTransactions = ({ signers, ...deps }: TransactionDeps) => {
  const { database, clients, clock } = deps
  const { reader, chainId } = clients
  const { broadcast, outcomeOf } = createBroadcaster(deps)

  const signerOf = (role: SignerRole): PrivateKeyAccount => {
    const account = signers[role]
    if (!account) throw new Error(`no ${role} key is configured`)
    return account
  }

  const quoteFees = async (): Promise<Fees> => {
    const fees = await reader.estimateFeesPerGas()
    return { maxFeePerGas: fees.maxFeePerGas * FEE_BUFFER, maxPriorityFeePerGas: fees.maxPriorityFeePerGas }
  }

  /** Finds or writes the rows of `intents`; new ones get consecutive nonces and their signatures in one database transaction. */
  const journal = async (account: PrivateKeyAccount, intents: TransactionIntent[]): Promise<JournalRow[]> => {
    const keys = intents.map((intent) => intent.key)
    const known = await findJournalRows(database.rows, keys)
    if (known.size < keys.length) await signMissing(account, intents)
    const all = known.size < keys.length ? await findJournalRows(database.rows, keys) : known
    return keys.map((key) => {
      const row = all.get(key)
      if (!row) throw new Error(`journal lost ${key}`)
      return row
    })
  }

  const signMissing = async (account: PrivateKeyAccount, intents: TransactionIntent[]): Promise<void> => {
    const [fees, floor] = await Promise.all([quoteFees(), reader.getTransactionCount({ address: account.address, blockTag: 'pending' })])
    const signer = account.address.toLowerCase()
    await database.transaction(async (rows) => {
      // Taking none queues on the signer's row, so that a twin's rows are there to be found.
      await takeNonces(rows, chainId, signer, 0, floor)
      const known = await findJournalRows(
        rows,
        intents.map((intent) => intent.key),
      )
      const missing = intents.filter((intent) => !known.has(intent.key))
      if (missing.length === 0) return
      const first = await takeNonces(rows, chainId, signer, missing.length, floor)
      const signed = await Promise.all(
        missing.map(async (intent, index) => {
          const nonce = first + index
          const raw = await account.signTransaction({
            chainId,
            type: 'eip1559',
            to: intent.to,
            data: intent.data,
            gas: intent.gas,
            nonce,
            value: 0n,
            ...fees,
          })
          return { intent, nonce, raw, txHash: keccak256(raw) }
        }),
      )
      await insertSigned(rows, chainId, signer, signed, clock.now())
    })
  }

  const pump = async (signer: string, last: JournalRow): Promise<void> => {
    for (const row of await unsentUpTo(database.rows, chainId, signer, last.nonce)) await broadcast(row)
  }

  /** The nonce went to another transaction: the row is closed, and later nonces start beyond what the chain has counted. */
  const bury = async (row: JournalRow, from: Hex): Promise<never> => {
    const counted = await reader.getTransactionCount({ address: from, blockTag: 'pending' })
    await database.transaction((rows) =>
      markDead(rows, { intentKey: row.intentKey, chainId, signer: from.toLowerCase(), counted }, clock.now()),
    )
    throw new DeadTransactionError(row.intentKey, row.nonce)
  }

  const settle = async (row: JournalRow, from: Hex): Promise<MinedTransaction> => {
    const { intent } = row
    const receipt = row.status === 'dead' ? 'dead' : await outcomeOf(row, from)
    if (receipt === 'dead') return bury(row, from)
    const block = await reader.getBlock({ blockNumber: receipt.blockNumber })
    const blockTime = Number(block.timestamp) * 1000
    const status = receipt.status === 'success' ? 'mined' : 'reverted'
    const call = { from, to: intent.to, data: intent.data, gas: intent.gas }
    const revertReason = status === 'reverted' ? await revertNameOf(reader, call, receipt.blockNumber) : null
    const facts = { status, blockNumber: receipt.blockNumber, blockHash: receipt.blockHash, blockTime, revertReason } as const
    await markMined(database.rows, row.intentKey, facts, clock.now())
    return { txHash: row.txHash, status, blockNumber: receipt.blockNumber, blockTime, revertReason, receipt }
  }

  const send = async (role: SignerRole, intents: TransactionIntent[]): Promise<MinedTransaction[]> => {
    const account = signerOf(role)
    const journalled = await journal(account, intents)
    const last = journalled.at(-1)
    if (last) await pump(account.address.toLowerCase(), last)
    return Promise.all(journalled.map((row) => settle(row, account.address)))
  }

  return {
    /** The intents among `keys` that are journalled already, in nonce order: a repeat resumes them instead of deciding again. */
    resume: async (keys: string[]): Promise<TransactionIntent[]> => {
      const known = await findJournalRows(database.rows, keys)
      return [...known.values()].sort((left, right) => left.nonce - right.nonce).map((row) => row.intent)
    },

    addressOf: (role: SignerRole): Hex => signerOf(role).address,

    /**
     * Sends `intents` in order from one signer, pipelined, each at most once, and waits for all receipts. A repeat with the same
     * keys returns the first outcome. A revert is an answer (`status: 'reverted'`), not an error; an error means "not known yet".
     */
    send,

    /** How many tries of a step were proved dead: pipelined steps are then decided anew, under the next keys. */
    deadTries: (step: string): Promise<number> => failedTries(database.rows, step, ['dead']),

    /**
     * Sends one step. A try that was reverted or proved dead is over; the next one gets a key of its own (the caller has read the
     * chain in between). A call that would revert now is not sent at all: the error says why, and the step is tried again later.
     */
    sendStep: async (role: SignerRole, step: string, build: (key: string) => TransactionIntent): Promise<MinedTransaction> => {
      const intent = build(`${step}/${await failedTries(database.rows, step, ['reverted', 'dead'])}`)
      const begun = (await findJournalRows(database.rows, [intent.key])).size > 0
      const refusal = begun ? null : await revertNameOf(reader, { ...intent, from: signerOf(role).address }, 'pending')
      if (refusal !== null) throw new Error(`${intent.functionName} would be reverted now: ${refusal}`)
      const [mined] = await send(role, [intent])
      if (mined === undefined) throw new Error('nothing was sent')
      return mined
    },

    /**
     * Brings the open try of a step to its end; null when none was begun. A repeated step asks this first: what it finds done on chain may
     * be its own doing, and the journal has to hear of it.
     */
    resumeStep: async (role: SignerRole, step: string): Promise<MinedTransaction | null> => {
      const key = `${step}/${await failedTries(database.rows, step, ['reverted', 'dead'])}`
      const begun = (await findJournalRows(database.rows, [key])).get(key)
      const [ended] = begun === undefined ? [] : await send(role, [begun.intent])
      return ended ?? null
    },

    /** Hands out every transaction of a signer that is not known to be mined, lowest nonce first: a mempool may have lost them. */
    resend: async (role: SignerRole): Promise<number> => {
      const pending = await pendingOf(database.rows, chainId, signerOf(role).address.toLowerCase())
      for (const row of pending) await broadcast(row)
      return pending.length
    },

    /** Lifts the journal's next nonce to the chain's pending count (the key was used outside the journal). Run at boot, after `resend`. */
    reconcile: async (role: SignerRole): Promise<{ nextNonce: number; chainPending: number }> => {
      const account = signerOf(role)
      const signer = account.address.toLowerCase()
      const chainPending = await reader.getTransactionCount({ address: account.address, blockTag: 'pending' })
      const nextNonce = await database.transaction(async (rows) => {
        const next = await takeNonces(rows, chainId, signer, 0, chainPending)
        const gap = await rows
          .selectFrom('chain_transaction')
          .select('nonce')
          .where('chainId', '=', chainId)
          .where('signer', '=', signer)
          .where('status', 'in', ['signed', 'broadcast'])
          .limit(1)
          .executeTakeFirst()
        if (gap !== undefined || next >= chainPending) return next
        return takeNonces(rows, chainId, signer, chainPending - next, chainPending).then(() => chainPending)
      })
      return { nextNonce, chainPending }
    },
  }
}
