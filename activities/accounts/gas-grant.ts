import type { Hex } from 'viem'
import { decideGasGrant, withdrawalIntentHash } from '../../domain/accounts/gas-grant.ts'
import { GAS_GRANT_RAW } from '../../domain/common/constants.ts'
import { known } from '../../domain/common/fact.ts'
import { utcDay } from '../../domain/common/instants.ts'
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
import type { TransactionIntent } from '../chain/journal/rows.ts'
import { DeadTransactionError, type Transactions } from '../chain/journal/send.ts'
import { quoteFees } from '../chain/journal/sign.ts'
import { convertReadErrors } from '../chain/reachable.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { lockGasGrants, readGasGrantFacts } from './gas-grant-records.ts'
import { createAccountReads } from './reads.ts'

/** Gas of a plain transfer, with reserve for contract wallets and for chains that charge more than Ethereum. */
const TRANSFER_GAS = 100_000n

export interface GasGrantDeps {
  settings: Settings
  chain: ChainFile
  clients: ChainClients
  database: Database
  transactions: Transactions
  clock: Clock
}

const intentOf = (wallet: string, requestId: string): TransactionIntent => ({
  key: gasGrantWorkflowId(wallet),
  to: wallet as Hex,
  functionName: 'grantGas',
  data: '0x',
  gas: TRANSFER_GAS,
  value: GAS_GRANT_RAW,
  requestId,
})

/** A transfer that did not happen. The reservation stays, so the wallet gets no other one until an operator has looked. */
const failedTransfer = (detail: string): ServiceError =>
  new ServiceError('blockchain_revert', {
    reason: 'gas_grant_transfer_failed',
    detail,
    details: { transferOutcome: 'unknown_fail_closed' },
  })

/** Reserves and sends the gas grant of a wallet. Source: money, "First-withdrawal gas grant". */
export const createGasGrantSteps = ({ settings, chain, clients, database, transactions, clock }: GasGrantDeps): GasGrantActivities => {
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
    const [{ position }, balanceRaw, isOffered] = await Promise.all([
      accounts.readBalances(wallet),
      reader.getBalance({ address: wallet }),
      canPay(),
    ])
    return { liquidRaw: position.liquid, balanceRaw, isOffered }
  }

  const hashAt = (input: GasGrantInput, liquidRaw: bigint): Hex => {
    const { wallet, destination, amountRaw } = input
    const { symbol, address } = chain.asset
    return withdrawalIntentHash({ wallet, symbol, asset: address, amountRaw: BigInt(amountRaw), destination, liquidRaw })
  }

  const reserve = async (rows: Rows, input: GasGrantInput, live: Awaited<ReturnType<typeof readChain>>): Promise<GasGrantReservation> => {
    await lockGasGrants(rows)
    const { wallet, requestId } = input
    const { liquidRaw, balanceRaw, isOffered } = live
    // The day is that of the moment at which the lock is held.
    const now = clock.now()
    const facts = await readGasGrantFacts(rows, wallet, now)
    const intentHash = hashAt(input, BigInt(input.liquidRaw))
    const reason = decideGasGrant({
      ...facts,
      ...{ isOffered, isSettlementAsset: true, liquidRaw: known(liquidRaw), dailyCap: settings.FIRST_WITHDRAWAL_GAS_GRANT_DAILY_CAP },
      ...{ intentHash, currentIntentHash: hashAt(input, liquidRaw) },
    })
    if (reason === 'first_withdrawal_gas_grant_in_progress') return { kind: 'reserved' }
    if (reason === 'first_withdrawal_gas_grant_sent' || reason === 'first_withdrawal_gas_grant_already_granted') return { kind: 'granted' }
    if (reason !== 'first_withdrawal_gas_grant_available') return { kind: 'refused', reason }
    await rows
      .insertInto('gas_grant')
      .values({
        ...{ wallet, day: utcDay(now), status: 'sending', intentHash, amountRaw: GAS_GRANT_RAW, liquidRaw },
        ...{ balanceBeforeRaw: balanceRaw, requestId, reservedAt: now },
      })
      .execute()
    return { kind: 'reserved' }
  }

  const record = (wallet: string, mined: { txHash: Hex; blockNumber: bigint; blockTime: number }, balanceAfterRaw: bigint | null) =>
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
        ...{ wallets: [wallet], correlationId: requestId, blockNumber, txHash, at: blockTime, recordedAt: clock.now() },
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

  const transfer = async (wallet: string, requestId: string) => {
    const [mined] = await transactions.send('operator', [intentOf(wallet, requestId)]).catch((error: unknown) => {
      if (error instanceof DeadTransactionError) throw failedTransfer('Another transaction used the nonce of the transfer.')
      throw error
    })
    if (mined?.status !== 'mined') throw failedTransfer('The transfer was reverted.')
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
        .select(['txHash', 'requestId'])
        .where('wallet', '=', wallet)
        .executeTakeFirstOrThrow()
      if (grant.txHash !== null) return { txHash: grant.txHash }
      const mined = await transfer(wallet, grant.requestId)
      const balanceAfterRaw = await reader.getBalance({ address: wallet as Hex, blockNumber: mined.blockNumber }).catch(() => null)
      await record(wallet, mined, balanceAfterRaw)
      return { txHash: mined.txHash }
    },
  }
}
