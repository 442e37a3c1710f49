import type { Hex } from 'viem'
import { decideGasGrant, withdrawalIntentHash } from '../../domain/accounts/gas-grant.ts'
import { GAS_GRANT_RAW } from '../../domain/common/constants.ts'
import { utcDay } from '../../domain/common/instants.ts'
import { reachesWallet } from '../../domain/identity/native/earning.ts'
import {
  type GasGrantActivities,
  type GasGrantInput,
  type GasGrantReservation,
  gasGrantWorkflowId,
} from '../../schemas/accounts/process.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { ChainClients } from '../chain/clients.ts'
import type { MinedTransaction } from '../chain/journal/outcomes.ts'
import type { TransactionIntent } from '../chain/journal/rows.ts'
import type { Transactions } from '../chain/journal/send.ts'
import { quoteFees } from '../chain/journal/sign.ts'
import { convertReadErrors } from '../chain/reachable.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import type { EarningIdentities } from '../identity/earning-identity.ts'
import { lockGasGrants, readGasGrantFacts } from './gas-grant-records.ts'
import { createAccountReads } from './reads.ts'

/** Gas of a plain transfer, with reserve for contract wallets and for chains that charge more than Ethereum. */
const TRANSFER_GAS = 100_000n

/** Money leaves: what a cache holds is not enough. */
const FRESH = { fresh: true }

export interface GasGrantDeps {
  settings: Settings
  chain: ChainFile
  clients: ChainClients
  database: Database
  transactions: Transactions
  clock: Clock
  identities: EarningIdentities
}

const intentOf = (key: string, wallet: string, requestId: string): TransactionIntent => ({
  key,
  to: wallet as Hex,
  functionName: 'grantGas',
  data: '0x',
  gas: TRANSFER_GAS,
  value: GAS_GRANT_RAW,
  requestId,
})

/** The wallet refused the transfer. Its grant is over. */
const refusedTransfer = (txHash: Hex): ServiceError =>
  new ServiceError('blockchain_revert', {
    reason: 'gas_grant_transfer_failed',
    detail: `The wallet refused the transfer ${txHash}: it was reverted.`,
    details: { transferOutcome: 'reverted', txHash },
  })

