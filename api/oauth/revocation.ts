import { emit } from '../../activities/events/outbox.ts'
import { lockGrant, revokeGrant } from '../../activities/identity/grants.ts'
import type { ServiceDeps } from '../deps.ts'
import { delegateEvent } from '../identity/delegates.ts'

/** Revokes a delegate that its client ended, or whose code or refresh token was used twice. */
export const revokeByClient = ({ database, clock }: Pick<ServiceDeps, 'database' | 'clock'>, grantId: string): Promise<void> =>
  database.transaction(async (rows) => {
    const grant = await lockGrant(rows, 'delegate', grantId)
    if (grant === null || grant.revokedAt !== null) return
    const at = clock.now()
    await emit(rows, delegateEvent('delegate.revoke', await revokeGrant(rows, grant, { by: 'client', at, note: null }), at))
  })
