import { createClient } from '../../src/client.ts'
import type { Client, ClientSession } from '../../src/types.ts'
import type { Context } from '../context.ts'
import { notSignedIn } from '../failures.ts'
import type { OpenKey } from '../key/key-file.ts'
import type { SavedSession } from '../state/directory.ts'
import { createKeyOpener, createSigner } from './sign-in.ts'

/** A client that is signed in, with its wallet and a way to its key. */
export interface SignedIn {
  client: Client
  /** Address in lower case. */
  wallet: string
  openKey: () => Promise<OpenKey>
}

/** Saves every token that the client gets, and removes it from every output. */
export const keepTokens =
  ({ state, output }: Pick<Context, 'state' | 'output'>, key: { keyFile: string; wallet: string }) =>
  (session: ClientSession | null): void => {
    if (session === null) return
    output.hide(session.token)
    const { token, expiresAt = '' } = session
    state.writeSession({ baseUrl: state.baseUrl, token, expiresAt, ...key })
  }

const openSaved = (context: Context, saved: SavedSession): SignedIn => {
  const { baseUrl, output } = context
  output.hide(saved.token)
  const { keyFile } = saved
  const wallet = saved.wallet.toLowerCase()
  let opener: ReturnType<typeof createKeyOpener> | undefined
  const openKey = (): Promise<OpenKey> => {
    opener ??= createKeyOpener(context, keyFile)
    return opener.open()
  }
  const account = createSigner(context, wallet, openKey)
  const client = createClient({ baseUrl, account, token: saved.token, onToken: keepTokens(context, { keyFile, wallet }) })
  return { client, wallet, openKey }
}

/** Half of the life of a token. */
const RENEWAL_MS = 12 * 60 * 60 * 1000

/** Exchanges a token in the second half of its life for a new one, which needs no key. Without success the old one stays. */
const renewEarly = async ({ state, baseUrl, output, signal }: Context, saved: SavedSession): Promise<SavedSession> => {
  const leftMs = Date.parse(saved.expiresAt) - Date.now()
  if (!(leftMs > 0 && leftMs < RENEWAL_MS)) return saved
  output.hide(saved.token)
  const { wallet, keyFile } = saved
  try {
    await createClient({ baseUrl, token: saved.token, onToken: keepTokens({ state, output }, { wallet, keyFile }) }).refreshToken(
      {},
      { signal },
    )
  } catch {
    signal.throwIfAborted()
  }
  // Another command can have renewed it at the same time.
  return state.readSession() ?? saved
}

/** Client for an operation of a signed-in wallet. Throws when no wallet is signed in at this service. */
export const openSignedIn = async (context: Context): Promise<SignedIn> => {
  const saved = context.state.readSession()
  if (saved === undefined) throw notSignedIn(`No wallet is signed in at ${context.baseUrl}.`)
  return openSaved(context, await renewEarly(context, saved))
}

/** Client for an operation without credentials, and the wallet that is signed in at this service, if there is one. */
export const openPublic = ({ baseUrl, state }: Context): { client: Client; wallet: string | undefined } => ({
  client: createClient({ baseUrl }),
  wallet: state.readSession()?.wallet,
})
