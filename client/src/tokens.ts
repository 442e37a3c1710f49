import { isRecord, parseJson } from './json.ts'
import { ConnectionError, isProblem, UnexpectedAnswer } from './problems.ts'
import { backoffMs, sleep, untilAborted } from './timing.ts'
import type { Answer, CallOptions, ClientOptions, ClientSession, RequestId, SigningAccount } from './types.ts'

/** A token is renewed this long before its end, or in the last tenth of its life if that is shorter. */
const MARGIN_MS = 60_000
/** Time until a renewal that failed is tried again. */
const RENEW_AGAIN_MS = 5_000

type SignedIn = Answer<'verifySignature'> & { payoutAddress?: string }

interface TokenDeps extends Pick<ClientOptions, 'account' | 'token' | 'onToken'> {
  readonly clock: () => number
  readonly maxRetries: number
  /** Calls an operation without the token of the client. */
  readonly send: <Id extends RequestId>(id: Id, input: object, options: CallOptions) => Promise<Answer<Id>>
}

/** Claims of a token, which only the service can check: good for a renewal in time, and for nothing else. */
const readClaims = (token: string): { sub?: unknown; exp?: unknown; payoutAddress?: unknown } => {
  try {
    const [, payload = ''] = token.split('.')
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
    const claims = parseJson(new TextDecoder().decode(bytes))
    return isRecord(claims) ? claims : {}
  } catch {
    return {}
  }
}

/** Who a token is of. `wallet` is an SS58 address where there is a payee: the address that a native account is paid at. */
const identityOf = (wallet: string, payee: string | undefined): Pick<ClientSession, 'wallet' | 'subject'> =>
  payee === undefined ? { wallet } : { wallet: payee, subject: wallet }

const sessionOfToken = (token: string): ClientSession => {
  const { sub, exp, payoutAddress } = readClaims(token)
  const payee = typeof payoutAddress === 'string' ? payoutAddress : undefined
  return {
    token,
    ...(typeof sub === 'string' && identityOf(sub, payee)),
    ...(typeof exp === 'number' && Math.abs(exp) < 8e12 && { expiresAt: new Date(exp * 1_000).toISOString() }),
  }
}

const sessionOf = ({ token, wallet, payoutAddress, expiresAt, roles, capabilities }: SignedIn): ClientSession => ({
  token,
  ...identityOf(wallet, payoutAddress),
  expiresAt,
  roles,
  capabilities,
})

/** A sign-in or renewal under way, and how many calls wait for it. */
interface SharedSignIn {
  readonly promise: Promise<ClientSession>
  abort(): void
  waiting: number
}

/** The token of a client: signs in once for all calls that wait for it, and renews it before its end. */
export const createTokens = (deps: TokenDeps) => {
  const { account, clock, onToken, send } = deps
  let session: ClientSession | null = deps.token === undefined ? null : sessionOfToken(deps.token)
  /** How far the clock of the service is ahead of this one. */
  let skewMs = 0
  let renewAtMs = Number.POSITIVE_INFINITY
  let running: SharedSignIn | undefined

  const schedule = (): void => {
    const endMs = Date.parse(session?.expiresAt ?? '') - skewMs
    const leftMs = endMs - clock()
    renewAtMs = Number.isNaN(endMs) ? Number.POSITIVE_INFINITY : endMs - Math.min(MARGIN_MS, Math.max(0, leftMs) / 10)
  }
  schedule()

  const adopt = <Next extends ClientSession | null>(next: Next): Next => {
    session = next
    schedule()
    onToken?.(next)
    return next
  }

  const exchange = async (signer: SigningAccount, signal: AbortSignal): Promise<ClientSession> => {
    const { message, issuedAt } = await send('issueNonce', { wallet: signer.address }, { signal })
    skewMs = Date.parse(issuedAt) - clock()
    const signature = await signer.signMessage({ message })
    signal.throwIfAborted()
    return adopt(sessionOf(await send('verifySignature', { message, signature }, { signal })))
  }

  /** Begins again with a new nonce when an answer is lost, since the old one can be used up. */
  const signIn = async (signer: SigningAccount, signal: AbortSignal): Promise<ClientSession> => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await exchange(signer, signal)
      } catch (error) {
        const isLost = error instanceof ConnectionError || (error instanceof UnexpectedAnswer && error.status >= 500)
        if (!isLost || failures >= deps.maxRetries) throw error
        await sleep(backoffMs(failures), signal)
      }
    }
  }

  const renew = async (old: ClientSession, signal: AbortSignal): Promise<ClientSession> => {
    try {
      return adopt(sessionOf(await send('refreshToken', {}, { token: old.token, signal })))
    } catch (error) {
      signal.throwIfAborted()
      if (account !== undefined) return await signIn(account, signal)
      // The old token can still be good; if not, the next answer says so.
      renewAtMs = isProblem(error) && !error.retryable ? Number.POSITIVE_INFINITY : clock() + RENEW_AGAIN_MS
      return old
    }
  }

  const clearRunning = (ended: SharedSignIn): void => {
    if (running === ended) running = undefined
  }

  const begin = (start: (signal: AbortSignal) => Promise<ClientSession>): SharedSignIn => {
    const controller = new AbortController()
    const begun: SharedSignIn = {
      promise: start(controller.signal).finally(() => clearRunning(begun)),
      abort: () => controller.abort(new Error('no call waits for the sign-in any more')),
      waiting: 0,
    }
    return begun
  }

  /**
   * Runs one sign-in or renewal at a time. It ends early only when every call that waits for it was aborted; a call that comes later begins
   * its own.
   */
  const share = async (signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<ClientSession>): Promise<ClientSession> => {
    running ??= begin(start)
    const shared = running
    shared.waiting += 1
    try {
      return await untilAborted(shared.promise, signal)
    } finally {
      shared.waiting -= 1
      if (shared.waiting === 0) {
        clearRunning(shared)
        shared.abort()
      }
    }
  }

  return {
    get session(): ClientSession | null {
      return session
    },

    adopt: (answer: SignedIn): ClientSession => adopt(sessionOf(answer)),

    /** Forgets the token, if it is still the one given. */
    drop: (token: string): void => {
      if (session?.token === token) adopt(null)
    },

    canSignIn: account !== undefined,

    signIn: (signal?: AbortSignal): Promise<ClientSession> => {
      if (account === undefined) return Promise.reject(new TypeError('the client has no account to sign in with'))
      return share(signal, (shared) => signIn(account, shared))
    },

    /** The token for a call; undefined without one. `isNeeded`: signs in if there is none. */
    current: async (isNeeded: boolean, signal: AbortSignal | undefined): Promise<string | undefined> => {
      const known = session
      if (known === null) {
        if (account === undefined || !isNeeded) return undefined
        return (await share(signal, (shared) => signIn(account, shared))).token
      }
      if (clock() < renewAtMs) return known.token
      return (await share(signal, (shared) => renew(known, shared))).token
    },
  }
}
export type Tokens = ReturnType<typeof createTokens>
