import type { SourceFault } from '../../schemas/ingestion/record.ts'

/** A source could not be read. Nothing was found out about its candidates. */
export class SourceFailure extends Error {
  readonly fault: SourceFault
  /** Seconds that the source asks to wait; null without a wish. */
  readonly retryAfterSeconds: number | null
  constructor(fault: SourceFault, detail: string, retryAfterSeconds: number | null = null) {
    super(detail)
    this.name = 'SourceFailure'
    this.fault = fault
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A candidate that could not be read alone: gone, or longer than the service reads. */
export interface UnreadItem {
  /** As the rules of the source name a candidate. */
  key: string
  reason: string
  detail: string
}

/** One page of a source. */
export interface SourcePage<Item> {
  items: Item[]
  /** Candidates that are no items because they could not be read. */
  unread?: readonly UnreadItem[]
  /** Where the next page begins; null after the last. JSON, at most 2 kB. */
  next: string | null
}

/** Client of one source: reads candidates page by page. */
export interface Source<Input, Item> {
  /**
   * Reads the page that begins at `cursor`, null for the first. Throws `SourceFailure`; an answer in another form than the source documents is
   * `source_unreadable`, never an empty page.
   */
  readPage(input: Input, cursor: string | null): Promise<SourcePage<Item>>
}

/** What a request to a source may cost. */
export interface SourceRequest {
  url: string
  /** Sent as JSON by POST; without one the request is a GET. */
  json?: unknown
  headers?: Readonly<Record<string, string>>
  /** Longest decoded body, bytes. */
  maxBytes: number
  /** Media types that the answer may have, without parameters; any without a list. */
  types?: readonly string[]
  /** Statuses besides 200 that are an answer and no failure, such as 404. */
  accept?: readonly number[]
}

/** Answer of a source with its decoded body. */
export interface SourceAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
  /** Address after redirects. */
  url: string
  /** True when nothing has changed since the stored answer, whose body `body` then is. */
  unchanged: boolean
}

/** Requests of one run to one source: one after the other, within the budget of the run, conditional where the source supports it. */
export interface SourceHttp {
  /** Throws `SourceFailure`. */
  get(request: SourceRequest): Promise<SourceAnswer>
  /** The body parsed as JSON; `source_unreadable` for anything else, such as HTML under the type JSON. Throws `SourceFailure`. */
  getJson(request: SourceRequest): Promise<{ value: unknown; answer: SourceAnswer }>
  /** Requests of the run so far. */
  readonly used: number
}
