import { listContent } from '../../activities/content/records.ts'
import { CONTENT_PUBLIC_AFTER_SECONDS } from '../../domain/common/constants.ts'
import { iso, plusSeconds } from '../../domain/common/instants.ts'
import { contentVisibility } from '../../domain/content/visibility.ts'
import type * as contentOperations from '../../schemas/content/operations.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'

/** Stored blobs, for their owner, for admins, and for every caller once they are public. */
export const createContentHandlers = (deps: Pick<ApiDeps, 'database' | 'clock' | 'baseUrl'>): HandlersOf<typeof contentOperations> => {
  const { database, clock, baseUrl } = deps
  return {
    getContent: async ({ params, caller }) => {
      const found = await listContent(database.rows, params.hash)
      if (found.length === 0) throw new ServiceError('content_not_found', { details: { hash: params.hash } })
      const isOwned = ({ owner }: { owner: string }): boolean => caller?.roles.includes('admin') === true || owner === caller?.wallet
      const readable = found.find(isOwned) ?? found.find((row) => contentVisibility(row, clock.now()) === 'public')
      if (readable === undefined)
        throw caller === null ? new ServiceError('missing_token') : new ServiceError('content_private', { details: { hash: params.hash } })
      const { hash, owner, contentType, verdict, createdAt, publishedAt, payload } = readable
      return {
        status: 200,
        body: {
          ...{ hash, contentType, verdict, payload },
          ownerWallet: owner,
          createdAt: iso(createdAt),
          ...(publishedAt !== null && { publishedAt: iso(publishedAt) }),
          autoPublicAt: iso(plusSeconds(createdAt, CONTENT_PUBLIC_AFTER_SECONDS)),
          visibility: contentVisibility(readable, clock.now()),
          contentURI: `${baseUrl}/content/${hash}`,
          autoDisclosureEvent: { emitted: false, reason: 'not_published' },
        },
      }
    },
  }
}
