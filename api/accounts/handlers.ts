import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { createFunding } from '../../activities/accounts/funding.ts'
import { createPlaceReads } from '../../activities/accounts/places.ts'
import { createAccountReads } from '../../activities/accounts/reads.ts'
import { readStatement, type StatementEntry } from '../../activities/accounts/statement.ts'
import { liveLocks } from '../../activities/locked-deposits/records.ts'
import { balanceSheetView } from '../../domain/accounts/balance-sheet.ts'
import { faucetCommand } from '../../domain/common/faucet.ts'
import { iso } from '../../domain/common/instants.ts'
import { amount } from '../../domain/common/money.ts'
import { sumOf } from '../../domain/locked-deposits/lock.ts'
import type * as accountOperations from '../../schemas/accounts/operations.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { withProcessKey } from '../http/idempotency.ts'
import { invalidRequest } from '../http/problem.ts'
import { buildDeposit } from './deposit.ts'
import { createGasGrants } from './gas-grant.ts'
import { positionView } from './position.ts'
import { createWithdrawals } from './withdraw.ts'

const TIMELINE_LENGTH = 50
const STATEMENT_LENGTH = 100

const restricted = (reason: string, detail: string, description: string): ServiceError =>
  new ServiceError('funding_route_restricted', {
    reason,
    detail,
    nextActions: [{ kind: 'http', method: 'POST', path: '/account/deposit/transactions', description }],
  })

/** Waits for transactions up to `limitMs`. They continue after that, and a repeat under the same key finds them. */
const awaitMined = async (limitMs: number, work: Promise<void>): Promise<void> => {
  // The loser of the race must not become an unhandled rejection.
  work.catch(() => undefined)
  const ending = new AbortController()
  const bound = sleep(limitMs, undefined, { signal: ending.signal }).then(() => {
    const detail = 'The transactions are sent and not mined yet. The same request under the same key finds them.'
    throw new ServiceError('blockchain_unavailable', { reason: 'transactions_not_mined', detail })
  })
  bound.catch(() => undefined)
  await Promise.race([work, bound]).finally(() => ending.abort())
}

/** The caller's account: balance sheet, position, deposits, and the test funding of a local chain. */
export const createAccountHandlers = (deps: ApiDeps): HandlersOf<typeof accountOperations> => {
  const { settings, chain, isLocal, database, reads, clients, transactions } = deps
  const { symbol, decimals } = chain.asset
  const accountReads = createAccountReads(chain, clients)
  const gasGrants = createGasGrants(deps)
  const readPlaces = createPlaceReads(chain, clients, reads)
  const withdraw = createWithdrawals({ ...deps, accountReads, readPlaces, gasGrants })
  const fund = createFunding(chain, clients, transactions)

  const assertKnownAsset = (asset: string | undefined, pointer: string): void => {
    if (asset === undefined || asset === symbol) return
    throw invalidRequest([{ pointer, rule: 'enum', limit: symbol, message: `must be ${symbol}` }])
  }

  const timelineRow = ({ type, sessionId, at, amountRaw }: StatementEntry) => ({
    id: `${type}:${sessionId}`,
    at: iso(at),
    type,
    asset: symbol,
    amount: amount({ raw: amountRaw, decimals }),
  })

  /** Balances and locks of a wallet, and the newest rows of its statement. */
  const readSheet = async (wallet: Hex, limit: number) => {
    const [sheet, locks, statement] = await Promise.all([
      accountReads.readBalances(wallet),
      liveLocks(database.rows, wallet, deps.clock.now()),
      readStatement(database.rows, { wallet, asset: symbol, limit }),
    ])
    return { sheet, locks, encumberedRaw: sumOf(locks), statement }
  }

  const accountOf = async (wallet: Hex) => {
    const { sheet, encumberedRaw, statement } = await readSheet(wallet, TIMELINE_LENGTH)
    const { block, position, walletBalanceRaw } = sheet
    return {
      wallet,
      source: 'chain',
      asOf: iso(block.time),
      ...balanceSheetView({ symbol, decimals, position, encumberedRaw }),
      walletBalance: { [symbol]: amount({ raw: walletBalanceRaw, decimals }) },
      treasuryTimeline: statement.map(timelineRow),
    }
  }

  /** Test funding works on a local chain only, for the wallet of the backend signer. */
  const assertFundable = (wallet: Hex): void => {
    if (!isLocal) throw restricted('chain_not_local', 'Test funding works on a local chain only.', 'Deposit tokens of your wallet.')
    if (wallet !== transactions.addressOf('operator').toLowerCase())
      throw restricted(
        'not_the_backend_signer',
        'Only the wallet of the backend signer can fund itself.',
        `Pay the wallet, then deposit: ${faucetCommand(wallet, { usdc: '5', gas: true })}`,
      )
  }

  const buildWithdrawal = async (input: Input<typeof accountOperations.buildAccountWithdrawTransactions>) => {
    const { caller, body, request } = input
    assertKnownAsset(body.asset, '/asset')
    const withdrawal = { wallet: caller.wallet, amountRaw: BigInt(body.amount), destination: body.destination ?? null }
    return { status: 200 as const, body: await withdraw(withdrawal, body.requestGasGrant === true ? request.id : null) }
  }

  return {
    getAccount: async ({ caller }) => ({ status: 200, body: await accountOf(caller.wallet) }),

    getBorrowCapacity: async ({ caller, query }) => {
      assertKnownAsset(query.asset, 'query/asset')
      const { raw, block } = await reads.borrowCapacity(caller.wallet)
      const borrowCapacity = amount({ raw, decimals })
      return { status: 200, body: { wallet: caller.wallet, asset: symbol, borrowCapacity, source: 'chain', asOf: iso(block.time) } }
    },

    getAccountPosition: async ({ caller, query }) => {
      assertKnownAsset(query.asset, 'query/asset')
      const { wallet } = caller
      const { sheet, locks, encumberedRaw, statement } = await readSheet(wallet, STATEMENT_LENGTH)
      const [grant, places] = await Promise.all([gasGrants.show(wallet, sheet.position.liquid), readPlaces(wallet, sheet, locks)])
      return { status: 200, body: positionView(chain, wallet, { sheet, statement, grant, encumberedRaw, places }) }
    },

    buildAccountDepositTransactions: async ({ caller, body }) => {
      assertKnownAsset(body.asset, '/asset')
      return { status: 200, body: await buildDeposit({ ...deps, reads: accountReads }, caller.wallet, BigInt(body.amount)) }
    },

    buildAccountWithdrawTransactions: (input) =>
      input.body.requestGasGrant === true ? withProcessKey(deps, input, () => buildWithdrawal(input)) : buildWithdrawal(input),

    fundAccount: async (input) => {
      const { body, request } = input
      const { wallet } = input.caller
      assertFundable(wallet)
      assertKnownAsset(body.asset, '/asset')
      const amountRaw = BigInt(body.amount)
      const key = `account-fund/${wallet}/${request.idempotencyKey ?? `request ${request.id}`}`
      return withProcessKey(deps, input, async () => {
        await awaitMined(settings.CHAIN_WAIT_SECONDS * 1000, fund({ key, amountRaw, requestId: request.id }))
        return { status: 200, body: await accountOf(wallet) }
      })
    },
  }
}
