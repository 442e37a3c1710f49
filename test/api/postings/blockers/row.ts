// One blocker of a posted job: the request that it refuses, what the problem document says, and a near request that it lets pass.
import type { Reply } from '../../../support/api.ts'
import type { PostingHttp } from '../../support/posting-http.ts'

export type Stage = PostingHttp

export interface Blocker {
  code: string
  /** What stands against the request. */
  name: string
  status: number
  /** Members of `details`: the rule and its limit among them. */
  details: object
  /** `METHOD path` of each next action; its kind where it has no path. Ids stand as `{…}`. */
  next: readonly string[]
  /** Pointer of the first broken rule. */
  pointer?: string
  retryable?: boolean
  /** Code of the answer to the right request, where it asks for a transaction; none where it succeeds. */
  asks?: string
  /** The refused answer, and that of the nearest request that is right; null where there is none. */
  play: () => Promise<readonly [refused: Reply, right: Reply | null]>
}

/** Ids of one run, as a row writes them. */
const withoutIds = (path: string): string =>
  path.replaceAll(/0x[0-9a-f]{64}%3A0x[0-9a-f]{40}(?:%3A\d+)?/gi, '{session}').replaceAll(/0x[0-9a-f]{64}/gi, '{id}')

/** Next actions of a problem document as a row writes them. */
export const nextOf = ({ body }: Reply): string[] =>
  (body.nextActions as { kind: string; method?: string; path?: string }[]).map(({ kind, method, path }) =>
    path === undefined ? kind : withoutIds(`${method} ${path}`),
  )
