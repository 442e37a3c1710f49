import { sql } from 'kysely'
import { ROLLING_BUDGET_SECONDS } from '../../domain/common/constants.ts'
import { type CountedClaim, type Delegate, type DelegateUse, RUN_ENDED, useOf } from '../../domain/eligibility/delegate-budget.ts'
import { grantEnd } from '../../domain/identity/grants.ts'
import type { Rows } from '../database/database.ts'
import { findGrant } from '../identity/grants.ts'

const DAY_MS = ROLLING_BUDGET_SECONDS * 1000

/**
 * What each delegate has used of its 24 hours at `now` (epoch ms), by its grant. A claim counts from its admission until 24 hours after it was
 * recorded or its run was ended, so that it counts for a day from whenever its bond was locked. A refused claim locks nothing and counts not at
 * all. One statement, as a claim that is being recorded passes from what it may lock to what it did.
 */
export const readDelegateUse = async (rows: Rows, grantIds: readonly string[], now: number): Promise<ReadonlyMap<string, DelegateUse>> => {
  const since = new Date(now - DAY_MS)
  const found = await sql<{ grantId: string; bondRaw: string; closedAt: Date | null }>`
    select i.grant_id as "grantId", coalesce(s.claim_stake_raw + s.claim_fee_raw, i.unwaived_bond_raw)::text as "bondRaw", i.closed_at as "closedAt"
    from claim_intent i left join session s on s.run_id = i.run_id
    where i.grant_id = any(${grantIds}) and (i.status <> 'released' or i.failure_code = ${RUN_ENDED})
      and (i.closed_at is null or i.closed_at > ${since})`.execute(rows)
  const claims = new Map<string, CountedClaim[]>(grantIds.map((grantId) => [grantId, []]))
  for (const { grantId, bondRaw, closedAt } of found.rows)
    claims.get(grantId)?.push({ bondRaw: BigInt(bondRaw), freesAt: (closedAt === null ? now : new Date(closedAt).getTime()) + DAY_MS })
  return new Map([...claims].map(([grantId, counted]) => [grantId, useOf(counted)]))
}

/** The delegate of a grant. Throws if there is none. */
export const readDelegate = async (rows: Rows, grantId: string, now: number): Promise<Delegate> => {
  const [grant, use] = await Promise.all([findGrant(rows, 'delegate', grantId), readDelegateUse(rows, [grantId], now)])
  const used = use.get(grantId)
  if (grant?.terms == null || used === undefined) throw new Error(`no delegate has the grant ${grantId}`)
  return { terms: grant.terms, ended: grantEnd(grant, now), use: used }
}
