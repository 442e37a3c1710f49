import { flag } from '../common/setting-parsers.ts'

export const settings = {
  /** Idle-balance allocation is offered. */
  IDLE_BALANCE_ALLOCATION_ROUTE_LIVE: flag,
}
