import { type Hex, keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { BlockedStepError } from '../../common/blocked.ts'
import type { SignerRole, Signers } from '../clients.ts'
import { revertInfo } from '../refusals.ts'
import { revertNameOf } from '../reverts.ts'
import { type BroadcastDeps, createBroadcaster } from './broadcast.ts'
import { journalEventOf } from './events.ts'
import { quoteFees } from './fees.ts'
import { createOutcomes, type MinedTransaction } from './outcomes.ts'
import { createPump, type Pumped } from './pump.ts'
import {
  failedTries,
  findJournalRows,
  insertSigned,
  type JournalRow,
  PENDING_STATUSES,
  type SignedIntent,
  type TransactionIntent,
  takeNonces,
} from './rows.ts'

export type { MinedTransaction } from './outcomes.ts'

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

/** A call that the chain would refuse now: it was not sent. The step is tried again later. */
export class WouldRevertError extends BlockedStepError {
  constructor(functionName: string, reason: string) {
    super('blockchain_revert', `${functionName} would be reverted now: ${reason}`, revertInfo(functionName, reason))
    this.name = 'WouldRevertError'
  }
}

export type Transactions = ReturnType<typeof createTransactions>

/** Sends through the journal: row and signature first, in one transaction with the nonce; then broadcast; then the receipt. */
export const createTransactions = ({ signers, ...deps }: TransactionDeps) => {
  const { database, clients, clock } = deps
  const { reader, chainId } = clients
  const { observe = () => undefined } = deps
  const { waitForOutcome } = createBroadcaster(deps)
  const { recordMined, closeDead } = createOutcomes(deps)
  const pump = createPump(deps)

  const signerOf = (role: SignerRole): PrivateKeyAccount => {
    const account = signers[role]
    if (!account) throw new Error(`no ${role} key is configured`)
    return account
  }

  /** Finds or writes the rows of `intents`; new ones get consecutive nonces and their signatures in one database transaction. */
  const journal = async (account: PrivateKeyAccount, intents: TransactionIntent[]): Promise<JournalRow[]> => {
    const keys = intents.map((intent) => intent.key)
    const known = await findJournalRows(database.rows, keys)
    const signed = known.size < keys.length ? await signMissing(account, intents) : new Set<string>()
    const all = known.size < keys.length ? await findJournalRows(database.rows, keys) : known
    return keys.map((key) => {
      const row = all.get(key)
      if (!row) throw new Error(`journal lost ${key}`)
      if (signed.has(key)) observe(journalEventOf('signed', row))
      return row
    })
  }

  const signMissing = async (account: PrivateKeyAccount, intents: TransactionIntent[]): Promise<Set<string>> => {
    const [fees, floor] = await Promise.all([
      quoteFees(reader),
      reader.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    ])
    const signer = account.address.toLowerCase()
    const written = await database.transaction(async (rows): Promise<SignedIntent[]> => {
      // Taking none queues on the signer's row, so that a twin's rows are there to be found.
      await takeNonces(rows, chainId, signer, 0, floor)
      const known = await findJournalRows(
        rows,
        intents.map((intent) => intent.key),
      )
      const missing = intents.filter((intent) => !known.has(intent.key))
      if (missing.length === 0) return []
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
      return signed
    })
    return new Set(written.map(({ intent }) => intent.key))
  }

  const settle = async (row: JournalRow): Promise<MinedTransaction> => {
    const outcome = row.status === 'dead' ? 'dead' : await waitForOutcome(row)
    if (outcome !== 'dead') return recordMined(row, outcome)
    await closeDead(row)
    throw new DeadTransactionError(row.intentKey, row.nonce)
  }

  /** Needs no key: what is journalled is signed. */
  const awaitOutcome = async (journalled: JournalRow[]): Promise<MinedTransaction[]> => {
    const last = journalled.at(-1)
    if (last) await pump.sendUnsentUpTo(last.signer, last.nonce)
    return Promise.all(journalled.map(settle))
  }

  const send = async (role: SignerRole, intents: TransactionIntent[]): Promise<MinedTransaction[]> => {
    return awaitOutcome(await journal(signerOf(role), intents))
  }

  return {
    /** The intents among `keys` that are journalled already, in nonce order: a repeat resumes them instead of deciding again. */
    resume: async (keys: string[]): Promise<TransactionIntent[]> => {
      const known = await findJournalRows(database.rows, keys)
      return [...known.values()].sort((left, right) => left.nonce - right.nonce).map((row) => row.intent)
    },

    addressOf: (role: SignerRole): Hex => signerOf(role).address,

    /** Whether this process can sign for a role. */
    hasKey: (role: SignerRole): boolean => signers[role] !== undefined,

    /**
     * Sends `intents` in order from one signer, pipelined, each at most once, and waits for all receipts. A repeat with the same
     * keys returns the first outcome. A revert is an answer (`status: 'reverted'`), not an error; an error means "not known yet".
     */
    send,

    /** The key under which a step of one transaction goes on: its own, or the next one where every transaction before was given up as dead. */
    openKey: async (step: string): Promise<string> => {
      for (let [key, tries] = [step, 0]; ; key = `${step}/${tries}`) {
        if ((await findJournalRows(database.rows, [key])).get(key)?.status !== 'dead') return key
        tries += 1
      }
    },

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
      if (refusal !== null) throw new WouldRevertError(intent.functionName, refusal)
      const [mined] = await send(role, [intent])
      if (mined === undefined) throw new Error('nothing was sent')
      return mined
    },

    /**
     * Brings the open try of a step to its end; null when none was begun. A repeated step asks this first: what it finds done on chain may
     * be its own doing, and the journal has to hear of it. The signer's key may be gone meanwhile.
     */
    resumeStep: async (step: string): Promise<MinedTransaction | null> => {
      const key = `${step}/${await failedTries(database.rows, step, ['reverted', 'dead'])}`
      const begun = (await findJournalRows(database.rows, [key])).get(key)
      const [ended] = begun === undefined ? [] : await awaitOutcome([begun])
      return ended ?? null
    },

    /** Hands out every transaction of a signer that is not known to be mined, lowest nonce first: a mempool may have lost them. */
    resend: (role: SignerRole): Promise<Pumped> => pump.sendPending(signerOf(role).address.toLowerCase()),

    /** Lifts the journal's next nonce to the chain's pending count (the key was used outside the journal), unless a transaction of its own is still to be mined. Run at boot, after `resend`. */
    reconcile: async (role: SignerRole): Promise<{ nextNonce: number; chainPending: number }> => {
      const account = signerOf(role)
      const signer = account.address.toLowerCase()
      const chainPending = await reader.getTransactionCount({ address: account.address, blockTag: 'pending' })
      const nextNonce = await database.transaction(async (rows) => {
        const next = await takeNonces(rows, chainId, signer, 0, chainPending)
        const pending = await rows
          .selectFrom('chain_transaction')
          .select('nonce')
          .where('chainId', '=', chainId)
          .where('signer', '=', signer)
          .where('status', 'in', PENDING_STATUSES)
          .limit(1)
          .executeTakeFirst()
        if (pending !== undefined || next >= chainPending) return next
        return takeNonces(rows, chainId, signer, chainPending - next, chainPending).then(() => chainPending)
      })
      return { nextNonce, chainPending }
    },
  }
}
