import { isRecord, parseJson } from '../../src/json.ts'
import type { Context } from '../context.ts'

/** Refusals of a token that another command of the same user can have renewed. */
const ENDED_CODES = ['token_revoked', 'token_expired']

const hasEnded = async (response: Response): Promise<boolean> => {
  if (response.status !== 401) return false
  // A body that breaks off names no code.
  const body = parseJson(
    await response
      .clone()
      .text()
      .catch(() => ''),
  )
  return isRecord(body) && ENDED_CODES.includes(String(body.code))
}

/** An old token ends the whole sign-in there, so no command may try it with one. */
const isRefresh = (input: Parameters<typeof fetch>[0]): boolean =>
  new URL(input instanceof Request ? input.url : input).pathname.endsWith('/auth/refresh')

/** `fetch` that goes on with the token of the token file when the service no longer accepts its own: a renewal by another command revoked it. */
export const createTokenFetch = ({ state, output }: Pick<Context, 'state' | 'output'>, wallet: string): typeof fetch => {
  const newest = new Map<string, string>()
  /** The token of the token file, in place of one of this command; undefined without one of the wallet. */
  const takeNewer = (own: string): string | undefined => {
    const saved = state.readSession()
    if (saved === undefined || saved.wallet.toLowerCase() !== wallet) return undefined
    output.hide(saved.token)
    newest.set(own, saved.token)
    return saved.token
  }
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    const own = headers.get('authorization')?.replace(/^Bearer /, '')
    const send = (token: string): Promise<Response> => {
      headers.set('authorization', `Bearer ${token}`)
      return fetch(input, { ...init, headers })
    }
    if (own === undefined) return fetch(input, init)
    const used = (isRefresh(input) ? takeNewer(own) : undefined) ?? newest.get(own) ?? own
    const response = await send(used)
    if (!(await hasEnded(response))) return response
    const newer = takeNewer(own)
    if (newer === undefined || newer === used) return response
    await response.body?.cancel()
    return send(newer)
  }
}
