import type { IncomingMessage } from 'node:http'
import Provider, { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import { findLiveDelegate } from '../../activities/identity/grants.ts'
import {
  consumeRecord,
  deleteRecord,
  deleteRecordsOf,
  findRecord,
  rotateToken,
  writeClient,
  writeRecord,
} from '../../activities/oauth/records.ts'
import { isStorable } from '../../domain/common/text.ts'
import type { ServiceDeps } from '../deps.ts'
import { endDelegateItself } from '../identity/delegates.ts'

/** Kinds that are not kept: a browser has no session, and access tokens are those of the service. */
const UNKEPT: ReadonlySet<string> = new Set(['Session', 'AccessToken'])

/** The request that the authorisation server answers. */
const currentRequest = (): IncomingMessage => {
  const request = Provider.ctx?.req
  if (request === undefined) throw new Error('no request is answered')
  return request
}

/** Records of the authorisation server in the database. `successors` gets the refresh token that a request replaces one by. */
export const createAdapters = (
  { database, clock, settings }: Pick<ServiceDeps, 'database' | 'clock' | 'settings'>,
  successors: WeakMap<IncomingMessage, string>,
): AdapterFactory => {
  /** Refresh token of a request, which is used in the transaction that stores its successor. */
  const replaced = new WeakMap<IncomingMessage, string>()
  return (model): Adapter => {
    const { rows } = database
    const graceSeconds = settings.AUTH_REFRESH_GRACE_SECONDS
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      // No record has an id that cannot be stored.
      if (!isStorable(id)) return undefined
      const now = clock.now()
      // What the wallet has revoked is no grant any more: its codes and refresh tokens end with it.
      if (model === 'Grant' && (await findLiveDelegate(rows, id, now)) === null) return undefined
      const found = await findRecord(rows, { model, id }, { now, graceSeconds })
      if (found === null) return undefined
      const { payload, consumedAt } = found
      return { ...payload, ...(consumedAt !== null && { consumed: Math.floor(consumedAt / 1000) }) }
    }
    return {
      upsert: async (id, payload, seconds) => {
        if (UNKEPT.has(model)) return
        const now = clock.now()
        const used = model === 'RefreshToken' ? replaced.get(currentRequest()) : undefined
        if (used !== undefined) {
          const next = { payload: { ...payload }, seconds: seconds ?? null }
          const successor = await database.transaction((inside) => rotateToken(inside, used, next, { now, graceSeconds }))
          if (successor === null) throw new errors.InvalidGrant('was used before')
          successors.set(currentRequest(), successor)
          return
        }
        if (model !== 'Client') return writeRecord(rows, { model, id }, { ...payload }, seconds ?? null, now)
        const isKept = await database.transaction((inside) => writeClient(inside, id, { ...payload }, settings.OAUTH_CLIENT_LIMIT, now))
        if (!isKept) throw new errors.TemporarilyUnavailable('too many clients are registered')
      },
      find,
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
      consume: async (id) => {
        if (model === 'RefreshToken') replaced.set(currentRequest(), id)
        else if (!(await consumeRecord(rows, { model, id }, clock.now()))) throw new errors.InvalidGrant('was used before')
      },
      destroy: (id) => deleteRecord(rows, { model, id }),
      // The grant ends before its records go: an outage in between leaves them, and the client can repeat.
      revokeByGrantId: async (grantId) => {
        await endDelegateItself({ database, clock }, grantId)
        await deleteRecordsOf(rows, model, grantId)
      },
    }
  }
}
