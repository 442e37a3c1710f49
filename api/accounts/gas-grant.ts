import { readGasGrantFacts } from '../../activities/accounts/gas-grant-records.ts'
import { databaseOutage } from '../../activities/database/outages.ts'
import {
  decideGasGrant,
  type GasGrantFacts,
  gasGrantView,
  type WithdrawalIntent,
  withdrawalIntentHash,
} from '../../domain/accounts/gas-grant.ts'
import { knownValue } from '../../domain/common/fact.ts'
import { reachesWallet } from '../../domain/identity/native/earning.ts'
import type { GasGrantReason } from '../../schemas/accounts/record.ts'
import type { ApiDeps } from '../deps.ts'

/** The withdrawal of a request; `requestId` only if the request asks for the grant. */
export interface GrantRequest extends Omit<WithdrawalIntent, 'symbol' | 'asset'> {
  destination: string
  requestId: string | null
}

/** A withdrawal is built even while the records cannot be read; the grant then waits. */
const unread = (error: unknown): Pick<GasGrantFacts, 'prior' | 'reservedToday' | 'mapped'> => {
  if (databaseOutage(error) === null) throw error
  return { prior: 'unreadable', reservedToday: 'unreadable', mapped: 'unreadable' }
}

/** Decisions after which a process brings the grant to its end. */
const BEGUN_OR_AVAILABLE: readonly GasGrantReason[] = ['first_withdrawal_gas_grant_available', 'first_withdrawal_gas_grant_in_progress']

/** The gas grant of first withdrawals as the API shows it and asks for it. */
export const createGasGrants = ({ settings, chain, database, clock, transactions, engine, identities }: ApiDeps) => {
  const { symbol, address: asset } = chain.asset
  const assets = { settlement: chain.asset, native: { symbol: chain.nativeSymbol, decimals: chain.nativeDecimals } }

  const readFacts = async (wallet: string) => {
    const [records, identity] = await Promise.all([
      readGasGrantFacts(database.rows, wallet, clock.now()),
      identities.read(database.rows, wallet),
    ])
    return { ...records, mapped: reachesWallet(identity) }
  }

  const factsOf = async (wallet: string, liquidRaw: bigint, intent: WithdrawalIntent | null): Promise<GasGrantFacts> => {
    const intentHash = intent === null ? null : withdrawalIntentHash(intent)
    return {
      ...(await readFacts(wallet).catch(unread)),
      isOffered: transactions.hasKey('operator'),
      isSettlementAsset: true,
      liquidRaw,
      dailyCap: settings.FIRST_WITHDRAWAL_GAS_GRANT_DAILY_CAP,
      intentHash,
      currentIntentHash: intentHash,
    }
  }

  const view = (facts: GasGrantFacts, reason?: GasGrantReason) => gasGrantView(facts, assets, clock.now(), reason)

  return {
    /** The decision for a wallet, outside a withdrawal. */
    show: async (wallet: string, liquidRaw: bigint) => view(await factsOf(wallet, liquidRaw, null)),

    /**
     * The decision for a withdrawal. If it asks for an available grant, the grant is sent; a repeat joins its process, or begins it again if it
     * was stopped, and reports the outcome.
     */
    decide: async ({ requestId, ...withdrawal }: GrantRequest) => {
      const { wallet, amountRaw, destination, liquidRaw } = withdrawal
      const read = () => factsOf(wallet, liquidRaw, { ...withdrawal, symbol, asset })
      const facts = await read()
      if (requestId === null || !BEGUN_OR_AVAILABLE.includes(decideGasGrant(facts))) return view(facts)
      const raw = { amountRaw: amountRaw.toString(), liquidRaw: liquidRaw.toString() }
      const outcome = await engine.requestGasGrant({ v: 1, wallet, destination, requestId, ...raw })
      const later = await read()
      if (outcome.kind === 'refused') return view(later, outcome.reason)
      // The process runs but has not reserved yet, as when no worker is up.
      return knownValue(later.prior) === null ? view(later, 'first_withdrawal_gas_grant_in_progress') : view(later)
    },
  }
}
export type GasGrants = ReturnType<typeof createGasGrants>
