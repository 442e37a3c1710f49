// Claims and submissions of posted jobs: the service names the transaction, the worker sends it, and the same request is made again.
import { isRecord } from '../../src/json.ts'
import { isProblem, type ServiceProblem } from '../../src/problems.ts'
import { sleep } from '../../src/timing.ts'
import type { Context } from '../context.ts'
import { refused } from '../failures.ts'
import type { Report } from '../output/output.ts'
import { readPlace } from '../posting/place.ts'
import type { SignedIn } from '../service/open.ts'
import { assertCall, type BuiltTransaction, chainJobId, word } from './calls.ts'
import { nativeSigner, reportNativeCalls } from './native-calls.ts'
import { followEarlier } from './pending.ts'
import { type PreparedTransaction, sendAll } from './send.ts'
import { openWallet, type Wallet } from './wallet.ts'

const CLAIM = 'claimJob(bytes32)'
const SUBMIT = 'submitWork(bytes32,bytes32)'
const TIME_OUT = 'handleClaimTimeout(bytes32)'
const HASH = /^0x[0-9a-fA-F]{64}$/

/** Wait between two requests after a transaction was mined: the service may read another node. */
const REPEAT_MS = 2_000
/** Requests after which a transaction of an earlier command no longer counts for this one. */
const EARLIER_REPEATS = 5

type Signer = Pick<Wallet, 'address' | 'chainId'>

/** A request that can ask the worker for a transaction. */
export interface SelfPaidStep {
  kind: 'claim' | 'submit'
  jobId: string
  /** What the transaction is sent for; a repeated command with the same purpose follows it. */
  purpose: string
}

const CODES = { claim: 'external_self_paid_claim_required', submit: 'external_self_paid_submit_required' } as const

const isBuilt = (value: unknown): value is Record<'to' | 'data' | 'value', string> & { chainId: number } =>
  isRecord(value) && ['to', 'data', 'value'].every((name) => typeof value[name] === 'string') && typeof value.chainId === 'number'

/** Transactions that a refusal names, in the order in which they are sent. */
const transactionsOf = ({ details: { transactions } }: ServiceProblem): BuiltTransaction[] => {
  if (!Array.isArray(transactions) || transactions.length === 0 || !transactions.every(isBuilt))
    throw refused('The service asks for a transaction and names none that this program can check. Nothing was sent.')
  return transactions.map((transaction) => ({ ...transaction, step: '' }))
}

/** Hash of the work, by the service that has the work. */
const evidenceHashOf = ({ details: { evidenceHash } }: ServiceProblem): string => {
  if (typeof evidenceHash === 'string' && HASH.test(evidenceHash)) return evidenceHash
  throw refused('The service asks for a submission and names no hash of the work. Nothing was sent.')
}

/** Checks that the transactions claim the job, or submit the hash of the work, in the escrow, and do nothing else. */
const prepare = (
  asked: ServiceProblem,
  { kind, jobId }: SelfPaidStep,
  escrow: string,
  { address, chainId }: Signer,
): PreparedTransaction[] => {
  const built = transactionsOf(asked)
  const job = word(chainJobId(jobId))
  const by = { wallet: address, chainId }
  if (built.length > (kind === 'claim' ? 2 : 1)) throw refused('The service names more transactions than asked. Nothing was sent.')
  return built.map((transaction, index) => {
    if (transaction.to.toLowerCase() !== escrow)
      throw refused('The service built a call of another contract than the escrow. Nothing was sent.')
    if (index < built.length - 1) {
      assertCall(transaction, { ...by, signature: TIME_OUT, words: [job] })
      return { ...transaction, step: 'time out', call: `end the expired claim of another wallet on ${jobId}` }
    }
    if (kind === 'claim') {
      assertCall(transaction, { ...by, signature: CLAIM, words: [job] })
      return { ...transaction, step: 'claim', call: `claim the job ${jobId}, which locks its bond` }
    }
    const hash = evidenceHashOf(asked)
    assertCall(transaction, { ...by, signature: SUBMIT, words: [job, word(hash)] })
    return { ...transaction, step: 'submit', call: `submit the hash ${hash} of the work for ${jobId}` }
  })
}

/** A request that was answered, with the transactions that the wallet sent for it, or the calls of a native account. */
export type SelfPaidOutcome<T> = { answer: T; transactions: object[] } | { calls: Report }

/**
 * Makes a request. Where the service asks for a transaction of the worker, it is checked, shown, asked for, signed and sent; then the same request
 * is made until the service has seen it.
 */
export const requestWithOwnTransactions = async <T>(
  context: Context,
  signedIn: SignedIn,
  step: SelfPaidStep,
  request: () => Promise<T>,
): Promise<SelfPaidOutcome<T>> => {
  const { signal, output } = context
  const attempt = async (): Promise<{ answer: T } | ServiceProblem> => {
    try {
      return { answer: await request() }
    } catch (error) {
      if (isProblem(error, CODES[step.kind])) return error
      throw error
    }
  }
  let found = await attempt()
  if ('answer' in found) return { ...found, transactions: [] }
  output.note(`The worker of a posted job sends the ${step.kind} itself and pays its gas.`)
  const place = await readPlace(signedIn.client, signal)
  if (signedIn.native !== undefined) {
    const signer = await nativeSigner(signedIn, signal)
    return { calls: reportNativeCalls(signedIn.native, signer.address, prepare(found, step, place.escrow, signer)) }
  }
  const wallet = await openWallet(context, signedIn)
  if (place.chainId !== wallet.chainId) throw refused('The escrow is on another chain than the service states. Nothing was sent.')
  const earlier = await followEarlier(wallet, step.purpose)
  const transactions: object[] = earlier === undefined ? [] : [{ step: earlier.step, hash: earlier.hash }]
  let repeats = earlier === undefined ? 0 : earlier.isLast ? EARLIER_REPEATS : 1
  for (;;) {
    if (repeats === 0) {
      transactions.push(...(await sendAll(wallet, step.purpose, prepare(found, step, place.escrow, wallet))))
      repeats = Number.POSITIVE_INFINITY
    }
    found = await attempt()
    if ('answer' in found) break
    repeats -= 1
    if (repeats > 0) await sleep(REPEAT_MS, signal)
  }
  wallet.file.remove()
  return { ...found, transactions }
}
