import { createClient } from '../../src/client.ts'
import type { Client, ClientSession } from '../../src/types.ts'
import type { Context } from '../context.ts'
import { CliError, keyError, refused } from '../failures.ts'
import type { OpenKey } from '../key/key-file.ts'
import type { NativeAccount } from '../key/native-account.ts'
import type { SavedSession, ServiceIdentity } from '../state/directory.ts'
import { createTokenFetch } from './newer-token.ts'
import { createKeyOpener, createSigner, type NamedService } from './sign-in.ts'
import { readTokenFile } from './token-file.ts'

/** A client that is signed in, with its wallet and a way to its key. */
export interface SignedIn {
  client: Client
  /** Address in lower case. */
  wallet: string
  /** The account of a native key, which signs no transactions here. */
  native?: NativeAccount | undefined
  openKey: () => Promise<OpenKey>
}

/** Saves every token that the client gets, and removes it from failures and notes. */
export const keepTokens =
  (
    { state, output }: Pick<Context, 'state' | 'output'>,
    { keyFile, wallet, native, service }: Omit<SavedSession, 'token' | 'expiresAt' | 'baseUrl'>,
  ) =>
  (session: ClientSession | null): void => {
    if (session === null) return
    output.hide(session.token)
    const { token, expiresAt = '' } = session
    state.writeSession({ baseUrl: state.baseUrl, token, expiresAt, keyFile, wallet, native, service })
  }

/** Adds why the token could not be renewed to the failure of the key, which was needed for that reason. */
const withReason = (error: unknown, reason: string | undefined): unknown => {
  if (reason === undefined || !(error instanceof CliError)) return error
  const { advice = [] } = error.problem
  return new CliError(error.exit, { ...error.problem, advice: [...advice, reason] }, { cause: error })
}

/** Refuses a service that is another one than that of the last sign-in at its address. */
export const assertSame = (found: NamedService, signedIn: ServiceIdentity, baseUrl: string): void => {
  const isOther = (['chainId', 'network'] as const).some(
    (name) => found[name] !== undefined && signedIn[name] !== undefined && found[name] !== signedIn[name],
  )
  if (!isOther && found.domain.toLowerCase() === signedIn.domain.toLowerCase()) return
  const signedInChain = found.chainId === undefined ? signedIn.network : signedIn.chainId
  throw refused(
    `At ${baseUrl} is ${found.domain} on the chain ${found.chainId ?? found.network}, and this wallet signed in to ${signedIn.domain} on the chain ${signedInChain}. It got no token.`,
    'Name the service with --base-url or AGENT_WORK_URL.',
    'If it is the right one: agent-work login',
  )
}

/** Refuses a service that is another one than that of the sign-in, before it gets a token. */
export const assertSignInService = async ({ baseUrl, signal }: Context, { service }: SavedSession): Promise<void> => {
  const { auth } = await createClient({ baseUrl }).getHealth({}, { signal })
  assertSame(auth, service, baseUrl)
}

/** Half of the life of a token. */
const RENEWAL_MS = 12 * 60 * 60 * 1000

/** Exchanges a token in the second half of its life for a new one, which needs no key. Without success the old one stays, with the reason. */
const renewEarly = async (
  { state, baseUrl, output, signal }: Context,
  saved: SavedSession,
): Promise<{ session: SavedSession; reason?: string }> => {
  const leftMs = Date.parse(saved.expiresAt) - Date.now()
  if (!(leftMs > 0 && leftMs < RENEWAL_MS)) return { session: saved }
  output.hide(saved.token)
  try {
    // Without repeats: one that comes after the grace of the service would end the sign-in, if another command has renewed the token.
    const client = createClient({ baseUrl, token: saved.token, maxRetries: 0, onToken: keepTokens({ state, output }, saved) })
    await client.refreshToken({}, { signal })
    return { session: state.readSession() ?? saved }
  } catch (error) {
    signal.throwIfAborted()
    const session = state.readSession() ?? saved
    // Another command renewed it at the same time.
    if (session.token !== saved.token) return { session }
    const reason = `The token could not be renewed: ${error instanceof Error ? error.message : String(error)}`
    output.note(reason)
    return { session, reason }
  }
}

/** Client with the token of a file. It has no key, so that nothing that needs a signature works. */
const openTokenFile = async (context: Context, path: string): Promise<SignedIn> => {
  const token = readTokenFile(context, path)
  const client = createClient({ baseUrl: context.baseUrl, token })
  const wallet = client.session?.wallet
  if (wallet === undefined) throw keyError(`The token file ${path} does not hold a token of this service.`)
  const openKey = (): Promise<OpenKey> =>
    Promise.reject(keyError('A delegate has no key and signs nothing. This needs the wallet itself.', 'Unset AGENT_WORK_TOKEN_FILE.'))
  return { client, wallet: wallet.toLowerCase(), openKey }
}

/** Client for an operation of a signed-in wallet, or with the token of a file. Throws when no wallet is signed in at this service. */
export const openSignedIn = async (context: Context): Promise<SignedIn> => {
  const { baseUrl, output, state, tokenFile } = context
  if (tokenFile !== undefined) return openTokenFile(context, tokenFile)
  const saved = state.getSession()
  await assertSignInService(context, saved)
  const { session, reason } = await renewEarly(context, saved)
  const { token, keyFile, native, service } = session
  output.hide(token)
  const wallet = session.wallet.toLowerCase()
  const open = createKeyOpener(context, { path: keyFile, rawScheme: native?.scheme })
  const openKey = (): Promise<OpenKey> => open().catch((error: unknown) => Promise.reject(withReason(error, reason)))
  const account = createSigner(context, { address: wallet, native }, openKey, (found) => assertSame(found, service, baseUrl))
  const onToken = keepTokens(context, { keyFile, wallet, native, service })
  const client = createClient({ baseUrl, account, token, onToken, fetch: createTokenFetch(context, wallet) })
  return { client, wallet, native, openKey }
}

/** Client for an operation without credentials, and the wallet that is signed in at this service, if there is one. */
export const openPublic = async (context: Context): Promise<{ client: Client; wallet: string | undefined }> => {
  const { baseUrl, state, tokenFile } = context
  if (tokenFile !== undefined) return { client: createClient({ baseUrl }), wallet: (await openTokenFile(context, tokenFile)).wallet }
  const saved = state.readSession()
  if (saved !== undefined) await assertSignInService(context, saved)
  return { client: createClient({ baseUrl }), wallet: saved?.wallet }
}

/** Token of the file, else of the last login; undefined without one. */
export const findToken = async (context: Context): Promise<string | undefined> => {
  const { state, tokenFile, output } = context
  if (tokenFile !== undefined) return readTokenFile(context, tokenFile)
  const token = state.readSession()?.token
  if (token !== undefined) output.hide(token)
  return token
}
