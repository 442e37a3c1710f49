export interface CallInit {
  method?: string
  body?: unknown
  /** Sent unchanged, in place of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>
  token?: string | undefined
  headers?: Record<string, string>
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the API answered.
  body: any
}

const parseBody = (text: string, type: string | null): unknown => (type?.includes('json') && text !== '' ? JSON.parse(text) : undefined)

/** Sends one request and reads its whole answer. */
export const call = async (url: string, path: string, { method, body, raw, token, headers }: CallInit): Promise<Reply> => {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(`${url}${path}`, {
    redirect: 'manual',
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseBody(text, response.headers.get('content-type')) }
}
