import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { RevisionAnchor } from '../../schemas/catalogue/job-input.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { RunProfile } from '../../schemas/verification/verdict.ts'
import { createFetches } from '../outbound/clients.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { createPullRequests } from '../pull-requests/reader.ts'

/** Wikitext of a pinned revision, or why it is unavailable. */
export type Revision = { text: string } | { unavailable: string }
export type ReadRevision = (anchor: RevisionAnchor) => Promise<Revision>

/** Time limit of each read. */
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
          revisions: z.array(z.object({ revid: z.int(), slots: z.object({ main: z.object({ content: z.string() }) }) })).length(1),
        }),
      )
      .length(1),
  }),
})

/** Address of an edition's API, without a query. */
export const revisionApiUrl = (template: string, language: string): string => template.replaceAll('{language}', language)

const addressOf = (template: string, { language, revisionId }: RevisionAnchor): string => {
  const query = new URLSearchParams({
    action: 'query',
    prop: 'revisions',
    revids: revisionId,
    rvprop: 'ids|content',
    rvslots: 'main',
    format: 'json',
    formatversion: '2',
  })
  return `${revisionApiUrl(template, language)}?${query}`
}

const textOf = (body: Buffer, revisionId: string): Revision => {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { unavailable: 'the answer is not JSON' }
  }
  const [revision] = Page.safeParse(value).data?.query.pages[0]?.revisions ?? []
  if (revision === undefined) return { unavailable: 'the answer holds no revision' }
  return String(revision.revid) === revisionId
    ? { text: revision.slots.main.content }
    : { unavailable: 'the answer holds another revision' }
}

/** Reads pinned revisions of an encyclopedia through the guarded fetch. Accepts only the requested revision. */
export const createRevisions =
  ({ settings, fetch }: { settings: Pick<Settings, 'WIKIPEDIA_API_URL'>; fetch: GuardedFetch }): ReadRevision =>
  async (anchor) => {
    const url = addressOf(settings.WIKIPEDIA_API_URL, anchor)
    const answer = await fetch({ url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, redirects: REDIRECTS })
    if (!answer.ok) return { unavailable: `${answer.failure}: ${answer.detail}` }
    return answer.status === 200 ? textOf(answer.body, anchor.revisionId) : { unavailable: `status ${answer.status}` }
  }

/** True if a public address responds with content. */
export type IsReachable = (url: string) => Promise<boolean>

const FIRST_BYTES = 1_024

/** Requests the first kilobyte. A redirect counts as a failure, since the address itself is pinned. Source: lifecycle, "deterministic". */
export const createReachable =
  (fetch: GuardedFetch): IsReachable =>
  async (url) => {
    const headers = { range: `bytes=0-${FIRST_BYTES - 1}` }
    const answer = await fetch({ url, headers, timeoutMs: TIMEOUT_MS, maxBytes: FIRST_BYTES, cut: true, redirects: 0 })
    return answer.ok && (answer.status === 200 || answer.status === 206)
  }

/** Longest source whose facts a job commits to, decoded bytes. */
export const MAX_SOURCE_BYTES = 8 * 1024 * 1024
const SOURCE_REDIRECTS = 3

/** SHA-256 of the bytes at a public address, hex in lower case. `unreachable`: it does not answer 200. */
export type SourceDigest = { sha256: string } | { fault: 'unreachable' | 'too_large' }
export type ReadDigest = (url: string) => Promise<SourceDigest>

/** Fetches the whole source, bounded. */
export const createDigests =
  (fetch: GuardedFetch): ReadDigest =>
  async (url) => {
    const answer = await fetch({ url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_SOURCE_BYTES, redirects: SOURCE_REDIRECTS })
    if (!answer.ok) return { fault: answer.failure === 'too_large' ? 'too_large' : 'unreachable' }
    if (answer.status !== 200) return { fault: 'unreachable' }
    return { sha256: createHash('sha256').update(answer.body).digest('hex') }
  }

/** Creates the sources of a process's handlers, each with its own guarded fetch. */
export const createVerifierSources = (settings: Settings) => {
  const { codehost, encyclopedia, callers } = createFetches(settings)
  return {
    readPullRequest: createPullRequests({ settings, fetch: codehost }),
    readRevision: createRevisions({ settings, fetch: encyclopedia }),
    isReachable: createReachable(callers),
    readDigest: createDigests(callers),
    // Only a worker runs profiles.
    runProfile: null as RunProfile | null,
  }
}
/** External reads of the handlers. Each returns an answer and never throws for a remote failure. */
export type VerifierSources = ReturnType<typeof createVerifierSources>
