// Files of one user: mode 0600 in a directory of mode 0700, and never half written.
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decodeText } from '../../../examples/verify-record/encoding/json.ts'
import { CliError, systemCode, usageError } from '../failures.ts'

/** No file that this program reads is larger: keys, tokens and submissions are small. */
export const FILE_LIMIT = 1024 * 1024

/** Whether other users can read a file or directory. */
export const isReadableByOthers = (path: string): boolean => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0

/** Creates a directory for the user alone. One that exists has to be private: its mode is the user's decision. */
export const ensurePrivateDirectory = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw usageError(`The directory ${path} cannot be used: ${systemCode(error) ?? 'unknown failure'}.`, 'Name another one with --dir.')
  }
  if (isReadableByOthers(path))
    throw usageError(`Other users can read the directory ${path}.`, `chmod 700 ${path}`, 'Or name another one with --dir.')
}

/** Writes a private file beside its place, from where it is put there in one step. */
const writeBeside = (path: string, text: string, put: (beside: string, path: string) => void): void => {
  const beside = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: 0o600, flush: true })
    put(beside, path)
  } finally {
    rmSync(beside, { force: true })
  }
}

/** Writes a new private file in one step. Returns false, and changes nothing, when the file exists. */
export const createPrivate = (path: string, text: string): boolean => {
  try {
    // A link fails when its target exists; a rename would replace it.
    writeBeside(path, text, linkSync)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Replaces a private file in one step. */
export const replacePrivate = (path: string, text: string): void => writeBeside(path, text, renameSync)

/** Text of bytes without one leading byte order mark. Bytes that are not UTF-8 are refused: they would be sent and hashed as other characters. */
export const readText = (bytes: Uint8Array, name: string): string => {
  const text = decodeText(bytes)
  if (text === undefined) throw usageError(`${name} is not UTF-8.`, 'Convert it, such as with: iconv -f LATIN1 -t UTF-8')
  return text
}

/** Text of a file, or undefined when there is none. Other failures are of the user's making. */
export const readFileIfThere = (path: string): string | undefined => {
  try {
    if (statSync(path).size > FILE_LIMIT) throw usageError(`The file ${path} is larger than ${FILE_LIMIT} bytes.`)
    return readText(readFileSync(path), `The file ${path}`)
  } catch (error) {
    if (error instanceof CliError) throw error
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw usageError(`The file ${path} cannot be read: ${code}.`)
  }
}