/** Reserves and sends the gas grant of a wallet. Source: money, "First-withdrawal gas grant". */
export const createGasGrantSteps = (deps: GasGrantDeps): GasGrantActivities => {
  const { settings, chain, clients, database, transactions, clock, identities } = deps
  const { reader } = clients
  const accounts = createAccountReads(chain, clients)

  /** Whether the operator can pay transfer and fee now. A transfer that it cannot pay would block its nonce. */
  const canPay = async (): Promise<boolean> => {
    const operator = transactions.findAddress('operator')
    if (operator === null) return false
    const [balance, { maxFeePerGas }] = await Promise.all([reader.getBalance({ address: operator }), quoteFees(reader)])
    return balance >= GAS_GRANT_RAW + TRANSFER_GAS * maxFeePerGas
  }

  const readChain = async (wallet: Hex) => {
    const [{ position }, balanceRaw, isOffered, identity] = await Promise.all([
      accounts.readBalances(wallet),
      reader.getBalance({ address: wallet }),
      canPay(),
      identities.read(database.rows, wallet, FRESH),
    ])
    return { liquidRaw: position.liquid, balanceRaw, isOffered, identity }
  }

  const hashAt = (input: GasGrantInput, liquidRaw: bigint): Hex => {
    const { wallet, destination, amountRaw } = input
    const { symbol, address } = chain.asset
    return withdrawalIntentHash({ wallet, symbol, asset: address, amountRaw: BigInt(amountRaw), destination, liquidRaw })
  }

  const reserve = async (rows: Rows, input: GasGrantInput, live: Awaited<ReturnType<typeof readChain>>): Promise<GasGrantReservation> => {
    await lockGasGrants(rows)
    const { wallet, requestId } = input
    const { liquidRaw, balanceRaw, isOffered, identity } = live
    // The day is that of the moment at which the lock is held.
    const now = clock.now()
    const facts = await readGasGrantFacts(rows, wallet, now)
    const intentHash = hashAt(input, BigInt(input.liquidRaw))
    const dailyCap = settings.FIRST_WITHDRAWAL_GAS_GRANT_DAILY_CAP
    const reason = decideGasGrant({
      ...facts,
      isOffered,
      isSettlementAsset: true,
      liquidRaw,
      dailyCap,
      mapped: reachesWallet(identity),
      intentHash,
      currentIntentHash: hashAt(input, liquidRaw),
    })
    if (reason === 'first_withdrawal_gas_grant_in_progress') return { kind: 'reserved' }
    if (reason === 'first_withdrawal_gas_grant_sent' || reason === 'first_withdrawal_gas_grant_already_granted') return { kind: 'granted' }
    if (reason !== 'first_withdrawal_gas_grant_available') return { kind: 'refused', reason }
    await rows
      .insertInto('gas_grant')
      .values({
        wallet,
        day: utcDay(now),
        dailyCap,
        status: 'sending',
        intentHash,
        amountRaw: GAS_GRANT_RAW,
        liquidRaw,
        balanceBeforeRaw: balanceRaw,
        requestId,
        reservedAt: now,
      })
      .execute()
    return { kind: 'reserved' }
  }

  /** Records a transfer that the wallet refused; a repeat changes nothing. */
  const recordRefused = (wallet: string, { txHash, blockTime }: MinedTransaction) =>
    database.rows
      .updateTable('gas_grant')
      .set({ status: 'failed', txHash, failedAt: blockTime })
      .where('wallet', '=', wallet)
      .where('status', '=', 'sending')
      .execute()

  const recordGranted = (wallet: string, mined: MinedTransaction, balanceAfterRaw: bigint | null) =>
    database.transaction(async (rows) => {
      const { txHash, blockNumber, blockTime } = mined
      const granted = await rows
        .updateTable('gas_grant')
        .set({ status: 'granted', txHash, grantedAt: blockTime, balanceAfterRaw })
        .where('wallet', '=', wallet)
        .where('status', '=', 'sending')
        .returning(['day', 'intentHash', 'requestId', 'balanceBeforeRaw'])
        .executeTakeFirst()
      if (granted === undefined) return
      const { day, intentHash, requestId, balanceBeforeRaw } = granted
      const balances = { balanceBeforeRaw: balanceBeforeRaw.toString(), balanceAfterRaw: balanceAfterRaw?.toString() ?? null }
      await emit(rows, {
        topic: 'operator_gas.first_withdrawal_granted',
        wallets: [wallet],
        correlationId: requestId,
        blockNumber,
        txHash,
        at: blockTime,
        recordedAt: clock.now(),
        data: {
          wallet,
          day,
          intentHash,
          amountRaw: GAS_GRANT_RAW.toString(),
          ...balances,
          countedAsPayout: false,
          countedAsRevenue: false,
        },
      })
    })

  /**
   * The only transfer to the wallet. A repeat finds its outcome; one that lost its nonce to another transaction can never be mined, so the next
   * try has its own key.
   */
  const transfer = async (wallet: string, requestId: string): Promise<MinedTransaction> => {
    const step = gasGrantWorkflowId(wallet)
    const key = `${step}/${await transactions.countDeadTries(step)}`
    // A mapping may have ended since the reservation: the money would reach an account of which the caller has no key.
    const isSigned = (await transactions.resume([key])).length > 0
    if (!isSigned) await identities.assertCanEarn(database.rows, wallet, FRESH)
    const [mined] = await transactions.send('operator', [intentOf(key, wallet, requestId)])
    if (mined === undefined) throw new Error('nothing was sent')
    return mined
  }

  return {
    reserveGasGrant: (input) =>
      convertReadErrors(async () => {
        const live = await readChain(input.wallet as Hex)
        return database.transaction((rows) => reserve(rows, input, live))
      }),

    sendGasGrant: async ({ wallet }) => {
      const grant = await database.rows
        .selectFrom('gas_grant')
        .select(['status', 'txHash', 'requestId'])
        .where('wallet', '=', wallet)
        .executeTakeFirstOrThrow()
      if (grant.status === 'granted' && grant.txHash !== null) return { txHash: grant.txHash }
      const mined = await transfer(wallet, grant.requestId)
      if (mined.status === 'reverted') {
        await recordRefused(wallet, mined)
        throw refusedTransfer(mined.txHash)
      }
      const balanceAfterRaw = await reader.getBalance({ address: wallet as Hex, blockNumber: mined.blockNumber }).catch(() => null)
      await recordGranted(wallet, mined, balanceAfterRaw)
      return { txHash: mined.txHash }
    },
  }
}
