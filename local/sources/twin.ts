/** A request to a local twin. */
export interface TwinRequest {
  method: string
  /** Path and query as the source has them, without the prefix of the twin. */
  url: URL
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Body of a POST. */
  body: string
}

/** Answer of a local twin, before faults. */
export interface TwinAnswer {
  status: number
  /** Media type. */
  type: string
  body: string | Buffer
  headers?: Readonly<Record<string, string>>
}

/** A stand-in for a source: the same addresses, parameters and shapes, with seeded content. */
export interface Twin {
  /** Prefix of its addresses on the server of twins: `http://127.0.0.1:<port>/<name>/…`. */
  name: string
  answer(request: TwinRequest): TwinAnswer
}
