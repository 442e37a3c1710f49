import { readConsent } from '../../activities/consents/listing.ts'
import { findShare, insertShare, markRevoked, type NewShare, type ShareRow } from '../../activities/shares/records.ts'
import { findShareId, newShareId, shareToken } from '../../activities/shares/tokens.ts'
import { iso, plusSeconds } from '../../domain/common/instants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type * as shareOperations from '../../schemas/shares/operations.ts'
import { SHARE_REFERENCE } from '../../schemas/shares/record.ts'
import { SharedResourceShape } from '../../schemas/shares/shapes.ts'
import type { ApiDeps } from '../deps.ts'
import { createProfileReader } from '../directory/profiles.ts'
import { withIdempotentTransaction } from '../http/idempotency.ts'
import { invalidRequest } from '../http/problem.ts'
import { sharePage } from './share-page.ts'
import { TAKE } from './snapshots.ts'

/** The record that a request names, by `id` or by the member of its surface. Throws 400 for none, for two, and for one of another surface. */
const referenceOf = (body: Input<typeof shareOperations.createShare>['body']): string => {
  const own = SHARE_REFERENCE[body.surface]
  const wrong = Object.values(SHARE_REFERENCE).filter((name) => name !== own && body[name] !== undefined)
  const given = [body.id, body[own]].filter((reference) => reference !== undefined)
  const errors = wrong.map((name) => ({ pointer: `/${name}`, rule: 'unknown', message: `belongs to another surface than ${body.surface}` }))
  const [reference] = given
  if (given.length > 1) errors.push({ pointer: '/id', rule: 'oneOf', message: `stands in place of ${own}` })
  if (reference === undefined) errors.push({ pointer: `/${own}`, rule: 'required', message: 'is required' })
  if (reference === undefined || errors.length > 0) throw invalidRequest(errors)
  return reference
}

const view = ({ id, surface, createdAt, expiresAt, snapshotAt, revokedAt }: Pick<ShareRow, 'revokedAt'> & NewShare) => ({
  id,
  surface,
  mode: 'read_only',
  issuedAt: iso(createdAt),
  expiresAt: iso(expiresAt),
  snapshotAt: iso(snapshotAt),
  ttlSeconds: Math.round((expiresAt - createdAt) / 1000),
  ...(revokedAt !== null && { revokedAt: iso(revokedAt) }),
})

/** Shares: frozen, redacted copies of records for everyone who has their address. Source: identity, "Shares". */
export const createShareHandlers = (deps: ApiDeps): HandlersOf<typeof shareOperations> => {
  const { settings, database, clock, baseUrl } = deps
  const findProfile = createProfileReader(deps)

  /** Secret of the tokens. The API does not start without it. */
  const secret = (): string => {
    if (settings.SHARE_SECRET === undefined) throw new Error('no share secret is configured')
    return settings.SHARE_SECRET
  }

  /** The share of a token. Throws 403, 404 or 410; an agent's share ends when its wallet leaves the directory. */
  const resolve = async (token: string): Promise<ShareRow> => {
    const id = findShareId(secret(), token)
    if (id === null) throw new ServiceError('invalid_share_token')
    const { rows } = database
    const share = await findShare(rows, id)
    if (share === null) throw new ServiceError('share_not_found')
    if (share.revokedAt !== null) throw new ServiceError('share_revoked', { details: { revokedAt: iso(share.revokedAt) } })
    const now = clock.now()
    if (now >= share.expiresAt) throw new ServiceError('share_token_expired', { details: { expiresAt: iso(share.expiresAt) } })
    if (share.surface === 'agent' && !(await readConsent(rows, share.ref)).publicProfile) throw new ServiceError('share_not_found')
    return share
  }

  return {
    createShare: async (input) => {
      const { body, caller } = input
      const reference = referenceOf(body)
      const answer = await withIdempotentTransaction(deps, input, async (rows) => {
        const now = clock.now()
        const { ref, resource } = await TAKE[body.surface]({ rows, now, baseUrl, findProfile }, reference, caller)
        const share = {
          id: newShareId(),
          surface: body.surface,
          ref,
          snapshot: { ...resource },
          snapshotAt: now,
          createdBy: caller.wallet,
          createdAt: now,
          expiresAt: plusSeconds(now, body.ttlSeconds),
        }
        await insertShare(rows, share)
        return { status: 201 as const, body: { status: 'created', share: view({ ...share, revokedAt: null }) } }
      })
      // No stored answer holds a token.
      const token = shareToken(secret(), answer.body.share.id)
      const apiPath = `/shares/${token}`
      const paths = { appPath: `/share?token=${token}`, apiPath, apiUrl: `${baseUrl}${apiPath}` }
      return { ...answer, body: { ...answer.body, token, ...paths } }
    },

    getShare: async ({ params }) => {
      const row = await resolve(params.token)
      const share = view(row)
      const resource = SharedResourceShape.parse(row.snapshot)
      return { status: 200, body: { status: 'ok', share, resource }, page: () => sharePage(share, resource) }
    },

    revokeShare: (input) =>
      withIdempotentTransaction(deps, input, async (rows) => {
        const { id } = input.params
        const { wallet, roles } = input.caller
        const share = await findShare(rows, id)
        // A share of another looks like none.
        if (share === null || (share.createdBy !== wallet && !roles.includes('admin')))
          throw new ServiceError('share_not_found', { details: { id } })
        const revokedAt = await markRevoked(rows, id, { by: wallet, at: clock.now() })
        return { status: 200 as const, body: { status: 'revoked', share: view({ ...share, revokedAt }) } }
      }),
  }
}
