import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { BlockedStepError } from '../../common/blocked.ts'
import { getAccount, type SignerRole, type Signers } from '../clients.ts'
import { assertChain } from '../node/answers.ts'
import { revertInfo } from '../refusals.ts'
import { findRevertName } from '../reverts.ts'
import { type BroadcastDeps, createBroadcaster } from './broadcast.ts'
import { createOutcomes, type MinedTransaction } from './outcomes.ts'
import { createPump, type Pumped } from './pump.ts'
import { countFailedTries, findJournalRows, type JournalRow, listPending, type TransactionIntent, takeNonces } from './rows.ts'
import { createJournal, type SigningGuard } from './sign.ts'

export interface TransactionDeps extends BroadcastDeps {
  signers: Signers
}

/** Another transaction used the nonce of a journalled one, so it can never be mined. The step decides again under another key. */
export class DeadTransactionError extends Error {
  override readonly name = 'DeadTransactionError'
  constructor({ intentKey, nonce }: JournalRow) {
    super(`the transaction ${intentKey} can never be mined: its nonce ${nonce} was used by another one`)
  }
}

/** A call that would revert now and was not sent. The step is retried later. */
export class WouldRevertError extends BlockedStepError {
  constructor(functionName: string, reason: string) {
    super('blockchain_revert', `${functionName} would be reverted now: ${reason}`, revertInfo(functionName, reason))
    this.name = 'WouldRevertError'
  }
}

export type Transactions = ReturnType<typeof createTransactions>

/** Sends through the journal: stores row, signature and nonce in one transaction, broadcasts, then waits for the receipt. */
export const createTransactions = ({ signers, ...deps }: TransactionDeps) => {
  const { database, clients } = deps
  const { reader, chainId } = clients
  const journal = createJournal(deps)
  const { waitForOutcome } = createBroadcaster(deps)
  const { recordMined, closeDead } = createOutcomes(deps)
  const pump = createPump(deps)

  const signerOf = (role: SignerRole): PrivateKeyAccount => getAccount(signers, role)

  const settle = async (row: JournalRow): Promise<MinedTransaction> => {
    const outcome = row.status === 'dead' ? 'dead' : await waitForOutcome(row)
    if (outcome !== 'dead') return recordMined(row, outcome)
    await closeDead(row)
    throw new DeadTransactionError(row)
  }

  /** Needs no key: journalled transactions are signed. */
  const awaitOutcome = async (journalled: JournalRow[]): Promise<MinedTransaction[]> => {
    const last = journalled.at(-1)
    if (last) await pump.sendUnsentUpTo(last.signer, last.nonce)
    return Promise.all(journalled.map(settle))
  }

  const send = async (role: SignerRole, intents: TransactionIntent[], guard?: SigningGuard): Promise<MinedTransaction[]> =>
    awaitOutcome(await journal(signerOf(role), intents, guard))

  return {
    /** The journalled intents among `keys` in nonce order. A repeated step resumes them instead of deciding again. */
    resume: async (keys: string[]): Promise<TransactionIntent[]> => {
      const known = await findJournalRows(database.rows, keys)
      return [...known.values()].sort((left, right) => left.nonce - right.nonce).map((row) => row.intent)
    },

    addressOf: (role: SignerRole): Hex => signerOf(role).address,

    /** Address of a role; null if this process lacks its key. */
    findAddress: (role: SignerRole): Hex | null => signers[role]?.address ?? null,

    /** Whether this process can sign for a role. */
    hasKey: (role: SignerRole): boolean => signers[role] !== undefined,

    /**
     * Sends `intents` in order from one signer, each at most once, and waits for all receipts. A repeat with the same keys returns the first
     * outcome. A revert is an answer (`status: 'reverted'`); an error means the outcome is unknown. `guard` can refuse a signature.
     */
    send,

    /** Number of dead tries of a step, which decides again under the next key. */
    countDeadTries: (step: string): Promise<number> => countFailedTries(database.rows, step, ['dead']),

    /**
     * Sends one step. A try that reverted or was proved dead is over; the next try has its own key, after the caller has read the chain again.
     * Throws `WouldRevertError` without sending if the call would revert now. `guard` can refuse a signature.
     */
    sendStep: async (
      role: SignerRole,
      step: string,
      build: (key: string) => TransactionIntent,
      guard?: SigningGuard,
    ): Promise<MinedTransaction> => {
      const intent = build(`${step}/${await countFailedTries(database.rows, step, ['reverted', 'dead'])}`)
      const isBegun = async (): Promise<boolean> => (await findJournalRows(database.rows, [intent.key])).size > 0
      const refusal = (await isBegun()) ? null : await findRevertName(reader, { ...intent, from: signerOf(role).address }, 'pending')
      // Another process may have sent this very step since the journal was read; then its outcome is that of the step.
      if (refusal !== null && !(await isBegun())) throw new WouldRevertError(intent.functionName, refusal)
      const [mined] = await send(role, [intent], guard)
      if (mined === undefined) throw new Error('nothing was sent')
      return mined
    },

    /**
     * Waits for the outcome of a step's open try; null if none was begun. A repeated step calls this first, because its own transaction may
     * have caused the state on chain. Needs no key.
     */
    resumeStep: async (step: string): Promise<MinedTransaction | null> => {
      const key = `${step}/${await countFailedTries(database.rows, step, ['reverted', 'dead'])}`
      const begun = (await findJournalRows(database.rows, [key])).get(key)
      const [ended] = begun === undefined ? [] : await awaitOutcome([begun])
      return ended ?? null
    },

    /** Sends every transaction of a signer without an outcome, lowest nonce first: a mempool may have lost them. */
    resend: (role: SignerRole): Promise<Pumped> => pump.sendPending(signerOf(role).address.toLowerCase()),

    /**
     * Raises the next nonce to the chain's pending count if the key was used outside the journal, unless own transactions are still pending.
     * Runs at startup, after `resend`.
     */
    reconcile: async (role: SignerRole): Promise<{ nextNonce: number; chainPending: number }> => {
      const account = signerOf(role)
      const signer = account.address.toLowerCase()
      const count = reader.getTransactionCount({ address: account.address, blockTag: 'pending' })
      const [chainPending] = await Promise.all([count, assertChain(reader, chainId)])
      const nextNonce = await database.transaction(async (rows) => {
        const next = await takeNonces(rows, chainId, signer, 0, chainPending)
        if (next >= chainPending || (await listPending(rows, chainId, signer)).length > 0) return next
        await takeNonces(rows, chainId, signer, chainPending - next, chainPending)
        return chainPending
      })
      return { nextNonce, chainPending }
    },
  }
}
