import { readFileSync } from 'node:fs'
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls'
import { types } from 'node:util'
import { SettingsError } from './settings-error.ts'

/** Values of `sslmode`, as in libpq. Without the parameter the connection is not encrypted. */
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const
const PARAMETERS: readonly string[] = ['sslmode', ...Object.keys(FILES)]

type FileParameter = keyof typeof FILES

const problem = (setting: string, text: string): SettingsError => new SettingsError([`${setting}: ${text}`])

const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const parseUrl = (setting: string, text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || !isEncoded(url.password))
    throw problem(
      setting,
      'must be an address postgresql://user:password@host/database, with @, /, % and the like in the password percent-encoded',
    )
  return url
}

const readFile = (setting: string, name: string, path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch {
    throw problem(setting, `the file of ${name} cannot be read`)
  }
}

const filesOf = (setting: string, parameters: URLSearchParams): ConnectionOptions => {
  const named = (Object.keys(FILES) as FileParameter[]).flatMap((name) => {
    const path = parameters.get(name)
    return path === null ? [] : [[FILES[name], readFile(setting, name, path)]]
  })
  return Object.fromEntries(named)
}

const CERTIFICATE_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH)/
const NO_ENCRYPTION = 'The server does not support SSL connections'

/** Whether a connection to the database failed because of certificates, or because the server does not encrypt. */
export const isCertificateError = (error: unknown): error is Error =>
  types.isNativeError(error) && (('code' in error && CERTIFICATE_CODES.test(String(error.code))) || error.message === NO_ENCRYPTION)

/** The TLS options of a database address; false without encryption. Throws `SettingsError` for an address that cannot be used as it is. */
export const databaseSsl = (databaseUrl: string, setting = 'DATABASE_URL'): ConnectionOptions | false => {
  const { searchParams, hostname } = parseUrl(setting, databaseUrl)
  const unknown = [...searchParams.keys()].filter((name) => !PARAMETERS.includes(name))
  if (unknown.length > 0) throw problem(setting, `the parameters ${unknown.join(', ')} are not supported; use ${PARAMETERS.join(', ')}`)
  const given = searchParams.get('sslmode')
  const mode = MODES.find((name) => name === given)
  if (given !== null && mode === undefined) throw problem(setting, `sslmode must be one of ${MODES.join(', ')}`)
  if (mode === undefined || mode === 'disable') {
    if (searchParams.size > (given === null ? 0 : 1)) throw problem(setting, 'certificates need sslmode require, verify-ca or verify-full')
    return false
  }
  const files = filesOf(setting, searchParams)
  if (mode === 'require') return { ...files, rejectUnauthorized: false }
  // The driver would check a certificate for an IP address against the name localhost.
  const host = hostname.replaceAll(/[[\]]/g, '')
  const identify = (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate)
  return { ...files, rejectUnauthorized: true, checkServerIdentity: mode === 'verify-full' ? identify : () => undefined }
}
