import { HttpRequestError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import { parseAnswer, type RpcAnswer } from '../../../domain/chain/batch-answer.ts'

/** Where a node is. Both members may hold a key. */
export interface NodeAddress {
  url: string
  headers: Record<string, string>
}

/** What errors and logs say of an address: its host. User, path and query may hold a key. */
export const publicAddress = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'the node')

/** `fetch` to the real address, for a client that only knows the public one. */
const privately =
  ({ url, headers }: NodeAddress, fetchFn: typeof fetch): typeof fetch =>
  (_, init) => {
    const to = new URL(url)
    const sent = new Headers({ ...(init?.headers as Record<string, string>), ...headers })
    // `fetch` takes no user in an address.
    if (to.username !== '')
      sent.set('authorization', `Basic ${btoa(`${decodeURIComponent(to.username)}:${decodeURIComponent(to.password)}`)}`)
    to.username = ''
    to.password = ''
    return fetchFn(to, { ...init, headers: sent })
  }

/** Client of one node; `fetchFn` has the time limit, because one of viem's own would count pauses of this process against the node. */
export const clientOf = (address: NodeAddress, fetchFn: typeof fetch) =>
  getHttpRpcClient(publicAddress(address.url), { fetchFn: privately(address, fetchFn), timeout: 0 })

const STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429])

/** `fetch` that throws at a status which says that the node does not serve this caller, whatever its body says. */
export const refusingFetch =
  (fetchFn: typeof fetch, url: string): typeof fetch =>
  async (input, init) => {
    const response = await fetchFn(input, init)
    const { status, statusText, headers } = response
    if (status < 500 && !STATUSES.has(status)) return response
    throw new HttpRequestError({ body: {}, details: statusText, headers, status, url: publicAddress(url) })
  }

/** One call to one node, alone. */
export const callNode = async (
  address: NodeAddress,
  fetchFn: typeof fetch,
  body: { method: string; params: unknown[] },
): Promise<RpcAnswer> => parseAnswer(await clientOf(address, refusingFetch(fetchFn, address.url)).request({ body }))
