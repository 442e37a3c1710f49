import { encodeFunctionData, erc20Abi, type Hex, parseAbi, parseSignature } from 'viem'
import { iso } from '../../../domain/common/instants.ts'
import { maxRaw } from '../../../domain/common/money.ts'
import { type CaptureDecision, decideCapture } from '../../../domain/paid-verification/capture.ts'
import { isFinal } from '../../../domain/paid-verification/run-states.ts'
import type { VerificationProgress } from '../../../schemas/paid-verification/process.ts'
import type { ChainClients } from '../../chain/clients.ts'
import { PENDING_STATUSES, type TransactionIntent } from '../../chain/journal/rows.ts'
import { DeadTransactionError, type Transactions, WouldRevertError } from '../../chain/journal/send.ts'
import { readLatestOf } from '../../chain/node/answers.ts'
import { convertReadErrors } from '../../chain/reachable.ts'
import type { RecordDeps, Rows } from '../../database/database.ts'
import { lockRun, type MoveRun, type RunRecord } from '../records.ts'
import type { Facilitator } from './facilitator.ts'
import { findNonceUse } from './log.ts'

const TRANSFER = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
/** A transfer of USDC by authorisation takes some 80,000. */
export const TRANSFER_GAS = 200_000n
/** Until the chain is looked at again, ms. */
const LOOK_AGAIN_MS = 2_000
/** The same while a facilitator has been asked and the chain shows nothing: each look asks it again. */
const ASK_AGAIN_MS = 15_000
/** A reorganisation may move a payment before the block at which its run was admitted. */
export const REORGANISED_BLOCKS = 100n

export interface CaptureDeps extends RecordDeps {
  /** Clients of the payment chain. */
  clients: ChainClients
  /** Blocks on top of a payment before it counts. */
  confirmations: number
  /** Journal of the payment chain. */
  transactions: Transactions
  moveRun: MoveRun
  /** Sends the payments in place of the settler; null or absent where the settler does. */
  facilitator?: Facilitator | null
}

const stepOf = (runKey: string): string => `verification/${runKey}`

const intentOf = (key: string, run: RunRecord): TransactionIntent => {
  const { asset, payer, payTo, amountRaw, validAfter, validBefore, nonce, signature } = run
  if (signature === null) throw new Error('the signature of the payment is gone')
  const { r, s, yParity } = parseSignature(signature as Hex)
  const args = [payer, payTo, amountRaw, BigInt(validAfter), BigInt(validBefore), nonce, 27 + yParity, r, s] as const
  return {
    key,
    to: asset as Hex,
    functionName: 'transferWithAuthorization',
    data: encodeFunctionData({ abi: TRANSFER, functionName: 'transferWithAuthorization', args: args as never }),
    gas: TRANSFER_GAS,
    requestId: run.runKey,
  }
}

/** Whether a transaction of a run has no outcome yet. */
const isSending = async (rows: Rows, runKey: string): Promise<boolean> =>
  (await rows
    .selectFrom('chain_transaction')
    .select('intentKey')
    .where('requestId', '=', runKey)
    .where('status', 'in', [...PENDING_STATUSES])
    .executeTakeFirst()) !== undefined

