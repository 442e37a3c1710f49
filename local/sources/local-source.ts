/** A request to a local source. */
export interface LocalSourceRequest {
  method: string
  /** Path and query as the source has them, without the name of the source. */
  url: URL
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Body of a POST. */
  body: string
}

/** Answer of a local source, before faults. */
export interface LocalSourceAnswer {
  status: number
  /** Media type. */
  type: string
  body: string | Buffer
  headers?: Readonly<Record<string, string>>
}

/** A stand-in for a source: the same addresses, parameters and shapes, with seeded content. */
export interface LocalSource {
  /** Begin of its addresses on the server of local sources: `http://127.0.0.1:<port>/<name>/…`. */
  name: string
  answer(request: LocalSourceRequest): LocalSourceAnswer
}
