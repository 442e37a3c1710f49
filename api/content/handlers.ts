import { randomUUID } from 'node:crypto'
import { getContentOf, listContent } from '../../activities/content/records.ts'
import { keccakOf } from '../../domain/common/hashes.ts'
import { iso } from '../../domain/common/instants.ts'
import { contentCacheControl, contentVisibility, isConfidential, publicFrom } from '../../domain/content/visibility.ts'
import type * as contentOperations from '../../schemas/content/operations.ts'
import type { DisclosureSkip } from '../../schemas/content/record.ts'
import type { Tables } from '../../schemas/entities/tables.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { withProcessKey } from '../http/idempotency.ts'

type ContentRow = Tables['content']

const skipOf = ({ publishedBy, disclosure }: ContentRow, requestId: string): DisclosureSkip | null => {
  if (publishedBy !== requestId) return 'already_published'
  if (disclosure === 'emitted') return null
  return disclosure === 'blockchain_disabled' ? disclosure : 'chain_write_failed'
}

/** Outcome of the chain event for the request that published the blob, and for every other one. */
const disclosureView = (row: ContentRow, requestId: string) => {
  const reason = skipOf(row, requestId)
  return { emitted: reason === null, reason, ...(row.disclosureTxHash !== null && { txHash: row.disclosureTxHash }) }
}

/** Stored blobs: for every wallet once they are public, before that for their owner and for admins. */
export const createContentHandlers = (deps: ApiDeps): HandlersOf<typeof contentOperations> => {
  const { database, clock, baseUrl, engine } = deps
  const { rows } = database

  const view = (row: ContentRow, now: number) => {
    const { hash, owner, contentType, verdict, createdAt, publishedAt, payload } = row
    const opensAt = publicFrom(row)
    return {
      hash,
      contentType,
      verdict,
      payload,
      ownerWallet: owner,
      createdAt: iso(createdAt),
      ...(publishedAt !== null && { publishedAt: iso(publishedAt) }),
      autoPublicAt: opensAt === null ? null : iso(opensAt),
      visibility: contentVisibility(row, now),
      contentURI: `${baseUrl}/content/${hash}`,
      autoDisclosureEvent: { emitted: false, reason: publishedAt === null ? 'not_published' : 'already_published' },
    }
  }

  /** Rows of a hash that the caller may treat as own, and one that the caller may read. Throws 404 without one: what is private looks like none. */
  const findRows = async (hash: string, { wallet, roles }: WalletPrincipal, now: number) => {
    const all = await listContent(rows, hash)
    const own = all.find(({ owner }) => owner === wallet)
    const managed = own === undefined && roles.includes('admin') ? all : own === undefined ? [] : [own]
    const isPublic = (row: ContentRow): boolean => contentVisibility(row, now) === 'public'
    const readable = managed.find(isPublic) ?? managed[0] ?? all.find(isPublic)
    if (readable === undefined) throw new ServiceError('content_not_found', { details: { hash } })
    return { managed, readable }
  }

  return {
    getContent: async ({ params: { hash }, caller }) => {
      const now = clock.now()
      const { readable } = await findRows(hash, caller, now)
      return { status: 200, body: view(readable, now), headers: { 'cache-control': contentCacheControl(readable, now) } }
    },

    publishContent: async (input) => {
      const { params, caller, request } = input
      // The id of the request may be the caller's own, and an old one.
      const requestId = request.idempotencyKey === null ? randomUUID() : keccakOf([caller.wallet, request.idempotencyKey])
      return withProcessKey(deps, input, async () => {
        const { managed } = await findRows(params.hash, caller, clock.now())
        const [row] = managed
        if (row === undefined || isConfidential(row))
          throw new ServiceError('content_publish_forbidden', { details: { hash: params.hash } })
        const { hash, owner } = row
        if (row.publishedAt === null || row.disclosure === 'pending') await engine.publishContent({ v: 1, hash, owner, requestId })
        const published = await getContentOf(rows, { hash, owner })
        if (published.publishedAt === null) throw new ServiceError('content_publish_pending', { details: { hash } })
        return { status: 200 as const, body: { ...view(published, clock.now()), disclosureEvent: disclosureView(published, requestId) } }
      })
    },
  }
}
