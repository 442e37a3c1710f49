import { accessSync, constants } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { PayloadCodec } from '@temporalio/common'
import { type ClientConfigProfile, type ClientConnectConfig, loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig'
import type { Settings } from '../../schemas/settings.ts'
import { SettingsError } from '../../schemas/settings-error.ts'
import { payloadKeys } from '../../schemas/temporal/payload-keys.ts'
import { settings } from '../../schemas/temporal/settings.ts'
import { encryptedPayloads } from './payload-codec.ts'

/** Settings of the connection: the names of the Temporal CLI and SDKs. Source: https://docs.temporal.io/develop/environment-configuration */
type Name = Extract<keyof typeof settings, `TEMPORAL_${string}`>
const NAMES = Object.keys(settings).filter((name): name is Name => name.startsWith('TEMPORAL_'))

/** As given: text. */
export type EngineSettings = Pick<Settings, Name> & { PAYLOAD_KEYS?: string | undefined }

/** How to reach the workflow engine; address and namespace are always known. */
export interface EngineConnection {
  connection: ClientConnectConfig['connectionOptions'] & { address: string }
  namespace: string
  /** Encrypts and decrypts payloads; without keys it lets plain ones pass. */
  payloadCodec: PayloadCodec
}

/** Those settings of an environment that are set, as they are: what another process needs to reach the same engine. */
export const pickEngineSettings = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    [...NAMES, 'TEMPORAL_API_KEY_FILE', 'PAYLOAD_KEYS', 'PAYLOAD_KEYS_FILE'].flatMap((name) => {
      const value = env[name]?.trim()
      return value ? [[name, value]] : []
    }),
  )

const assertReadable = (name: string, path: string | undefined): void => {
  if (path === undefined) return
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new SettingsError([`${name}: the file cannot be read`])
  }
}

const assertComplete = ({ tls }: ClientConfigProfile): void => {
  if ((tls?.clientCert === undefined) !== (tls?.clientKey === undefined))
    throw new SettingsError([
      'TEMPORAL_TLS_CLIENT_CERT_*, TEMPORAL_TLS_CLIENT_KEY_*: a client certificate needs its key, and a key its certificate',
    ])
}

/** The TLS options of Node.js for a connection; null without TLS. */
export const secureOptionsOf = ({ tls }: EngineConnection['connection']): (SecureContextOptions & { servername?: string }) | null => {
  if (tls === undefined || tls === null || tls === false) return null
  if (tls === true) return {}
  const { serverRootCACertificate: ca, clientCertPair: pair, serverNameOverride: servername } = tls
  return {
    ...(ca && { ca: Buffer.from(ca) }),
    ...(pair && { cert: Buffer.from(pair.crt), key: Buffer.from(pair.key) }),
    ...(servername && { servername }),
  }
}

const assertUsable = (connection: EngineConnection['connection']): void => {
  const options = secureOptionsOf(connection)
  try {
    if (options !== null) createSecureContext(options)
  } catch (error) {
    throw new SettingsError([
      `TEMPORAL_TLS_*: the certificates or the key cannot be used (${error instanceof Error ? error.message : error})`,
    ])
  }
}

/**
 * Reads the connection from the settings, and from a profile of the configuration file if one is named; a setting has precedence. Throws
 * `SettingsError`. A file that no setting names is not read: the one of a developer's home directory must not steer a service.
 */
export const readEngineConnection = (given: EngineSettings): EngineConnection => {
  const set = NAMES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const]))
  for (const [name, value] of set) if (name.endsWith('_PATH') || name === 'TEMPORAL_CONFIG_FILE') assertReadable(name, value)
  const { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: profileName } = given
  try {
    const disableFile = file === undefined && profileName === undefined
    const profile = loadClientConfigProfile({ overrideEnvVars: Object.fromEntries(set), disableFile, configFileStrict: true })
    assertComplete(profile)
    const { connectionOptions, namespace = 'default' } = toClientOptions(profile)
    const connection = { ...connectionOptions, address: connectionOptions.address ?? '127.0.0.1:7233' }
    assertUsable(connection)
    // Bad keys are a problem of the settings, which are read as a whole.
    const keys = payloadKeys.safeParse(given.PAYLOAD_KEYS).data ?? []
    return { connection, namespace, payloadCodec: encryptedPayloads(keys) }
  } catch (error) {
    if (error instanceof SettingsError || !(error instanceof Error)) throw error
    // The parser quotes lines of the file, which may hold a key.
    throw new SettingsError([`TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE: ${error.message.split('\n')[0]}`])
  }
}
