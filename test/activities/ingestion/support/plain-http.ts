import { SourceFailure, type SourceHttp, type SourceRequest } from '../../../../activities/ingestion/source.ts'

const REDIRECTS = 3

/** Requests without a budget, repeats and a cache, over real connections. The token goes to `origin` alone. */
export const plainHttp = (origin: string, token?: string): SourceHttp => {
  let used = 0

  const follow = async (request: SourceRequest, url: string, redirects: number): Promise<Response> => {
    used += 1
    const { json, headers } = request
    const answer = await fetch(url, {
      method: json === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        ...headers,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && new URL(url).origin === origin && { authorization: `Bearer ${token}` }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    const location = answer.headers.get('location')
    if (location === null || redirects === REDIRECTS) return answer
    await answer.arrayBuffer()
    return follow(request, new URL(location, url).href, redirects + 1)
  }

  const get: SourceHttp['get'] = async (request) => {
    const answer = await follow(request, request.url, 0)
    const body = Buffer.from(await answer.arrayBuffer())
    const { status, url } = answer
    if (status === 429 || (status === 403 && answer.headers.has('retry-after')))
      throw new SourceFailure('source_rate_limited', 'the source asks to wait', Number(answer.headers.get('retry-after')))
    if (body.length > request.maxBytes) throw new SourceFailure('source_too_large', 'the answer is too long')
    if (status !== 200 && request.accept?.includes(status) !== true) throw new SourceFailure('source_refused', `status ${status}`)
    return { status, headers: Object.fromEntries(answer.headers), body, url, unchanged: false }
  }

  return {
    get,
    getJson: async (request) => {
      const answer = await get(request)
      try {
        return { value: JSON.parse(answer.body.toString('utf8')) as unknown, answer }
      } catch {
        throw new SourceFailure('source_unreadable', 'the answer is not JSON')
      }
    },
    get used() {
      return used
    },
  }
}
