import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../entities/columns.ts'
import type { VestingCheckpoint } from './record.ts'

/** A deposit whose full vesting was announced. Its only use is that it is announced once. */
export const VestedTranche = defineEntity({
  name: 'VestedTranche',
  properties: {
    chainId: p.integer().primary(),
    /** Log of the deposit. */
    txHash: p.text().primary(),
    logIndex: p.integer().primary(),
    /** Lower case. */
    wallet: p.text(),
    vestedAt: instant(),
  },
})

/**
 * Vesting of a wallet after its recorded events up to one log, from which a reading continues. Losing a row changes no number. The follower
 * deletes a row when it changes an event that the row counts.
 */
export const StoredCheckpoint = defineEntity({
  name: 'StoredCheckpoint',
  tableName: 'vesting_checkpoint',
  properties: {
    chainId: p.integer().primary(),
    /** Address of the deposit pool, lower case. */
    pool: p.text().primary(),
    /** Lower case. */
    wallet: p.text().primary(),
    /** Last counted log. */
    upToBlock: p.bigint(),
    upToLog: p.integer(),
    state: p.json<VestingCheckpoint>(),
  },
})
