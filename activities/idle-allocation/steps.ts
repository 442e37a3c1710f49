import { encodeFunctionData, type Hex } from 'viem'
import { iso } from '../../domain/common/instants.ts'
import { amountText } from '../../domain/common/money.ts'
import { idleConsentStatus } from '../../domain/idle-allocation/consent.ts'
import { IDLE_LIMITS, IDLE_RUN_SECONDS, type IdleMove, planIdleMove } from '../../domain/idle-allocation/plan.ts'
import { IDLE_CONSENT, type IdleTerms } from '../../domain/idle-allocation/terms.ts'
import { sumOf } from '../../domain/locked-deposits/lock.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type IdleChainActivities, type IdleRecordActivities, idleAllocationWorkflowId } from '../../schemas/idle-allocation/process.ts'
import type { Settings } from '../../schemas/settings.ts'
import { agentAccountCoreAbi } from '../chain/abi/agent-account-core.ts'
import type { MinedTransaction } from '../chain/journal/outcomes.ts'
import type { TransactionIntent } from '../chain/journal/rows.ts'
import type { Transactions } from '../chain/journal/send.ts'
import type { Clock } from '../common/clock.ts'
import { assertUnexpired, getQuote, insertConsent } from '../consents/records.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit, type NewEvent } from '../events/outbox.ts'
import { liveLocks } from '../locked-deposits/records.ts'
import { IDLE_STRATEGY, type IdleReads } from './reads.ts'
import {
  closeMovement,
  countMovements,
  findIdleConsent,
  findOpenMovement,
  insertMovement,
  latestIdleConsent,
  lockOpenConsent,
  lockRun,
  readRun,
} from './records.ts'

/** Gas of a movement, well above the measured use. */
const MOVE_GAS = 700_000n
const FUNCTIONS = { allocate: 'allocateIdleFunds', recall: 'deallocateIdleFunds' } as const

export interface IdleDeps {
  settings: Pick<Settings, 'IDLE_BALANCE_ALLOCATION_ROUTE_LIVE'>
  chain: ChainFile
  database: Database
  clock: Clock
  reads: IdleReads
  transactions: Transactions
}

/** The consent ended, or the run was used up, between plan and signature. */
class MovementRefusedError extends Error {
  override readonly name = 'MovementRefusedError'
}

const consentEvent = (
  topic: 'idle_allocation.consented' | 'idle_allocation.revoked' | 'idle_allocation.expired',
  { wallet, termsHash, expiresAt }: { wallet: string; termsHash: string; expiresAt: number },
  at: number,
): NewEvent => ({
  topic,
  wallets: [wallet],
  correlationId: termsHash,
  at,
  data: { wallet, termsHash, consentExpiresAt: iso(expiresAt) },
})

