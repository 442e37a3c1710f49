import { z } from 'zod'
import { adoptedTexts, type Proposal } from '../../domain/deliveries/proposals.ts'
import type { DeliveryReading } from '../../schemas/deliveries/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { revisionApiUrl } from '../verification/sources.ts'

/** Reads whether proposed texts stand in the current revision of an article. Failures are answers. */
export type ReadArticleDelivery = (proposal: Proposal) => Promise<DeliveryReading>

const TIMEOUT_MS = 10_000
/** The longest articles have two million bytes; JSON and Unicode escapes make them longer. */
const MAX_BYTES = 16 * 1024 * 1024
const REDIRECTS = 2

/** Source: MediaWiki action API, `prop=revisions`, format version 2. */
const Page = z.object({
  query: z.object({
    pages: z
      .array(
        z.object({
          pageid: z.int(),
          revisions: z.array(z.object({ revid: z.int(), slots: z.object({ main: z.object({ content: z.string() }) }) })).length(1),
        }),
      )
      .length(1),
  }),
})
interface ArticleRevision {
  pageId: number
  revisionId: string
  text: string
}

const parseRevision = (body: Buffer): ArticleRevision | null => {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
  const [page] = Page.safeParse(value).data?.query.pages ?? []
  const [revision] = page?.revisions ?? []
  if (page === undefined || revision === undefined) return null
  return { pageId: page.pageid, revisionId: String(revision.revid), text: revision.slots.main.content }
}

/** Reads articles through the guarded fetch: the page of the pinned revision under whatever title it has now. */
export const createArticleDeliveries = ({
  settings,
  fetch,
}: {
  settings: Pick<Settings, 'WIKIPEDIA_API_URL'>
  fetch: GuardedFetch
}): ReadArticleDelivery => {
  const read = async (language: string, page: { revids: string } | { pageids: string }): Promise<ArticleRevision | { failure: string }> => {
    const query = new URLSearchParams({
      ...{ action: 'query', prop: 'revisions', ...page },
      ...{ rvprop: 'ids|content', rvslots: 'main', format: 'json', formatversion: '2' },
    })
    const url = `${revisionApiUrl(settings.WIKIPEDIA_API_URL, language)}?${query}`
    const answer = await fetch({ url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, redirects: REDIRECTS })
    if (!answer.ok) return { failure: `encyclopedia_${answer.failure}` }
    if (answer.status !== 200) return { failure: `encyclopedia_api_${answer.status}` }
    return parseRevision(answer.body) ?? { failure: 'encyclopedia_no_revision' }
  }

  return async ({ language, revisionId, texts }) => {
    const pinned = await read(language, { revids: revisionId })
    if ('failure' in pinned) return { ok: false, failure: pinned.failure }
    const current = await read(language, { pageids: String(pinned.pageId) })
    if ('failure' in current) return { ok: false, failure: current.failure }
    const isOther = pinned.revisionId !== revisionId || current.pageId !== pinned.pageId
    if (isOther) return { ok: false, failure: 'encyclopedia_other_revision' }
    const adopted = adoptedTexts({ texts }, pinned.text, current.text)
    return { ok: true, facts: { kind: 'edit', revisionId: current.revisionId, adopted } }
  }
}
