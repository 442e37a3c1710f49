import { type Client, createClient, isProblem } from '../../client/src/index.ts'
import type { Settings } from '../settings.ts'
import { type Access, accessOf } from './access.ts'

/** A read is tried once more; a page that waits longer tells nothing new. */
const READ = { maxRetries: 1, followSeconds: 20 }

/** Client of the API with a token, or without one for a sign-in. */
// A client renews the token that it was given when its clock says so. Here only the cookie is renewed, or the browser would keep a token that is
// replaced, so the clock stands still.
export const clientOf = ({ CONSOLE_API_URL: baseUrl, CONSOLE_API_TIMEOUT_SECONDS: timeoutSeconds }: Settings, token?: string): Client =>
  createClient({ baseUrl, token, timeoutSeconds, ...READ, clock: () => 0 })

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

const renew = async (settings: Settings, token: string): Promise<OpenSession> => {
  const renewed = await clientOf(settings, token).refreshToken({}, { token })
  const client = clientOf(settings, renewed.token)
  return { client, access: (await ask(client)).access, renewed: { token: renewed.token, expiresAt: renewed.expiresAt } }
}

/** Whether a token that can be renewed has less than half of its life left. */
const isOld = (issuedAt: string, { expiresAt, refreshableUntil }: Access, now: number): boolean => {
  const [from, to] = [Date.parse(issuedAt), Date.parse(expiresAt)]
  return refreshableUntil !== null && Date.parse(refreshableUntil) > now && now - from > (to - from) / 2
}

/**
 * Opens the sign-in of a token. A token that another tab has renewed a moment ago is renewed to the same one. Throws the 401 of a token that
 * does not count any more. `mayRenew` is false for a request whose answer cannot set the cookie.
 */
export const openSession = async (settings: Settings, token: string, now: number, mayRenew: boolean): Promise<OpenSession> => {
  const client = clientOf(settings, token)
  try {
    const { access, issuedAt } = await ask(client)
    if (!mayRenew || !isOld(issuedAt, access, now)) return { client, access }
  } catch (error) {
    if (!isProblem(error, 'token_revoked') || error.problem.reason !== 'replaced') throw error
  }
  return renew(settings, token)
}