/** Takes the payment of a run whose verdict is decisive. Source: rulings on payments. */
export const createCapture = ({ database, clock, clients, confirmations, transactions, moveRun, facilitator = null }: CaptureDeps) => {
  const { reader } = clients

  const readChain = (run: RunRecord) =>
    convertReadErrors(async () => {
      const { number: head, time } = await readLatestOf(clients)
      const owed = { ...run, amountRaw: String(run.amountRaw) }
      const balance = {
        address: run.asset as Hex,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [run.payer as Hex],
        blockNumber: head,
      } as const
      const depth = BigInt(confirmations)
      const [use, balanceRaw, final] = await Promise.all([
        findNonceUse(reader, owed, { fromBlock: maxRaw(BigInt(run.admittedBlock) - REORGANISED_BLOCKS, 0n), head }),
        reader.readContract(balance),
        reader.getBlock({ blockNumber: maxRaw(head - depth, 0n) }),
      ])
      return { blockTime: time / 1_000, finalTime: Number(final.timestamp), use, balanceRaw }
    })

  /** Decides under the lock of the run: no transaction of it is signed meanwhile. */
  const decide = async (runKey: string, run: RunRecord): Promise<{ decision: CaptureDecision; run: RunRecord }> => {
    const facts = await readChain(run)
    return database.transaction(async (rows) => {
      const locked = await lockRun(rows, runKey)
      if (isFinal(locked.state)) return { decision: { kind: 'wait' }, run: locked }
      const owed = { amountRaw: String(locked.amountRaw), validBefore: Number(locked.validBefore) }
      const hasLeft = locked.state === 'capturing'
      const decision = decideCapture(owed, { ...facts, hasLeft, isSending: await isSending(rows, runKey) }, confirmations)
      const now = clock.now()
      if (decision.kind === 'captured')
        return {
          decision,
          run: await moveRun(rows, locked, 'captured', { txHash: decision.txHash, blockNumber: facts.use?.blockNumber ?? null }, now),
        }
      if (decision.kind === 'uncollectable')
        return { decision, run: await moveRun(rows, locked, 'uncollectable', { uncollectable: decision.reason }, now) }
      if (decision.kind === 'send' && locked.state === 'executed')
        return { decision, run: await moveRun(rows, locked, 'capturing', {}, now) }
      return { decision, run: locked }
    })
  }

  /** Sends once; the next look finds what became of it. A refusal that is known in advance sends nothing. Returns a note for operators. */
  const send = async (run: RunRecord): Promise<string> => {
    if (facilitator !== null) return facilitator.settle(run)
    const { runKey } = run
    const guard = async (rows: Rows): Promise<void> => {
      const { state } = await lockRun(rows, runKey)
      if (state !== 'capturing') throw new Error(`a run that is ${state} takes no payment`)
    }
    try {
      await transactions.sendStep('settler', stepOf(runKey), (key) => intentOf(key, run), guard)
      return 'The transaction is mined and waits for its confirmations.'
    } catch (error) {
      if (error instanceof WouldRevertError) return `Nothing was sent: ${error.message}`
      if (error instanceof DeadTransactionError) return 'The transaction can never be mined. It is sent again if the chain shows no other.'
      throw error
    }
  }

  const progressOf = ({ state, txHash, uncollectable }: RunRecord, note: string, inMs = LOOK_AGAIN_MS): VerificationProgress => ({
    state,
    nextAt: isFinal(state) ? null : iso(clock.now() + inMs),
    details: txHash === null ? `${uncollectable ?? note}` : `Paid by transaction ${txHash}.`,
    isOver: isFinal(state),
  })

  return {
    /**
     * Ends a run whose payment is gone before anything was spent on it; null when it can be paid, or is. Throws while the chain does not say that yet, for
     * another attempt.
     */
    refuseEmpty: async (run: RunRecord): Promise<RunRecord | null> => {
      const facts = await readChain(run)
      const owed = { amountRaw: String(run.amountRaw), validBefore: Number(run.validBefore) }
      const decision = decideCapture(owed, { ...facts, hasLeft: false, isSending: false }, confirmations)
      if (facts.use?.kind === 'paid' || decision.kind === 'send') return null
      if (decision.kind !== 'uncollectable') throw new Error('the chain does not say yet whether the run can be paid')
      const { reason: uncollectable } = decision
      return database.transaction(async (rows) => {
        const locked = await lockRun(rows, run.runKey)
        return locked.state === 'authorized' ? moveRun(rows, locked, 'uncollectable', { uncollectable }, clock.now()) : locked
      })
    },

    /**
     * Ends a run without a bill. Another account may have sent its authorisation: then the payer has paid, the run says so, and the operator owes the price
     * back.
     */
    release: async (begun: RunRecord): Promise<VerificationProgress> => {
      const { use } = await readChain(begun)
      const isPaid = use?.kind === 'paid'
      if (isPaid && use.confirmations < confirmations)
        return progressOf(begun, 'Another account has sent the payment. Waits for its confirmations.')
      const run = await database.transaction(async (rows) => {
        const locked = await lockRun(rows, begun.runKey)
        if (isFinal(locked.state)) return locked
        const now = clock.now()
        return isPaid
          ? moveRun(rows, locked, 'captured', { txHash: use.txHash, blockNumber: use.blockNumber }, now)
          : moveRun(rows, locked, 'not_billed', {}, now)
      })
      return progressOf(run, 'Inconclusive: not billed.')
    },

    /** Takes the payment of a decisive result, or finds out why it cannot be taken. */
    take: async (begun: RunRecord): Promise<VerificationProgress> => {
      const { runKey } = begun
      // Its own transaction comes first: it may be what the chain shows, and while it is open nothing is decided.
      await transactions.resumeStep(stepOf(runKey)).catch((error: unknown) => {
        if (!(error instanceof DeadTransactionError)) throw error
      })
      const { decision, run } = await decide(runKey, begun)
      if (decision.kind !== 'send') return progressOf(run, 'Waits for the chain.')
      const note = await send(run)
      const after = await decide(runKey, run)
      // Nothing was found: a facilitator is asked again at the next look, and need not be at once.
      const inMs = after.decision.kind === 'send' && facilitator !== null ? ASK_AGAIN_MS : LOOK_AGAIN_MS
      return progressOf(after.run, note, inMs)
    },
  }
}
