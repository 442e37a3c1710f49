import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createClient } from '../../src/client.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { usageError } from '../failures.ts'
import { checksumAddress } from '../key/address.ts'
import { NEW_KEY_FORM } from '../key/encryption.ts'
import { createKeyFile, type OpenKey } from '../key/key-file.ts'
import { subjectOf } from '../key/sign-text.ts'
import { formatInstant } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { findProblem } from '../output/problem.ts'
import { formatPairs } from '../output/text.ts'
import { assertSignInService, keepTokens, openSignedIn } from '../service/open.ts'
import { assertSigner, createKeyOpener, createSigner, findLoginKey, type KeySource, type NamedService } from '../service/sign-in.ts'

const TOKEN_STATUS = 401

const createKey = async (context: Context, { path, rawScheme: scheme }: KeySource): Promise<OpenKey> => {
  context.state.prepare()
  const key = await createKeyFile(path, await context.passphrase('create'), { scheme })
  context.output.hide(key.privateKey.toString('hex'))
  context.output.note(
    `A new key is in ${path}.`,
    `Its passphrase is used in the Unicode form ${NEW_KEY_FORM}. Give it in that form to wallets that do not normalise it.`,
    'Keep a copy of that file and its passphrase: nothing else gives access to what this wallet earns.',
  )
  return key
}

/** Refuses the key of a wallet where one of a native account was asked for. */
const assertNative = ({ native }: OpenKey, { options }: Context, path: string): void => {
  if (options.native !== true) return
  const scheme = textOption(options, 'scheme') ?? native?.scheme
  if (native?.scheme === scheme && native !== undefined) return
  throw usageError(
    native === undefined
      ? `The file ${path} holds the key of a wallet.`
      : `The file ${path} holds a key of ${native.scheme}, not of ${scheme}.`,
    'A new key of a native account: agent-work login --native --dir DIR',
  )
}

const describeSigned = (key: OpenKey): [string, string | null][] => [
  ['Signed in as', subjectOf(key)],
  ['Scheme', key.native?.scheme ?? null],
  ['Paid at', key.native === undefined ? null : checksumAddress(key.address)],
]

/** `login`: opens or makes the key, signs the sign-in text and keeps the token. */
export const login = async (context: Context): Promise<Report> => {
  const { baseUrl, signal, state } = context
  const source = findLoginKey(context)
  await assertSigner(source)
  const isNew = [state.keyFile, state.nativeKeyFile].includes(source.path) && !existsSync(source.path)
  const key = isNew ? await createKey(context, source) : await createKeyOpener(context, source)()
  assertNative(key, context, source.path)
  const keyFile = resolve(source.path)
  const { address: wallet, native } = key
  // The text of a native account does not name the chain by its number.
  const chain = native && (await createClient({ baseUrl }).getHealth({}, { signal })).auth
  let named: NamedService | undefined
  const account = createSigner(
    context,
    key,
    async () => key,
    (found) => {
      named = found
    },
  )
  const client = createClient({
    baseUrl,
    account,
    onToken: (session) => {
      if (named !== undefined)
        keepTokens(context, { keyFile, wallet, native, service: { chainId: chain?.chainId ?? 0, ...named } })(session)
    },
  })
  const { expiresAt = '', roles = [] } = await client.signIn({ signal })
  const nativeAccount = native && { ...native, payoutAddress: wallet }
  return {
    document: {
      wallet,
      ...(nativeAccount !== undefined && { nativeAccount }),
      ...{ baseUrl, expiresAt, roles, keyFile, isNewKey: isNew },
      ...(isNew && { passphraseForm: NEW_KEY_FORM }),
    },
    lines: formatPairs([
      ...describeSigned(key),
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
  const { wallet, native } = saved
  return { document: { status: 'logged_out', wallet }, lines: [`${subjectOf({ address: wallet, native })} is signed out.`] }
}