/** Steps of the process of idle-balance allocation. Source: money, "Idle-balance allocation". */
export const createIdleSteps = ({
  settings,
  chain,
  database,
  clock,
  reads,
  transactions,
}: IdleDeps): IdleRecordActivities & IdleChainActivities => {
  const { symbol, decimals } = chain.asset
  const configured = { asset: { ...chain.asset, chainId: chain.chainId }, depositPool: chain.contracts.depositPool?.address ?? null }

  /** Ends the open consent of a wallet whose time is over; one in its time only if it is to be revoked. */
  const endConsent = async (rows: Rows, wallet: string, now: number, { revokes }: { revokes: boolean }): Promise<void> => {
    const open = await lockOpenConsent(rows, wallet)
    if (open === null) return
    const isOver = now >= open.expiresAt
    if (!isOver && !revokes) return
    const end = isOver ? { expiredAt: now } : { revokedAt: now }
    await rows.updateTable('idle_consent').set(end).where('termsHash', '=', open.termsHash).execute()
    await emit(
      rows,
      isOver ? consentEvent('idle_allocation.expired', open, open.expiresAt) : consentEvent('idle_allocation.revoked', open, now),
    )
  }

  const activeConsent = async (rows: Rows, wallet: string, now: number) => {
    const consent = await latestIdleConsent(rows, wallet)
    return consent !== null && idleConsentStatus(consent, configured, now) === 'active' ? consent : null
  }

  const intentOf = (key: string, wallet: string, { kind, amountRaw }: IdleMove): TransactionIntent => {
    const functionName = FUNCTIONS[kind]
    const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName, args: [wallet as Hex, IDLE_STRATEGY, amountRaw] })
    return { key, to: chain.contracts.agentAccount.address, functionName, data, gas: MOVE_GAS }
  }

  const close = (step: string, mined: MinedTransaction) => database.transaction((rows) => closeMovement(rows, step, mined))

  /** Waits for a movement that was begun before. Returns false without one. */
  const finishBegun = async (step: string): Promise<boolean> => {
    const open = await findOpenMovement(database.rows, step)
    if (open === null) return false
    const mined = await transactions.resumeStep(step)
    // The signing transaction reserves and signs together, so a reservation without a transaction was reverted.
    if (mined === null) await database.rows.deleteFrom('idle_movement').where('step', '=', step).execute()
    else await close(step, mined)
    return mined !== null
  }

  const reserve = async (rows: Rows, step: string, wallet: string, termsHash: string, move: IdleMove): Promise<void> => {
    const open = await lockOpenConsent(rows, wallet)
    await lockRun(rows)
    // The run is that of the moment at which the lock is held.
    const now = clock.now()
    if (open?.termsHash !== termsHash || now >= open.expiresAt) throw new MovementRefusedError('the consent is over')
    if (move.kind === 'allocate') {
      const run = await readRun(rows, wallet, now)
      const isUsedUp = run.ofAllRaw + move.amountRaw > IDLE_LIMITS.runRaw || run.ofWalletRaw + move.amountRaw > IDLE_LIMITS.largestRaw
      if (isUsedUp) throw new MovementRefusedError('the run is used up')
    }
    await insertMovement(rows, { ...move, step, wallet, termsHash, signedAt: now })
  }

  return {
    recordIdleConsent: ({ wallet, termsHash, signature, requestId }) =>
      database.transaction(async (rows) => {
        const known = await findIdleConsent(rows, termsHash)
        if (known?.revokedAt === null) return
        if (known !== null) throw new ServiceError('idle_balance_consent_revoked')
        const quote = await getQuote(rows, IDLE_CONSENT, termsHash)
        const now = clock.now()
        assertUnexpired(IDLE_CONSENT, quote, now)
        const { consentExpiresAt } = quote.terms as IdleTerms
        await endConsent(rows, wallet, now, { revokes: true })
        await insertConsent(rows, quote, signature, now)
        const consent = { termsHash, wallet, expiresAt: Date.parse(consentExpiresAt) }
        await rows
          .insertInto('idle_consent')
          .values({ ...consent, requestId, consentedAt: now, revokedAt: null, expiredAt: null })
          .execute()
        await emit(rows, consentEvent('idle_allocation.consented', consent, now))
      }),

    revokeIdleConsent: ({ wallet }) => database.transaction((rows) => endConsent(rows, wallet, clock.now(), { revokes: true })),

    readIdleConsent: async ({ wallet }) => {
      const now = clock.now()
      await database.transaction((rows) => endConsent(rows, wallet, now, { revokes: false }))
      const consent = await latestIdleConsent(database.rows, wallet)
      const status = idleConsentStatus(consent, configured, now)
      const expiresAt = status === 'active' && consent !== null ? iso(consent.expiresAt) : null
      return { expiresAt, details: expiresAt === null ? `Consent: ${status}.` : `Consent ${consent?.termsHash} until ${expiresAt}.` }
    },

    moveIdleBalance: async ({ wallet }) => {
      const step = `${idleAllocationWorkflowId(wallet)}/${await countMovements(database.rows, wallet)}`
      if (await finishBegun(step)) return { againAt: iso(clock.now()) }
      const now = clock.now()
      // Each run looks again: at what is left over, and at what no event tells, as a new lock.
      const againAt = iso(now + IDLE_RUN_SECONDS * 1000)
      if (!settings.IDLE_BALANCE_ALLOCATION_ROUTE_LIVE) return { againAt }
      const [consent, locks, reading] = await Promise.all([
        activeConsent(database.rows, wallet, now),
        liveLocks(database.rows, wallet, now),
        reads.idleReading(wallet as Hex),
      ])
      if (consent === null || reading === null) return { againAt }
      const run = await readRun(database.rows, wallet, now)
      const move = planIdleMove({ ...reading, encumberedRaw: sumOf(locks), run })
      if (move === null) return { againAt }
      try {
        const guard = (rows: Rows) => reserve(rows, step, wallet, consent.termsHash, move)
        const mined = await transactions.sendStep('operator', step, (key) => intentOf(key, wallet, move), guard)
        await close(step, mined)
        if (mined.status === 'reverted')
          throw new Error(`${FUNCTIONS[move.kind]} of ${amountText(move.amountRaw, { decimals, symbol })} was reverted`)
      } catch (error) {
        if (!(error instanceof MovementRefusedError)) throw error
      }
      return { againAt }
    },
  }
}
