import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Rows } from '../../activities/database/database.ts'
import { findLiveDelegate } from '../../activities/identity/grants.ts'
import {
  consumeRecord,
  deleteRecord,
  deleteRecordsOf,
  findRecord,
  type RecordName,
  rotateToken,
  writeClient,
  writeRecord,
} from '../../activities/oauth/records.ts'
import { isStorable } from '../../domain/common/text.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { ServiceDeps } from '../deps.ts'
import { endDelegateItself } from '../identity/delegates.ts'

/** Kinds that are not kept: a browser has no session, and access tokens are those of the service. */
const UNKEPT: ReadonlySet<string> = new Set(['Session', 'AccessToken'])
/** Kind of a record → kinds that it can follow from. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  AuthorizationCode: ['Interaction'],
  RefreshToken: ['AuthorizationCode', 'RefreshToken'],
}

/** Context of the request that the authorisation server answers. */
const currentContext = () => {
  const context = Provider.ctx
  if (context === undefined) throw new Error('no request is answered')
  return context
}

/** Records of the authorisation server in the database. */
export const createAdapters = ({ database, clock, settings }: Pick<ServiceDeps, 'database' | 'clock' | 'settings'>) => {
  const outer = new AsyncLocalStorage<Rows>()
  /** Record that a request uses: it counts as used with the transaction that stores what follows from it. */
  const sources = new WeakMap<IncomingMessage, RecordName>()
  const successors = new WeakMap<IncomingMessage, string>()
  const graceSeconds = settings.AUTH_REFRESH_GRACE_SECONDS

  /** Uses a record and stores what follows from it, all or nothing. Throws for a record that was used before. */
  const follow = (used: RecordName, next: RecordName, payload: Record<string, unknown>, seconds: number | null) =>
    database.transaction(async (rows) => {
      const now = clock.now()
      if (used.model === 'RefreshToken') {
        const successor = await rotateToken(rows, used.id, { payload, seconds }, { now, graceSeconds })
        if (successor === null) throw new errors.InvalidGrant('was used before')
        return successors.set(currentContext().req, successor)
      }
      if (used.model === 'Interaction' && !(await deleteRecord(rows, used))) throw new ServiceError('oauth_request_ended')
      if (used.model === 'AuthorizationCode' && !(await consumeRecord(rows, used, now))) throw new errors.InvalidGrant('was used before')
      return writeRecord(rows, next, payload, seconds, now)
    })

  const adapter = (model: string): Adapter => {
    const rows = (): Rows => outer.getStore() ?? database.rows
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      // No record has an id that cannot be stored.
      if (!isStorable(id)) return undefined
      const now = clock.now()
      // What the wallet has revoked is no grant any more: its codes and refresh tokens end with it.
      if (model === 'Grant' && (await findLiveDelegate(rows(), id, now)) === null) return undefined
      const found = await findRecord(rows(), { model, id }, { now, graceSeconds })
      if (found === null) return undefined
      const { payload, consumedAt } = found
      return { ...payload, ...(consumedAt !== null && { consumed: Math.floor(consumedAt / 1000) }) }
    }
    return {
      upsert: async (id, payload, lifetime) => {
        if (UNKEPT.has(model)) return
        const name = { model, id }
        const kept = { ...payload }
        const seconds = lifetime ?? null
        if (model === 'Client') {
          const isKept = await database.transaction((inside) => writeClient(inside, id, kept, settings.OAUTH_CLIENT_LIMIT, clock.now()))
          if (!isKept) throw new errors.TemporarilyUnavailable('too many clients are registered')
          return
        }
        const used = SOURCES[model] === undefined ? undefined : sources.get(currentContext().req)
        if (used !== undefined && SOURCES[model]?.includes(used.model)) await follow(used, name, kept, seconds)
        else await writeRecord(rows(), name, kept, seconds, clock.now())
      },
      find,
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const { req, oidc } = currentContext()
        // From a client that may not refresh nothing follows that is stored.
        if (oidc.client?.grantTypeAllowed('refresh_token')) sources.set(req, { model, id })
        else if (!(await consumeRecord(rows(), { model, id }, clock.now()))) throw new errors.InvalidGrant('was used before')
      },
      destroy: async (id) => {
        const context = Provider.ctx
        // A request that was granted ends with its code: until that is stored the browser can be led back again.
        if (model === 'Interaction' && context?.oidc.entities.Interaction?.result?.consent !== undefined)
          sources.set(context.req, { model, id })
        else await deleteRecord(rows(), { model, id })
      },
      // The grant ends before its records go: an outage in between leaves them, and the client can repeat.
      revokeByGrantId: async (grantId) => {
        await endDelegateItself({ database, clock }, grantId)
        await deleteRecordsOf(rows(), model, grantId)
      },
    }
  }
  return {
    adapter,
    /** The refresh token that replaces the one of a request; null where the server chose the token. */
    successorOf: (request: IncomingMessage): string | null => successors.get(request) ?? null,
    /** Reads and writes the records of `work` in the transaction of `rows`. */
    within: <Result>(rows: Rows, work: () => Promise<Result>): Promise<Result> => outer.run(rows, work),
  }
}
