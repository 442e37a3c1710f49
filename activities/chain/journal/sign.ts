import { keccak256, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Fees } from '../../../domain/chain/replacement-fees.ts'
import type { Rows } from '../../database/database.ts'
import { assertChain } from '../node/answers.ts'
import type { BroadcastDeps } from './broadcast.ts'
import { findJournalRows, insertSigned, type JournalRow, type SignedIntent, type TransactionIntent, takeNonces } from './rows.ts'

/** Multiplier on the quoted fee: the base fee can rise between quote and inclusion. */
const FEE_BUFFER = 3n

/** Fee caps (wei) for a transaction signed now. */
export const quoteFees = async (reader: PublicClient): Promise<Fees> => {
  const fees = await reader.estimateFeesPerGas()
  return { maxFeePerGas: fees.maxFeePerGas * FEE_BUFFER, maxPriorityFeePerGas: fees.maxPriorityFeePerGas }
}

/** Signs an intent with a nonce that the journal has assigned. */
export const signIntent = async (
  account: PrivateKeyAccount,
  chainId: number,
  intent: TransactionIntent,
  nonce: number,
  fees: Fees,
): Promise<SignedIntent> => {
  const { to, data, gas, value = 0n } = intent
  const rawTransaction = await account.signTransaction({ chainId, type: 'eip1559', to, data, gas, nonce, value, ...fees })
  return { intent, nonce, rawTransaction, txHash: keccak256(rawTransaction) }
}

/** Condition of the signer's transaction: locks what the signature depends on, and throws if it must not be signed any more. */
export type SigningGuard = (rows: Rows) => Promise<unknown>

/** Finds or writes the rows of intents. New rows get consecutive nonces and signatures in one database transaction. */
export const createJournal = ({ database, clients, clock, observe = () => undefined }: BroadcastDeps) => {
  const { reader, chainId } = clients

  /** Keys of the intents that this call signed. */
  const signMissing = async (
    account: PrivateKeyAccount,
    intents: TransactionIntent[],
    keys: string[],
    guard: SigningGuard | undefined,
  ): Promise<Set<string>> => {
    // The count of another chain would assign nonces that this chain never reaches.
    const [fees, floor] = await Promise.all([
      quoteFees(reader),
      reader.getTransactionCount({ address: account.address, blockTag: 'pending' }),
      assertChain(reader, chainId),
    ])
    const signer = account.address.toLowerCase()
    return database.transaction(async (rows) => {
      // Assigning zero nonces waits for the signer's row lock, so that rows of a concurrent duplicate are visible.
      await takeNonces(rows, chainId, signer, 0, floor)
      const known = await findJournalRows(rows, keys)
      const missing = intents.filter((intent) => !known.has(intent.key))
      if (missing.length === 0) return new Set()
      await guard?.(rows)
      const first = await takeNonces(rows, chainId, signer, missing.length, floor)
      const signed = await Promise.all(missing.map((intent, index) => signIntent(account, chainId, intent, first + index, fees)))
      await insertSigned(rows, chainId, signer, signed, clock.now())
      return new Set(missing.map(({ key }) => key))
    })
  }

  return async (account: PrivateKeyAccount, intents: TransactionIntent[], guard?: SigningGuard): Promise<JournalRow[]> => {
    const keys = intents.map((intent) => intent.key)
    const known = await findJournalRows(database.rows, keys)
    const isComplete = known.size === keys.length
    const signed = isComplete ? new Set<string>() : await signMissing(account, intents, keys, guard)
    const all = isComplete ? known : await findJournalRows(database.rows, keys)
    return keys.map((key) => {
      const row = all.get(key)
      if (!row) throw new Error(`the journal has no row ${key}`)
      if (signed.has(key)) observe('signed', row)
      return row
    })
  }
}
