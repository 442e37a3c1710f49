import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ChosenService, chooseService, describeNoService } from '../../../examples/local-service.ts'
import { isRecord, parseJson } from '../../src/json.ts'
import { notSignedIn, usageError } from '../failures.ts'
import { type NativeAccount, SCHEMES } from '../key/native-account.ts'
import { ensurePrivateDirectory, readFileIfThere, replacePrivate } from './files.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Directory of keys and tokens. */
export const stateDirectory = (given: string | undefined, { XDG_CONFIG_HOME }: Environment): string => {
  if (given !== undefined) return resolve(given)
  // The XDG specification says that a relative path is to be ignored.
  const base = XDG_CONFIG_HOME?.startsWith('/') ? XDG_CONFIG_HOME : join(homedir(), '.config')
  return join(base, 'agent-work')
}

/** A URL, or null for a text that is none. */
export const findUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

/** Address of the service, which has to be named or to run in this checkout, without a trailing slash, and where it comes from. `stackFile` replaces that of this checkout. */
export const serviceAddress = (given: string | undefined, { AGENT_WORK_URL }: Environment, stackFile?: URL): ChosenService => {
  const chosen = chooseService(
    [
      ['--base-url', given],
      ['AGENT_WORK_URL', AGENT_WORK_URL],
    ],
    stackFile,
  )
  if (chosen === undefined) throw usageError(describeNoService('--base-url or AGENT_WORK_URL'))
  const { address, origin } = chosen
  const url = findUrl(address)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw usageError('The address of the service is not an http or https URL.')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw usageError('The address of the service must not hold a user, a password, a query or a fragment.')
  return { address: url.href.replace(/\/+$/, ''), origin }
}

const LOOPBACK = /^(localhost|127(\.[0-9]+){3}|\[::1\])$/

/** Whether an address is one of this machine. */
export const isLoopback = (address: string): boolean => LOOPBACK.test(new URL(address).hostname)

/** What tells one service from another at the same address. */
export interface ServiceIdentity {
  /** Name in sign-in texts. */
  domain: string
  chainId: number
  /** The chain in sign-in texts of native accounts, such as `polkadot:` and 32 hex digits; absent where a wallet signed in. */
  network?: string | undefined
}

/** The token of one service and where its key is. */
export interface SavedSession {
  baseUrl: string
  wallet: string
  /** The account of a native key; absent for the key of a wallet. */
  native?: NativeAccount | undefined
  token: string
  expiresAt: string
  /** Path of the key that signed in. */
  keyFile: string
  /** Name and chain of the service, as its sign-in text stated them. */
  service: ServiceIdentity
}

const readNative = (value: unknown): NativeAccount | undefined => {
  const { ss58, scheme: named } = isRecord(value) ? value : {}
  const scheme = SCHEMES.find((known) => known === named)
  return typeof ss58 === 'string' && scheme !== undefined ? { ss58, scheme } : undefined
}

/** A file that cannot be read is as good as none: a new login replaces it. */
const parseSession = (text: string | undefined, baseUrl: string): SavedSession | undefined => {
  const saved = parseJson(text ?? '')
  if (!isRecord(saved) || saved.baseUrl !== baseUrl) return undefined
  const { wallet, token, expiresAt, keyFile, service } = saved
  const { domain, chainId, network } = isRecord(service) ? service : {}
  if (typeof wallet !== 'string' || typeof token !== 'string' || typeof expiresAt !== 'string' || typeof keyFile !== 'string')
    return undefined
  if (typeof domain !== 'string' || typeof chainId !== 'number') return undefined
  const native = readNative(saved.native)
  const known = { domain, chainId, ...(typeof network === 'string' && { network }) }
  return { baseUrl, wallet, ...(native !== undefined && { native }), token, expiresAt, keyFile, service: known }
}

const fileName = (baseUrl: string): string => {
  const { hostname, port } = new URL(baseUrl)
  const hash = createHash('sha256').update(baseUrl).digest('hex').slice(0, 8)
  return `token-${hostname.replaceAll(/[^a-z0-9.-]/g, '_')}${port && `-${port}`}-${hash}.json`
}

export type StateDirectory = ReturnType<typeof createStateDirectory>

/** Files of this program for one service. The directory is created when something is written. */
export const createStateDirectory = (directory: string, baseUrl: string) => {
  const tokenFile = join(directory, fileName(baseUrl))
  const readSession = (): SavedSession | undefined => parseSession(readFileIfThere(tokenFile), baseUrl)
  return {
    directory,
    baseUrl,
    /** Where the first login puts its key. */
    keyFile: join(directory, 'key.json'),
    /** Where the first login of a native account puts its key. */
    nativeKeyFile: join(directory, 'native-key.json'),
    prepare: (): void => ensurePrivateDirectory(directory),
    readSession,
    /** Throws when no wallet is signed in at the service. */
    getSession: (): SavedSession => {
      const saved = readSession()
      if (saved === undefined) throw notSignedIn(`No wallet is signed in at ${baseUrl}.`, 'agent-work login')
      return saved
    },
    writeSession: (session: SavedSession): void => {
      ensurePrivateDirectory(directory)
      replacePrivate(tokenFile, `${JSON.stringify(session, null, 2)}\n`)
    },
    deleteSession: (): void => rmSync(tokenFile, { force: true }),
    /** File of the transaction that a wallet sent last on a chain and has not seen mined. */
    transactionFile: (wallet: string, chainId: number): string => join(directory, `transaction-${wallet.toLowerCase()}-${chainId}.json`),
  }
}
