import { resolve } from 'node:path'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { keyError, refused, usageError } from '../failures.ts'
import { isNativeKeyFile, type OpenKey, readKeyFile } from '../key/key-file.ts'
import { SCHEMES, type Scheme } from '../key/native-account.ts'
import { type KeyName, signText, subjectOf } from '../key/sign-text.ts'
import { loadAccounts } from '../key/viem.ts'
import { findUrl, type ServiceIdentity } from '../state/directory.ts'

const FIRST_LINE = /^(?<domain>[A-Za-z0-9.[\]:-]+) wants you to sign in with your (?<side>Ethereum|Substrate) account:$/

/** What a sign-in text says of its service: the chain by its number, or in a text for a native account by its network. */
export type NamedService = Pick<ServiceIdentity, 'domain' | 'network'> & Partial<Pick<ServiceIdentity, 'chainId'>>

/** Chain that a text names; undefined for one that names none, or that of the other side. */
const readChainName = (text: string, isNative: boolean): Omit<NamedService, 'domain'> | undefined => {
  if (isNative) return /^[a-z0-9-]{3,8}:[0-9a-f]{32}$/.test(text) ? { network: text } : undefined
  return /^[0-9]{1,15}$/.test(text) ? { chainId: Number(text) } : undefined
}

/** Value of the one line with a name; undefined when there is none or more than one. */
const findValue = (lines: readonly string[], name: string): string | undefined => {
  const [value, ...others] = lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2))
  return others.length === 0 ? value : undefined
}

/** Reads the name and chain of the service. Refuses a text that is no sign-in of this wallet at this host: a service could pass on the text of another one. */
export const readSignInText = (message: string, { host, key }: { host: string; key: KeyName }): NamedService => {
  const assertHost = (found: string): void => {
    if (found.toLowerCase() !== host.toLowerCase())
      throw refused(
        `The sign-in text is for ${found}, and the service is at ${host}. Nothing was signed.`,
        `If that is its name: --domain ${found}`,
      )
  }
  const [first = '', second = '', ...lines] = message.split('\n')
  const { domain, side } = FIRST_LINE.exec(first)?.groups ?? {}
  const isNative = key.native !== undefined
  if (domain === undefined || (side === 'Substrate') !== isNative)
    throw refused('The service asks for a signature of something that is not a sign-in text. Nothing was signed.')
  assertHost(domain)
  if (second !== subjectOf(key)) throw refused('The sign-in text is for another wallet. Nothing was signed.')
  const uri = findUrl(findValue(lines, 'URI') ?? '')
  if (uri === null) throw refused('The sign-in text has no URI. Nothing was signed.')
  assertHost(uri.host)
  const chain = readChainName(findValue(lines, 'Chain ID') ?? '', isNative)
  if (chain === undefined) throw refused('The sign-in text has no chain id. Nothing was signed.')
  return { domain, ...chain }
}

/** Host that sign-in texts have to name: `--domain`, else that of the last login, else that of the service. */
export const signInHost = ({ options, state, baseUrl }: Pick<Context, 'options' | 'state' | 'baseUrl'>): string =>
  textOption(options, 'domain') ?? state.readSession()?.service.domain ?? new URL(baseUrl).host

/** A key file, and the scheme of a raw key in it that belongs to a native account. */
export interface KeySource {
  path: string
  rawScheme?: Scheme | undefined
}

/** Key file of a command: the one named, the one of the last login, or the own one. */
export const findKeySource = ({ options, state }: Pick<Context, 'options' | 'state'>): KeySource => {
  const saved = state.readSession()
  const path = textOption(options, 'key-file') ?? saved?.keyFile ?? state.keyFile
  return { path, rawScheme: saved?.keyFile === resolve(path) ? saved.native?.scheme : undefined }
}

/** The same for a login, which makes the key where there is none: `--native` and `--scheme` say of which side. */
export const findLoginKey = (context: Pick<Context, 'options' | 'state'>): KeySource => {
  const { options, state } = context
  const scheme = SCHEMES.find((known) => known === textOption(options, 'scheme'))
  if (options.native !== true) {
    if (scheme !== undefined) throw usageError('--scheme is for --native.', 'agent-work help login')
    return findKeySource(context)
  }
  const saved = state.readSession()
  const path = textOption(options, 'key-file') ?? (saved?.native === undefined ? state.nativeKeyFile : saved.keyFile)
  // A raw key says nothing of its scheme: that of its last login stays, so that the same command is the same account.
  const last = saved?.keyFile === resolve(path) ? saved.native?.scheme : undefined
  return { path, rawScheme: scheme ?? last ?? 'sr25519' }
}

/** Throws where viem is missing and the key needs it: before a key is made or opened. */
export const assertSigner = async ({ path, rawScheme }: KeySource): Promise<void> => {
  if (rawScheme === undefined && !isNativeKeyFile(path)) await loadAccounts()
}

/** Opens a key once, and keeps it out of every output. */
export const createKeyOpener = (context: Context, { path, rawScheme }: KeySource): (() => Promise<OpenKey>) => {
  let opening: Promise<OpenKey> | undefined
  const open = async (): Promise<OpenKey> => {
    const key = await readKeyFile(path, context.output.warn, rawScheme)(() => context.passphrase('open'))
    context.output.hide(key.privateKey.toString('hex'))
    return key
  }
  return () => {
    opening ??= open()
    return opening
  }
}

/** What the client signs in with. The key is opened when a signature is needed. `onService` gets what each signed text says of the service. */
export const createSigner = (
  context: Context,
  name: KeyName,
  open: () => Promise<OpenKey>,
  onService: (service: NamedService) => void,
) => ({
  address: subjectOf(name),
  signMessage: async ({ message }: { message: string }): Promise<string> => {
    const service = readSignInText(message, { host: signInHost(context), key: name })
    const key = await open()
    if (subjectOf(key) !== subjectOf(name))
      throw keyError(`The key file holds the key of ${subjectOf(key)}, not of this sign-in.`, 'agent-work login')
    onService(service)
    return signText(key, message)
  },
})
