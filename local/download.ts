import { accessSync, constants, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'

/** Prints a line about a long operation. */
export type Say = (line: string) => void

const writable = (directory: string): boolean => {
  try {
    mkdirSync(directory, { recursive: true })
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Directory of downloaded programs, shared by every checkout of this user; inside the checkout without a writable home. */
export const programCache = (env: NodeJS.ProcessEnv = process.env): string => {
  const wishes = [env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), fileURLToPath(new URL('../node_modules/.cache', import.meta.url))]
  const usable = wishes.map((base) => join(base, 'agent-work')).find(writable)
  if (usable === undefined) throw new Error(`none of ${wishes.join(', ')} can be written to`)
  return usable
}

/** Trusts what this machine trusts besides Node's own list, such as the certificate of a company's proxy. */
const trustSystem = (): void => setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')])

/** Downloads the body of an address and prints its progress. Throws after `timeoutMs`, or when no data arrives for 15 s. */
export const fetchBytes = async (url: string, { timeoutMs, say }: { timeoutMs: number; say?: Say | undefined }): Promise<Buffer> => {
  trustSystem()
  const giveUp = new AbortController()
  const deadline = setTimeout(() => giveUp.abort(new Error(`no end within ${timeoutMs / 1000} s`)), timeoutMs)
  const stallTimer = setTimeout(() => giveUp.abort(new Error('nothing arrives')), Math.min(15_000, timeoutMs))
  try {
    const response = await fetch(url, { signal: giveUp.signal })
    if (!response.ok || !response.body) throw new Error(`${url} answers ${response.status}`)
    const total = Number(response.headers.get('content-length') ?? 0)
    const chunks: Buffer[] = []
    let received = 0
    let reported = 0
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      stallTimer.refresh()
      chunks.push(Buffer.from(chunk))
      received += chunk.byteLength
      if (total > 1_000_000 && received - reported > total / 4) {
        reported = received
        say?.(`  ${Math.round((received / total) * 100)} % of ${Math.round(total / 1_000_000)} MB`)
      }
    }
    return Buffer.concat(chunks)
  } finally {
    clearTimeout(deadline)
    clearTimeout(stallTimer)
  }
}
