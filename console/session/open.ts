import type { Context } from 'koa'
import { type Client, createClient, isProblem } from '../../client/src/index.ts'
import { callerOf } from '../http/caller.ts'
import type { Settings } from '../settings.ts'
import { type Access, accessOf } from './access.ts'

/** A page says at once that the API cannot answer, and its reader decides when to ask again: the API may ask for a wait of a minute. */
const READ = { maxRetries: 0, followSeconds: 20 }

/** Makes a client of the API with a token, or without one for a sign-in. */
export type Connect = (token?: string) => Client

/** Clients that name the caller of the console to the API, which counts the requests of each. */
export const connectFor = (ctx: Context, settings: Settings): Connect => {
  const { CONSOLE_API_URL: baseUrl, CONSOLE_API_TIMEOUT_SECONDS: timeoutSeconds, CONSOLE_TRUSTED_PROXIES: proxies } = settings
  const caller = callerOf(ctx, proxies)
  const named: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...(caller && { 'x-forwarded-for': caller }) } })
  // A client renews the token that it was given when its clock says so. Here only the cookie is renewed, or the browser would keep a token that
  // is replaced, so the clock stands still.
  return (token) => createClient({ baseUrl, token, timeoutSeconds, ...READ, fetch: named, clock: () => 0 })
}

/** The sign-in of a reader: a client with the token, and what it may do. */
export interface OpenSession {
  client: Client
  access: Access
  /** A newer token, which the cookie must hold from now on. */
  renewed?: { token: string; expiresAt: string }
}

const ask = async (client: Client): Promise<{ access: Access; issuedAt: string }> => {
  const session = await client.getAuthSession()
  return { access: accessOf(session), issuedAt: session.issuedAt }
}

const renew = async (connect: Connect, token: string): Promise<OpenSession> => {
  const renewed = await connect(token).refreshToken({}, { token })
  const client = connect(renewed.token)
  return { client, access: (await ask(client)).access, renewed: { token: renewed.token, expiresAt: renewed.expiresAt } }
}

/** Whether a token that can be renewed has less than half of its life left. */
const isOld = (issuedAt: string, { expiresAt, refreshableUntil }: Access, now: number): boolean => {
  const [from, to] = [Date.parse(issuedAt), Date.parse(expiresAt)]
  return refreshableUntil !== null && Date.parse(refreshableUntil) > now && now - from > (to - from) / 2
}

/**
 * Opens the sign-in of a token. A token that another tab has renewed a moment ago is renewed to the same one. Throws the 401 of a token that
 * does not count any more.
 */
export const openSession = async (connect: Connect, token: string, now: number): Promise<OpenSession> => {
  const client = connect(token)
  try {
    const { access, issuedAt } = await ask(client)
    if (!isOld(issuedAt, access, now)) return { client, access }
  } catch (error) {
    if (!isProblem(error, 'token_revoked') || error.problem.reason !== 'replaced') throw error
  }
  return renew(connect, token)
}
