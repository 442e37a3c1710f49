import { createClient } from '../../src/client.ts'
import type { Context } from '../context.ts'
import { notSignedIn } from '../failures.ts'
import { HOW_TO_GET_TOKEN, readTokenFile } from '../service/token-file.ts'

/** Members of the problem document that refuses a token. */
export type Refusal = Readonly<Record<string, unknown>>

/** The token that every message of the bridge carries. */
export interface BridgeTokens {
  /** The token; signs in where there is none. */
  current(): Promise<string>
  /** Another token in place of one that the service no longer accepts. Throws a `CliError` that says what to do where there is none. */
  replace(used: string, refusal: Refusal): Promise<string>
  /** Ends what the bridge itself has made. */
  end(signal: AbortSignal): Promise<void>
}

/** Codes of a token that the service does not accept. Another 401 is about what a tool was given. */
const TOKEN_CODES = [
  'bad_signature',
  'claims_mismatch',
  'delegate_ended',
  'malformed_token',
  'token_expired',
  'token_revoked',
  'unknown_kid',
]

export const isTokenRefusal = ({ status, code }: Refusal): boolean => status === 401 && TOKEN_CODES.includes(String(code))

/** Whether a person has ended the token: to replace it would undo that. */
const isRevoked = ({ code, reason }: Refusal): boolean => code === 'token_revoked' || reason === 'capability_grant_revoked'

/** Shortest time between two tokens that replace one another. */
const REPLACE_MS = 60_000

/** Tokens of delegates that the wallet of a key grants, one after the other. `grant` makes one. */
export const createGrantedTokens = (
  { baseUrl }: Pick<Context, 'baseUrl'>,
  grant: () => Promise<string>,
  now: () => number = () => performance.now(),
): BridgeTokens => {
  let token: string | undefined
  let granting: Promise<string> | undefined
  let replacedAtMs = Number.NEGATIVE_INFINITY

  const current = async (): Promise<string> => {
    if (token !== undefined) return token
    granting ??= grant().finally(() => {
      granting = undefined
    })
    token = await granting
    return token
  }

  return {
    current,
    replace: async (used, refusal) => {
      // Another message has replaced it meanwhile.
      if (token !== used) return current()
      if (isRevoked(refusal))
        throw notSignedIn(
          'The owner of the wallet has revoked the delegate of this program.',
          'Start the program again, for which hosts have a command such as "restart server": it then signs in again.',
        )
      if (now() - replacedAtMs < REPLACE_MS)
        throw notSignedIn('The service refuses a token that this program got within the last minute.', 'Call again in a minute.')
      replacedAtMs = now()
      token = undefined
      return current()
    },
    end: async (signal) => {
      if (token !== undefined) await createClient({ baseUrl, token, maxRetries: 0 }).logout({}, { signal })
    },
  }
}

/** The token of a file, which is read again where the service no longer accepts it. */
export const createFileToken = (context: Pick<Context, 'output'>, path: string): BridgeTokens => {
  let token: string | undefined
  return {
    current: async () => {
      token ??= readTokenFile(context, path)
      return token
    },
    replace: async (used, refusal) => {
      token = readTokenFile(context, path)
      if (token !== used) return token
      const what = isRevoked(refusal) ? 'The owner of the wallet has revoked the token' : 'The service no longer accepts the token'
      throw notSignedIn(`${what} of ${path}.`, `${HOW_TO_GET_TOKEN}. Write it to that file; nothing has to be started again.`)
    },
    end: async () => undefined,
  }
}
