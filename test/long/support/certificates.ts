import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Files of a certificate and its key, PEM. */
export interface Certificate {
  cert: string
  key: string
}

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] })
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

const filesOf = (directory: string, name: string): Certificate => ({
  cert: join(directory, `${name}.pem`),
  key: join(directory, `${name}.key`),
})

/** Makes a certificate authority in a directory, and what it signs. */
export const createAuthority = (directory: string, name: string) => {
  const own = filesOf(directory, name)
  openssl('req', '-x509', ...KEY, '-days', '2', '-subj', `/CN=${name}`, '-keyout', own.key, '-out', own.cert)
  /** A certificate for alternative names such as `DNS:localhost,IP:127.0.0.1`. */
  const sign = (leaf: string, names: string): Certificate => {
    const files = filesOf(directory, leaf)
    const request = join(directory, `${leaf}.csr`)
    openssl('req', ...KEY, '-subj', `/CN=${leaf}`, '-addext', `subjectAltName=${names}`, '-keyout', files.key, '-out', request)
    openssl(
      'x509',
      '-req',
      '-in',
      request,
      '-CA',
      own.cert,
      '-CAkey',
      own.key,
      '-days',
      '2',
      '-copy_extensions',
      'copy',
      '-out',
      files.cert,
    )
    return files
  }
  return { ...own, sign }
}
