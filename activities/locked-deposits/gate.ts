import { type Fact, known } from '../../domain/common/fact.ts'
import type { PoolSnapshot } from '../../domain/locked-deposits/checks.ts'
import { activationGate, type Cohort, type GateView, gateView } from '../../domain/locked-deposits/gate.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Rows } from '../database/database.ts'
import { databaseOutage } from '../database/outages.ts'
import { gatePolicy } from './policy.ts'
import { readCohort } from './records.ts'

const cohortFact = async (rows: Rows, now: number): Promise<Fact<Cohort>> => {
  try {
    return known(await readCohort(rows, now))
  } catch (error) {
    if (databaseOutage(error) === null) throw error
    return 'unreadable'
  }
}

/** The activation gate at `now` (epoch ms) as answers show it, with what the pool has placed and whether the wallet has shares of it. */
export const readGate = async (
  rows: Rows,
  { settings, chain }: { settings: Settings; chain: ChainFile },
  pool: Fact<Pick<PoolSnapshot, 'placedRaw' | 'balanceRaw'>>,
  now: number,
): Promise<GateView> => {
  const policy = gatePolicy(settings)
  const gate = activationGate(await cohortFact(rows, now), policy, now)
  const placedRaw = typeof pool === 'string' ? pool : known(pool.known.placedRaw)
  const hasPoolShares = typeof pool !== 'string' && pool.known.balanceRaw > 0n
  return gateView(gate, policy, { placedRaw, hasPoolShares }, chain.asset)
}
