import { generateKeyPairSync } from 'node:crypto'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'

/** A new P-256 key as PKCS#8 PEM. */
export const createKeyPem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** Replaces a key file in one step. The new file is readable by the owner of the old one only. */
export const replaceKeyFile = async (path: string, pem: string): Promise<void> => {
  // A link stays: the file that it names is replaced.
  const target = await realpath(path)
  const { uid, gid } = await stat(target)
  const next = `${target}.${process.pid}.next`
  const file = await open(next, 'wx', 0o600)
  try {
    await file.writeFile(pem)
    // Otherwise a service of another user could not read what an administrator wrote.
    await file.chown(uid, gid)
    await file.sync()
    await file.close()
    await rename(next, target)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(next, { force: true })
    throw error
  }
}
