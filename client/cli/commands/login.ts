import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createClient } from '../../src/client.ts'
import type { Context } from '../context.ts'
import { checksumAddress } from '../key/address.ts'
import { createKeyFile, type OpenKey } from '../key/key-file.ts'
import { NEW_KEY_FORM } from '../key/keystore.ts'
import { loadAccounts } from '../key/viem.ts'
import { formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { findProblem } from '../output/problem.ts'
import { formatPairs } from '../output/text.ts'
import { assertSignInService, keepTokens, openSignedIn } from '../service/open.ts'
import { createKeyOpener, createSigner, findKeyFile } from '../service/sign-in.ts'
import type { ServiceIdentity } from '../state/directory.ts'

const TOKEN_STATUS = 401

const createKey = async (context: Context, path: string): Promise<OpenKey> => {
  context.state.prepare()
  const key = await createKeyFile(path, await context.passphrase('create'))
  context.output.hide(key.privateKey.toString('hex'))
  context.output.note(
    `A new key is in ${path}.`,
    `Its passphrase is used in the Unicode form ${NEW_KEY_FORM}. Give it in that form to wallets that do not normalise it.`,
    'Keep a copy of that file and its passphrase: nothing else gives access to what this wallet earns.',
  )
  return key
}

/** `login`: opens or makes the key, signs the sign-in text and keeps the token. */
export const login = async (context: Context): Promise<Report> => {
  const { baseUrl, signal, state } = context
  // Before a key is made or opened: without viem nothing can be signed.
  await loadAccounts()
  const given = findKeyFile(context)
  const isNew = given === state.keyFile && !existsSync(given)
  const key = isNew ? await createKey(context, given) : await createKeyOpener(context, given)()
  const keyFile = resolve(given)
  const wallet = key.address
  let service: ServiceIdentity | undefined
  const account = createSigner(
    context,
    wallet,
    async () => key,
    (found) => {
      service = found
    },
  )
  const client = createClient({
    baseUrl,
    account,
    onToken: (session) => {
      if (service !== undefined) keepTokens(context, { keyFile, wallet, service })(session)
    },
  })
  const { expiresAt = '', roles = [] } = await client.signIn({ signal })
  return {
    document: { wallet, baseUrl, expiresAt, roles, keyFile, isNewKey: isNew, ...(isNew && { passphraseForm: NEW_KEY_FORM }) },
    lines: formatPairs([
      ['Signed in as', checksumAddress(wallet)],
      ['Service', baseUrl],
      ['Token until', formatInstant(expiresAt)],
      ['Roles', roles.join(', ')],
      ['Key', keyFile],
    ]),
  }
}

/** Ends the delegate or service token of a file. The file stays, and its token is worth nothing. */
const endDelegate = async (context: Context, file: string): Promise<Report> => {
  const { client, wallet } = await openSignedIn(context)
  await client.logout({}, { signal: context.signal })
  return { document: { status: 'logged_out', wallet, file }, lines: [`The token of ${file} has ended.`] }
}

/** `logout`: revokes the token and deletes it. */
export const logout = async (context: Context): Promise<Report> => {
  if (context.tokenFile !== undefined) return endDelegate(context, context.tokenFile)
  const { baseUrl, signal, state, output } = context
  const saved = state.getSession()
  output.hide(saved.token)
  await assertSignInService(context, saved)
  try {
    await createClient({ baseUrl, token: saved.token }).logout({}, { signal })
  } catch (error) {
    // A token that the service no longer accepts needs no revocation.
    if (findProblem(error)?.status !== TOKEN_STATUS) throw error
  }
  state.deleteSession()
  return { document: { status: 'logged_out', wallet: saved.wallet }, lines: [`${checksumAddress(saved.wallet)} is signed out.`] }
}
