import { sql } from 'kysely'
import { DAY_MS } from '../../domain/common/instants.ts'
import type { Rows } from '../database/database.ts'

/** What a delegate has used of its budget in the last 24 hours. */
export interface DelegateUse {
  bondsRaw: bigint
  jobs: number
}

interface Counted {
  grantId: string
  bondsRaw: string
  jobs: number
}

const NOTHING: DelegateUse = { bondsRaw: 0n, jobs: 0 }

/** Bonds and claims of each grant in the last 24 hours before `now` (epoch ms). A claim that was released before its bond was locked does not count. */
export const readDelegateUse = async (rows: Rows, grantIds: readonly string[], now: number): Promise<ReadonlyMap<string, DelegateUse>> => {
  const counted = await sql<Counted>`
    select grant_id as "grantId", sum(bond_raw)::text as "bondsRaw", count(*)::int as jobs from claim_intent
    where grant_id = any(${[...grantIds]}) and status <> 'released' and created_at > ${new Date(now - DAY_MS)}
    group by grant_id`.execute(rows)
  const found = new Map(counted.rows.map(({ grantId, bondsRaw, jobs }) => [grantId, { bondsRaw: BigInt(bondsRaw), jobs }]))
  return new Map(grantIds.map((id) => [id, found.get(id) ?? NOTHING]))
}
