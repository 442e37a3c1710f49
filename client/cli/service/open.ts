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
  ({ state, output }: Context, key: { keyFile: string; wallet: string }) =>
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

/** Client for an operation of a signed-in wallet. Throws when no wallet is signed in at this service. */
export const openSignedIn = (context: Context): SignedIn => {
  const saved = context.state.readSession()
  if (saved === undefined) throw notSignedIn(`No wallet is signed in at ${context.baseUrl}.`)
  return openSaved(context, saved)
}

/** Client for an operation that everyone may call; signed in when a token that has not expired is there. */
export const openPublic = (context: Context): { client: Client; wallet: string | undefined } => {
  const saved = context.state.readSession()
  if (saved !== undefined && Date.parse(saved.expiresAt) > Date.now()) {
    context.output.hide(saved.token)
    return { client: createClient({ baseUrl: context.baseUrl, token: saved.token }), wallet: saved.wallet }
  }
  return { client: createClient({ baseUrl: context.baseUrl }), wallet: saved?.wallet }
}
